//! Steps under forces that follow the motion.

use glam::DVec3;

use super::{BodyId, ForceField, JointId, Motion, TimeAdvancement, World};
use crate::math::Pose;
use crate::pipeline::StepReport;

impl World {
    /// [`World::step`] under a field of forces: in continuous time evaluated at every state that the integrator asks for, in
    /// discrete steps at the beginning of the step. Forces that bodies have of [`BodyMut::add_force`](super::BodyMut::add_force)
    /// add to it.
    pub fn step_in_field(&mut self, step: f64, field: &dyn ForceField) -> &StepReport {
        if self.parameters.time == TimeAdvancement::Continuous {
            return self.step_with(step, Some(field));
        }
        field.push(self);
        self.step(step)
    }
}

/// The present state.
impl Motion for World {
    fn pose(&self, body: BodyId) -> Option<Pose> {
        self.body(body).map(|body| body.pose())
    }

    fn center(&self, body: BodyId) -> Option<DVec3> {
        self.body(body).map(|body| body.center_of_mass())
    }

    fn velocity(&self, body: BodyId, point: DVec3) -> (DVec3, DVec3) {
        self.body(body).map_or((DVec3::ZERO, DVec3::ZERO), |body| (body.velocity_at_body_point(point), body.omega()))
    }

    fn joint(&self, joint: JointId, axis: usize) -> [f64; 2] {
        World::joint(self, joint).filter(|_| axis < 3).map_or([0.0; 2], |j| [j.position(axis), j.rate(axis)])
    }

    fn joint_axis(&self, joint: JointId, axis: usize) -> Option<[DVec3; 2]> {
        let joint = World::joint(self, joint).filter(|_| axis < 3)?;
        Some([joint.anchor(0), joint.axis(usize::from(axis == 1), axis)])
    }

    fn drive(&mut self, joint: JointId, axis: usize, force: f64) {
        // False only for a joint that is gone.
        let _ = self.add_joint_force(joint, axis, force);
    }

    fn push(&mut self, body: BodyId, force: DVec3, torque: DVec3, point: DVec3) {
        if let Some(mut body) = self.body_mut(body) {
            body.add_force_at(force, point);
            body.add_torque(torque);
        }
    }
}
