//! `dCollide`: contact points of two geoms.
//!
//! | pair | points |
//! |---|---|
//! | sphere with sphere, box, plane, capsule, cylinder; box with box, plane; capsule with capsule, plane; cylinder with plane; convex with plane | ODE's, in its order |
//! | capsule with box, cylinder; cylinder with box, cylinder; convex with any solid | the engine's manifold: ODE has one wandering point |
//! | ray with any solid or half-space | the first hit, as in ODE |
//! | mesh, heightfield with others | the engine's, in which inner edges stop nothing; a ray has all its hits of a mesh |

mod box_box;
mod box_plane;
mod capsule;
mod contacts;
mod cull;
mod cylinder;
mod dispatch;
mod engine;
mod heightfield;
mod mesh;
mod mesh_plane;
mod nested;
mod parts;
mod ray;
mod sphere;

use std::ffi::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

pub(super) use box_box::{BoxContact, OrientedBox, box_box};
pub(crate) use contacts::Contacts;
pub(super) use contacts::{CONTACTS_UNIMPORTANT, SLOTS};
pub(crate) use parts::{engine_parts, field_under, may_touch};

use super::{GeomId, geom, user};
use crate::init;
use crate::report::{self, require, require_internal};
use crate::types::dContactGeom;

/// The program has classes or colliders of its own.
static OVERRIDDEN: AtomicBool = AtomicBool::new(false);

pub(super) fn set_overridden(on: bool) {
    OVERRIDDEN.store(on, Ordering::Relaxed);
}

/// Contact points between two geoms; the low 16 bits of the flags say how many at most.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dCollide(
    first: GeomId,
    second: GeomId,
    flags: c_int,
    contacts: *mut dContactGeom,
    skip: c_int,
) -> c_int {
    let _ = (geom!(first, 0), geom!(second, 0));
    require!(!contacts.is_null(), "Bad argument(s): no contacts", 0);
    require!(
        init::is_initialized(),
        "Please call ODE initialization (dInitODE() or similar) before using the library",
        0
    );
    require!(flags & SLOTS > 0, "no contacts requested", 0);
    require_internal!(skip >= size_of::<dContactGeom>() as c_int, "contacts overlap", 0);
    collide_geoms(first, second, flags, contacts, skip)
}

/// [`dCollide`] without its checks.
pub(crate) unsafe fn collide_geoms(
    first: GeomId,
    second: GeomId,
    flags: c_int,
    contacts: *mut dContactGeom,
    skip: c_int,
) -> c_int {
    let one_body = !(*first).body.is_null() && (*first).body == (*second).body;
    if first == second || one_body {
        return 0;
    }
    let mut contacts = Contacts::new(contacts, skip, flags);
    if OVERRIDDEN.load(Ordering::Relaxed)
        && let Some(found) = user::overriding((*first).class, (*second).class)
    {
        let Some(function) = found.function else { return 0 };
        let (a, b) = if found.reverse { (second, first) } else { (first, second) };
        contacts.count = function(a, b, flags, contacts.start, skip).max(0) as usize;
        if found.reverse {
            contacts.reverse();
        }
        return contacts.count as c_int;
    }
    let Some((kernel, reverse)) = dispatch::kernel((*first).class, (*second).class) else { return 0 };
    let (a, b) = if reverse { (second, first) } else { (first, second) };
    (contacts.first, contacts.second) = (a, b);
    if dispatch::calls_back((*a).class) || dispatch::calls_back((*b).class) {
        kernel(a, b, &mut contacts);
    } else if without_panic(|| kernel(a, b, &mut contacts)).is_none() {
        return 0;
    }
    if reverse {
        contacts.reverse();
    }
    contacts.count as c_int
}

/// Does something that calls no function of the program. No panic of ours may leave for the program: it is reported, and what
/// was found before it is not trusted. Functions of the program are called outside of this, so that their exceptions pass.
fn without_panic<T>(work: impl FnOnce() -> T) -> Option<T> {
    let done = catch_unwind(AssertUnwindSafe(work)).ok();
    if done.is_none() {
        report::debug(report::INTERNAL, "collision of two geoms failed");
    }
    done
}

#[cfg(test)]
mod tests;
