//! Forces that follow the motion: functions of positions and velocities, evaluated where the time stepping evaluates its own.
//!
//! A force that is held over a step is late by half a step: a spring of rate ω then gains the energy `h ω² E` a second. In
//! continuous time the integrator asks for a field at every state on the way; a discrete step asks at its beginning, and the
//! velocities that follow move the positions.

use glam::DVec3;

use crate::math::Pose;
use crate::model::{BodyId, JointId};

/// Forces on bodies as a function of the motion.
///
/// Evaluations must be pure: the same motion gives the same forces, whatever was asked before. They must not allocate.
pub trait ForceField {
    /// Adds the forces at a motion.
    fn push(&self, motion: &mut dyn Motion);
}

/// A state at which a [`ForceField`] is evaluated.
pub trait Motion {
    /// Pose of a body's frame in the world; `None` for a body that is gone.
    fn pose(&self, body: BodyId) -> Option<Pose>;
    /// Centre of mass of a body in the world \[m\]; `None` for a body that is gone.
    fn center(&self, body: BodyId) -> Option<DVec3>;
    /// Velocity of a point of a body, given in the body's frame \[m\], in the world \[m/s\], and the angular velocity \[rad/s\], world
    /// axes; zero for a body that is gone.
    fn velocity(&self, body: BodyId, point: DVec3) -> (DVec3, DVec3);
    /// Position \[m or rad\] and rate \[m/s or rad/s\] of an axis of a joint; zero for what does not exist.
    fn joint(&self, joint: JointId, axis: usize) -> [f64; 2];
    /// An axis of a joint: its anchor on the first body \[m\] and its direction, in the world; `None` for what does not exist.
    fn joint_axis(&self, joint: JointId, axis: usize) -> Option<[DVec3; 2]>;
    /// Adds a generalized force along an axis of a joint \[N or N m\].
    fn drive(&mut self, joint: JointId, axis: usize, force: f64);
    /// Adds a force \[N\] at a point of the world \[m\] and a torque \[N m\] to a body. Only dynamic bodies feel it.
    fn push(&mut self, body: BodyId, force: DVec3, torque: DVec3, point: DVec3);
}
