//! Triangles of a mesh in the world.

use std::ffi::c_int;

use glam::DVec3;

use super::super::{Geom, GeomId, GeomShape, shape};
use super::NOT_ONE;
use crate::report::{self, require};
use crate::types::{dReal, dVector3, put, write3};

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomTriMeshGetTriangleCount(geom: GeomId) -> c_int {
    shape!(geom, GeomShape::TriMesh(mesh) => {
        mesh.data.as_ref().map_or(0, |data| data.triangle_count as c_int)
    }, NOT_ONE, 0)
}

/// Corners of a triangle in the world; none, with a report, where there is no such triangle.
unsafe fn corners(geom: GeomId, index: c_int) -> Option<[DVec3; 3]> {
    let data = shape!(geom, GeomShape::TriMesh(mesh) => mesh.data.as_ref(), NOT_ONE, None)?;
    let Some(index) = usize::try_from(index).ok().filter(|&i| i < data.triangle_count) else {
        report::debug(report::USER, "no such triangle");
        return None;
    };
    let placed = Geom::placed(geom);
    Some(data.triangle(index).map(|p| placed.point(p)))
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomTriMeshGetTriangle(
    geom: GeomId,
    index: c_int,
    v0: *mut dVector3,
    v1: *mut dVector3,
    v2: *mut dVector3,
) {
    require!(!v0.is_null() || !v1.is_null() || !v2.is_null(), "A meaningless call");
    let Some(corners) = corners(geom, index) else { return };
    for (out, corner) in [v0, v1, v2].into_iter().zip(corners) {
        if let Some(out) = out.as_mut() {
            *out = put(corner);
        }
    }
}

/// The point `(1 - u - v) v0 + u v1 + v v2`.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomTriMeshGetPoint(
    geom: GeomId,
    index: c_int,
    u: dReal,
    v: dReal,
    result: *mut dReal,
) {
    require!(!result.is_null(), "Bad argument(s): nowhere to write to");
    let Some([a, b, c]) = corners(geom, index) else { return };
    let (u, v): (f64, f64) = (u.into(), v.into());
    write3(result, a * (1.0 - u - v) + b * u + c * v);
}
