//! Islands that sweeps leave unsolved, solved exactly.
//!
//! Joints come first, since what is left of their rows makes energy: by `Σ λ (u + Γ λ − b)` over the rows as they are
//! left, which is zero for rows that are solved. An attempt is made where the one before has left a joint unsolved:
//!
//! 1. All rows. Friction is bounded by the normals that come out; such a solution need not exist, or be found soon.
//! 2. All rows. Friction is bounded by the normals of a solution without friction: two convex problems, which have one.
//! 3. The rows of joints, under the impulses that contacts have: linear but for stops and motors. What is then left is
//!    of contacts alone.

use super::plan::HYBRID_CLIQUES;
use super::report::SolveCounts;
use super::unsolved::{Unsolved, unsolved};
use crate::constraint::{Island, Problem, Restriction, RowKind};
use crate::model::WorldParameters;
use crate::solvers::{Direct, Pass, Solver};

/// What an exact solve of unsolved joints may cost, in the sweeps that were made.
const SWEEPS: u32 = 20;
/// Factorisations of the first attempt.
const BUDGET: u32 = 12;
/// The same of the second one.
const BUDGET_ONCE: u32 = 40;

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
    let Some(left) = unsolved(problem, island, is_small, pass.capped, z, lambda) else { return };
    if !is_worth_it(parameters, problem, island, left, direct) {
        return;
    }
    counts.rescued += 1;
    let (span, rows) = (island.z_range(), island.row_range());
    let attempts = [
        Pass { budget: BUDGET, ..*pass },
        Pass { budget: BUDGET_ONCE, bounds_once: true, ..*pass },
    ];
    for pass in attempts {
        z[span.clone()].copy_from_slice(&problem.z_free[span.clone()]);
        lambda[rows.clone()].copy_from_slice(&guess[rows.clone()]);
        counts.add(direct.solve(problem, island, &pass, z, lambda));
        if unsolved(problem, island, false, pass.capped, z, lambda).is_none() {
            return;
        }
    }
    let is_contact = |kind| matches!(kind, RowKind::Normal | RowKind::Friction);
    restriction.take(problem, island, &problem.z_free, lambda, |_, row| !is_contact(row.kind), |_| true);
    let Restriction { problem: own, z: own_z, lambda: own_lambda, .. } = restriction;
    let statistics = direct.solve(own, &own.islands[0], pass, own_z, own_lambda);
    counts.add(statistics);
    if !statistics.gave_up {
        restriction.give_back(island, z, lambda);
    }
}

/// Joints are worth an exact solve unless it costs far more than the sweeps did, contacts alone where it costs no more.
fn is_worth_it(
    parameters: &WorldParameters,
    problem: &Problem,
    island: &Island,
    left: Unsolved,
    direct: &mut Direct,
) -> bool {
    let sweeps = parameters.iterations.max(20);
    match left {
        Unsolved::Joint => direct.is_cheaper_than_sweeps(problem, island, sweeps.saturating_mul(SWEEPS)),
        Unsolved::Contact => {
            island.cliques.end - island.cliques.start <= HYBRID_CLIQUES
                && direct.is_cheaper_than_sweeps(problem, island, sweeps)
        }
    }
}
