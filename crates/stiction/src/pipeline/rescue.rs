//! Islands that sweeps leave unsolved, solved exactly.
//!
//! Rows that are left unsolved make `Σ λ (u + Γ λ − b)`, which is zero for rows that are solved. All rows together are solved
//! where that is soon done. Where it is not, and the joints are left wrong, the rows of joints are solved alone, under the
//! impulses that the contacts have: they are linear but for stops and motors, so that few factorisations do, and what is
//! then left is of the contacts. Since the solution of these rows is the least of `φ(λ) = |z|²/2 + Γ λ²/2 − b λ` along them,
//! it is never farther from the solution of all than what the sweeps have left. Where contacts then make energy, as a light
//! link does between a joint and the ground, all rows are solved whatever it costs.

use super::plan::{HYBRID_CLIQUES, RESCUE_BUDGET};
use super::report::SolveCounts;
use super::unsolved::{Unsolved, do_contacts_make, do_joints_work, unsolved};
use crate::constraint::{Island, Problem, Restriction, RowKind};
use crate::model::WorldParameters;
use crate::solvers::{Direct, Pass, Solver};

/// What an exact solve of unsolved joints may cost, in the sweeps that were made.
const SWEEPS: u32 = 20;

/// Velocities and impulses of a problem.
pub(super) struct Solution<'a> {
    pub(super) z: &'a mut [f64],
    pub(super) lambda: &'a mut [f64],
}

/// Solves an island that the sweeps of a pass have left unsolved, from the impulses of the last step: what the sweeps have
/// left says less of which rows are free.
pub(super) fn rescue(
    parameters: &WorldParameters,
    problem: &Problem,
    island: &Island,
    (pass, guess): (&Pass, &[f64]),
    (direct, restriction): (&mut Direct, &mut Restriction),
    Solution { z, lambda }: Solution,
    counts: &mut SolveCounts,
) {
    let is_small = island.cliques.end - island.cliques.start <= HYBRID_CLIQUES;
    let (span, rows) = (island.z_range(), island.row_range());
    let touches = !island.contacts.is_empty();
    let left = unsolved(problem, island, (touches, is_small), pass.capped, z, lambda);
    if left.is_some_and(|left| is_worth_it(parameters, problem, island, left, direct)) {
        counts.rescued += 1;
        z[span.clone()].copy_from_slice(&problem.z_free[span.clone()]);
        lambda[rows.clone()].copy_from_slice(&guess[rows.clone()]);
        counts.add(direct.solve(problem, island, &Pass { budget: RESCUE_BUDGET, ..*pass }, z, lambda));
    }
    if !touches || !do_joints_work(problem, island, pass.capped, z, lambda) {
        return;
    }
    let is_contact = |kind| matches!(kind, RowKind::Normal | RowKind::Friction);
    restriction.take(problem, island, &problem.z_free, lambda, |_, row| !is_contact(row.kind), |_| true);
    let Restriction { problem: joints, z: own_z, lambda: own_lambda, .. } = &mut *restriction;
    let sweeps = parameters.iterations.max(20).saturating_mul(SWEEPS);
    if !direct.is_cheaper_than_sweeps(joints, &joints.islands[0], sweeps) {
        return;
    }
    let statistics = direct.solve(joints, &joints.islands[0], pass, own_z, own_lambda);
    counts.add(statistics);
    if !statistics.gave_up {
        restriction.give_back(island, z, lambda);
    }
    if do_contacts_make(problem, island, pass.capped, z, lambda)
        && direct.is_cheaper_than_sweeps(problem, island, sweeps)
    {
        z[span.clone()].copy_from_slice(&problem.z_free[span]);
        lambda[rows.clone()].copy_from_slice(&guess[rows]);
        counts.add(direct.solve(problem, island, &Pass { budget: Pass::FULL_BUDGET, ..*pass }, z, lambda));
    }
}

/// Joints are worth an exact solve unless it costs far more than the sweeps did; with contacts where it costs no more.
fn is_worth_it(
    parameters: &WorldParameters,
    problem: &Problem,
    island: &Island,
    left: Unsolved,
    direct: &mut Direct,
) -> bool {
    let sweeps = parameters.iterations.max(20);
    match left {
        Unsolved::Joint if !island.contacts.is_empty() => direct.is_cheaper_than_sweeps(problem, island, sweeps),
        Unsolved::Joint => direct.is_cheaper_than_sweeps(problem, island, sweeps.saturating_mul(SWEEPS)),
        Unsolved::Contact => {
            island.cliques.end - island.cliques.start <= HYBRID_CLIQUES
                && direct.is_cheaper_than_sweeps(problem, island, sweeps)
        }
    }
}
