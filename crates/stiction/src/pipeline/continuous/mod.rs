//! A step of continuous time: `q̇ = N v`, `v̇ = a(t, q, v)` under an integrator, contact as a force of depth and speed.
//!
//! | module | idea |
//! |---|---|
//! | `flow` | positions and velocities of all trees as one system; its accelerations |
//! | `touch` | pairs that may touch in the step, their forces |
//! | `joint_laws` | springs, dampers, motors, stops and friction of joints as smooth forces |
//! | `loops` | joints that close loops: forces that hold their accelerations |
//!
//! Every body is a link of a tree here, a lone one a tree of one link: maximal coordinates have no continuous form. An
//! evaluation is a pure function of (t, q, v); joint positions, reports and loops are touched on arrival only. Contacts
//! that the user makes have no depth that follows the motion: they act in discrete steps only.

mod flow;
mod joint_laws;
mod loops;
mod touch;

pub(crate) use flow::Memory;

use super::forest::{NO_JOINT, Stamp};
use super::{StepReport, Workspace, closure, swept, trees, views};
use crate::base::Arena;
use crate::joints::Joint;
use crate::world::{BodyKind, JointFeedback, State, World, WorldParameters, joint_pose, update_positions};
use flow::Flow;

/// Advances the world by `step` \[s\].
pub(super) fn step(world: &mut World, step: f64) {
    let World { parameters, bodies, geoms, joints, mimics, state, broadphase, work, report, topology, .. } = world;
    views::poses(bodies, state, &mut work.poses);
    let changes = bodies.iter().map(|(_, b)| b.changes).sum();
    let stamp = Stamp { topology: *topology, bodies: changes, lone_bodies: true, soft_rows: false, is_reduced: true };
    work.forest.refresh(stamp, bodies, joints);
    work.feedback.resize(joints.slots(), JointFeedback::default());
    for (id, joint) in joints.iter() {
        // The user may have moved the bodies since the last step.
        update_positions(joint, &state.bodies, &mut state.joints[id.slot()]);
    }
    trees::read_all(state, &work.poses, &mut work.forest);
    views::absent(bodies, &mut work.views);
    work.problem.clear(step);
    for tree in &mut work.forest.trees {
        trees::push_cliques(parameters, &mut work.problem, tree);
    }

    let mut memory = std::mem::take(&mut work.continuous);
    memory.begin(&work.forest, joints);
    let Memory { integrator, q, v, touches, loops, spans } = &mut memory;
    let mut flow = Flow {
        parameters,
        geoms,
        joints,
        mimics,
        bodies,
        state,
        broadphase: broadphase.as_mut(),
        forest: &mut work.forest,
        problem: &work.problem,
        views: &mut work.views,
        touches,
        loops,
        spans,
        step,
    };
    flow.find_pairs();
    // Forces of the user and parameters may have changed since the last step.
    integrator.forget();
    integrator.carry = state.carry;
    report.integration = integrator.advance(&mut flow, &parameters.integrator, state.time, step, q, v, |_, _, _| {});
    flow.arrive(state.time + step, q, v);
    state.carry = integrator.carry;

    for (id, body) in bodies.iter().filter(|(_, b)| b.kind == BodyKind::Kinematic) {
        let motion = &mut state.bodies[id.slot()].motion;
        let center = motion.position + step * motion.velocity;
        motion.rotation = crate::dynamics::rotation::turn(body.finite_rotation, motion.rotation, motion.omega, step);
        motion.position = center;
    }
    for (tree, start) in work.forest.trees.iter_mut().zip(&spans.dofs) {
        let n = tree.v.len();
        tree.z_free.copy_from_slice(&v[*start..*start + n]);
        if tree.base.is_none() {
            // As they were placed on arrival.
            tree.write_placed(bodies, state, report);
        } else {
            tree.write(bodies, state, report);
        }
    }
    closure::project_joints(&loops.joints, bodies, joints, state, work, report);
    touches.report(geoms, &mut work.contact_reports);
    report.list_moved(bodies, state, &work.poses);
    work.pairs.clear();
    swept::watch(geoms, bodies, joints, state, work, report);
    report.contacts = work.contact_reports.len();
    report.penetration = touches.deepest();
    arrive(parameters, joints, state, work, report);
    work.continuous = memory;
    state.contacts.clear();
    state.time += step;
    state.steps += 1;
    state.last_step = step;
}

/// Positions, rates and efforts of all joints, and how far they have come apart.
fn arrive(
    parameters: &WorldParameters,
    joints: &Arena<Joint>,
    state: &mut State,
    work: &Workspace,
    report: &mut StepReport,
) {
    let tolerance = parameters.compliant.stiction_tolerance;
    for tree in &work.forest.trees {
        for (link, slot) in tree.joints.iter().enumerate().filter(|(_, slot)| **slot != NO_JOINT) {
            let joint_state = &mut state.joints[*slot as usize];
            let Some(joint) = joints.at(*slot as usize) else { continue };
            joint_state.efforts = [0.0; 3];
            for axis in 0..tree.tree.dof_span(link).len() {
                let dof = tree.tree.dof_span(link).start + usize::from(tree.orders[link][axis]);
                let root_d = tree.factor.columns()[dof].root_d;
                let p = &joint.definition.parameters[axis];
                let (q, rate) = (joint_state.positions[axis], joint_state.rates[axis]);
                joint_state.efforts[axis] =
                    joint_state.forces[axis] + joint_laws::force(p, q, rate, root_d * root_d, tolerance);
            }
        }
    }
    for (id, joint) in joints.iter() {
        let joint_state = &mut state.joints[id.slot()];
        joint_state.forces = [0.0; 3];
        update_positions(joint, &state.bodies, joint_state);
        report.joint_error = report.joint_error.max(joint.gap(&joint_pose(joint, &state.bodies)));
    }
}
