//! Rows of the joints of all awake islands, and the forces that joints put beside their rows.

use glam::DVec3;

use super::Workspace;
use super::context::Model;
use super::forest::Forest;
use super::problems::IslandProblem;
use super::spring_inertia::spring_rule;
use crate::constraint::RowKind;
use crate::joints::{AxisMotion, Joint, JointContext, JointRow, SpringRule, axis_rows};
use crate::model::{BodyState, JointFeedback, JointState, State, WorldParameters, joint_pose, update_positions};

/// A joint that takes part in a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EmittedJoint {
    /// Slot of the joint.
    pub(crate) slot: u32,
    /// Its rows in the joint rows of its problem.
    pub(crate) rows: [u32; 2],
    /// Its first row in the problem.
    pub(crate) first_row: u32,
    /// How far it has come apart \[m\].
    pub(crate) gap: f64,
    /// What it puts on its bodies beside its rows: forces of the user along its motions, and of a motor at a stop.
    pub(crate) pushed: JointFeedback,
    /// The largest share by which one of the rows that hold it moves, of what it would without the joints of its trees (see
    /// [`Parts`](super::parts::Parts)); 0 if it is on none, or none moves.
    pub(crate) largest_share: f64,
}

/// Writes the rows of every awake joint, in the order of islands.
pub(super) fn emit(model: &Model, step: f64, state: &mut State, work: &mut Workspace) {
    let joints = model.joints;
    work.feedback.resize(joints.slots(), JointFeedback::default());
    let Workspace { problems, islands, forest, points, .. } = work;
    problems.share(islands, points);
    for own in problems.iter_mut() {
        for slot in islands.joints_of(own.islands.clone()) {
            emit_joint(model, step, *slot, state, forest, own);
        }
    }
}

/// Writes the rows of one joint.
fn emit_joint(
    model: &Model,
    step: f64,
    slot: u32,
    state: &mut State,
    forest: &mut Forest,
    problem: &mut IslandProblem,
) {
    let Model { parameters, joints, .. } = *model;
    let Some(joint) = joints.at(slot as usize) else { return };
    let pose = joint_pose(joint, &state.bodies);
    let joint_state = &mut state.joints[slot as usize];
    let is_active = is_active(joint, joint_state);
    if is_active {
        // The user may have moved the bodies since the last step.
        update_positions(joint, &state.bodies, joint_state);
    }
    let WorldParameters { erp, cfm, joint_spook: spook, .. } = *parameters;
    let context = JointContext { step, erp, cfm, spook, positions: joint_state.positions };
    let start = problem.joint_rows.len();
    // A joint of a tree cannot come apart.
    let in_tree = forest.of_joint[slot as usize];
    if in_tree.is_none() {
        if holds_links(joint, forest) {
            joint.loop_rows(&pose, &context, &mut problem.joint_rows);
        } else {
            joint.holding_rows(&pose, &context, &mut problem.joint_rows);
        }
        if let Some(law) = joint.spook(&context) {
            problem.joint_rows[start..].iter_mut().for_each(|row| row.bounds = law.bounds(step));
        }
    }
    joint_state.efforts = [0.0; 3];
    joint_state.drives = [0.0; 3];
    let mut pushed = JointFeedback::default();
    if is_active {
        joint.visit_motions(&pose, context.positions, |axis, motion| {
            let first = problem.joint_rows.len();
            let own = joint.definition.parameters[axis];
            let axis_parameters = &if in_tree.is_some() { own.without_spring() } else { own };
            let position = if joint.kind().is_told_positions { motion.part.error } else { joint_state.positions[axis] };
            let rate = joint_state.rates[axis];
            let user = axis_parameters.limited(joint_state.forces[axis]);
            let (at, seen) = ((position, rate), joint_state.accelerations[axis]);
            let rows = &mut problem.joint_rows;
            let spring = if in_tree.is_some() {
                SpringRule::Implicit
            } else {
                spring_rule((model, &state.bodies), (joint, &pose), (axis, motion), step, rows)
            };
            let beside = axis_rows((axis_parameters, spring), motion, at, user, seen, &context, rows);
            for row in &mut problem.joint_rows[first..] {
                row.axis = Some(axis as u8);
                if joint.kind().has_reference {
                    row.angular[2] = -(row.angular[0] + row.angular[1]);
                }
            }
            joint_state.efforts[axis] = beside + user;
            joint_state.drives[axis] = if own.drive.is_some() { beside } else { 0.0 };
            if let Some(in_tree) = in_tree {
                forest.trees[in_tree.tree as usize].tau[in_tree.dof(axis)] += beside + user;
            } else if beside + user != 0.0 {
                push(joint, motion, beside + user, &mut state.bodies, &mut pushed);
            }
        });
    }
    joint_state.forces = [0.0; 3];
    if joint_state.is_led {
        problem.joint_rows[start..].iter_mut().for_each(|row| close_slowly(row, parameters.start_closing_rate));
    }
    problem.joints.push(EmittedJoint {
        slot,
        rows: [start as u32, problem.joint_rows.len() as u32],
        first_row: 0,
        gap: joint.gap(&pose),
        pushed,
        largest_share: 0.0,
    });
}

/// What a joint is off at the start is closed no faster than at a rate. A stop leads back by force both ways: it would
/// otherwise let go of what it has moved.
fn close_slowly(row: &mut JointRow, rate: f64) {
    if row.target.abs() <= rate && row.kind != RowKind::Limit || !rate.is_finite() {
        return;
    }
    match row.kind {
        RowKind::Limit if row.target > 0.0 && row.bounds[0] == 0.0 || row.target < 0.0 && row.bounds[1] == 0.0 => {
            row.bounds = [f64::NEG_INFINITY, f64::INFINITY];
        }
        RowKind::Joint => {}
        _ => return,
    }
    row.target = row.target.clamp(-rate, rate);
    row.velocity_target = row.target;
    row.kept = 0.0;
}

/// The joint asks for its positions: something acts along its motions, or its rows follow them.
fn is_active(joint: &Joint, state: &JointState) -> bool {
    joint.kind().follows_positions
        || state.forces != [0.0; 3]
        || joint.definition.parameters.iter().any(|parameters| !parameters.is_passive())
}

/// One of the two bodies of a joint is a link of a tree.
fn holds_links(joint: &Joint, forest: &Forest) -> bool {
    joint.definition.bodies.into_iter().flatten().any(|id| forest.of_body[id.slot()].is_some())
}

/// A force along a motion, on both bodies: `Jᵀ f`.
pub(super) fn push(
    joint: &Joint,
    motion: &AxisMotion,
    force: f64,
    bodies: &mut [BodyState],
    pushed: &mut JointFeedback,
) {
    let linear = DVec3::from(motion.part.linear);
    let angular = [motion.part.angular_first, motion.part.angular_second].map(DVec3::from);
    let [first, second] = joint.definition.bodies;
    for (end, (body, sign)) in [(first, 1.0), (second, -1.0)].into_iter().enumerate() {
        pushed.forces[end] += sign * force * linear;
        pushed.torques[end] += force * angular[end];
        if let Some(body) = body {
            let state = &mut bodies[body.slot()];
            state.force += sign * force * linear;
            state.torque += force * angular[end];
        }
    }
    if joint.kind().has_reference
        && let Some(reference) = joint.definition.reference
    {
        bodies[reference.slot()].torque -= force * (angular[0] + angular[1]);
    }
}
