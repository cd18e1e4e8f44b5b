//! One step. Each line is a stage, implemented in its own module; `&` and `&mut` show what it reads and writes.

use super::context::{Model, StepContext};
use super::problems::IslandProblem;
use super::{
    assemble, audit, balance, blocked, closure, continuous, detect, edits, frames, impact, inertia_ratio, integrate,
    islands, joint_rows, middle, off_at_start, pairs, points, remember, shift, sleep, solve, speculative, substeps,
    swept, tree_balance, tree_motion, trees, views, wind, wires,
};
use crate::model::TimeAdvancement;

/// Advances the world by `step` \[s\].
pub(crate) fn step(context: StepContext<'_>, step: f64) {
    let Model { parameters, bodies, joints, .. } = context.model;
    context.report.begin(context.state.steps);
    if !context.report.accepts(step, parameters) {
        return;
    }

    if parameters.time == TimeAdvancement::Continuous && context.model.wires.iter().next().is_some() {
        return context.report.refuse_wires(context.model.wires.iter().count());
    }

    // User edits since the last step: bodies with non-finite values are quarantined and reported.
    edits::quarantine(bodies, joints, context.state, context.report);

    // What the joints of a new world are off is of the file.
    if context.state.steps == 0 {
        off_at_start::begin(&context.model, context.state);
    }

    if parameters.time == TimeAdvancement::Continuous {
        return continuous::step(context, step);
    }

    wind::blow(parameters, step, bodies, context.state);

    let StepContext { model, user_contacts, state, broadphase, work, report, .. } = context;
    work.solvers.set(parameters.threads as usize);

    // From positions: contacts, sleeping bodies, islands.
    views::poses(bodies, state, &mut work.poses);
    speculative::predict(&model, step, state, &mut work.thickness, &mut work.reaches);
    pairs::find(&model, state, broadphase, work);
    middle::poses(&model, step, state, work);
    frames::read(&model, step, state, &mut work.frames);
    detect::make_manifolds(&model, step, user_contacts, state, work);
    let touching = (&work.contacts[..], &work.patches);
    sleep::fall_asleep(&model, step, state, touching, &mut work.touched, &mut work.idle);
    islands::find(&model, state, touching, &work.manifolds, &mut work.islands);
    sleep::stop_sleeping(state, &work.idle);
    trees::plant(&model, &mut work.forest);
    substeps::take(&model, step, state, work);

    // In reduced coordinates: trees at the present poses of their bodies.
    trees::read(state, &work.poses, &work.islands, &mut work.forest);

    // Islands of contacts that need no rows.
    points::take(&model, step, work);

    // From velocities: joint rows, unconstrained motion, all rows, and the impulses that satisfy them.
    joint_rows::emit(parameters, step, joints, state, work);
    tree_balance::begin(step, bodies, joints, state, work);
    if parameters.audit {
        audit::begin(&model, step, state, work);
    }
    views::free_motion(parameters, step, bodies, state, &work.islands, &work.forest, &mut work.views);
    inertia_ratio::rescale(parameters, bodies, joints, state, &mut work.views);
    trees::free_motion(&model, step, state, &mut work.forest, report);
    blocked::leave_out(&model, step, work);
    assemble::cliques(bodies, model.wires, &state.wires, work);
    solve::impulses(&model, step, state, work, report);
    if parameters.audit {
        audit::rows(joints, state, work, report);
    }
    shift::limit(step, bodies, joints, work);
    wires::solved(&model, step, state, work);
    balance::joints(joints, model.wires, bodies, step, state, work, report);

    tree_motion::flow(step, state, work, report);
    work.problems.iter_mut().for_each(IslandProblem::add_impacts);

    // Update of positions and velocities, data for the next step, and reports.
    trees::react(parameters, step, joints, work);
    integrate::advance(parameters, step, bodies, state, work, report);
    trees::advance(bodies, state, work, report);
    substeps::advance(&model, step, state, work, report);
    closure::project(bodies, joints, state, work, report);
    impact::stop(&model, step, state, work, report);
    remember::impulses(&model, step, user_contacts, state, work);
    wires::remember(&model, state, work);
    tree_balance::settle(&model, step, state, work, report);
    if parameters.audit {
        audit::finish(&model, step, state, work, report);
    }
    off_at_start::follow(&model, state);
    report.list_moved(bodies, state, &work.poses);
    swept::watch(&model, state, work, report);
    report.finish(joints, work);
    state.time += step;
    state.steps += 1;
    state.last_step = step;
}
