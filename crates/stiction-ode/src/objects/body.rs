//! A rigid body as the program sees it.

use std::ffi::{c_int, c_void};

use super::joint::JointNode;
use super::world::World;
use crate::types::{AnyGeom, dMass, dMatrix3, dQuaternion, dReal, dVector3};

/// `dBodyID`.
pub(crate) type BodyId = *mut Body;

/// Bits of [`Body::flags`], with ODE's values: `dBodyGetGyroscopicMode` hands one of them out.
pub(crate) mod flag {
    pub(crate) const FINITE_ROTATION: u32 = 1;
    pub(crate) const FINITE_ROTATION_AXIS: u32 = 2;
    pub(crate) const DISABLED: u32 = 4;
    pub(crate) const NO_GRAVITY: u32 = 8;
    pub(crate) const AUTO_DISABLE: u32 = 16;
    pub(crate) const LINEAR_DAMPING: u32 = 32;
    pub(crate) const ANGULAR_DAMPING: u32 = 64;
    pub(crate) const MAX_ANGULAR_SPEED: u32 = 128;
    pub(crate) const GYROSCOPIC: u32 = 256;
    /// Nothing moves the body during this step (`step::reach`).
    pub(crate) const HELD: u32 = 512;
    /// Where it is fast it stops at its first impact (`step::swept`).
    pub(crate) const SWEPT: u32 = 1024;
}

/// When a body counts as idle, and for how long it must be to be disabled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AutoDisable {
    pub idle_time: dReal,
    pub idle_steps: c_int,
    pub average_samples: u32,
    /// Squared.
    pub linear_threshold: dReal,
    /// Squared.
    pub angular_threshold: dReal,
}

/// Shares of the velocity lost in a step, above squared thresholds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Damping {
    pub linear_scale: dReal,
    pub angular_scale: dReal,
    pub linear_threshold: dReal,
    pub angular_threshold: dReal,
}

/// A body. Programs hold pointers to its pose, velocities and accumulators.
pub(crate) struct Body {
    pub world: *mut World,
    /// The body created before this one.
    pub next: BodyId,
    pub previous: BodyId,
    /// Place in the step's lists; meaningless between steps.
    pub index: u32,
    pub tag: bool,
    pub user_data: *mut c_void,
    /// Joints, the one attached last first.
    pub first_joint: *mut JointNode,
    pub flags: u32,
    /// Geoms, the one set last first.
    pub geom: *mut AnyGeom,
    pub mass: dMass,
    pub inverse_inertia: dMatrix3,
    pub inverse_mass: dReal,
    pub position: dVector3,
    pub rotation: dMatrix3,
    pub quaternion: dQuaternion,
    pub linear_velocity: dVector3,
    pub angular_velocity: dVector3,
    pub force: dVector3,
    pub torque: dVector3,
    pub finite_rotation_axis: dVector3,
    pub auto_disable: AutoDisable,
    pub idle_time_left: dReal,
    pub idle_steps_left: c_int,
    pub average_linear: Vec<dVector3>,
    pub average_angular: Vec<dVector3>,
    pub average_counter: u32,
    pub average_ready: bool,
    pub moved_callback: Option<unsafe extern "C-unwind" fn(BodyId)>,
    pub damping: Damping,
    pub max_angular_speed: dReal,
}
