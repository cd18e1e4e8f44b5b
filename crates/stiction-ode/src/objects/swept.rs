//! Which bodies ask to stop at their first impact where they are fast; how they do is `step::swept`.

use std::ffi::c_int;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use super::body::{BodyId, flag};
use super::world::{WorldId, set_flag};
use crate::report::require;

/// A body has asked for it, in some world.
static NOTED: AtomicBool = AtomicBool::new(false);

/// Spaces are to remember which others they are collided with.
pub(crate) fn is_any() -> bool {
    NOTED.load(Ordering::Relaxed)
}

fn note(on: bool) {
    NOTED.fetch_or(on, Ordering::Relaxed);
}

/// `STICTION_ODE_SWEPT=1` in the environment: bodies of every new world ask for it.
pub(crate) fn is_default() -> bool {
    static DEFAULT: OnceLock<bool> = OnceLock::new();
    let is_on = *DEFAULT.get_or_init(|| std::env::var("STICTION_ODE_SWEPT").is_ok_and(|value| value == "1"));
    note(is_on);
    is_on
}

/// Whether the body, where it is fast, stops at its first impact in a step.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dBodySetStictionSwept(body: BodyId, on: c_int) {
    require!(!body.is_null(), "bad body argument");
    set_flag(&mut (*body).flags, flag::SWEPT, on != 0);
    note(on != 0);
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dBodyGetStictionSwept(body: BodyId) -> c_int {
    require!(!body.is_null(), "bad body argument", 0);
    c_int::from((*body).flags & flag::SWEPT != 0)
}

/// [`dBodySetStictionSwept`] of all bodies of a world, those that are there and new ones.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dWorldSetStictionSwept(world: WorldId, on: c_int) {
    require!(!world.is_null(), "bad world argument");
    set_flag(&mut (*world).body_flags, flag::SWEPT, on != 0);
    let mut body = (*world).first_body;
    while !body.is_null() {
        set_flag(&mut (*body).flags, flag::SWEPT, on != 0);
        body = (*body).next;
    }
    note(on != 0);
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dWorldGetStictionSwept(world: WorldId) -> c_int {
    require!(!world.is_null(), "bad world argument", 0);
    c_int::from((*world).body_flags & flag::SWEPT != 0)
}
