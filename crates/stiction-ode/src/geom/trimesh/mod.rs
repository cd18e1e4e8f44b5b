//! Triangle meshes (`ode/collision_trimesh.h`).

mod build;
mod callbacks;
mod data;
mod mass;
mod triangles;

use std::ffi::c_int;
use std::ptr::null_mut;

use glam::DVec3;

pub(crate) use callbacks::Callbacks;
pub(crate) use data::TriMeshData;

use super::pose::Placed;
use super::sphere::resized;
use super::{GeomId, GeomShape, class, create, shape};
use crate::report::{self, require};
use crate::types::dReal;

pub(super) const NOT_ONE: &str = "The argument is not a trimesh";

/// A mesh in the world.
pub(crate) struct TriMesh {
    pub data: *mut TriMeshData,
    pub callbacks: Callbacks,
    /// Temporal coherence with spheres, boxes and capsules: kept for the program, needed by nobody here.
    coherent: [bool; 3],
    /// `dGeomColliderMergeContactsValue_…`
    pub merge_sphere_contacts: c_int,
    /// Pose in the step before, of programs that tell it.
    last_transform: [dReal; 16],
}

/// Contacts of a sphere are not merged.
const MERGE_NONE: c_int = 1;
const MERGE_FULL: c_int = 3;

impl TriMesh {
    /// Takes a value of the header, of which 0 is the default; false if it is none.
    pub(crate) fn set_merge_sphere_contacts(&mut self, value: c_int) -> bool {
        if !(0..=MERGE_FULL).contains(&value) {
            report::debug(report::USER, "Bad argument(s): no way to merge contacts");
            return false;
        }
        self.merge_sphere_contacts = if value == 0 { MERGE_NONE } else { value };
        true
    }

    /// The box of the mesh's own bounds, turned: loose, as in ODE.
    pub(crate) unsafe fn bounds(&self, placed: &Placed) -> [f64; 6] {
        let Some((center, half)) = self.data.as_ref().map(TriMeshData::center_and_half) else { return [0.0; 6] };
        let rows = placed.rotation.transpose();
        let middle = placed.point(center);
        let reach: DVec3 = DVec3::from_array([0, 1, 2].map(|axis| rows.col(axis).abs().dot(half)));
        let (low, high) = (middle - reach, middle + reach);
        [low.x, high.x, low.y, high.y, low.z, high.z]
    }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dCreateTriMesh(
    space: GeomId,
    data: *mut TriMeshData,
    triangle: Option<callbacks::TriangleFn>,
    array: Option<callbacks::ArrayFn>,
    ray: Option<callbacks::RayFn>,
) -> GeomId {
    let mesh = TriMesh {
        data,
        callbacks: Callbacks { triangle, array, ray, merge: None },
        coherent: [false; 3],
        merge_sphere_contacts: MERGE_NONE,
        last_transform: [0.0; 16],
    };
    create(space, true, GeomShape::TriMesh(Box::new(mesh)))
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomTriMeshSetData(geom: GeomId, data: *mut TriMeshData) {
    shape!(geom, GeomShape::TriMesh(mesh) => mesh.data = data, NOT_ONE);
    resized(geom);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomTriMeshGetData(geom: GeomId) -> *mut TriMeshData {
    shape!(geom, GeomShape::TriMesh(mesh) => mesh.data, NOT_ONE, null_mut())
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomTriMeshGetTriMeshDataID(geom: GeomId) -> *mut TriMeshData {
    dGeomTriMeshGetData(geom)
}

/// Place of a class among those with temporal coherence.
fn coherent_class(number: c_int) -> Option<usize> {
    [class::SPHERE, class::BOX, class::CAPSULE].iter().position(|&c| c == number)
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomTriMeshEnableTC(geom: GeomId, number: c_int, enable: c_int) {
    shape!(geom, GeomShape::TriMesh(mesh) => {
        if let Some(index) = coherent_class(number) {
            mesh.coherent[index] = enable != 0;
        }
    }, NOT_ONE);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomTriMeshIsTCEnabled(geom: GeomId, number: c_int) -> c_int {
    shape!(geom, GeomShape::TriMesh(mesh) => {
        coherent_class(number).is_some_and(|index| mesh.coherent[index]).into()
    }, NOT_ONE, 0)
}

/// Nothing is cached from one collision to the next.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomTriMeshClearTCCache(geom: GeomId) {
    shape!(geom, GeomShape::TriMesh(_) => (), NOT_ONE);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomTriMeshSetLastTransform(geom: GeomId, transform: *const dReal) {
    require!(!transform.is_null(), "Bad argument(s): no transform");
    shape!(geom, GeomShape::TriMesh(mesh) => mesh.last_transform = *transform.cast(), NOT_ONE);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomTriMeshGetLastTransform(geom: GeomId) -> *const dReal {
    static NONE: [dReal; 16] = [0.0; 16];
    shape!(geom, GeomShape::TriMesh(mesh) => mesh.last_transform.as_ptr(), NOT_ONE, NONE.as_ptr())
}
