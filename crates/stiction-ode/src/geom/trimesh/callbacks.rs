//! What a program wants to be told, or to decide, while a mesh collides.

use std::ffi::c_int;

use super::super::{GeomId, GeomShape, shape};
use super::NOT_ONE;
use crate::types::dReal;

/// `dTriCallback`: false keeps a triangle from touching.
pub(crate) type TriangleFn = unsafe extern "C-unwind" fn(GeomId, GeomId, c_int) -> c_int;
/// `dTriArrayCallback`: the triangles near a geom.
pub(crate) type ArrayFn = unsafe extern "C-unwind" fn(GeomId, GeomId, *const c_int, c_int);
/// `dTriRayCallback`: false keeps a ray from hitting a triangle at `u`, `v`.
pub(crate) type RayFn = unsafe extern "C-unwind" fn(GeomId, GeomId, c_int, dReal, dReal) -> c_int;
/// `dTriTriMergeCallback`: the index to give a contact of two triangles.
pub(crate) type MergeFn = unsafe extern "C-unwind" fn(GeomId, c_int, c_int) -> c_int;

/// The four of them.
#[derive(Clone, Copy, Default)]
pub(crate) struct Callbacks {
    pub triangle: Option<TriangleFn>,
    pub array: Option<ArrayFn>,
    pub ray: Option<RayFn>,
    pub merge: Option<MergeFn>,
}

macro_rules! accessors {
    ($($set:ident, $get:ident: $field:ident: $function:ty;)*) => {$(
        #[unsafe(no_mangle)]
        pub(crate) unsafe extern "C-unwind" fn $set(geom: GeomId, function: Option<$function>) {
            shape!(geom, GeomShape::TriMesh(mesh) => mesh.callbacks.$field = function, NOT_ONE);
        }

        #[unsafe(no_mangle)]
        pub(crate) unsafe extern "C-unwind" fn $get(geom: GeomId) -> Option<$function> {
            shape!(geom, GeomShape::TriMesh(mesh) => mesh.callbacks.$field, NOT_ONE, None)
        }
    )*};
}

accessors! {
    dGeomTriMeshSetCallback, dGeomTriMeshGetCallback: triangle: TriangleFn;
    dGeomTriMeshSetArrayCallback, dGeomTriMeshGetArrayCallback: array: ArrayFn;
    dGeomTriMeshSetRayCallback, dGeomTriMeshGetRayCallback: ray: RayFn;
    dGeomTriMeshSetTriMergeCallback, dGeomTriMeshGetTriMergeCallback: merge: MergeFn;
}
