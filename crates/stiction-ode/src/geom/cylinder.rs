//! Cylinders along z.

use super::capsule::write_sizes;
use super::sphere::resized;
use super::{GeomId, GeomShape, create, shape};
use crate::report::require;
use crate::types::dReal;

const NOT_ONE: &str = "argument not a cylinder";

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dCreateCylinder(space: GeomId, radius: dReal, length: dReal) -> GeomId {
    require!(radius >= 0.0 && length >= 0.0, "Bad argument(s): size below zero", std::ptr::null_mut());
    create(space, true, GeomShape::Cylinder { radius: radius.into(), length: length.into() })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomCylinderSetParams(cylinder: GeomId, new_radius: dReal, new_length: dReal) {
    require!(new_radius >= 0.0 && new_length >= 0.0, "Bad argument(s): size below zero");
    shape!(cylinder, GeomShape::Cylinder { radius, length } => {
        *radius = new_radius.into();
        *length = new_length.into();
    }, NOT_ONE);
    resized(cylinder);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomCylinderGetParams(
    cylinder: GeomId,
    radius: *mut dReal,
    length: *mut dReal,
) {
    let sizes = shape!(cylinder, GeomShape::Cylinder { radius, length } => (*radius, *length), NOT_ONE);
    write_sizes(sizes, radius, length);
}
