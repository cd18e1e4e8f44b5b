//! How a body moves in a step: rotation, gravity, gyroscopic torque, damping, the callback after it.

use std::ffi::c_int;

use super::body::{BodyId, flag};
use super::world::set_flag;
use crate::report::require;
use crate::types::{INFINITY, dReal};

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dBodySetFiniteRotationMode(body: BodyId, mode: c_int) {
    require!(!body.is_null(), "bad body argument");
    let has_axis = (*body).finite_rotation_axis != [0.0; 4];
    set_flag(&mut (*body).flags, flag::FINITE_ROTATION, mode != 0);
    set_flag(&mut (*body).flags, flag::FINITE_ROTATION_AXIS, mode != 0 && has_axis);
}

macro_rules! flags {
    ($($name:ident: |$flags:ident| $value:expr;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $name(body: BodyId) -> c_int {
            require!(!body.is_null(), "bad body argument", 0);
            let $flags = (*body).flags;
            ($value) as c_int
        }
    )*};
}

flags! {
    dBodyGetFiniteRotationMode: |flags| flags & flag::FINITE_ROTATION != 0;
    dBodyGetGravityMode: |flags| flags & flag::NO_GRAVITY == 0;
    // ODE hands out the bit itself: 256.
    dBodyGetGyroscopicMode: |flags| flags & flag::GYROSCOPIC;
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dBodySetGravityMode(body: BodyId, mode: c_int) {
    require!(!body.is_null(), "bad body argument");
    set_flag(&mut (*body).flags, flag::NO_GRAVITY, mode == 0);
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dBodySetGyroscopicMode(body: BodyId, on: c_int) {
    require!(!body.is_null(), "bad body argument");
    set_flag(&mut (*body).flags, flag::GYROSCOPIC, on != 0);
}

/// The world's damping.
///
/// # Safety
/// The body exists.
pub(crate) unsafe fn set_damping_defaults(body: BodyId) {
    let world = &*(*body).world;
    let mask = flag::LINEAR_DAMPING | flag::ANGULAR_DAMPING;
    (*body).damping = world.damping;
    (*body).flags = (*body).flags & !mask | world.body_flags & mask;
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dBodySetDampingDefaults(body: BodyId) {
    require!(!body.is_null(), "bad body argument");
    set_damping_defaults(body);
}

macro_rules! damping {
    ($($set:ident, $get:ident: $scale:ident, $flag:ident; $set_threshold:ident, $get_threshold:ident: $threshold:ident;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $set(body: BodyId, scale: dReal) {
            require!(!body.is_null(), "bad body argument");
            set_flag(&mut (*body).flags, flag::$flag, scale != 0.0);
            (*body).damping.$scale = scale;
        }

        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $get(body: BodyId) -> dReal {
            require!(!body.is_null(), "bad body argument", 0.0);
            (*body).damping.$scale
        }

        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $set_threshold(body: BodyId, threshold: dReal) {
            require!(!body.is_null(), "bad body argument");
            (*body).damping.$threshold = threshold * threshold;
        }

        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $get_threshold(body: BodyId) -> dReal {
            require!(!body.is_null(), "bad body argument", 0.0);
            (*body).damping.$threshold.sqrt()
        }
    )*};
}

damping! {
    dBodySetLinearDamping, dBodyGetLinearDamping: linear_scale, LINEAR_DAMPING;
    dBodySetLinearDampingThreshold, dBodyGetLinearDampingThreshold: linear_threshold;
    dBodySetAngularDamping, dBodyGetAngularDamping: angular_scale, ANGULAR_DAMPING;
    dBodySetAngularDampingThreshold, dBodyGetAngularDampingThreshold: angular_threshold;
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dBodySetDamping(body: BodyId, linear: dReal, angular: dReal) {
    require!(!body.is_null(), "bad body argument");
    dBodySetLinearDamping(body, linear);
    dBodySetAngularDamping(body, angular);
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dBodySetMaxAngularSpeed(body: BodyId, speed: dReal) {
    require!(!body.is_null(), "bad body argument");
    set_flag(&mut (*body).flags, flag::MAX_ANGULAR_SPEED, speed < INFINITY);
    (*body).max_angular_speed = speed;
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dBodyGetMaxAngularSpeed(body: BodyId) -> dReal {
    require!(!body.is_null(), "bad body argument", 0.0);
    (*body).max_angular_speed
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dBodySetMovedCallback(body: BodyId, callback: Option<unsafe extern "C-unwind" fn(BodyId)>) {
    require!(!body.is_null(), "bad body argument");
    (*body).moved_callback = callback;
}
