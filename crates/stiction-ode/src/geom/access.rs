//! What every geom has: data, class, bits, the switch.

use std::ffi::{c_int, c_ulong, c_void};
use std::ptr::null_mut;

use super::{Geom, GeomId, GeomShape, enclosing, flag, geom};
use crate::alive::require_alive;
use crate::report::require;
use crate::types::dReal;

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomDestroy(geom: GeomId) {
    require!(!geom.is_null(), "Bad argument(s): no geom");
    require_alive!(geom);
    super::destroy(geom);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomSetData(geom: GeomId, data: *mut c_void) {
    geom!(geom).user_data = data;
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomGetData(geom: GeomId) -> *mut c_void {
    geom!(geom, null_mut()).user_data
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomGetAABB(geom: GeomId, bounds: *mut dReal) {
    let _ = geom!(geom);
    require!(!bounds.is_null(), "Bad argument(s): nowhere to write to");
    Geom::update_bounds(geom);
    *bounds.cast::<[dReal; 6]>() = (*geom).bounds.map(|v| v as dReal);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomIsSpace(geom: GeomId) -> c_int {
    matches!(geom!(geom, 0).shape, GeomShape::Space(_)).into()
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomGetSpace(geom: GeomId) -> GeomId {
    geom!(geom, null_mut()).space
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomGetClass(geom: GeomId) -> c_int {
    geom!(geom, 0).class
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomSetCategoryBits(geom: GeomId, bits: c_ulong) {
    let geom = geom!(geom);
    require!(!enclosing::is_locked(geom.space), "Invalid operation for locked space");
    geom.category_bits = bits;
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomSetCollideBits(geom: GeomId, bits: c_ulong) {
    let geom = geom!(geom);
    require!(!enclosing::is_locked(geom.space), "Invalid operation for locked space");
    geom.collide_bits = bits;
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomGetCategoryBits(geom: GeomId) -> c_ulong {
    geom!(geom, 0).category_bits
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomGetCollideBits(geom: GeomId) -> c_ulong {
    geom!(geom, 0).collide_bits
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomEnable(geom: GeomId) {
    geom!(geom).set_flag(flag::ENABLED, true);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomDisable(geom: GeomId) {
    geom!(geom).set_flag(flag::ENABLED, false);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomIsEnabled(geom: GeomId) -> c_int {
    (geom!(geom, 0).flags & flag::ENABLED != 0).into()
}

/// Class of the codes that steer collisions.
const COLLIDER_CONTROL: c_int = 1;
/// Asks whether a class of codes is known.
const ANY_CODE: c_int = 0;
const SET_MERGE_SPHERE_CONTACTS: c_int = 1;
const GET_MERGE_SPHERE_CONTACTS: c_int = 2;

/// How a mesh merges its contacts with a sphere; the only thing that can be steered.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomLowLevelControl(
    geom: GeomId,
    control_class: c_int,
    control_code: c_int,
    value: *mut c_void,
    size: *mut c_int,
) -> c_int {
    let geom = geom!(geom, 0);
    require!(!size.is_null(), "Bad argument(s): no size", 0);
    let GeomShape::TriMesh(mesh) = &mut geom.shape else {
        *size = 0;
        return 0;
    };
    let needed = size_of::<c_int>() as c_int;
    let known = control_class == COLLIDER_CONTROL
        && matches!(control_code, ANY_CODE | SET_MERGE_SPHERE_CONTACTS | GET_MERGE_SPHERE_CONTACTS);
    if !known {
        *size = 0;
        return 0;
    }
    if control_code == ANY_CODE {
        *size = 0;
        return 1;
    }
    if *size != needed || value.is_null() {
        *size = needed;
        return 0;
    }
    let value = value.cast::<c_int>();
    if control_code == GET_MERGE_SPHERE_CONTACTS {
        *value = mesh.merge_sphere_contacts;
        return 1;
    }
    mesh.set_merge_sphere_contacts(*value).into()
}
