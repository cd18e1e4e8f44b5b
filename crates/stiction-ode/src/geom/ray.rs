//! Rays along z.

use std::ffi::c_int;

use super::{Geom, GeomId, GeomShape, body::moved, create, flag, shape};
use crate::report::{require, require_internal};
use crate::types::{dReal, vector, write3};

const NOT_ONE: &str = "argument not a ray";

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dCreateRay(space: GeomId, length: dReal) -> GeomId {
    create(space, true, GeomShape::Ray { length: length.into() })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomRaySetLength(ray: GeomId, new_length: dReal) {
    shape!(ray, GeomShape::Ray { length } => *length = new_length.into(), NOT_ONE);
    moved(ray);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomRayGetLength(ray: GeomId) -> dReal {
    shape!(ray, GeomShape::Ray { length } => *length as dReal, NOT_ONE, 0.0)
}

/// Start and direction. Only the z axis of the rotation is written, and a ray on a body turns the body, as in ODE.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomRaySet(
    ray: GeomId,
    px: dReal,
    py: dReal,
    pz: dReal,
    dx: dReal,
    dy: dReal,
    dz: dReal,
) {
    shape!(ray, GeomShape::Ray { .. } => (), NOT_ONE);
    let direction = vector(&[dx, dy, dz]);
    // Scaled first, so that the square of a tiny or huge direction is a number.
    let largest = direction.abs().max_element();
    require_internal!(largest > 0.0 && largest.is_finite(), "direction of a ray cannot be normalized");
    let direction = (direction / largest).normalize();
    let (position, rotation) = Geom::pose_in_place(ray);
    (&mut (*position))[..3].copy_from_slice(&[px, py, pz]);
    for row in 0..3 {
        (*rotation)[4 * row + 2] = direction[row] as dReal;
    }
    moved(ray);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomRayGet(ray: GeomId, start: *mut dReal, direction: *mut dReal) {
    shape!(ray, GeomShape::Ray { .. } => (), NOT_ONE);
    require!(!start.is_null() && !direction.is_null(), "Bad argument(s): nowhere to write to");
    let placed = Geom::placed(ray);
    write3(start, placed.position);
    write3(direction, placed.rotation.z_axis);
}

/// A switch of a ray: setter and getter.
macro_rules! switches {
    ($($set:ident, $get:ident: $flag:expr;)*) => {$(
        #[unsafe(no_mangle)]
        pub(crate) unsafe extern "C-unwind" fn $set(ray: GeomId, on: c_int) {
            shape!(ray, GeomShape::Ray { .. } => (), NOT_ONE);
            (*ray).set_flag($flag, on != 0);
        }

        #[unsafe(no_mangle)]
        pub(crate) unsafe extern "C-unwind" fn $get(ray: GeomId) -> c_int {
            shape!(ray, GeomShape::Ray { .. } => (), NOT_ONE, 0);
            ((*ray).flags & $flag != 0).into()
        }
    )*};
}

switches! {
    dGeomRaySetFirstContact, dGeomRayGetFirstContact: flag::RAY_FIRST_CONTACT;
    dGeomRaySetBackfaceCull, dGeomRayGetBackfaceCull: flag::RAY_BACKFACE_CULL;
    dGeomRaySetClosestHit, dGeomRayGetClosestHit: flag::RAY_CLOSEST_HIT;
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomRaySetParams(ray: GeomId, first_contact: c_int, backface_cull: c_int) {
    shape!(ray, GeomShape::Ray { .. } => (), NOT_ONE);
    dGeomRaySetFirstContact(ray, first_contact);
    dGeomRaySetBackfaceCull(ray, backface_cull);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomRayGetParams(
    ray: GeomId,
    first_contact: *mut c_int,
    backface_cull: *mut c_int,
) {
    shape!(ray, GeomShape::Ray { .. } => (), NOT_ONE);
    require!(!first_contact.is_null() && !backface_cull.is_null(), "Bad argument(s): nowhere to write to");
    *first_contact = dGeomRayGetFirstContact(ray);
    *backface_cull = dGeomRayGetBackfaceCull(ray);
}
