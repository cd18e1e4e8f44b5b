//! A world as the program sees it.

use std::any::Any;
use std::ffi::{c_int, c_uint, c_void};

use super::body::{AutoDisable, BodyId, Damping, flag};
use super::held::Rim;
use super::joint::JointId;
use super::mode::Mode;
use super::swept;
use super::world_memory::{StepThreads, WorkingMemory};
use crate::alive;
use crate::in_progress::InProgress;
use crate::random::Stream;
use crate::report::{self, require};
use crate::types::{INFINITY, dReal, dVector3};

/// `dWorldID`.
pub(crate) type WorldId = *mut World;

/// A world.
pub(crate) struct World {
    /// The newest body.
    pub first_body: BodyId,
    pub body_count: u32,
    /// The newest joint.
    pub first_joint: JointId,
    pub joint_count: u32,
    pub gravity: dVector3,
    pub erp: dReal,
    pub cfm: dReal,
    pub auto_disable: AutoDisable,
    /// Flags that new bodies start with.
    pub body_flags: u32,
    pub damping: Damping,
    pub max_angular_speed: dReal,
    pub iterations: c_int,
    pub relaxation: dReal,
    pub max_correcting_velocity: dReal,
    pub surface_layer: dReal,
    /// How many bodies away enabled ones enable others in StepFast1.
    pub auto_enable_depth: c_int,
    pub max_threads: c_uint,
    pub has_working_memory: bool,
    pub working_memory: WorkingMemory,
    pub threads: StepThreads,
    pub user_data: *mut c_void,
    pub mode: Mode,
    /// Steps of it that are on the stack.
    pub steps: InProgress,
    /// What sweeps draw their order from.
    pub stream: Stream,
    pub rim: Rim,
    /// What `step` keeps from step to step.
    pub stepper: Option<Box<dyn Any>>,
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dWorldCreate() -> WorldId {
    alive::add(
        alive::Kind::World,
        World {
            first_body: std::ptr::null_mut(),
            body_count: 0,
            first_joint: std::ptr::null_mut(),
            joint_count: 0,
            gravity: [0.0; 4],
            erp: 0.2,
            cfm: if cfg!(feature = "single") { 1e-5 } else { 1e-10 },
            auto_disable: AutoDisable {
                idle_time: 0.0,
                idle_steps: 10,
                average_samples: 1,
                linear_threshold: 0.01 * 0.01,
                angular_threshold: 0.01 * 0.01,
            },
            body_flags: if swept::is_default() { flag::SWEPT } else { 0 },
            damping: Damping {
                linear_scale: 0.0,
                angular_scale: 0.0,
                linear_threshold: 0.01 * 0.01,
                angular_threshold: 0.01 * 0.01,
            },
            max_angular_speed: INFINITY,
            iterations: 20,
            relaxation: 1.3,
            max_correcting_velocity: INFINITY,
            surface_layer: 0.0,
            auto_enable_depth: 1000,
            max_threads: 0,
            has_working_memory: false,
            working_memory: WorkingMemory::default(),
            threads: StepThreads::NONE,
            user_data: std::ptr::null_mut(),
            mode: Mode::default(),
            steps: InProgress::default(),
            stream: Stream::default(),
            rim: Rim::default(),
            stepper: None,
        },
    )
}

/// Functions that set and get one number.
macro_rules! numbers {
    ($($set:ident, $get:ident: $type:ty = $($field:ident).+;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $set(world: WorldId, value: $type) {
            require!(!world.is_null(), "bad world argument");
            (*world).$($field).+ = value as _;
        }

        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $get(world: WorldId) -> $type {
            require!(!world.is_null(), "bad world argument", Default::default());
            (*world).$($field).+ as _
        }
    )*};
}

numbers! {
    dWorldSetERP, dWorldGetERP: dReal = erp;
    dWorldSetCFM, dWorldGetCFM: dReal = cfm;
    dWorldSetStepIslandsProcessingMaxThreadCount, dWorldGetStepIslandsProcessingMaxThreadCount: c_uint = max_threads;
    dWorldSetAutoDisableSteps, dWorldGetAutoDisableSteps: c_int = auto_disable.idle_steps;
    dWorldSetAutoDisableTime, dWorldGetAutoDisableTime: dReal = auto_disable.idle_time;
    dWorldSetQuickStepNumIterations, dWorldGetQuickStepNumIterations: c_int = iterations;
    dWorldSetQuickStepW, dWorldGetQuickStepW: dReal = relaxation;
    dWorldSetContactMaxCorrectingVel, dWorldGetContactMaxCorrectingVel: dReal = max_correcting_velocity;
    dWorldSetContactSurfaceLayer, dWorldGetContactSurfaceLayer: dReal = surface_layer;
    dWorldSetAutoEnableDepthSF1, dWorldGetAutoEnableDepthSF1: c_int = auto_enable_depth;
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dWorldSetAutoDisableAverageSamplesCount(world: WorldId, count: c_uint) {
    require!(!world.is_null(), "bad world argument");
    require!(count <= super::body_disable::MOST_SAMPLES, "too many velocity samples");
    (*world).auto_disable.average_samples = count;
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dWorldGetAutoDisableAverageSamplesCount(world: WorldId) -> c_int {
    require!(!world.is_null(), "bad world argument", 0);
    (*world).auto_disable.average_samples as c_int
}

/// Thresholds, kept as squares.
macro_rules! thresholds {
    ($($set:ident, $get:ident: $($field:ident).+;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $set(world: WorldId, value: dReal) {
            require!(!world.is_null(), "bad world argument");
            (*world).$($field).+ = value * value;
        }

        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $get(world: WorldId) -> dReal {
            require!(!world.is_null(), "bad world argument", 0.0);
            (*world).$($field).+.sqrt()
        }
    )*};
}

thresholds! {
    dWorldSetAutoDisableLinearThreshold, dWorldGetAutoDisableLinearThreshold: auto_disable.linear_threshold;
    dWorldSetAutoDisableAngularThreshold, dWorldGetAutoDisableAngularThreshold: auto_disable.angular_threshold;
    dWorldSetLinearDampingThreshold, dWorldGetLinearDampingThreshold: damping.linear_threshold;
    dWorldSetAngularDampingThreshold, dWorldGetAngularDampingThreshold: damping.angular_threshold;
}

/// Sets or clears flags.
pub(crate) fn set_flag(flags: &mut u32, flag: u32, on: bool) {
    *flags = if on { *flags | flag } else { *flags & !flag };
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dWorldSetData(world: WorldId, data: *mut c_void) {
    require!(!world.is_null(), "bad world argument");
    (*world).user_data = data;
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dWorldGetData(world: WorldId) -> *mut c_void {
    require!(!world.is_null(), "bad world argument", std::ptr::null_mut());
    (*world).user_data
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dWorldSetGravity(world: WorldId, x: dReal, y: dReal, z: dReal) {
    require!(!world.is_null(), "bad world argument");
    (*world).gravity = [x, y, z, 0.0];
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dWorldGetGravity(world: WorldId, gravity: *mut dReal) {
    require!(!world.is_null() && !gravity.is_null(), "bad world or vector argument");
    gravity.copy_from_nonoverlapping((*world).gravity.as_ptr(), 3);
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dWorldGetAutoDisableFlag(world: WorldId) -> c_int {
    require!(!world.is_null(), "bad world argument", 0);
    ((*world).body_flags & flag::AUTO_DISABLE) as c_int
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dWorldSetAutoDisableFlag(world: WorldId, on: c_int) {
    require!(!world.is_null(), "bad world argument");
    set_flag(&mut (*world).body_flags, flag::AUTO_DISABLE, on != 0);
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dWorldGetLinearDamping(world: WorldId) -> dReal {
    require!(!world.is_null(), "bad world argument", 0.0);
    (*world).damping.linear_scale
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dWorldSetLinearDamping(world: WorldId, scale: dReal) {
    require!(!world.is_null(), "bad world argument");
    set_flag(&mut (*world).body_flags, flag::LINEAR_DAMPING, scale != 0.0);
    (*world).damping.linear_scale = scale;
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dWorldGetAngularDamping(world: WorldId) -> dReal {
    require!(!world.is_null(), "bad world argument", 0.0);
    (*world).damping.angular_scale
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dWorldSetAngularDamping(world: WorldId, scale: dReal) {
    require!(!world.is_null(), "bad world argument");
    set_flag(&mut (*world).body_flags, flag::ANGULAR_DAMPING, scale != 0.0);
    (*world).damping.angular_scale = scale;
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dWorldSetDamping(world: WorldId, linear: dReal, angular: dReal) {
    require!(!world.is_null(), "bad world argument");
    dWorldSetLinearDamping(world, linear);
    dWorldSetAngularDamping(world, angular);
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dWorldGetMaxAngularSpeed(world: WorldId) -> dReal {
    require!(!world.is_null(), "bad world argument", 0.0);
    (*world).max_angular_speed
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dWorldSetMaxAngularSpeed(world: WorldId, speed: dReal) {
    require!(!world.is_null(), "bad world argument");
    set_flag(&mut (*world).body_flags, flag::MAX_ANGULAR_SPEED, speed < INFINITY);
    (*world).max_angular_speed = speed;
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dWorldImpulseToForce(
    world: WorldId,
    step: dReal,
    x: dReal,
    y: dReal,
    z: dReal,
    force: *mut dReal,
) {
    require!(!world.is_null() && !force.is_null(), "bad world or vector argument");
    require!(step > 0.0, "stepsize must be > 0");
    let rate = 1.0 / step;
    force.cast::<[dReal; 3]>().write([x * rate, y * rate, z * rate]);
}

/// Checks lists, counts and links of a world and reports what is wrong as internal errors.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dWorldCheck(world: WorldId) {
    require!(!world.is_null(), "bad world argument");
    let mut bodies = 0;
    let mut body = (*world).first_body;
    while !body.is_null() {
        bodies += 1;
        if (*body).world != world {
            report::debug(0, "bad world pointer in body list");
        }
        let mut node = (*body).first_joint;
        while !node.is_null() {
            if !(*(*node).joint).nodes.iter().any(|n| n.body == body) {
                report::debug(0, "bad body pointer in joint node of body list");
            }
            node = (*node).next;
        }
        body = (*body).next;
    }
    let mut joints = 0;
    let mut joint = (*world).first_joint;
    while !joint.is_null() {
        joints += 1;
        if (*joint).world != world {
            report::debug(0, "bad world pointer in joint list");
        }
        joint = (*joint).next;
    }
    if bodies != (*world).body_count {
        report::debug(0, "body count incorrect");
    }
    if joints != (*world).joint_count {
        report::debug(0, "joint count incorrect");
    }
}
