//! Enabling, disabling and auto-disabling of bodies.

use std::ffi::{c_int, c_uint};

use super::body::{BodyId, flag};
use super::world::set_flag;
use crate::report::require;
use crate::types::dReal;

/// A buffer of a size that no program means is an error in the program, not a reason to run out of memory.
pub(super) const MOST_SAMPLES: u32 = 1 << 20;

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dBodyEnable(body: BodyId) {
    require!(!body.is_null(), "bad body argument");
    set_flag(&mut (*body).flags, flag::DISABLED, false);
    (*body).idle_steps_left = (*body).auto_disable.idle_steps;
    (*body).idle_time_left = (*body).auto_disable.idle_time;
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dBodyDisable(body: BodyId) {
    require!(!body.is_null(), "bad body argument");
    set_flag(&mut (*body).flags, flag::DISABLED, true);
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dBodyIsEnabled(body: BodyId) -> c_int {
    require!(!body.is_null(), "bad body argument", 0);
    c_int::from((*body).flags & flag::DISABLED == 0)
}

/// An empty buffer for so many velocities.
///
/// # Safety
/// The body exists.
pub(crate) unsafe fn set_samples(body: BodyId, count: u32) {
    let body = &mut *body;
    body.auto_disable.average_samples = count;
    for buffer in [&mut body.average_linear, &mut body.average_angular] {
        buffer.clear();
        buffer.resize(count as usize, [0.0; 4]);
    }
    body.average_counter = 0;
    body.average_ready = false;
}

/// The world's values.
///
/// # Safety
/// The body exists.
pub(crate) unsafe fn set_defaults(body: BodyId) {
    let world = &*(*body).world;
    (*body).auto_disable = world.auto_disable;
    set_auto_disable(body, world.body_flags & flag::AUTO_DISABLE != 0);
}

unsafe fn set_auto_disable(body: BodyId, on: bool) {
    set_flag(&mut (*body).flags, flag::AUTO_DISABLE, on);
    if !on {
        let world = &*(*body).world;
        set_flag(&mut (*body).flags, flag::DISABLED, false);
        (*body).auto_disable.idle_steps = world.auto_disable.idle_steps;
        (*body).auto_disable.idle_time = world.auto_disable.idle_time;
        set_samples(body, world.auto_disable.average_samples);
    }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dBodySetAutoDisableFlag(body: BodyId, on: c_int) {
    require!(!body.is_null(), "bad body argument");
    set_auto_disable(body, on != 0);
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dBodyGetAutoDisableFlag(body: BodyId) -> c_int {
    require!(!body.is_null(), "bad body argument", 0);
    c_int::from((*body).flags & flag::AUTO_DISABLE != 0)
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dBodySetAutoDisableDefaults(body: BodyId) {
    require!(!body.is_null(), "bad body argument");
    set_defaults(body);
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dBodySetAutoDisableAverageSamplesCount(body: BodyId, count: c_uint) {
    require!(!body.is_null(), "bad body argument");
    require!(count <= MOST_SAMPLES, "too many velocity samples");
    set_samples(body, count);
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dBodyGetAutoDisableAverageSamplesCount(body: BodyId) -> c_int {
    require!(!body.is_null(), "bad body argument", 0);
    (*body).auto_disable.average_samples as c_int
}

macro_rules! numbers {
    ($($set:ident, $get:ident: $type:ty = $field:ident;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $set(body: BodyId, value: $type) {
            require!(!body.is_null(), "bad body argument");
            (*body).auto_disable.$field = value;
        }

        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $get(body: BodyId) -> $type {
            require!(!body.is_null(), "bad body argument", Default::default());
            (*body).auto_disable.$field
        }
    )*};
}

numbers! {
    dBodySetAutoDisableSteps, dBodyGetAutoDisableSteps: c_int = idle_steps;
    dBodySetAutoDisableTime, dBodyGetAutoDisableTime: dReal = idle_time;
}

macro_rules! thresholds {
    ($($set:ident, $get:ident: $field:ident;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $set(body: BodyId, value: dReal) {
            require!(!body.is_null(), "bad body argument");
            (*body).auto_disable.$field = value * value;
        }

        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $get(body: BodyId) -> dReal {
            require!(!body.is_null(), "bad body argument", 0.0);
            (*body).auto_disable.$field.sqrt()
        }
    )*};
}

thresholds! {
    dBodySetAutoDisableLinearThreshold, dBodyGetAutoDisableLinearThreshold: linear_threshold;
    dBodySetAutoDisableAngularThreshold, dBodyGetAutoDisableAngularThreshold: angular_threshold;
}

/// Settings of StepFast1 that the guide names and no version of ODE had: they mean the same as those of auto-disable.
macro_rules! step_fast_names {
    ($($name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)? = $target:ident;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $name($($argument: $type),*) $(-> $result)? {
            $target($($argument),*)
        }
    )*};
}

step_fast_names! {
    dBodySetAutoDisableStepsSF1(body: BodyId, steps: c_int) = dBodySetAutoDisableSteps;
    dBodyGetAutoDisableStepsSF1(body: BodyId) -> c_int = dBodyGetAutoDisableSteps;
    dBodySetAutoDisableSF1(body: BodyId, on: c_int) = dBodySetAutoDisableFlag;
    dBodyGetAutoDisableSF1(body: BodyId) -> c_int = dBodyGetAutoDisableFlag;
    dBodyGetAutoDisableThresholdSF1(body: BodyId) -> dReal = dBodyGetAutoDisableLinearThreshold;
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dBodySetAutoDisableThresholdSF1(body: BodyId, threshold: dReal) {
    dBodySetAutoDisableLinearThreshold(body, threshold);
    dBodySetAutoDisableAngularThreshold(body, threshold);
}
