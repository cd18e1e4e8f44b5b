//! Geom transforms: a geom at a pose in another's frame. Superseded by offsets, but programs use them.

use std::ffi::c_int;
use std::ptr::null_mut;

use super::pose::Placed;
use super::{Geom, GeomId, GeomPose, GeomShape, body::moved, create, destroy, shape};
use crate::alive;
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
    /// The inner geom's own pose while it stands where it is in the world.
    own_pose: Option<GeomPose>,
}

/// The inner geom of a transform stands where it is in the world, on the transform's body, until this is dropped.
pub(crate) struct Placing(GeomId);

impl Placing {
    /// # Safety
    /// The geom is a transform with an inner geom, whose pose is its own, and lives as long as this.
    pub(crate) unsafe fn new(geom: GeomId, inner: GeomId, placed: &Placed) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            if let GeomShape::Transform(transform) = &mut (*geom).shape {
                transform.own_pose = Some(std::mem::replace(&mut (*inner).pose, GeomPose::new(placed)));
                (*inner).body = (*geom).body;
            }
        }
        Self(geom)
    }
}

impl Drop for Placing {
    fn drop(&mut self) {
        // SAFETY: the promise of `new`.
        unsafe {
            if let GeomShape::Transform(transform) = &mut (*self.0).shape {
                transform.put_back();
            }
        }
    }
}

impl Transform {
    /// Gives the inner geom its own pose again, where a callback was left by `longjmp` or has not returned yet.
    unsafe fn put_back(&mut self) {
        if let Some(pose) = self.own_pose.take()
            && let Some(inner) = self.inner.as_mut()
        {
            inner.pose = pose;
            inner.body = null_mut();
        }
    }

    /// The inner geom and where it is when the transform is at a pose.
    pub(crate) unsafe fn inner_at(&mut self, placed: &Placed) -> Option<(GeomId, Placed)> {
        self.put_back();
        (!self.inner.is_null()).then(|| (self.inner, placed.compose(&Geom::placed(self.inner))))
    }
}

/// Ends the inner geom if the transform owns it.
pub(super) unsafe fn clean_up(geom: GeomId) {
    if let GeomShape::Transform(transform) = &mut (*geom).shape {
        transform.put_back();
        let inner = std::mem::replace(&mut transform.inner, null_mut());
        if !inner.is_null() && transform.cleanup != 0 && alive::has(inner) {
            destroy(inner);
        }
    }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dCreateGeomTransform(space: GeomId) -> GeomId {
    create(space, true, GeomShape::Transform(Transform { inner: null_mut(), cleanup: 0, info: 0, own_pose: None }))
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomTransformSetGeom(geom: GeomId, inner: GeomId) {
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
pub(crate) unsafe extern "C-unwind" fn dGeomTransformGetGeom(geom: GeomId) -> GeomId {
    shape!(geom, GeomShape::Transform(transform) => transform.inner, NOT_ONE, null_mut())
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomTransformSetCleanup(geom: GeomId, mode: c_int) {
    shape!(geom, GeomShape::Transform(transform) => transform.cleanup = mode, NOT_ONE);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomTransformGetCleanup(geom: GeomId) -> c_int {
    shape!(geom, GeomShape::Transform(transform) => transform.cleanup, NOT_ONE, 0)
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomTransformSetInfo(geom: GeomId, mode: c_int) {
    shape!(geom, GeomShape::Transform(transform) => transform.info = mode, NOT_ONE);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomTransformGetInfo(geom: GeomId) -> c_int {
    shape!(geom, GeomShape::Transform(transform) => transform.info, NOT_ONE, 0)
}
