//! Geom transforms: a geom at a pose in another's frame. Superseded by offsets, but programs use them.

use std::ffi::c_int;
use std::ptr::null_mut;

use super::pose::Placed;
use super::{Geom, GeomId, GeomShape, body::moved, create, destroy, shape};
use crate::report::require;

const NOT_ONE: &str = "argument not a geom transform";

/// What a transform carries.
pub(crate) struct Transform {
    /// The inner geom, in no space and on no body.
    pub inner: GeomId,
    /// Non-zero: the inner geom ends with the transform.
    cleanup: c_int,
    /// Non-zero: contacts name the transform, not the inner geom.
    pub info: c_int,
}

impl Transform {
    /// The inner geom and where it is when the transform is at a pose.
    pub(crate) unsafe fn inner_at(&self, placed: &Placed) -> Option<(GeomId, Placed)> {
        (!self.inner.is_null()).then(|| (self.inner, placed.compose(&Geom::placed(self.inner))))
    }
}

/// Ends the inner geom if the transform owns it.
pub(super) unsafe fn clean_up(geom: GeomId) {
    if let GeomShape::Transform(transform) = &mut (*geom).shape {
        let inner = std::mem::replace(&mut transform.inner, null_mut());
        if !inner.is_null() && transform.cleanup != 0 {
            destroy(inner);
        }
    }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn dCreateGeomTransform(space: GeomId) -> GeomId {
    create(space, true, GeomShape::Transform(Transform { inner: null_mut(), cleanup: 0, info: 0 }))
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn dGeomTransformSetGeom(geom: GeomId, inner: GeomId) {
    shape!(geom, GeomShape::Transform(_) => (), NOT_ONE);
    let mut within = inner;
    while !within.is_null() {
        require!(within != geom, "a GeomTransform cannot encapsulate itself");
        within = if let GeomShape::Transform(transform) = &(*within).shape { transform.inner } else { null_mut() };
    }
    if shape!(geom, GeomShape::Transform(transform) => transform.inner, NOT_ONE) == inner {
        return;
    }
    clean_up(geom);
    shape!(geom, GeomShape::Transform(transform) => transform.inner = inner, NOT_ONE);
    // ODE forgets this, and goes on with the bounds of the former geom until the transform is moved.
    moved(geom);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn dGeomTransformGetGeom(geom: GeomId) -> GeomId {
    shape!(geom, GeomShape::Transform(transform) => transform.inner, NOT_ONE, null_mut())
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn dGeomTransformSetCleanup(geom: GeomId, mode: c_int) {
    shape!(geom, GeomShape::Transform(transform) => transform.cleanup = mode, NOT_ONE);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn dGeomTransformGetCleanup(geom: GeomId) -> c_int {
    shape!(geom, GeomShape::Transform(transform) => transform.cleanup, NOT_ONE, 0)
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn dGeomTransformSetInfo(geom: GeomId, mode: c_int) {
    shape!(geom, GeomShape::Transform(transform) => transform.info = mode, NOT_ONE);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn dGeomTransformGetInfo(geom: GeomId) -> c_int {
    shape!(geom, GeomShape::Transform(transform) => transform.info, NOT_ONE, 0)
}
