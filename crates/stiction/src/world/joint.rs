//! Joints in the world: the guide's chapter 7.

use glam::{DQuat, DVec3};

use super::{BodyId, BodyState, JointFeedback, JointId, JointState, World};
use crate::joints::{AxisParameters, Joint, JointDefinition, JointError, JointFrames, JointKind, JointPose};
use crate::model::{is_as_read, joint_pose, read_positions, update_positions};

/// A motion that a joint leaves free, in the present state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointMotion {
    /// Position; angles do not wrap \[m or rad\].
    pub position: f64,
    /// Rate \[m/s or rad/s\].
    pub rate: f64,
    /// Generalized force along it in the last step, by motor, stop, spring and damper; while the bodies sleep, in the last
    /// one before \[N or N m\].
    pub effort: f64,
}

/// A joint, to read.
#[derive(Clone, Copy)]
pub struct JointRef<'a> {
    joint: &'a Joint,
    state: &'a JointState,
    bodies: &'a [BodyState],
    positions: [f64; 3],
    rates: [f64; 3],
    motion_count: usize,
    feedback: Option<&'a JointFeedback>,
}

impl JointRef<'_> {
    fn pose(&self) -> JointPose<'_> {
        joint_pose(self.joint, self.bodies)
    }
    /// As it was defined.
    #[must_use]
    pub fn definition(&self) -> &JointDefinition {
        &self.joint.definition
    }
    /// Where it sits in its bodies.
    #[must_use]
    pub fn frames(&self) -> &JointFrames {
        &self.joint.frames
    }
    /// A free motion; `None` if the joint has fewer than `axis + 1` of them ([`Self::motion_count`]).
    #[must_use]
    pub fn motion(&self, axis: usize) -> Option<JointMotion> {
        let is_there = axis < self.motion_count && axis < self.positions.len();
        is_there.then(|| JointMotion {
            position: self.positions[axis],
            rate: self.rates[axis],
            effort: self.state.efforts[axis],
        })
    }
    /// Position of a free motion \[m or rad\]; angles do not wrap. 0 for a motion that the joint does not have, whatever the
    /// number: [`Self::motion`] tells the two apart.
    #[must_use]
    pub fn position(&self, axis: usize) -> f64 {
        self.positions.get(axis).copied().unwrap_or(0.0)
    }
    /// Rate of a free motion \[m/s or rad/s\]; 0 for a motion that the joint does not have.
    #[must_use]
    pub fn rate(&self, axis: usize) -> f64 {
        self.rates.get(axis).copied().unwrap_or(0.0)
    }
    /// Generalized force along a motion in the last step, by motor, stop, spring and damper \[N or N m\]; while the bodies
    /// sleep, in the last one before. 0 for a motion that the joint does not have.
    #[must_use]
    pub fn effort(&self, axis: usize) -> f64 {
        self.state.efforts.get(axis).copied().unwrap_or(0.0)
    }
    /// The part of the effort of the last step that is of the drive ([`crate::joints::Drive`]) \[N or N m\]; 0 for a motion
    /// without one.
    #[must_use]
    pub fn drive_effort(&self, axis: usize) -> f64 {
        self.state.drives.get(axis).copied().unwrap_or(0.0)
    }
    /// Anchor of the first (0) or second body (1) in the world \[m\]; zero for another number.
    #[must_use]
    pub fn anchor(&self, body: usize) -> DVec3 {
        if body < 2 { self.pose().anchor(body) } else { DVec3::ZERO }
    }
    /// An axis (0 to 2) in the world, as carried by the first (0) or second body (1); zero for other numbers.
    #[must_use]
    pub fn axis(&self, body: usize, axis: usize) -> DVec3 {
        if body < 2 && axis < 3 { self.pose().axis(body, axis) } else { DVec3::ZERO }
    }
    /// How far the joint has come apart \[m\].
    #[must_use]
    pub fn gap(&self) -> f64 {
        self.joint.gap(&self.pose())
    }
    /// Number of free motions.
    #[must_use]
    pub fn motion_count(&self) -> usize {
        self.motion_count
    }
    /// Forces on the bodies in the last step; zero unless the joint was made with feedback.
    #[must_use]
    pub fn feedback(&self) -> JointFeedback {
        self.feedback.copied().unwrap_or_default()
    }
}

/// A drive in the last step.
#[derive(Clone, Copy, Debug)]
pub struct DrivenMotion {
    /// The joint.
    pub joint: JointId,
    /// Its motion.
    pub axis: usize,
    /// The force \[N or N m\].
    pub effort: f64,
    /// The rate after the step \[m/s or rad/s\].
    pub rate: f64,
    /// The force was at a bound of the drive or of the axis.
    pub is_at_effort_limit: bool,
    /// The rate was at the velocity limit of the axis, or beyond it.
    pub is_at_velocity_limit: bool,
}

/// Share of a limit from which on a motion is at it.
const AT_LIMIT: f64 = 1.0 - 1e-6;

impl World {
    /// What all drives did in the last step.
    pub fn driven_motions(&self) -> impl Iterator<Item = DrivenMotion> + '_ {
        self.joints.iter().flat_map(move |(joint, own)| {
            let state = &self.state.joints[joint.slot()];
            own.definition.parameters.iter().enumerate().filter_map(move |(axis, p)| {
                let [least, largest] = p.drive_range(p.drive.as_ref()?);
                let (effort, rate) = (state.drives[axis], state.rates[axis]);
                let is_at_effort_limit =
                    effort > 0.0 && effort >= AT_LIMIT * largest || effort < 0.0 && effort <= AT_LIMIT * least;
                let is_at_velocity_limit = rate != 0.0 && rate.abs() >= AT_LIMIT * p.velocity_limit;
                Some(DrivenMotion { joint, axis, effort, rate, is_at_effort_limit, is_at_velocity_limit })
            })
        })
    }

    /// Adds a joint at the present poses of its bodies; its positions are zero there.
    ///
    /// # Errors
    /// Bodies that do not exist or are one, axes without direction, numbers out of range.
    pub fn add_joint(&mut self, definition: JointDefinition) -> Result<JointId, JointError> {
        let joint = self.made(definition)?;
        let id = self.joints.insert(joint);
        if id.slot() == self.state.joints.len() {
            self.state.joints.push(JointState::default());
        }
        self.connect(id);
        Ok(id)
    }

    /// Puts a new joint in the place of one, at the present poses of its bodies, as [`Self::add_joint`] does; the handle
    /// stays. Returns whether the joint was there.
    ///
    /// # Errors
    /// Those of [`Self::add_joint`]; the joint is as it was then.
    pub fn replace_joint(&mut self, id: JointId, definition: JointDefinition) -> Result<bool, JointError> {
        if self.joints.get(id).is_none() {
            return Ok(false);
        }
        let joint = self.made(definition)?;
        self.detach_joint(id);
        if let Some(place) = self.joints.get_mut(id) {
            *place = joint;
        }
        self.connect(id);
        Ok(true)
    }

    /// A joint at the present poses of its bodies.
    fn made(&self, definition: JointDefinition) -> Result<Joint, JointError> {
        let definition = self.checked(definition)?;
        let frames = self.frames(&definition);
        Joint { definition, frames }.accepted()
    }

    /// Connects a joint that is new in its place to its bodies.
    fn connect(&mut self, id: JointId) {
        let Some(Joint { definition, .. }) = self.joints.get(id) else { return };
        self.topology += 1;
        self.work.known_joints.forget();
        self.state.joints[id.slot()] = JointState { positions: definition.present_positions, ..JointState::default() };
        for body in definition.bodies.into_iter().chain([definition.reference]).flatten() {
            if let Some(body) = self.bodies.get_mut(body) {
                body.joints.push(id);
            }
        }
        self.update_joint_positions(id.slot());
        self.wake_joint(id);
    }

    /// Sets where a joint sits in its bodies, to make one as it was in another run ([`JointRef::frames`]). Its bodies wake.
    /// Returns whether the joint was there and all numbers are finite.
    pub fn set_joint_frames(&mut self, id: JointId, frames: JointFrames) -> bool {
        let is_finite = frames.anchors.iter().chain(frames.axes.iter().flatten()).all(|v| v.is_finite())
            && frames.reference_axes.iter().all(|v| v.is_finite())
            && frames.separation.is_finite()
            && frames.relative.is_normalized()
            && frames.reference_relative.iter().all(|q| q.is_normalized());
        let Some(joint) = self.joints.get_mut(id).filter(|_| is_finite) else { return false };
        joint.frames = frames;
        self.work.known_joints.forget();
        self.topology += 1;
        self.update_joint_positions(id.slot());
        self.wake_joint(id);
        true
    }

    /// Removes a joint and wakes the bodies that hung on it. Returns whether it was there.
    pub fn remove_joint(&mut self, id: JointId) -> bool {
        self.detach_joint(id);
        self.topology += 1;
        self.mimics.retain(|m| m.follower.0 != id && m.leader.0 != id);
        self.joints.remove(id).is_some()
    }

    /// Takes a joint off its bodies, which wake; it stays in the world without effect.
    pub fn detach_joint(&mut self, id: JointId) {
        self.wake_joint(id);
        let Some(joint) = self.joints.get_mut(id) else { return };
        self.topology += 1;
        let ends = [joint.definition.bodies[0], joint.definition.bodies[1], joint.definition.reference];
        self.work.known_joints.forget();
        joint.definition.bodies = [None, None];
        joint.definition.reference = None;
        for body in ends.into_iter().flatten() {
            if let Some(body) = self.bodies.get_mut(body) {
                body.joints.retain(|j| *j != id);
            }
        }
    }

    /// A joint, to read.
    #[must_use]
    pub fn joint(&self, id: JointId) -> Option<JointRef<'_>> {
        let joint = self.joints.get(id)?;
        let state = &self.state.joints[id.slot()];
        let (mut positions, mut rates) = (state.positions, state.rates);
        let known = self.work.known_joints.motions(id.slot());
        // As the bodies are now, also where the user has just moved them.
        let read = || read_positions(joint, &self.state.bodies, (&mut positions, &mut rates));
        let motion_count = known.unwrap_or_else(read);
        debug_assert!(is_as_read(joint, &self.state.bodies, state, known), "{id:?}");
        let bodies = &self.state.bodies;
        let feedback = self.work.feedback.get(id.slot());
        Some(JointRef { joint, state, bodies, positions, rates, motion_count, feedback })
    }

    /// Parameters of a motion, to change; `None` if the handle is stale or there is no such axis. Bodies that sleep wake at the
    /// next step if one of the parameters was changed.
    pub fn joint_parameters_mut(&mut self, id: JointId, axis: usize) -> Option<&mut AxisParameters> {
        self.note_opened_joint(id);
        self.laws += 1;
        self.joints.get_mut(id)?.definition.parameters.get_mut(axis)
    }

    /// Kind of a joint, to change its own numbers (an angular motor's axes and angles, a pitch, a ratio). Its bodies wake.
    pub fn joint_kind_mut(&mut self, id: JointId) -> Option<&mut JointKind> {
        self.topology += 1;
        self.wake_joint(id);
        self.work.known_joints.forget();
        self.joints.get_mut(id).map(|j| &mut j.definition.kind)
    }

    /// Puts a force or torque along a motion for the next step (the guide's `dJointAddHingeTorque`), within the effort
    /// limit; a force other than zero wakes its bodies. Returns whether the joint was there and the force is finite.
    pub fn add_joint_force(&mut self, id: JointId, axis: usize, force: f64) -> bool {
        if self.joints.get(id).is_none() || axis > 2 || !force.is_finite() {
            return false;
        }
        self.state.joints[id.slot()].forces[axis] += force;
        if force != 0.0 {
            self.wake_joint(id);
        }
        true
    }

    /// All joints in the order of creation.
    pub fn joint_ids(&self) -> impl Iterator<Item = JointId> + '_ {
        self.joints.iter().map(|(id, _)| id)
    }

    /// Sets the positions of a joint's motions without moving its bodies: where its zero is.
    pub fn set_joint_position_reference(&mut self, id: JointId, positions: [f64; 3]) -> bool {
        if self.joints.get(id).is_none() {
            return false;
        }
        self.state.joints[id.slot()].positions = positions;
        self.work.known_joints.forget();
        self.update_joint_positions(id.slot());
        true
    }

    fn frames(&self, definition: &JointDefinition) -> JointFrames {
        let place = |body: Option<BodyId>| match body {
            Some(b) => {
                let m = &self.state.bodies[b.slot()].motion;
                (m.position, m.rotation)
            }
            None => (DVec3::ZERO, DQuat::IDENTITY),
        };
        let [(x1, q1), (x2, q2)] = definition.bodies.map(place);
        let (_, q3) = place(definition.reference);
        let second_anchor = definition.second_anchor.unwrap_or(definition.anchor);
        let carried = |q: DQuat| definition.axes.map(|a| q.conjugate() * a);
        let mut frames = JointFrames {
            anchors: [q1.conjugate() * (definition.anchor - x1), q2.conjugate() * (second_anchor - x2)],
            separation: q2.conjugate() * (definition.anchor - second_anchor),
            axes: [carried(q1), carried(q2)],
            relative: (q2.conjugate() * q1).normalize(),
            reference_axes: carried(q3),
            reference_relative: [(q3.conjugate() * q1).normalize(), (q3.conjugate() * q2).normalize()],
        };
        frames.shift(definition);
        frames
    }

    /// Lets fixed steps close what joints are off now, beyond their stops, away from their leaders or apart, at a rate that is
    /// bounded \[m/s or rad/s\], and that their bodies have. Before the first step.
    pub fn close_start(&mut self, rate: f64) {
        self.parameters.start_closing_rate = rate;
        crate::pipeline::lead_start(&self.mimics, &self.joints, &mut self.state);
    }

    /// Reads positions and rates of all joints off their bodies; after bodies were moved by hand.
    pub fn refresh_joint_positions(&mut self) {
        for slot in 0..self.joints.slots() {
            self.update_joint_positions(slot);
        }
    }

    /// Reads positions and rates of a joint's motions off its bodies.
    pub(crate) fn update_joint_positions(&mut self, slot: usize) {
        if let Some(joint) = self.joints.at(slot) {
            update_positions(joint, &self.state.bodies, &mut self.state.joints[slot]);
        }
    }
}
