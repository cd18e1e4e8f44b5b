//! Steps under forces that follow the motion.

use glam::{DQuat, DVec3};

use super::{BodyId, BodyKind, ForceField, FreeMotionRule, JointId, Motion, TimeAdvancement, World};
use crate::dynamics::gyroscopic::Gyroscopic;
use crate::math::Pose;
use crate::pipeline::StepReport;

impl World {
    /// [`World::step`] under a field of forces: in continuous time evaluated at every state that the integrator asks for, in
    /// discrete steps at the beginning of the step, with free bodies where [`World::pose_for_forces`] has them. Forces that bodies have of [`BodyMut::add_force`](super::BodyMut::add_force)
    /// add to it.
    pub fn step_in_field(&mut self, step: f64, field: &dyn ForceField) -> &StepReport {
        if self.parameters.time == TimeAdvancement::Continuous {
            return self.step_with(step, Some(field));
        }
        field.push(&mut AtStep { world: self, step });
        self.step(step)
    }

    /// Pose of a body's frame at which a force that depends on it belongs in a step of this size \[s\]; `None` for a body that is
    /// gone.
    ///
    /// A free body turns by the mean of its angular velocities before and after the step, and under
    /// [`FreeMotionRule::SecondOrder`] moves by the mean of its velocities, `x⁺ = x + h (v + v⁺)/2`. With the force at
    /// `x + h v/2` that is the leapfrog rule, which keeps the energy of a swing; with the force at `x` it grows by the
    /// share `h ω²/2` a second, ω the rate of the swing \[rad/s\]. What moves by `v⁺` has the force at `x`: bodies with joints, and
    /// positions under the other rules.
    #[must_use]
    pub fn pose_for_forces(&self, body: BodyId, step: f64) -> Option<Pose> {
        let seen = self.body(body)?;
        let pose = seen.pose();
        let rule = self.parameters.free_motion;
        let is_free = seen.kind() == BodyKind::Dynamic && seen.is_enabled() && seen.joints().is_empty();
        let turns_by_mean = matches!(self.parameters.gyroscopic, Gyroscopic::Midpoint | Gyroscopic::Explicit);
        if !is_free || self.parameters.time == TimeAdvancement::Continuous {
            return Some(pose);
        }
        let share = |is_mean: bool| if is_mean { 0.5 * step } else { 0.0 };
        let center = pose.inverse().point(seen.center_of_mass());
        let turn = DQuat::from_scaled_axis(share(turns_by_mean) * seen.omega());
        let rotation = (turn * pose.rotation).normalize();
        let at = seen.center_of_mass() + share(rule == FreeMotionRule::SecondOrder) * seen.velocity();
        Some(Pose::new(at - rotation * center, rotation))
    }
}

/// The state of a discrete step at which forces are evaluated.
struct AtStep<'a> {
    world: &'a mut World,
    step: f64,
}

impl Motion for AtStep<'_> {
    fn pose(&self, body: BodyId) -> Option<Pose> {
        self.world.pose_for_forces(body, self.step)
    }

    fn center(&self, body: BodyId) -> Option<DVec3> {
        let seen = self.world.body(body)?;
        let center = seen.pose().inverse().point(seen.center_of_mass());
        self.world.pose_for_forces(body, self.step).map(|pose| pose.point(center))
    }

    fn velocity(&self, body: BodyId, point: DVec3) -> (DVec3, DVec3) {
        self.world
            .body(body)
            .map_or((DVec3::ZERO, DVec3::ZERO), |body| (body.velocity_at_body_point(point), body.omega()))
    }

    fn joint(&self, joint: JointId, axis: usize) -> [f64; 2] {
        self.world.joint(joint).filter(|_| axis < 3).map_or([0.0; 2], |j| [j.position(axis), j.rate(axis)])
    }

    fn joint_axis(&self, joint: JointId, axis: usize) -> Option<[DVec3; 2]> {
        let joint = self.world.joint(joint).filter(|_| axis < 3)?;
        Some([joint.anchor(0), joint.axis(usize::from(axis == 1), axis)])
    }

    fn drive(&mut self, joint: JointId, axis: usize, force: f64) {
        // False only for a joint that is gone.
        let _ = self.world.add_joint_force(joint, axis, force);
    }

    fn push(&mut self, body: BodyId, force: DVec3, torque: DVec3, point: DVec3) {
        let Some(center) = self.center(body) else { return };
        if let Some(mut body) = self.world.body_mut(body) {
            body.add_force(force);
            body.add_torque(torque + (point - center).cross(force));
        }
    }
}
