//! A step of continuous time: `q̇ = N v`, `v̇ = a(t, q, v)` under an integrator, contact as a force of depth and speed.
//!
//! | module | idea |
//! |---|---|
//! | `flow` | positions and velocities of all trees as one system; its accelerations |
//! | `touch` | pairs that may touch in the step, their forces |
//! | `motion` | the state as a force field sees it |
//! | `user_touch` | contacts that the user makes, as forces |
//! | `joint_laws` | springs, dampers, stops and friction of joints as smooth forces |
//! | `loops` | joints that close loops, followers and motors: forces that hold their accelerations |
//! | `bounded` | those forces within their bounds |
//! | `books` | the work of all that acts, for the balance of energy |
//! | `feedback` | forces of joints over the step, and efforts on arrival |
//! | `means` | impulses of contacts and joints over the step |
//!
//! Every body is a link of a tree here, a lone one a tree of one link: maximal coordinates have no continuous form. An
//! evaluation is a pure function of (t, q, v); joint positions, reports and loops are touched on arrival only.

mod books;
mod bounded;
mod feedback;
mod flow;
mod force;
mod joint_laws;
mod loops;
mod means;
mod motion;
mod touch;
mod user_touch;

pub(crate) use flow::Memory;

use super::context::{Model, StepContext};
use super::forest::{Forest, Stamp};
use super::stage::Stage;
use super::{StepReport, Workspace, audit, closure, off_at_start, speculative, swept, trees, views};
use crate::base::Arena;
use crate::integrators::Interval;
use crate::joints::Joint;
use crate::model::{Bodies, BodyId, BodyKind, JointFeedback, State, energy_of, joint_pose, update_positions};
use flow::MotionSystem;
use loops::Loops;

/// Advances the world by `step` \[s\]; one with wires is refused.
pub(super) fn step(context: StepContext<'_>, step: f64) {
    match context.model.wires.iter().count() {
        0 => advance(context, step),
        wires => context.report.refuse_wires(wires),
    }
}

fn advance(context: StepContext<'_>, step: f64) {
    let StepContext { model, field, user_contacts, state, broadphase, work, report, times } = context;
    let Model { parameters, bodies, geoms, joints, topology, .. } = model;
    views::poses(bodies, state, &mut work.poses);
    let changes = bodies.iter().map(|(_, b)| b.changes).sum();
    let stamp = Stamp { topology, bodies: changes, lone_bodies: true, soft_rows: false, is_reduced: true };
    work.forest.refresh(stamp, bodies, joints);
    begin(&model, step, state, work);

    let mut memory = std::mem::take(&mut work.continuous);
    memory.begin(&work.forest, joints);
    let Memory { integrator, q, v, a, touches, user_touches, loops, spans, books } = &mut memory;
    user_touches.begin(&model, user_contacts, &work.forest, &work.poses);
    let mut flow = MotionSystem {
        model: &model,
        field,
        field_power: 0.0,
        state,
        broadphase,
        forest: &mut work.forest,
        cliques: &work.cliques,
        views: &mut work.views,
        touches,
        user_touches,
        loops,
        spans,
        step,
    };
    flow.find_pairs();
    // Forces of the user and parameters may have changed since the last step.
    integrator.forget();
    integrator.carry = state.carry;
    integrator.nodes.is_wanted = means::may_be_wanted(&flow);
    flow.touches.clear_means();
    let interval = Interval { start: state.time, duration: step };
    books.begin(state.time, q, v);
    report.integration = integrator.advance(&mut flow, &parameters.integrator, interval, q, v, |t, q, v| {
        if parameters.audit {
            books.note(t, q, v);
        }
    });
    // The way that was made, if the bound on trials ended it early.
    let step = step - report.integration.unfinished;
    if parameters.audit {
        books.sum_up(&mut flow);
    }
    means::gather(&mut flow, &integrator.nodes, a, &mut work.feedback);
    flow.arrive(state.time + step, q, v, a);
    state.carry = integrator.carry;
    report.singular_loop = loops.is_singular();
    if report.integration.unfinished > 0.0 {
        report.stiffest = integrator.hardest().and_then(|dof| body_of(&work.forest, &spans.dofs, dof, bodies));
    }

    move_kinematic(step, bodies, state);
    place(&mut work.forest, &spans.dofs, v, bodies, state, report);
    // Loops that the file has open are closed in the first step.
    let is_opened = parameters.audit && state.steps == 0 && !loops.joints.is_empty();
    let open = if is_opened { energy_of(parameters, bodies, joints, state).total() } else { 0.0 };
    closure::project_joints(&loops.joints, bodies, joints, state, work, report);
    if is_opened {
        report.energy.placed += energy_of(parameters, bodies, joints, state).total() - open;
    }
    work.reports_are_late = false;
    touches.report(geoms, &mut state.reports);
    let deepest = touches.deepest().max(user_touches.report(user_contacts, &mut state.reports));
    touches.lend(&mut work.pairs, &mut work.proxies);
    speculative::thicknesses(&model, &mut work.thickness);
    swept::watch(&model, state, work, report);
    report.contacts = state.reports.iter().filter(|contact| contact.acts).count();
    report.penetration = deepest;
    arrive(joints, state, work, loops, report);
    let mut kept = std::mem::take(&mut work.next_cache);
    kept.clear();
    if parameters.audit {
        audit::note_energy_after(&model, state, work, report);
        memory.books.close(state, &mut kept, report);
    }
    off_at_start::follow(&model, state);
    work.next_cache = std::mem::replace(&mut state.contacts, kept);
    work.continuous = memory;
    state.time += step;
    state.steps += 1;
    state.last_step = step;
    times.ended(Stage::Continuous);
}

/// Reads trees and joints from the bodies as they stand, and numbers the coordinates of all trees.
fn begin(model: &Model, step: f64, state: &mut State, work: &mut Workspace) {
    let Model { parameters, bodies, joints, .. } = *model;
    work.feedback.resize(joints.slots(), JointFeedback::default());
    for (id, joint) in joints.iter() {
        // The user may have moved the bodies since the last step.
        update_positions(joint, &state.bodies, &mut state.joints[id.slot()]);
    }
    work.problems.clear();
    if parameters.audit {
        audit::begin(model, step, state, work);
    }
    trees::read_all(state, &work.poses, &mut work.forest);
    views::absent(bodies, &mut work.views);
    work.cliques.clear();
    for tree in &mut work.forest.trees {
        trees::push_cliques(&mut work.cliques, tree);
    }
}

/// Moves the bodies that have prescribed velocities.
fn move_kinematic(step: f64, bodies: &Bodies, state: &mut State) {
    for (id, body) in bodies.iter().filter(|(_, b)| b.kind == BodyKind::Kinematic) {
        let motion = &mut state.bodies[id.slot()].motion;
        let center = motion.position + step * motion.velocity;
        motion.rotation = crate::dynamics::rotation::turn(body.finite_rotation, motion.rotation, motion.omega, step);
        motion.position = center;
    }
}

/// Places the bodies of all trees, whose numbers begin at `starts` in the velocities `v`.
fn place(
    forest: &mut Forest,
    starts: &[usize],
    v: &[f64],
    bodies: &Bodies,
    state: &mut State,
    report: &mut StepReport,
) {
    for (tree, start) in forest.trees.iter_mut().zip(starts) {
        let n = tree.v.len();
        tree.z_free.copy_from_slice(&v[*start..*start + n]);
        if tree.base.is_none() {
            // As they were placed on arrival.
            tree.write_placed(bodies, state, report);
        } else {
            tree.write(bodies, state, report);
        }
    }
}

/// The body that a velocity of the whole system belongs to.
fn body_of(forest: &Forest, starts: &[usize], dof: usize, bodies: &Bodies) -> Option<BodyId> {
    let tree = starts.iter().rposition(|start| *start <= dof)?;
    let link = forest.trees.get(tree)?.tree.dof_link(dof - starts[tree]);
    bodies.handle_at(forest.trees[tree].bodies[link] as usize)
}

/// Positions, rates and efforts of all joints, and how far they have come apart.
fn arrive(joints: &Arena<Joint>, state: &mut State, work: &Workspace, loops: &Loops, report: &mut StepReport) {
    for (id, joint) in joints.iter() {
        let joint_state = &mut state.joints[id.slot()];
        update_positions(joint, &state.bodies, joint_state);
        // A joint that was let go holds nothing.
        let holds = joint.definition.bodies != [None; 2];
        let gap = if holds { joint.gap(&joint_pose(joint, &state.bodies)) } else { 0.0 };
        if gap > report.joint_error {
            report.joint_error = gap;
            report.widest_joint = Some((id, gap));
        }
    }
    feedback::efforts(joints, &work.forest, loops, state);
    for (id, _) in joints.iter() {
        state.joints[id.slot()].forces = [0.0; 3];
    }
}
