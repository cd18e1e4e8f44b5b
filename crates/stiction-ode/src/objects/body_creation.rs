//! Creation of bodies.

use std::ffi::c_void;

use super::body::{Body, BodyId, flag};
use super::world::WorldId;
use super::{body_disable, body_motion};
use crate::alive;
use crate::report::require;
use crate::types::dMass;

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dBodyCreate(world: WorldId) -> BodyId {
    require!(!world.is_null(), "bad world argument", std::ptr::null_mut());
    let identity = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let body = alive::add(
        alive::Kind::Body,
        Body {
            world,
            next: (*world).first_body,
            previous: std::ptr::null_mut(),
            index: 0,
            tag: false,
            user_data: std::ptr::null_mut(),
            first_joint: std::ptr::null_mut(),
            flags: flag::GYROSCOPIC | (*world).body_flags & (flag::MAX_ANGULAR_SPEED | flag::SWEPT),
            geom: std::ptr::null_mut(),
            mass: dMass { mass: 1.0, c: [0.0; 4], I: identity },
            inverse_inertia: identity,
            inverse_mass: 1.0,
            position: [0.0; 4],
            rotation: identity,
            quaternion: [1.0, 0.0, 0.0, 0.0],
            linear_velocity: [0.0; 4],
            angular_velocity: [0.0; 4],
            force: [0.0; 4],
            torque: [0.0; 4],
            finite_rotation_axis: [0.0; 4],
            auto_disable: (*world).auto_disable,
            idle_time_left: 0.0,
            idle_steps_left: 0,
            average_linear: Vec::new(),
            average_angular: Vec::new(),
            average_counter: 0,
            average_ready: false,
            moved_callback: None,
            damping: (*world).damping,
            max_angular_speed: (*world).max_angular_speed,
        },
    );
    if !(*body).next.is_null() {
        (*(*body).next).previous = body;
    }
    (*world).first_body = body;
    (*world).body_count += 1;
    body_disable::set_defaults(body);
    (*body).idle_steps_left = (*body).auto_disable.idle_steps;
    (*body).idle_time_left = (*body).auto_disable.idle_time;
    body_disable::set_samples(body, (*body).auto_disable.average_samples);
    body_motion::set_damping_defaults(body);
    body
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dBodyGetWorld(body: BodyId) -> WorldId {
    require!(!body.is_null(), "bad body argument", std::ptr::null_mut());
    (*body).world
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dBodySetData(body: BodyId, data: *mut c_void) {
    require!(!body.is_null(), "bad body argument");
    (*body).user_data = data;
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dBodyGetData(body: BodyId) -> *mut c_void {
    require!(!body.is_null(), "bad body argument", std::ptr::null_mut());
    (*body).user_data
}
