//! Joints before and after the sub-steps: the users' forces, positions and efforts.

use super::super::super::context::Model;
use super::super::super::joint_rows::push;
use super::super::super::remember::measure_drives;
use super::super::super::{KnownJoints, StepReport};
use super::{NONE, SubstepTrees};
use crate::model::{JointFeedback, State, is_as_read, joint_pose, update_positions};

/// Before a step: reads the joints off their bodies, and puts the users' forces along their motions on these.
pub(in super::super) fn begin(model: &Model, state: &mut State, joints: &[u32], known: &KnownJoints) {
    joints.iter().for_each(|slot| begin_one(model, state, *slot, known));
}

/// The same of one joint.
pub(in super::super::super) fn begin_one(model: &Model, state: &mut State, slot: u32, known: &KnownJoints) {
    let Some(joint) = model.joints.at(slot as usize) else { return };
    let State { joints, bodies, .. } = state;
    let own = &mut joints[slot as usize];
    own.efforts = [0.0; 3];
    own.drives = [0.0; 3];
    let motions = known.motions(slot as usize);
    debug_assert!(is_as_read(joint, bodies, own, motions), "{slot}");
    if motions.is_none() {
        update_positions(joint, bodies, own);
    }
    if own.forces == [0.0; 3] {
        return;
    }
    let pose = joint_pose(joint, bodies);
    let mut pushed = JointFeedback::default();
    joint.visit_directions(&pose, own.positions, |axis, motion| {
        let force = joint.definition.parameters[axis].limited(own.forces[axis]);
        own.efforts[axis] = force;
        if force != 0.0 {
            push(joint, motion, force, bodies, &mut pushed);
        }
    });
    own.forces = [0.0; 3];
}

impl SubstepTrees {
    /// Positions, rates and efforts of the joints after a step.
    pub(in super::super) fn remember(
        &mut self,
        model: &Model,
        (step, substeps): (f64, u32),
        state: &mut State,
        known: &mut KnownJoints,
        report: &mut StepReport,
    ) {
        if self.is_first {
            self.report_locked(model, report);
        }
        for number in 0..self.trees.len() {
            let tree = self.trees[number];
            for link in tree.links() {
                let slot = self.links[link].joint;
                let Some(joint) = (slot != NONE).then(|| model.joints.at(slot as usize)).flatten() else { continue };
                let State { joints, bodies, .. } = state;
                let own = &mut joints[slot as usize];
                let before = own.rates;
                own.row_count = 0;
                own.squared_velocity_error = 0.0;
                known.note(slot as usize, update_positions(joint, bodies, own));
                if model.parameters.audit {
                    report.note_gap(model.joints, slot, joint.gap(&joint_pose(joint, bodies)));
                }
                for axis in self.axes[tree.axes()].iter().filter(|axis| axis.own.joint == slot) {
                    axis.own.remember(step, f64::from(substeps), own);
                }
                measure_drives(joint, before, step, own);
            }
        }
    }
}
