//! Capsules along z, under their present name and the older one.

use super::sphere::resized;
use super::{Geom, GeomId, GeomShape, create, shape};
use crate::report::require;
use crate::types::{dReal, vector};

const NOT_ONE: &str = "argument not a ccylinder";

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dCreateCapsule(space: GeomId, radius: dReal, length: dReal) -> GeomId {
    require!(radius >= 0.0 && length >= 0.0, "Bad argument(s): size below zero", std::ptr::null_mut());
    create(space, true, GeomShape::Capsule { radius: radius.into(), length: length.into() })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomCapsuleSetParams(capsule: GeomId, new_radius: dReal, new_length: dReal) {
    require!(new_radius >= 0.0 && new_length >= 0.0, "Bad argument(s): size below zero");
    shape!(capsule, GeomShape::Capsule { radius, length } => {
        *radius = new_radius.into();
        *length = new_length.into();
    }, NOT_ONE);
    resized(capsule);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomCapsuleGetParams(capsule: GeomId, radius: *mut dReal, length: *mut dReal) {
    let sizes = shape!(capsule, GeomShape::Capsule { radius, length } => (*radius, *length), NOT_ONE);
    write_sizes(sizes, radius, length);
}

/// Writes what is asked for.
pub(super) unsafe fn write_sizes(sizes: (f64, f64), radius: *mut dReal, length: *mut dReal) {
    if let Some(radius) = radius.as_mut() {
        *radius = sizes.0 as dReal;
    }
    if let Some(length) = length.as_mut() {
        *length = sizes.1 as dReal;
    }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomCapsulePointDepth(capsule: GeomId, x: dReal, y: dReal, z: dReal) -> dReal {
    let (radius, length) = shape!(capsule, GeomShape::Capsule { radius, length } => (*radius, *length), NOT_ONE, 0.0);
    let local = Geom::placed(capsule).inverse_point(vector(&[x, y, z]));
    let on_axis = glam::DVec3::Z * local.z.clamp(-0.5 * length, 0.5 * length);
    (radius - (local - on_axis).length()) as dReal
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dCreateCCylinder(space: GeomId, radius: dReal, length: dReal) -> GeomId {
    dCreateCapsule(space, radius, length)
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomCCylinderSetParams(capsule: GeomId, radius: dReal, length: dReal) {
    dGeomCapsuleSetParams(capsule, radius, length);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomCCylinderGetParams(
    capsule: GeomId,
    radius: *mut dReal,
    length: *mut dReal,
) {
    dGeomCapsuleGetParams(capsule, radius, length);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomCCylinderPointDepth(
    capsule: GeomId,
    x: dReal,
    y: dReal,
    z: dReal,
) -> dReal {
    dGeomCapsulePointDepth(capsule, x, y, z)
}
