//! Islands of joints and contacts that sweeps solve: in each sweep the rows of joints, which are in memory, are followed by the contacts
//! by points, without rows. What they leave of the joints is solved exactly, with all rows.

use super::super::assemble::{self, Contents, Sources};
use super::super::plan::{self, MIXED_CLIQUES};
use super::super::problems::{IslandProblem, SolutionMethod};
use super::super::report::SolveCounts;
use super::super::rescue::{Solution, rescue};
use super::super::solve::{self, Solvers};
use super::super::unsolved::{do_joints_work, joints_of, unsolved};
use super::solver::JointRows;
use super::{PointIslands, PointSolver, outcome};
use crate::constraint::Island;
use crate::joints::JointRow;
use crate::model::{HybridRule, WorldParameters};
use crate::solvers::soft::Record;

/// What the sweeps of a problem have beside its rows; memory that is used again.
#[derive(Clone, Debug, Default)]
pub(crate) struct JoinedMemory {
    /// The islands with the rows of their joints alone.
    islands: Vec<Island>,
    /// Rows of the joints as they gave them, and impulses of their rows, while those of contacts are made.
    rows: Vec<JointRow>,
    impulses: Vec<f64>,
}

/// An island of so many bodies may be solved exactly: whether that is cheaper is seen of its rows.
pub(super) fn may_be_exact(parameters: &WorldParameters, bodies: u32) -> bool {
    let is_wanted = match parameters.hybrid {
        HybridRule::On => bodies <= MIXED_CLIQUES,
        HybridRule::Unsolved => (3..=MIXED_CLIQUES).contains(&bodies),
        HybridRule::Off => false,
    };
    is_wanted || parameters.direct_rows > 0
}

/// Solves the islands of a problem; somebody may read all rows.
pub(in super::super) fn solve(
    sources: &Sources,
    points: &PointIslands,
    own: &mut IslandProblem,
    solvers: &mut Solvers,
    are_read: bool,
) {
    let parameters = sources.parameters;
    let may_be_exact = own.method == SolutionMethod::Joined { may_be_exact: true };
    let is_whole = are_read || may_be_exact;
    if !is_whole {
        own.joined.rows.clone_from(&own.joint_rows);
    }
    assemble::problem(sources, own, if is_whole { Contents::All } else { Contents::Joints });
    if may_be_exact {
        solve::plan_islands(parameters, own, solvers);
        if solvers.are_exact() {
            return solve::solve_as_planned(parameters, own, solvers);
        }
    }
    if own.needs.bounds_correction {
        if !is_whole {
            complete(sources, own);
        }
        return solve::solve(parameters, own, solvers);
    }
    sweep(sources, points, own, &mut solvers.points);
    let is_left = parameters.hybrid != HybridRule::Off && is_unsolved(own);
    own.is_swept = !is_left && !is_whole;
    if own.is_swept {
        return;
    }
    if !is_whole {
        complete(sources, own);
    }
    outcome::copy_impulses(own);
    if is_left {
        rescue_all(parameters, own, solvers);
    }
    outcome::copy_restitution(own);
}

/// Adds the rows of contacts; the impulses of those of joints stay.
fn complete(sources: &Sources, own: &mut IslandProblem) {
    own.joint_rows.clone_from(&own.joined.rows);
    std::mem::swap(&mut own.lambda, &mut own.joined.impulses);
    assemble::problem(sources, own, Contents::All);
    let IslandProblem { problem, lambda, joined, .. } = own;
    lambda.clear();
    lambda.resize(problem.rows.len(), 0.0);
    for (island, joints) in problem.islands.iter().zip(&joined.islands) {
        let first = island.rows.start as usize;
        let impulses = &joined.impulses[joints.row_range()];
        lambda[first..first + impulses.len()].copy_from_slice(impulses);
    }
}

/// Sweeps over the rows of joints and the contact points.
fn sweep(sources: &Sources, points: &PointIslands, own: &mut IslandProblem, solver: &mut PointSolver) {
    let IslandProblem { problem, joined, guess, lambda, batch, z, z_position, counts, impact, .. } = own;
    joined.islands.clear();
    joined.islands.extend(problem.islands.iter().map(|island| joints_of(problem, island)));
    batch.begin(false);
    for island in own.islands.clone().filter(|island| sources.islands.has_rows(*island)) {
        batch.push(island as u32, 0, false);
    }
    lambda.clone_from(guess);
    let pass = plan::sweeps(sources.parameters);
    problem.lay_out(Record::WIDTH);
    let rows = JointRows { problem, islands: &joined.islands, pass, lambda };
    solver.solve_with(sources, points.laws(), batch, &mut Some(rows));
    problem.lay_out(assemble::FREE_BODY);
    z.clone_from(&batch.z);
    z_position.clone_from(z);
    impact.clear();
    (own.impact_work, own.is_split) = (0.0, false);
    *counts = SolveCounts { sweeps: batch.sweeps, ..SolveCounts::default() };
}

/// The sweeps have left the joints of some island unsolved.
fn is_unsolved(own: &IslandProblem) -> bool {
    let IslandProblem { problem, joined, z, lambda, batch, .. } = own;
    joined.islands.iter().enumerate().any(|(number, island)| {
        let touches = batch.has_contacts(number);
        unsolved(problem, island, (touches, false), false, z, lambda).is_some()
            || touches && do_joints_work(problem, island, false, z, lambda)
    })
}

/// Solves exactly what is unsolved, now that all rows are there.
fn rescue_all(parameters: &WorldParameters, own: &mut IslandProblem, solvers: &mut Solvers) {
    let IslandProblem { problem, guess, lambda, z, z_position, counts, batch, .. } = own;
    let pass = plan::sweeps(parameters);
    for (number, island) in problem.islands.iter().enumerate() {
        let before = counts.factorizations;
        let exact = (&mut solvers.direct, &mut solvers.restriction);
        rescue(parameters, problem, island, (&pass, guess), exact, Solution { z, lambda }, counts);
        if counts.factorizations > before
            && let Some(share) = batch.restitution.get_mut(number)
        {
            // What has been solved anew has all of its restitution.
            *share = None;
        }
    }
    z_position.clone_from(z);
    solve::limit_rebounds(parameters, own, solvers, |_| plan::EXACT);
}
