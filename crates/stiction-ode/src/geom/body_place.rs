//! Setters of a body's pose, until the objects bring them.

use glam::DQuat;

use super::moved;
use crate::objects::body::BodyId;
use crate::types::{dMatrix3, dQuaternion, dReal, matrix, put_matrix, put_quaternion, quaternion};

unsafe fn tell_geoms(body: BodyId) {
    let mut geom = (*body).geom;
    while !geom.is_null() {
        moved(geom);
        geom = (*geom).body_next;
    }
}

pub(crate) unsafe fn dBodySetPosition(body: BodyId, x: dReal, y: dReal, z: dReal) {
    (&mut (*body).position)[..3].copy_from_slice(&[x, y, z]);
    tell_geoms(body);
}

pub(crate) unsafe fn dBodySetRotation(body: BodyId, rotation: *const dReal) {
    (*body).rotation = *rotation.cast::<dMatrix3>();
    (*body).quaternion = put_quaternion(DQuat::from_mat3(&matrix(&(*body).rotation)));
    tell_geoms(body);
}

pub(crate) unsafe fn dBodySetQuaternion(body: BodyId, q: *const dReal) {
    let q = quaternion(&*q.cast::<dQuaternion>()).normalize();
    (*body).quaternion = put_quaternion(q);
    (*body).rotation = put_matrix(glam::DMat3::from_quat(q));
    tell_geoms(body);
}

pub(crate) unsafe fn dBodyGetQuaternion(body: BodyId) -> *const dReal {
    (*body).quaternion.as_ptr()
}
