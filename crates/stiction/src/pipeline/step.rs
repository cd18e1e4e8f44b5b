//! One step. Each line is a stage, implemented in its own module; `&` and `&mut` show what it reads and writes.

use super::context::{Model, StepContext};
use super::problems::IslandProblem;
use super::stage::{Stage, StageTimes};
use super::{
    StepReport, Workspace, apart, asleep, assemble, audit, balance, blocked, closure, continuous, detect, edits, flow,
    frames, impact, inertia_ratio, integrate, islands, joint_rows, margins, middle, off_at_start, pairs,
    persistent_pairs, points, remember, shift, sleep, solve, speculative, substeps, swept, travel, tree_balance,
    tree_motion, trees, views, wind, wires,
};
use crate::base::Arena;
use crate::broadphase::BroadPhase;
use crate::model::{Contact, State, TimeAdvancement};

/// Advances the world by `step` \[s\].
pub(crate) fn step(mut context: StepContext<'_>, step: f64) {
    if begin(context.reborrow(), step) {
        flow::advance(&context.model, step, context.state, context.work, context.report);
        finish(context, step);
    }
}

/// All that comes before the motion of trees that nothing touches; false where the step is done.
pub(crate) fn begin(context: StepContext<'_>, step: f64) -> bool {
    let Model { parameters, bodies, joints, .. } = context.model;
    context.report.begin(context.state.steps);
    context.times.begin();
    if !context.report.accepts(step, parameters) {
        return false;
    }

    if asleep::all(&context.model, context.user_contacts, context.state) {
        context.state.advance_clock(step);
        context.times.ended(Stage::Start);
        return false;
    }

    // User edits since the last step: bodies with non-finite values are quarantined and reported.
    edits::quarantine(&context.model, context.state, context.work, context.report);

    // What the joints of a new world are off is of the file.
    off_at_start::begin(&context.model, context.state);

    if parameters.time == TimeAdvancement::Continuous {
        context.work.known_joints.forget();
        continuous::step(context, step);
        return false;
    }

    wind::blow(parameters, step, bodies, context.state);

    let StepContext { model, user_contacts, state, broadphase, work, report, times, .. } = context;
    work.solvers.set(parameters.threads as usize);
    work.solvers.begin();

    // From positions: contacts, sleeping bodies, islands.
    views::poses(bodies, state, &mut work.poses);
    speculative::predict(&model, step, state, work);
    times.ended(Stage::Start);
    find_contacts(&model, (step, user_contacts), state, broadphase, work, (report, times));
    find_islands(&model, step, state, work);
    times.ended(Stage::Islands);

    // In reduced coordinates: trees at the present poses of their bodies.
    trees::read(&model, state, &work.poses, &work.islands, &mut work.forest);

    // Islands of contacts that need no rows.
    points::take(&model, step, work);

    // From velocities: joint rows, unconstrained motion, all rows, and the impulses that satisfy them.
    joint_rows::emit(&model, step, state, work);
    // From here on bodies move.
    work.known_joints.forget();
    tree_balance::begin(&model, step, state, work);
    if parameters.audit {
        audit::begin(&model, step, state, work);
    }
    views::free_motion(&model, step, state, &work.islands, &work.forest, &mut work.views);
    inertia_ratio::rescale(parameters, bodies, joints, state, &mut work.views);
    trees::free_motion(&model, step, state, &mut work.forest, report);
    times.ended(Stage::Joints);
    blocked::leave_out(&model, step, work);
    assemble::cliques(bodies, model.wires, &state.wires, work);
    solve::impulses(&model, step, state, work, report);
    if parameters.audit {
        audit::rows(joints, state, work, report);
    }
    shift::limit(step, bodies, joints, work);
    wires::solved(&model, step, state, work);
    balance::joints(joints, model.wires, bodies, step, state, work, report);

    closure::divide(&model, step, state, work);
    tree_motion::flow(&model, step, state, work, report);
    work.problems.iter_mut().for_each(IslandProblem::add_impacts);

    // Update of positions and velocities, data for the next step, and reports.
    trees::react(parameters, step, joints, work);
    times.ended(Stage::Rows);
    integrate::advance(parameters, step, bodies, state, work, report);
    trees::advance(bodies, state, work, report);
    times.ended(Stage::Motion);
    substeps::advance(&model, step, state, work, report);
    true
}

/// All that comes after it.
pub(crate) fn finish(context: StepContext<'_>, step: f64) {
    let StepContext { model, user_contacts, state, work, report, times, .. } = context;
    let Model { parameters, joints, .. } = model;
    times.ended(Stage::Substeps);
    closure::project(&model, step, state, work, report);
    impact::stop(&model, step, state, work, report);
    times.ended(Stage::Closing);
    remember::impulses(&model, step, user_contacts, state, work);
    wires::remember(&model, state, work);
    tree_balance::settle(&model, step, state, work, report);
    if parameters.audit {
        audit::finish(&model, step, state, work, report);
    }
    off_at_start::follow(&model, state);
    times.ended(Stage::Memory);
    swept::watch(&model, state, work, report);
    report.finish(joints, work, state.steps == 0);
    times.ended(Stage::Report);
    work.solvers.end();
    state.advance_clock(step);
}

/// Pairs of shapes and their contacts, or those of the last step while nothing has moved far enough.
fn find_contacts(
    model: &Model,
    (step, user_contacts): (f64, &Arena<Contact>),
    state: &mut State,
    broadphase: &mut dyn BroadPhase,
    work: &mut Workspace,
    (report, times): (&mut StepReport, &mut StageTimes),
) {
    travel::follow(model, step, state, apart::are_many(model, work), &mut work.travel);
    persistent_pairs::follow(model, user_contacts, state, work);
    if !work.persistent_pairs.holds {
        pairs::find(model, state, broadphase, work);
        margins::find(model, step, state, work);
    }
    times.ended(Stage::Pairs);
    frames::read(model, step, state, &mut work.frames);
    if work.persistent_pairs.holds {
        detect::keep_patches(state, work, &mut report.counts);
    } else {
        middle::poses(model, step, state, work);
        detect::make_manifolds(model, step, user_contacts, state, work, &mut report.counts);
    }
    times.ended(Stage::Contacts);
}

/// Bodies that fall asleep, islands, or those of the last step while the same bodies touch, and those that move in sub-steps.
fn find_islands(model: &Model, step: f64, state: &mut State, work: &mut Workspace) {
    let touching = (&work.contacts[..], &work.patches);
    sleep::fall_asleep(model, step, state, touching, &mut work.touched, &mut work.idle);
    let has_contacts = !work.contacts.is_empty();
    let [_, way] = work.travel.most(work.extents.farthest());
    let rules_are_same = work.last_rules.are_same && step == state.last_step;
    work.last_islands.follow(state, (rules_are_same, has_contacts, way), &work.patches);
    if !work.last_islands.hold {
        work.persistent_pairs.end();
        islands::find(model, state, touching, &work.manifolds, &mut work.islands);
    }
    sleep::stop_sleeping(state, &work.idle);
    trees::plant(model, &mut work.forest);
    substeps::take(model, step, state, work);
}
