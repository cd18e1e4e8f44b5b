//! Where a geom is: setters move its body, if it has one.

use glam::{DMat3, DVec3};

use super::body_pose::{dBodySetPosition, dBodySetQuaternion, dBodySetRotation};
use super::pose::{GeomPose, Placed};
use super::{Geom, GeomId, body::moved, enclosing, flag, geom};
use crate::report::require;
use crate::rotation::quaternion_of;
use crate::types::{
    dMatrix3, dQuaternion, dReal, dVector3, matrix, put, put_matrix, put_quaternion, quaternion, vector,
};

/// A geom that has a pose, in a space that is not being walked, or the end of the call.
macro_rules! movable {
    ($geom:expr) => {{
        let geom = geom!($geom);
        require!(geom.is_placeable(), "geom must be placeable");
        require!(!enclosing::is_locked(geom.space), "Invalid operation for locked space");
        geom
    }};
}

/// A geom that has a pose, or the end of the call.
macro_rules! placeable {
    ($geom:expr $(, $value:expr)?) => {
        let geom = geom!($geom $(, $value)?);
        require!(geom.is_placeable(), "geom must be placeable" $(, $value)?);
    };
}

pub(super) use placeable;

/// Puts the body where the geom, at its offset, comes to lie at a pose: `X_WB = X_WG X_BG⁻¹`.
unsafe fn move_body_of(geom: GeomId, target: &Placed) {
    let Some(offset) = &(*geom).offset else { return };
    let body_in_geom = Placed::new(&offset.position, &offset.rotation).relative(&Placed::IDENTITY);
    let body = target.compose(&body_in_geom);
    let pose = GeomPose::new(&body);
    dBodySetRotation((*geom).body, pose.rotation.as_ptr());
    let p = pose.position;
    dBodySetPosition((*geom).body, p[0], p[1], p[2]);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomSetPosition(geom: GeomId, x: dReal, y: dReal, z: dReal) {
    let g = movable!(geom);
    if let Some(offset) = &g.offset {
        let to = vector(&[x, y, z]) - matrix(&(*g.body).rotation) * vector(&offset.position);
        let to = put(to);
        dBodySetPosition(g.body, to[0], to[1], to[2]);
    } else if !g.body.is_null() {
        dBodySetPosition(g.body, x, y, z);
    } else {
        g.pose.position[..3].copy_from_slice(&[x, y, z]);
        moved(geom);
    }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomSetRotation(geom: GeomId, rotation: *const dReal) {
    let g = movable!(geom);
    require!(!rotation.is_null(), "Bad argument(s): no rotation");
    let rotation_matrix = *rotation.cast::<dMatrix3>();
    if g.offset.is_some() {
        let target = Placed { rotation: matrix(&rotation_matrix), ..Geom::placed(geom) };
        move_body_of(geom, &target);
    } else if !g.body.is_null() {
        dBodySetRotation(g.body, rotation);
    } else {
        g.pose.rotation = rotation_matrix;
        moved(geom);
    }
}

/// A geom with an offset comes to have the rotation asked for; ODE then gives it to the body as well, and moves the geom on.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomSetQuaternion(geom: GeomId, q: *const dReal) {
    let g = movable!(geom);
    require!(!q.is_null(), "Bad argument(s): no quaternion");
    if g.offset.is_some() {
        let target = Placed { rotation: rotation_of(q), ..Geom::placed(geom) };
        move_body_of(geom, &target);
    } else if !g.body.is_null() {
        dBodySetQuaternion(g.body, q);
    } else {
        g.pose.rotation = put_matrix(rotation_of(q));
        moved(geom);
    }
}

/// The matrix of a quaternion as it is, of unit length or not.
pub(super) unsafe fn rotation_of(q: *const dReal) -> DMat3 {
    let q = quaternion(&*q.cast::<dQuaternion>());
    DMat3::from_cols_array(&matrix_of(q))
}

/// `R = 1 + 2 w [v]× + 2 [v]×²` for `q = (w, v)`, by columns; no unit length is asked for, as the program gives it.
fn matrix_of(q: glam::DQuat) -> [f64; 9] {
    let (v, w) = (DVec3::new(q.x, q.y, q.z), q.w);
    let (xx, yy, zz) = (2.0 * v.x * v.x, 2.0 * v.y * v.y, 2.0 * v.z * v.z);
    [
        1.0 - yy - zz,
        2.0 * (v.x * v.y + w * v.z),
        2.0 * (v.x * v.z - w * v.y),
        2.0 * (v.x * v.y - w * v.z),
        1.0 - xx - zz,
        2.0 * (v.y * v.z + w * v.x),
        2.0 * (v.x * v.z + w * v.y),
        2.0 * (v.y * v.z - w * v.x),
        1.0 - xx - yy,
    ]
}

/// A position that is always zero, for handles that have none.
static NOWHERE: dVector3 = [0.0; 4];
/// A rotation that is always the identity, for handles that have none.
static UNTURNED: dMatrix3 = GeomPose::IDENTITY.rotation;

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomGetPosition(geom: GeomId) -> *const dReal {
    placeable!(geom, NOWHERE.as_ptr());
    Geom::pose_in_place(geom).0.cast()
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomCopyPosition(geom: GeomId, out: *mut dReal) {
    placeable!(geom);
    require!(!out.is_null(), "Bad argument(s): nowhere to write to");
    std::ptr::copy_nonoverlapping(Geom::pose_in_place(geom).0.cast::<dReal>(), out, 3);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomGetRotation(geom: GeomId) -> *const dReal {
    placeable!(geom, UNTURNED.as_ptr());
    Geom::pose_in_place(geom).1.cast()
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomCopyRotation(geom: GeomId, out: *mut dReal) {
    placeable!(geom);
    require!(!out.is_null(), "Bad argument(s): nowhere to write to");
    copy_rotation(&*Geom::pose_in_place(geom).1, out);
}

/// The nine numbers; the padding of the target stays.
pub(super) unsafe fn copy_rotation(rotation: &dMatrix3, out: *mut dReal) {
    for row in 0..3 {
        std::ptr::copy_nonoverlapping(rotation.as_ptr().add(4 * row), out.add(4 * row), 3);
    }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomGetQuaternion(geom: GeomId, out: *mut dReal) {
    placeable!(geom);
    require!(!out.is_null(), "Bad argument(s): nowhere to write to");
    *out.cast::<dQuaternion>() = if (*geom).flags & flag::POSE_OF_BODY != 0 {
        (*(*geom).body).quaternion
    } else {
        put_quaternion(quaternion_of(Geom::placed(geom).rotation))
    };
}
