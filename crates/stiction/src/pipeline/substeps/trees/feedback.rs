//! What joints transmit, by the balance of momentum of each link and of all that it carries.

use glam::{DMat3, DVec3};

use super::super::super::Workspace;
use super::super::super::context::Model;
use super::super::super::friction_shares::center_of_friction;
use super::super::super::patches;
use super::super::manifolds::{Manifolds, Origin};
use super::{NONE, SubstepTrees};
use crate::model::{BodyState, JointFeedback, State, joint_pose};
use crate::solvers::soft::{GIVEN, Spatial};

/// What a joint transmits in a step: by the momentum that it gives the body at one end about its centre, the way from there to the centre of the
/// other body, and the user's effort along each axis.
pub(in super::super::super) fn feedback_of(
    (model, state, step): (&Model, &State, f64),
    (slot, end): (u32, usize),
    (given, to_other): (&Spatial, DVec3),
    user: impl Fn(usize) -> f64,
) -> JointFeedback {
    let mut feedback = JointFeedback::default();
    feedback.forces[end] = given.linear / step;
    feedback.torques[end] = given.angular / step;
    feedback.forces[1 - end] = -given.linear / step;
    feedback.torques[1 - end] = -given.momentum_at(to_other).angular / step;
    let Some(joint) = model.joints.at(slot as usize) else { return feedback };
    let pose = joint_pose(joint, &state.bodies);
    joint.visit_motions(&pose, state.joints[slot as usize].positions, |axis, motion| {
        let force = user(axis);
        for (end, sign) in [(0, 1.0), (1, -1.0)] {
            feedback.forces[end] += sign * force * DVec3::from(motion.part.linear);
        }
        feedback.torques[0] += force * DVec3::from(motion.part.angular_first);
        feedback.torques[1] += force * DVec3::from(motion.part.angular_second);
    });
    feedback
}

/// Momentum of a body about its centre of mass.
pub(in super::super::super) fn momentum(model: &Model, slot: u32, own: &BodyState) -> Spatial {
    let Some(body) = model.bodies.at(slot as usize) else { return Spatial::default() };
    let m = &own.motion;
    let axes = DMat3::from_quat(m.rotation * body.mass.axes);
    let spin = axes.transpose() * m.omega;
    Spatial::new(body.mass.mass * m.velocity, axes * (body.mass.moments * spin))
}

impl SubstepTrees {
    /// The link that carries another, whether it moves or not.
    fn carrier(&self, link: usize) -> Option<usize> {
        let carrier = self.links[link].carrier;
        (carrier != NONE).then_some(carrier as usize)
    }

    fn has_feedback(&self, model: &Model) -> bool {
        let wants = |slot: u32| model.joints.at(slot as usize).is_some_and(|joint| joint.definition.feedback);
        self.links.iter().any(|link| link.joint != NONE && wants(link.joint))
    }

    /// Momenta at the start of a step, with what forces give in it.
    pub(in super::super) fn note_momenta(&mut self, model: &Model, step: f64, state: &State) {
        self.balances.clear();
        self.users.clear();
        if !self.has_feedback(model) {
            return;
        }
        for link in &self.links {
            let own = &state.bodies[link.slot as usize];
            let body = model.bodies.at(link.slot as usize);
            let gravity =
                if body.is_some_and(|body| body.gravity) { link.mass * model.parameters.gravity } else { DVec3::ZERO };
            let given = Spatial::new(own.force + gravity, own.torque);
            if link.joint != NONE {
                let efforts = state.joints[link.joint as usize].efforts;
                let given = efforts.into_iter().enumerate().filter(|(_, force)| *force != 0.0);
                self.users.extend(given.map(|(axis, force)| (link.joint, axis, force)));
            }
            self.balances.push((own.motion.position, momentum(model, link.slot, own).plus(step, &given)));
        }
    }

    /// Writes what joints with feedback transmit, from the forces of the contacts.
    pub(in super::super) fn feed_back(
        &mut self,
        model: &Model,
        step: f64,
        state: &State,
        (contacts, manifolds): (&[u32], &Manifolds),
        work: &mut Workspace,
    ) {
        if self.balances.is_empty() {
            return;
        }
        for ((_, balance), link) in self.balances.iter_mut().zip(&self.links) {
            *balance = momentum(model, link.slot, &state.bodies[link.slot as usize]).plus(-1.0, balance);
        }
        for contact in contacts.iter().map(|contact| &work.contacts[*contact as usize]) {
            for (slot, sign) in contact.bodies.into_iter().zip([step, -step]) {
                let Some(link) = slot.and_then(|slot| self.links.iter().position(|link| link.slot == slot)) else {
                    continue;
                };
                let (center, balance) = &mut self.balances[link];
                let moment = contact.torque + (contact.position - *center).cross(contact.force);
                *balance = balance.plus(-sign, &Spatial::new(contact.force, moment));
            }
        }
        self.take_patches(manifolds, work);
        for number in (0..self.links.len()).rev() {
            let link = &self.links[number];
            let (center, own) = self.balances[number];
            if let Some(parent) = self.carrier(number) {
                let (at, balance) = &mut self.balances[parent];
                *balance = balance.plus(1.0, &own.momentum_at(*at - center));
            }
            let Some(joint) = (link.joint != NONE).then(|| model.joints.at(link.joint as usize)).flatten() else {
                continue;
            };
            if !joint.definition.feedback {
                continue;
            }
            let other = self.carrier(number).map_or(DVec3::ZERO, |parent| self.balances[parent].0);
            let user = |axis: usize| {
                let own = self.users.iter().find(|(slot, k, _)| *slot == link.joint && *k == axis);
                own.map_or(0.0, |(_, _, force)| *force)
            };
            let feedback = feedback_of((model, state, step), (link.joint, link.end), (&own, other - center), user);
            work.feedback[link.joint as usize] = feedback;
        }
    }

    /// Takes the forces of patches off the balances.
    fn take_patches(&mut self, manifolds: &Manifolds, work: &Workspace) {
        for patch in &manifolds.patches {
            let Origin::Kept(number) = patch.origin else { continue };
            let (head, records) = (&work.patches.heads[number as usize], manifolds.records_of(patch));
            let (points, count) = patches::at_start(&work.frames, head, records);
            let [normals @ .., x, y, z, twist] = records[GIVEN].0;
            let (friction, normal) = (DVec3::new(x, y, z), points[0].normal);
            let places = points.map(|point| point.position);
            let middle = center_of_friction(&places[..count], records);
            for (slot, sign) in head.bodies.into_iter().zip([1.0, -1.0]) {
                let Some(link) = self.links.iter().position(|link| link.slot == slot) else { continue };
                let (center, balance) = &mut self.balances[link];
                let (mut force, mut moment) = (friction, twist * normal + (middle - *center).cross(friction));
                for (point, impulse) in points[..count].iter().zip(normals) {
                    force += impulse * normal;
                    moment += (point.position - *center).cross(impulse * normal);
                }
                *balance = balance.plus(-sign, &Spatial::new(force, moment));
            }
        }
    }
}
