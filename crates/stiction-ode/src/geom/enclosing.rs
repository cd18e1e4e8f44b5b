//! What geoms ask of the space that they are in: spaces are built on geoms, and hand their functions down with their data.

use std::any::Any;
use std::ffi::{c_int, c_void};

use super::{GeomId, GeomShape};
use crate::in_progress::InProgress;

/// `dNearCallback`.
pub(crate) type NearFn = unsafe extern "C-unwind" fn(*mut c_void, GeomId, GeomId);

/// A space as a shape of a geom.
pub(crate) struct SpaceShape {
    pub class: c_int,
    /// Its bounds are without end, whatever is in it.
    pub is_unbounded: bool,
    /// Walks over it: it must not change meanwhile.
    pub walks: InProgress,
    pub functions: &'static Functions,
    pub data: Box<dyn Any>,
}

/// What a space does for its geoms; each takes the space first.
pub(crate) struct Functions {
    /// Adds a geom that is in no space.
    pub add: unsafe fn(GeomId, GeomId),
    /// Takes a geom out.
    pub remove: unsafe fn(GeomId, GeomId),
    /// A clean geom has moved.
    pub dirty: unsafe fn(GeomId, GeomId),
    /// Bounds of all geoms in it.
    pub bounds: unsafe fn(GeomId) -> [f64; 6],
    /// Its geoms end, or leave it.
    pub empty: unsafe fn(GeomId),
    /// Tells of all its geoms that may touch another.
    pub collide: unsafe fn(GeomId, GeomId, *mut c_void, NearFn),
}

/// The space that a geom is, if it is one.
pub(crate) unsafe fn of<'a>(geom: GeomId) -> Option<&'a mut SpaceShape> {
    match &mut geom.as_mut()?.shape {
        GeomShape::Space(space) => Some(space),
        _ => None,
    }
}

unsafe fn functions(space: GeomId) -> Option<&'static Functions> {
    of(space).map(|space| space.functions)
}

/// The space, if it is one, is being walked and must not change.
pub(crate) unsafe fn is_locked(space: GeomId) -> bool {
    of(space).is_some_and(|space| space.walks.is_any())
}

/// Puts a geom that is in no space into one that is not locked.
pub(super) unsafe fn add(space: GeomId, geom: GeomId) {
    if let Some(functions) = functions(space) {
        (functions.add)(space, geom);
    }
}

/// Takes a geom out of its space, which is not locked.
pub(super) unsafe fn remove(space: GeomId, geom: GeomId) {
    if let Some(functions) = functions(space) {
        (functions.remove)(space, geom);
    }
}

/// A clean geom of a space has moved.
pub(super) unsafe fn dirty(space: GeomId, geom: GeomId) {
    if let Some(functions) = functions(space) {
        (functions.dirty)(space, geom);
    }
}

/// A space ends: its geoms end too, or leave it.
pub(super) unsafe fn empty(space: GeomId) {
    if let Some(functions) = functions(space) {
        (functions.empty)(space);
    }
}

/// Tells of all geoms of a space that may touch another.
pub(super) unsafe fn collide(space: GeomId, other: GeomId, data: *mut c_void, callback: NearFn) {
    if let Some(functions) = functions(space) {
        (functions.collide)(space, other, data, callback);
    }
}

/// What one geom is, the other collides with.
pub(crate) unsafe fn bits_match(first: GeomId, second: GeomId) -> bool {
    (*first).category_bits & (*second).collide_bits != 0 || (*second).category_bits & (*first).collide_bits != 0
}
