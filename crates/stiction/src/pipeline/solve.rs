//! Impulses of all islands, problem by problem, by the passes of their plans.

use std::ops::Range;

use super::assemble::{self, Sources};
use super::model::Model;
use super::plan::{self, HYBRID_CLIQUES, Method, Moves, Needs, PassPlan, Rows};
use super::problems::{IslandProblem, SHARED_ROWS};
use super::report::SolveCounts;
use super::unsolved::{Unsolved, unsolved};
use super::{StepReport, Workspace, rebound, residual};
use crate::constraint::{Island, Problem, Restriction, Row};
use crate::solvers::{Convex, Direct, Pass, Pgs, Solver, Tamsi};
use crate::world::{State, WorldParameters};

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
    plans: Vec<&'static [PassPlan]>,
    restriction: Restriction,
    position_lambda: Vec<f64>,
    /// Velocities and impulses without restitution.
    without: (Vec<f64>, Vec<f64>),
}

/// Assembles and solves every problem, and gathers the velocities.
pub(super) fn impulses(model: &Model, step: f64, state: &State, work: &mut Workspace, report: &mut StepReport) {
    let Model { parameters, joints, mimics, .. } = *model;
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
    let IslandProblem { problem, needs, guess, lambda, z, z_position, is_split, counts, .. } = own;
    let needs = *needs;
    *counts = SolveCounts::default();
    lambda.clone_from(guess);
    z.clone_from(&problem.z_free);
    z_position.clone_from(z);
    *is_split = false;
    let mut plans = std::mem::take(&mut solvers.plans);
    let mut position_lambda = std::mem::take(&mut solvers.position_lambda);
    plans.clear();
    plans.extend(problem.islands.iter().map(|i| plan::of_island(parameters, problem, needs, i, &mut solvers.direct)));
    let mut first = 0;
    while first < problem.islands.len() {
        let end = first + together(problem, &plans, first);
        for pass in plans[first] {
            let run = Run { parameters, problem, needs, guess, islands: first..end, plan: pass };
            if pass.moves == Moves::Positions {
                if !*is_split {
                    position_lambda.clone_from(guess);
                    *is_split = true;
                }
                solvers.run(&run, z_position, &mut position_lambda, counts);
            } else {
                solvers.run(&run, z, lambda, counts);
            }
        }
        if moves_both(plans[first]) {
            let span = problem.islands[first].z.start as usize..problem.islands[end - 1].z.end as usize;
            z_position[span.clone()].copy_from_slice(&z[span]);
        }
        first = end;
    }
    if parameters.solver.starts_from_velocity() {
        // Newton's method on smooth laws has no restitution beside them.
        (solvers.plans, solvers.position_lambda) = (plans, position_lambda);
        return;
    }
    for number in 0..problem.islands.len() {
        let island = problem.islands[number].clone();
        if !rebound::bounces(problem, &island) || !rebound::made_energy(problem, &island, z, lambda) {
            continue;
        }
        let (mut z_without, mut lambda_without) = std::mem::take(&mut solvers.without);
        z_without.clone_from(&problem.z_free);
        lambda_without.clone_from(lambda);
        rebound::shift_targets(problem, &island, -1.0);
        for pass in plans[number].iter().filter(|pass| pass.moves != Moves::Positions) {
            let pass = &PassPlan { method: pass.method.alone(), ..*pass };
            let run = Run { parameters, problem, needs, guess, islands: number..number + 1, plan: pass };
            solvers.run(&run, &mut z_without, &mut lambda_without, counts);
        }
        let share = rebound::blend(problem, &island, (&z_without[..], &lambda_without[..]), z, lambda);
        solvers.without = (z_without, lambda_without);
        // Residuals are told of the restitution that there is.
        rebound::shift_targets(problem, &island, share);
        if moves_both(plans[number]) {
            let span = island.z.start as usize..island.z.end as usize;
            z_position[span.clone()].copy_from_slice(&z[span]);
        }
    }
    (solvers.plans, solvers.position_lambda) = (plans, position_lambda);
}

/// Velocities and positions move alike.
fn moves_both(plan: &[PassPlan]) -> bool {
    plan.iter().all(|pass| pass.moves == Moves::Both)
}

/// Number of islands from the first on that a pass of sweeps may have together.
fn together(problem: &Problem, plans: &[&'static [PassPlan]], first: usize) -> usize {
    let plan = plans[first];
    let [PassPlan { method: Method::Sweeps | Method::SweepsThenDirect, rows: Rows::All, moves: Moves::Both, .. }] =
        plan
    else {
        return 1;
    };
    let start = problem.islands[first].rows.start;
    let fits = |(island, other): &(&Island, &&[PassPlan])| island.rows.end - start <= SHARED_ROWS && **other == plan;
    1 + problem.islands[first + 1..].iter().zip(&plans[first + 1..]).take_while(fits).count()
}

/// A pass over some islands.
struct Run<'a> {
    parameters: &'a WorldParameters,
    problem: &'a Problem,
    needs: Needs,
    guess: &'a [f64],
    islands: Range<usize>,
    plan: &'a PassPlan,
}

impl Solvers {
    /// Runs a pass.
    fn run(&mut self, run: &Run, z: &mut [f64], lambda: &mut [f64], counts: &mut SolveCounts) {
        let Run { parameters, problem, needs, guess, islands, plan } = run;
        let islands = &problem.islands[islands.clone()];
        let pass = plan::pass(parameters, &islands[0], plan);
        if plan.rows != Rows::All {
            for island in islands {
                self.run_on_some(run, island, &pass, z, lambda, counts);
            }
            return;
        }
        let Self { pgs, direct, tamsi, convex, .. } = self;
        for island in islands {
            counts.unmet.add(match plan.method {
                Method::Stribeck => plan::unmet(problem, *needs, island, &tamsi.abilities()),
                Method::Convex => plan::unmet(problem, *needs, island, &convex.abilities()),
                Method::Direct => plan::unmet(problem, *needs, island, &direct.abilities()),
                Method::Sweeps | Method::SweepsThenDirect => plan::unmet(problem, *needs, island, &pgs.abilities()),
            });
        }
        match plan.method {
            Method::Stribeck => islands.iter().for_each(|i| counts.add(tamsi.solve(problem, i, &pass, z, lambda))),
            Method::Convex => islands.iter().for_each(|i| counts.add(convex.solve(problem, i, &pass, z, lambda))),
            Method::Direct => islands.iter().for_each(|i| counts.add(direct.solve(problem, i, &pass, z, lambda))),
            Method::Sweeps => counts.add(pgs.solve_all(problem, islands, &pass, z, lambda)),
            Method::SweepsThenDirect => {
                counts.add(pgs.solve_all(problem, islands, &pass, z, lambda));
                for island in islands {
                    let is_small = island.cliques.end - island.cliques.start <= HYBRID_CLIQUES;
                    let left = unsolved(problem, island, is_small, pass.capped, z, lambda);
                    if left.is_some_and(|what| is_worth_a_rescue(parameters, problem, island, what, direct)) {
                        let span = island.z.start as usize..island.z.end as usize;
                        z[span.clone()].copy_from_slice(&problem.z_free[span]);
                        // From the impulses of the last step: what the sweeps have left says less of which rows are
                        // free.
                        let rows = island.rows.start as usize..island.rows.end as usize;
                        lambda[rows.clone()].copy_from_slice(&guess[rows]);
                        let pass = Pass { budget: RESCUE_BUDGET, ..pass };
                        counts.rescued += 1;
                        counts.add(direct.solve(problem, island, &pass, z, lambda));
                    }
                }
            }
        }
    }

    /// Runs a pass over the rows of some routes. Those of passes before it hold.
    fn run_on_some(
        &mut self,
        run: &Run,
        island: &Island,
        pass: &Pass,
        z: &mut [f64],
        lambda: &mut [f64],
        counts: &mut SolveCounts,
    ) {
        let Self { pgs, direct, restriction, .. } = self;
        let rows = run.plan.rows;
        let was_solved = |row: &Row| rows == Rows::Iterative && Rows::Direct.take(row.route);
        restriction.take(run.problem, island, lambda, |row| rows.take(row.route), was_solved);
        let whole = restriction.problem.islands[0].clone();
        let Restriction { problem, z: own_z, lambda: own_lambda, .. } = &mut *restriction;
        counts.add(match run.plan.method {
            Method::Direct => direct.solve(problem, &whole, pass, own_z, own_lambda),
            _ => pgs.solve(problem, &whole, pass, own_z, own_lambda),
        });
        restriction.give_back(island, z, lambda);
    }
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

/// What an exact solve of an unsolved island may cost, in the sweeps that were made.
const RESCUE_SWEEPS: u32 = 20;

/// Factorisations of a direct solve after sweeps.
const RESCUE_BUDGET: u32 = 12;
