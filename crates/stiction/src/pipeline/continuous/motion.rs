//! The motion of all trees at a state, as a force field sees it.

use glam::{DQuat, DVec3};

use super::touch::{Place, Prescribed};
use crate::base::Arena;
use crate::dynamics::tree::ForceVector;
use crate::joints::{Joint, JointKind, JointPose};
use crate::math::Pose;
use crate::model::{BodyId, JointId};
use crate::pipeline::field::Motion;
use crate::pipeline::forest::Forest;

/// Bodies and joints at a state that the integrator asks for.
pub(super) struct MotionAt<'a> {
    pub(super) forest: &'a mut Forest,
    pub(super) prescribed: &'a Prescribed<'a>,
    pub(super) joints: &'a Arena<Joint>,
    /// Power of all forces so far \[W\].
    pub(super) power: f64,
}

impl MotionAt<'_> {
    fn place(&self, body: BodyId) -> Option<Place> {
        let exists = self.prescribed.bodies.get(body).is_some();
        exists.then(|| Place::of_body(Some(body.slot() as u32), self.forest))
    }
}

impl Motion for MotionAt<'_> {
    fn pose(&self, body: BodyId) -> Option<Pose> {
        self.place(body).map(|place| place.pose(self.forest, self.prescribed))
    }

    fn center(&self, body: BodyId) -> Option<DVec3> {
        let center = self.prescribed.bodies.get(body)?.mass.center;
        Some(Motion::pose(self, body)?.point(center))
    }

    fn velocity(&self, body: BodyId, point: DVec3) -> (DVec3, DVec3) {
        let Some(place) = self.place(body) else { return (DVec3::ZERO, DVec3::ZERO) };
        let at = place.pose(self.forest, self.prescribed).point(point);
        (place.velocity(self.forest, self.prescribed, at), place.omega(self.forest, self.prescribed))
    }

    fn joint(&self, joint: JointId, axis: usize) -> [f64; 2] {
        if self.joints.get(joint).is_none() || axis >= 3 {
            return [0.0; 2];
        }
        let slot = joint.slot();
        if let Some(own) = self.forest.of_joint[slot] {
            let tree = &self.forest.trees[own.tree as usize];
            let (dofs, positions) = (tree.tree.dof_span(own.link as usize), tree.tree.position_span(own.link as usize));
            // Ball joints have no axes.
            if dofs.len() == positions.len() && axis < dofs.len() {
                let offset = usize::from(own.dof_of_axis[axis]);
                return [tree.q[positions.start + offset], tree.v[dofs.start + offset]];
            }
        }
        // Joints that close loops have no coordinates: what they had at the beginning of the step.
        let state = &self.prescribed.state.joints[slot];
        [state.positions[axis], state.rates[axis]]
    }

    fn joint_axis(&self, joint: JointId, axis: usize) -> Option<[DVec3; 2]> {
        let joint = self.joints.get(joint).filter(|_| axis < 3)?;
        let pose = |body: Option<BodyId>| body.map_or(Some(Pose::IDENTITY), |body| Motion::pose(self, body));
        let center = |body: Option<BodyId>| body.map_or(Some(DVec3::ZERO), |body| Motion::center(self, body));
        let [first, second] = joint.definition.bodies;
        let rotations = [pose(first)?.rotation, pose(second)?.rotation];
        let centers = [center(first)?, center(second)?];
        let pose = JointPose { frames: &joint.frames, centers, rotations, reference_rotation: DQuat::IDENTITY };
        Some([pose.anchor(0), pose.axis(usize::from(axis == 1), axis)])
    }

    fn drive(&mut self, id: JointId, axis: usize, force: f64) {
        let Some(joint) = self.joints.get(id).filter(|_| axis < 3) else { return };
        if let Some(own) = self.forest.of_joint[id.slot()] {
            let tree = &mut self.forest.trees[own.tree as usize];
            let dofs = tree.tree.dof_span(own.link as usize);
            if dofs.len() == tree.tree.position_span(own.link as usize).len() && axis < dofs.len() {
                let dof = dofs.start + usize::from(own.dof_of_axis[axis]);
                tree.tau[dof] += force;
                self.power += force * tree.v[dof];
            }
            return;
        }
        // A joint that closes a loop.
        let Some([anchor, direction]) = self.joint_axis(id, axis) else { return };
        let along = force * direction;
        let [force, torque] = if matches!(joint.definition.kind, JointKind::Slider) {
            [along, DVec3::ZERO]
        } else {
            [DVec3::ZERO, along]
        };
        let ends = joint.definition.bodies;
        for (body, sign) in ends.into_iter().zip([1.0, -1.0]) {
            if let Some(body) = body {
                self.push(body, sign * force, sign * torque, anchor);
            }
        }
    }

    fn push(&mut self, body: BodyId, force: DVec3, torque: DVec3, point: DVec3) {
        let member = self.prescribed.bodies.get(body).and_then(|_| self.forest.of_body[body.slot()]);
        let Some(member) = member else { return };
        let tree = &mut self.forest.trees[member.tree as usize];
        let wrench = ForceVector::at(point - tree.kin.origin(), torque, force);
        let twist = &tree.kin.twists()[member.link as usize];
        self.power += force.dot(twist.point(point - tree.kin.origin())) + torque.dot(twist.angular());
        tree.wrenches[member.link as usize] += wrench;
    }
}
