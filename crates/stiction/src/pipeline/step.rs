//! One step, one page. Each line is a stage and a module; `&` and `&mut` say who reads and who writes.

use super::problems::IslandProblem;
use super::{
    StepContext, assemble, audit, balance, closure, continuous, detect, edits, impact, integrate, islands, joint_rows,
    pairs, remember, sleep, solve, swept, tree_balance, tree_motion, trees, views,
};
use crate::model::TimeAdvancement;

/// Advances the world by `step` \[s\].
pub(crate) fn step(world: StepContext<'_>, step: f64) {
    world.report.begin(world.state.steps);
    if !world.report.accepts(step, world.parameters) {
        return;
    }

    // What the user changed since the last step: numbers that are not finite are taken out and reported.
    edits::quarantine(world.bodies, world.joints, world.state, world.report);

    if world.parameters.time == TimeAdvancement::Continuous {
        return continuous::step(world, step);
    }

    let StepContext {
        parameters,
        bodies,
        geoms,
        joints,
        contacts,
        mimics,
        contact_table,
        state,
        broadphase,
        work,
        report,
        topology,
    } = world;
    work.solvers.set(parameters.threads as usize);

    // Of positions: contacts, who sleeps, which bodies hang together.
    views::poses(bodies, state, &mut work.poses);
    pairs::find(parameters, geoms, bodies, joints, state, broadphase, work);
    detect::make_manifolds(parameters, geoms, bodies, joints, contacts, contact_table, state, work);
    sleep::fall_asleep(parameters, step, bodies, state, &work.contacts, &mut work.touched);
    islands::find(parameters, bodies, joints, mimics, state, &work.contacts, &mut work.islands);

    // In reduced coordinates: trees, as their bodies stand.
    trees::plant(parameters, topology, bodies, joints, &mut work.forest);
    trees::read(state, &work.poses, &work.islands, &mut work.forest);

    // Of velocities: the rows of joints, motion without constraints, all rows, and the impulses that satisfy them.
    joint_rows::emit(parameters, step, joints, state, work);
    tree_balance::begin(step, bodies, joints, state, work);
    if parameters.audit {
        audit::begin(parameters, step, bodies, joints, state, work);
    }
    views::free_motion(parameters, step, bodies, state, &work.islands, &work.forest, &mut work.views);
    trees::free_motion(parameters, step, bodies, joints, state, &mut work.forest, report);
    assemble::cliques(bodies, work);
    solve::impulses(parameters, step, joints, mimics, state, work, report);
    if parameters.audit {
        audit::rows(joints, state, work, report);
    }
    balance::joints(joints, bodies, state, work, report);

    tree_motion::flow(step, state, work, report);
    work.problems.iter_mut().for_each(IslandProblem::add_impacts);

    // Forward: positions and velocities, what is kept for the next step, what is told to the user.
    trees::react(parameters, step, joints, work);
    integrate::advance(parameters, step, bodies, state, work, report);
    trees::advance(bodies, state, work, report);
    closure::project(bodies, joints, state, work, report);
    impact::stop(parameters, step, geoms, bodies, joints, state, work, report);
    remember::impulses(step, bodies, joints, contacts, geoms, state, work);
    tree_balance::settle(parameters, step, bodies, joints, state, work, report);
    if parameters.audit {
        audit::finish(parameters, step, bodies, joints, state, work, report);
    }
    report.list_moved(bodies, state, &work.poses);
    swept::watch(geoms, bodies, joints, state, work, report);
    report.finish(joints, work);
    state.time += step;
    state.steps += 1;
    state.last_step = step;
}
