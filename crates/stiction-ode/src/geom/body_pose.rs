//! Pose of a body: its geoms move with it.

use glam::DMat3;

use super::GeomId;
use crate::objects::body::{Body, BodyId};
use crate::report::{INTERNAL, debug, require, require_internal};
use crate::rotation;
use crate::types::{dReal, matrix, put_matrix, put_quaternion, quaternion};

/// Geoms of the body have moved with it.
///
/// # Safety
/// The body exists.
pub(crate) unsafe fn body_moved(body: BodyId) {
    let mut geom: GeomId = (*body).geom.cast();
    while !geom.is_null() {
        super::moved(geom);
        geom = (*geom).body_next;
    }
}

/// Rotation matrix of the quaternion, which is brought to unit length.
fn normalize_rotation(body: &mut Body) {
    let q = quaternion(&body.quaternion).normalize();
    body.quaternion = put_quaternion(q);
    body.rotation = put_matrix(DMat3::from_quat(q));
}

#[unsafe(no_mangle)]
pub(super) unsafe extern "C-unwind" fn dBodySetPosition(body: BodyId, x: dReal, y: dReal, z: dReal) {
    require!(!body.is_null(), "bad body argument");
    (*body).position = [x, y, z, 0.0];
    body_moved(body);
}

#[unsafe(no_mangle)]
pub(super) unsafe extern "C-unwind" fn dBodySetRotation(body: BodyId, rotation: *const dReal) {
    require!(!body.is_null() && !rotation.is_null(), "bad body or matrix argument");
    let given = *rotation.cast::<[dReal; 12]>();
    let Some(r) = rotation::orthonormal_rows(matrix(&given)) else {
        return debug(INTERNAL, "the matrix cannot be made a rotation");
    };
    let q = rotation::quaternion_of(matrix(&given));
    require_internal!(q.is_finite() && q.length_squared() > 0.0, "the matrix is no rotation");
    (*body).rotation = put_matrix(r);
    (*body).quaternion = put_quaternion(q.normalize());
    body_moved(body);
}

#[unsafe(no_mangle)]
pub(super) unsafe extern "C-unwind" fn dBodySetQuaternion(body: BodyId, q: *const dReal) {
    require!(!body.is_null() && !q.is_null(), "bad body or quaternion argument");
    let given = quaternion(&*q.cast());
    require_internal!(
        given.is_finite() && given.length_squared() > 0.0,
        "the quaternion has no length, or a number in it that is none"
    );
    (*body).quaternion = put_quaternion(given);
    normalize_rotation(&mut *body);
    body_moved(body);
}
