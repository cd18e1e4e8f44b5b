//! Where a geom lies on its body, when it is not at the body's own frame.

use std::ffi::c_int;

use super::place::{copy_rotation, placeable, rotation_of};
use super::pose::{GeomPose, Placed};
use super::{Geom, GeomId, body::moved, enclosing, flag, geom};
use crate::report::require;
use crate::rotation::quaternion_of;
use crate::types::{dMatrix3, dQuaternion, dReal, matrix, put, put_matrix, put_quaternion, vector};

/// The offset to change, or the end of the call.
macro_rules! offset {
    ($geom:expr) => {{
        let geom = geom!($geom);
        require!(geom.is_placeable(), "geom must be placeable");
        require!(!geom.body.is_null(), "geom must be on a body");
        require!(!enclosing::is_locked(geom.space), "Invalid operation for locked space");
        geom.flags &= !flag::POSE_OF_BODY;
        if geom.offset.is_none() {
            geom.flags |= flag::POSE_BAD;
        }
        &mut **geom.offset.get_or_insert_with(|| Box::new(GeomPose::IDENTITY))
    }};
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomSetOffsetPosition(geom: GeomId, x: dReal, y: dReal, z: dReal) {
    offset!(geom).position[..3].copy_from_slice(&[x, y, z]);
    moved(geom);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomSetOffsetRotation(geom: GeomId, rotation: *const dReal) {
    require!(!rotation.is_null(), "Bad argument(s): no rotation");
    offset!(geom).rotation = *rotation.cast::<dMatrix3>();
    moved(geom);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomSetOffsetQuaternion(geom: GeomId, q: *const dReal) {
    require!(!q.is_null(), "Bad argument(s): no quaternion");
    offset!(geom).rotation = put_matrix(rotation_of(q));
    moved(geom);
}

unsafe fn placed_body(geom: GeomId) -> Placed {
    Placed::new(&(*(*geom).body).position, &(*(*geom).body).rotation)
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomSetOffsetWorldPosition(geom: GeomId, x: dReal, y: dReal, z: dReal) {
    let offset = offset!(geom);
    offset.position = put(placed_body(geom).inverse_point(vector(&[x, y, z])));
    moved(geom);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomSetOffsetWorldRotation(geom: GeomId, rotation: *const dReal) {
    require!(!rotation.is_null(), "Bad argument(s): no rotation");
    let _ = offset!(geom);
    turn_in_world(geom, matrix(&*rotation.cast::<dMatrix3>()));
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomSetOffsetWorldQuaternion(geom: GeomId, q: *const dReal) {
    require!(!q.is_null(), "Bad argument(s): no quaternion");
    let _ = offset!(geom);
    turn_in_world(geom, rotation_of(q));
}

/// A rotation in the world, at the position the geom has.
unsafe fn turn_in_world(geom: GeomId, rotation: glam::DMat3) {
    let target = Placed { rotation, ..Geom::placed(geom) };
    let offset = GeomPose::new(&placed_body(geom).relative(&target));
    if let Some(place) = &mut (*geom).offset {
        **place = offset;
    }
    moved(geom);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomClearOffset(geom: GeomId) {
    placeable!(geom);
    if (*geom).offset.take().is_some() {
        (*geom).flags |= flag::POSE_OF_BODY;
        (*geom).flags &= !flag::POSE_BAD;
        moved(geom);
    }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomIsOffset(geom: GeomId) -> c_int {
    geom!(geom, 0).offset.is_some().into()
}

/// The offset of a geom that has none.
static NO_OFFSET: GeomPose = GeomPose::IDENTITY;

unsafe fn offset_in_place<'a>(geom: GeomId) -> &'a GeomPose {
    let geom = geom!(geom, &NO_OFFSET);
    geom.offset.as_deref().unwrap_or(&NO_OFFSET)
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomGetOffsetPosition(geom: GeomId) -> *const dReal {
    offset_in_place(geom).position.as_ptr()
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomCopyOffsetPosition(geom: GeomId, out: *mut dReal) {
    require!(!out.is_null(), "Bad argument(s): nowhere to write to");
    std::ptr::copy_nonoverlapping(offset_in_place(geom).position.as_ptr(), out, 3);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomGetOffsetRotation(geom: GeomId) -> *const dReal {
    offset_in_place(geom).rotation.as_ptr()
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomCopyOffsetRotation(geom: GeomId, out: *mut dReal) {
    require!(!out.is_null(), "Bad argument(s): nowhere to write to");
    copy_rotation(&offset_in_place(geom).rotation, out);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomGetOffsetQuaternion(geom: GeomId, out: *mut dReal) {
    require!(!out.is_null(), "Bad argument(s): nowhere to write to");
    let rotation = matrix(&offset_in_place(geom).rotation);
    *out.cast::<dQuaternion>() = put_quaternion(quaternion_of(rotation));
}
