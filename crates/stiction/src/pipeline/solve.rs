//! Impulses of all islands, problem by problem and pass by pass.
//!
//! A step is a list of passes over one set of rows. Where a contact's correction would leave more velocity than its cap,
//! two passes are made from one start: an uncapped one that moves positions, a capped one that moves velocities.

use super::assemble::{self, Sources};
use super::problems::{IslandProblem, SHARED_ROWS};
use super::report::SolveCounts;
use super::unsolved::{Unsolved, has_joints, unsolved};
use super::{StepReport, Workspace, rebound, residual};
use crate::base::Arena;
use crate::constraint::{Island, Problem};
use crate::joints::Joint;
use crate::solvers::{Convex, Direct, Pass, Pgs, Solver, Tamsi};
use crate::world::{BoundsRule, HybridRule, Mimic, SolverKind, State, WorldParameters};

/// Velocities after the impulses, of all cliques of a step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Velocities {
    /// `L v⁺` that stays with the bodies.
    pub(crate) z: Vec<f64>,
    /// `L v` that moves positions.
    pub(crate) z_position: Vec<f64>,
    /// The two differ somewhere.
    pub(crate) is_split: bool,
}

/// Solvers and their memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Solvers {
    pgs: Pgs,
    direct: Direct,
    tamsi: Tamsi,
    convex: Convex,
    is_direct: Vec<bool>,
    position_lambda: Vec<f64>,
    /// Velocities and impulses without restitution.
    without: (Vec<f64>, Vec<f64>),
}

/// Assembles and solves every problem, and gathers the velocities.
pub(super) fn impulses(
    parameters: &WorldParameters,
    step: f64,
    joints: &Arena<Joint>,
    mimics: &[Mimic],
    state: &State,
    work: &mut Workspace,
    report: &mut StepReport,
) {
    let Workspace { views, islands, forest, cliques, contacts, manifolds, problems, solvers, velocities, .. } = work;
    let sources =
        Sources { parameters, joints, mimics, state, islands, views, forest, cliques, contacts, manifolds, step };
    let is_measured = residual::is_due(parameters, state.steps);
    let is_much = contacts.len() + islands.joints.len() > FEW;
    solvers.each(problems, is_much, |own, solvers| {
        assemble::problem(&sources, own);
        solve(parameters, own, solvers);
        if is_measured {
            residual::measure(parameters, own);
        }
    });
    velocities.z.clear();
    velocities.z_position.clear();
    velocities.is_split = false;
    for own in problems.iter() {
        velocities.z.extend_from_slice(&own.z);
        velocities.z_position.extend_from_slice(&own.z_position);
        velocities.is_split |= own.is_split;
        report.count(&own.counts);
    }
    if is_measured {
        residual::tell(problems, report);
    }
}

/// Contacts and joints up to which one thread is as fast as several.
const FEW: usize = 100;

/// Solves every island of a problem.
fn solve(parameters: &WorldParameters, own: &mut IslandProblem, solvers: &mut Solvers) {
    let IslandProblem { problem, guess, lambda, z, z_position, is_split, counts, .. } = own;
    let Solvers { pgs, direct, tamsi, convex, is_direct, position_lambda, without } = solvers;
    *counts = SolveCounts::default();
    lambda.clone_from(guess);
    z.clone_from(&problem.z_free);
    *is_split = false;
    if parameters.solver.starts_from_velocity() {
        for island in &problem.islands {
            let pass = pass(parameters, island, false);
            let statistics = match parameters.solver {
                SolverKind::Convex => convex.solve(problem, island, &pass, z, lambda),
                _ => tamsi.solve(problem, island, &pass, z, lambda),
            };
            counts.add(statistics);
        }
        z_position.clone_from(z);
        return;
    }
    z_position.clone_from(&problem.z_free);
    is_direct.clear();
    is_direct.extend(
        problem
            .islands
            .iter()
            .map(|island| must_be_exact(parameters, island) || is_exact_cheaper(parameters, problem, island, direct)),
    );
    let mut first = 0;
    while first < problem.islands.len() {
        let pass = pass(parameters, &problem.islands[first], needs_split(problem, &problem.islands[first]));
        let count = if pass.capped || is_direct[first] { 1 } else { batch(problem, &is_direct[..], first) };
        let range = first..first + count;
        let mut solve = |pass: &Pass, z: &mut [f64], lambda: &mut [f64]| {
            if is_direct[first] {
                counts.add(direct.solve(problem, &problem.islands[first], pass, z, lambda));
                return;
            }
            counts.add(pgs.solve_all(problem, &problem.islands[range.clone()], pass, z, lambda));
            if parameters.hybrid == HybridRule::Off {
                return;
            }
            for island in &problem.islands[range.clone()] {
                let is_small = island.cliques.end - island.cliques.start <= HYBRID_CLIQUES;
                let left = unsolved(problem, island, is_small, pass.capped, z, lambda);
                if left.is_some_and(|what| is_worth_a_rescue(parameters, problem, island, what, direct)) {
                    let span = island.z.start as usize..island.z.end as usize;
                    z[span.clone()].copy_from_slice(&problem.z_free[span]);
                    // From the impulses of the last step: what the sweeps have left says less of which rows are free.
                    let rows = island.rows.start as usize..island.rows.end as usize;
                    lambda[rows.clone()].copy_from_slice(&guess[rows]);
                    let pass = Pass { budget: RESCUE_BUDGET, ..*pass };
                    let statistics = direct.solve(problem, island, &pass, z, lambda);
                    counts.rescued += 1;
                    counts.add(statistics);
                }
            }
        };
        solve(&pass, z, lambda);
        if pass.capped {
            if !*is_split {
                position_lambda.clone_from(guess);
                *is_split = true;
            }
            solve(&Pass { capped: false, ..pass }, z_position, position_lambda);
        } else {
            let span = problem.islands[first].z.start as usize..problem.islands[first + count - 1].z.end as usize;
            z_position[span.clone()].copy_from_slice(&z[span]);
        }
        first += count;
    }
    for number in 0..problem.islands.len() {
        let island = problem.islands[number].clone();
        if !rebound::bounces(problem, &island) || !rebound::made_energy(problem, &island, z, lambda) {
            continue;
        }
        let pass = pass(parameters, &island, needs_split(problem, &island));
        let (z_without, lambda_without) = without;
        z_without.clone_from(&problem.z_free);
        lambda_without.clone_from(lambda);
        rebound::shift_targets(problem, &island, -1.0);
        let statistics = if is_direct[number] {
            direct.solve(problem, &island, &pass, z_without, lambda_without)
        } else {
            pgs.solve(problem, &island, &pass, z_without, lambda_without)
        };
        counts.add(statistics);
        let share = rebound::blend(problem, &island, (&z_without[..], &lambda_without[..]), z, lambda);
        // Residuals are told of the restitution that there is.
        rebound::shift_targets(problem, &island, share);
        if !pass.capped {
            let span = island.z.start as usize..island.z.end as usize;
            z_position[span.clone()].copy_from_slice(&z[span]);
        }
    }
}

/// A solve as the world asks for it.
fn pass(parameters: &WorldParameters, island: &Island, capped: bool) -> Pass {
    Pass {
        capped,
        iterations: parameters.iterations,
        relaxation: parameters.sor,
        accelerated: parameters.accelerated,
        bounds_once: parameters.bounds == BoundsRule::Once,
        budget: if must_be_exact(parameters, island) { Pass::FULL_BUDGET } else { HYBRID_BUDGET },
        stiction_tolerance: parameters.compliant.stiction_tolerance,
    }
}

/// The user asks for an exact solution of the island: of all, or of those up to a number of rows.
fn must_be_exact(parameters: &WorldParameters, island: &Island) -> bool {
    parameters.solver == SolverKind::Direct || island.rows.end - island.rows.start <= parameters.direct_rows
}

/// The hybrid rule: an island is solved exactly where that usually costs no more than its sweeps. While its contacts are
/// those of the last step the old impulses tell which rows are free, and one factorisation does; where they come and go
/// the pivots take more, but a stack that sweeps have once set swaying does not come to rest under them.
fn is_exact_cheaper(parameters: &WorldParameters, problem: &Problem, island: &Island, direct: &mut Direct) -> bool {
    let cliques = island.cliques.end - island.cliques.start;
    let is_wanted = match parameters.hybrid {
        HybridRule::On => true,
        // A stack: sweeps that are stopped at a residual leave it swaying, and what sways they do not bring to rest.
        HybridRule::Unsolved => !island.contacts.is_empty() && cliques > 2,
        HybridRule::Off => false,
    };
    let is_mixed = !island.contacts.is_empty() && has_joints(problem, island);
    is_wanted
        && cliques <= if is_mixed { MIXED_CLIQUES } else { HYBRID_CLIQUES }
        && direct.is_cheaper_than_sweeps(problem, island, parameters.iterations)
}

/// An island that the sweeps left unsolved is solved exactly: joints unless that costs far more than the sweeps did,
/// contacts alone where it costs no more.
fn is_worth_a_rescue(
    parameters: &WorldParameters,
    problem: &Problem,
    island: &Island,
    left: Unsolved,
    direct: &mut Direct,
) -> bool {
    let sweeps = parameters.iterations.max(20);
    match left {
        Unsolved::Joint if island.contacts.is_empty() => {
            direct.is_cheaper_than_sweeps(problem, island, sweeps.saturating_mul(RESCUE_SWEEPS))
        }
        Unsolved::Joint => direct.is_cheaper_than_sweeps(problem, island, sweeps),
        Unsolved::Contact => {
            island.cliques.end - island.cliques.start <= HYBRID_CLIQUES
                && direct.is_cheaper_than_sweeps(problem, island, sweeps)
        }
    }
}

/// Bodies of an island that is looked at for an exact solve: the search for an elimination order, anew when pairs come or
/// go, has its own cost and takes memory.
const HYBRID_CLIQUES: u32 = 128;

/// The same for islands of joints and contacts: where ragdolls fall on each other the pivots take many rounds.
const MIXED_CLIQUES: u32 = 24;

/// What an exact solve of an unsolved island may cost, in the sweeps that were made.
const RESCUE_SWEEPS: u32 = 20;

/// Factorisations of an island that is solved directly only because that is cheap.
const HYBRID_BUDGET: u32 = 30;
/// The same after sweeps.
const RESCUE_BUDGET: u32 = 12;

/// Number of islands from the first on, which is swept in one pass, that go into one batch.
fn batch(problem: &Problem, is_direct: &[bool], first: usize) -> usize {
    let start = problem.islands[first].rows.start;
    let fits = |(island, is_direct): &(&Island, &bool)| {
        island.rows.end - start <= SHARED_ROWS && !**is_direct && !needs_split(problem, island)
    };
    1 + problem.islands[first + 1..].iter().zip(&is_direct[first + 1..]).take_while(fits).count()
}

/// A correction that exceeds its cap.
fn needs_split(problem: &Problem, island: &Island) -> bool {
    problem.rows[island.rows.start as usize..island.rows.end as usize]
        .iter()
        .any(|row| row.target > row.cap || row.velocity_target != row.target)
}
