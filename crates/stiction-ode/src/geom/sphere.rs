//! Balls.

use super::{Geom, GeomId, GeomShape, body::moved, create, flag, shape};
use crate::report::require;
use crate::types::{dReal, vector};

const NOT_ONE: &str = "argument not a sphere";

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dCreateSphere(space: GeomId, radius: dReal) -> GeomId {
    require!(radius >= 0.0, "Bad argument(s): radius below zero", std::ptr::null_mut());
    create(space, true, GeomShape::Sphere { radius: radius.into() })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomSphereSetRadius(sphere: GeomId, new_radius: dReal) {
    require!(new_radius >= 0.0, "Bad argument(s): radius below zero");
    shape!(sphere, GeomShape::Sphere { radius } => *radius = new_radius.into(), NOT_ONE);
    resized(sphere);
}

/// Another size: bounds and place in the space are stale, and zero sizes are left out of spaces.
pub(super) unsafe fn resized(geom: GeomId) {
    (*geom).set_flag(flag::ZERO_SIZED, (*geom).shape.has_no_size());
    moved(geom);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomSphereGetRadius(sphere: GeomId) -> dReal {
    shape!(sphere, GeomShape::Sphere { radius } => *radius as dReal, NOT_ONE, 0.0)
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomSpherePointDepth(sphere: GeomId, x: dReal, y: dReal, z: dReal) -> dReal {
    let radius = shape!(sphere, GeomShape::Sphere { radius } => *radius, NOT_ONE, 0.0);
    (radius - (vector(&[x, y, z]) - Geom::placed(sphere).position).length()) as dReal
}
