//! Making, asking and changing spaces.

use std::ffi::c_int;
use std::ptr::null_mut;

use super::quadtree::QuadTree;
use super::sweep::Sweep;
use super::{Space, SpaceKind, list};
use crate::alive::require_alive;
use crate::geom::enclosing::is_locked;
use crate::geom::{GeomId, create, destroy};
use crate::report::{self, require};
use crate::types::{dReal, vector_at};

/// The space behind a handle, or the end of the call.
macro_rules! space {
    ($geom:expr $(, $value:expr)?) => {
        match Space::of($geom) {
            Some(space) => &mut *space,
            None => {
                report::debug(report::USER, "argument not a space");
                return $($value)?;
            }
        }
    };
}

unsafe fn create_space(parent: GeomId, kind: SpaceKind) -> GeomId {
    create(parent, false, Space::new(kind).into_shape())
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dSimpleSpaceCreate(parent: GeomId) -> GeomId {
    create_space(parent, SpaceKind::Simple)
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dHashSpaceCreate(parent: GeomId) -> GeomId {
    create_space(parent, SpaceKind::Hash { least_level: -3, greatest_level: 10 })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dQuadTreeSpaceCreate(
    parent: GeomId,
    center: *const dReal,
    extents: *const dReal,
    depth: c_int,
) -> GeomId {
    require!(!center.is_null() && !extents.is_null(), "Bad argument(s): no center or extents", null_mut());
    // Deeper trees do not fit into memory.
    require!((0..=12).contains(&depth), "Bad argument(s): depth of a quadtree", null_mut());
    let tree = QuadTree::new(vector_at(center), vector_at(extents), depth);
    create_space(parent, SpaceKind::QuadTree(tree))
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dSweepAndPruneSpaceCreate(parent: GeomId, axis_order: c_int) -> GeomId {
    create_space(parent, SpaceKind::Sweep(Sweep::new(axis_order)))
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dSpaceDestroy(space: GeomId) {
    require!(!space.is_null(), "argument not a space");
    require_alive!(space);
    let _ = space!(space);
    destroy(space);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dHashSpaceSetLevels(space: GeomId, least: c_int, greatest: c_int) {
    require!(least <= greatest, "must have minlevel <= maxlevel");
    match &mut space!(space).kind {
        SpaceKind::Hash { least_level, greatest_level } => (*least_level, *greatest_level) = (least, greatest),
        _ => require!(false, "argument must be a hash space"),
    }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dHashSpaceGetLevels(space: GeomId, least: *mut c_int, greatest: *mut c_int) {
    match &space!(space).kind {
        SpaceKind::Hash { least_level, greatest_level } => {
            if let Some(least) = least.as_mut() {
                *least = *least_level;
            }
            if let Some(greatest) = greatest.as_mut() {
                *greatest = *greatest_level;
            }
        }
        _ => require!(false, "argument must be a hash space"),
    }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dSpaceSetCleanup(space: GeomId, mode: c_int) {
    space!(space).cleanup = mode != 0;
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dSpaceGetCleanup(space: GeomId) -> c_int {
    space!(space, 0).cleanup.into()
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dSpaceSetSublevel(space: GeomId, sublevel: c_int) {
    space!(space).sublevel = sublevel;
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dSpaceGetSublevel(space: GeomId) -> c_int {
    space!(space, 0).sublevel
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dSpaceSetManualCleanup(space: GeomId, mode: c_int) {
    space!(space).manual_cleanup = mode != 0;
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dSpaceGetManualCleanup(space: GeomId) -> c_int {
    space!(space, 0).manual_cleanup.into()
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dSpaceAdd(space: GeomId, geom: GeomId) {
    let _ = space!(space);
    require!(!geom.is_null(), "Bad argument(s): no geom");
    require!(!is_locked(space), "Invalid operation for locked space");
    require!((*geom).space.is_null(), "geom is already in a space");
    let mut around = space;
    while !around.is_null() && around != geom {
        around = (*around).space;
    }
    require!(around.is_null(), "a space cannot be inside itself");
    list::add(space, geom);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dSpaceRemove(space: GeomId, geom: GeomId) {
    let _ = space!(space);
    require!(!geom.is_null(), "Bad argument(s): no geom");
    require!(!is_locked(space), "Invalid operation for locked space");
    require!((*geom).space == space, "object is not in this space");
    list::remove(space, geom);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dSpaceQuery(space: GeomId, geom: GeomId) -> c_int {
    let _ = space!(space, 0);
    require!(!geom.is_null(), "Bad argument(s): no geom", 0);
    ((*geom).space == space).into()
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dSpaceClean(space: GeomId) {
    let _ = space!(space);
    list::clean(space);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dSpaceGetNumGeoms(space: GeomId) -> c_int {
    space!(space, 0).count
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dSpaceGetClass(space: GeomId) -> c_int {
    let _ = space!(space, 0);
    (*space).class
}

/// The list in order, a step at a time where the program counts upwards. As in ODE the next index follows the geom of the
/// last, even if that has moved to the head meanwhile.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dSpaceGetGeom(space: GeomId, index: c_int) -> GeomId {
    let owner = space!(space, null_mut());
    require!(index >= 0 && index < owner.count, "index out of range", null_mut());
    if let SpaceKind::Sweep(sweep) = &owner.kind {
        return sweep.geom(index as usize);
    }
    let found = match owner.cursor {
        Some((last, geom)) if last == index - 1 => (*geom).next,
        _ => {
            let mut geom = owner.first;
            for _ in 0..index {
                if geom.is_null() {
                    break;
                }
                geom = (*geom).next;
            }
            geom
        }
    };
    owner.cursor = (!found.is_null()).then_some((index, found));
    found
}
