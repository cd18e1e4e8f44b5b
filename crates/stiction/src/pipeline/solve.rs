//! Impulses of all islands, problem by problem, by the passes of their plans.

use std::ops::Range;

use super::assemble::{self, Contents, Sources};
use super::context::Model;
use super::impact_stage::ImpactStage;
use super::plan::{self, Method, Moves, Needs, PassPlan, RowFilter};
use super::points::{self, PointIslands, PointSolver};
use super::problems::{IslandProblem, SHARED_ROWS, SolutionMethod};
use super::report::SolveCounts;
use super::rescue::{Solution, rescue};
use super::threads::Threads;
use super::{StepReport, Workspace, rebound, residual};
use crate::constraint::{Island, Problem, Restriction, Row};
use crate::model::{State, WorldParameters};
use crate::solvers::{Convex, Direct, Pass, Pgs, SolveStatistics, Solver, Tamsi};

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
    pub(super) direct: Direct,
    pub(super) points: PointSolver,
    tamsi: Tamsi,
    convex: Convex,
    plans: Vec<&'static [PassPlan]>,
    pub(super) restriction: Restriction,
    position_lambda: Vec<f64>,
    stage: ImpactStage,
    /// Velocities and impulses of the impact stage.
    hit: (Vec<f64>, Vec<f64>),
    /// Velocities without motion, impulses of no force.
    zeros: Vec<f64>,
    /// Velocities and impulses without restitution.
    without: (Vec<f64>, Vec<f64>),
}

/// Assembles and solves every problem, and gathers the velocities.
pub(super) fn impulses(model: &Model, step: f64, state: &State, work: &mut Workspace, report: &mut StepReport) {
    let Model { parameters, joints, mimics, wires, .. } = *model;
    let Workspace {
        views,
        islands,
        machines,
        forest,
        cliques,
        contacts,
        manifolds,
        pair_laws: laws,
        problems,
        points,
        solvers,
        velocities,
        wire_cliques,
        ..
    } = work;
    machines.refresh(model);
    let sources = Sources {
        parameters,
        joints,
        mimics,
        wires,
        wire_cliques,
        state,
        islands,
        machines,
        views,
        forest,
        cliques,
        contacts,
        manifolds,
        laws,
        step,
    };
    let is_measured = residual::is_due(parameters, state.steps);
    by_points(&sources, points, solvers, velocities, report);
    let earlier = problems.len();
    let are_read = is_measured || parameters.audit;
    problems.share_points(islands, points, are_read);
    problems[earlier..].iter_mut().for_each(|own| assemble::number_cliques(cliques, own));
    let (points, before) = (&*points, &*velocities);
    let all = contacts.len() + islands.joints.len();
    let largest = problems.iter().map(|own| own.contacts.len() + own.joints.len()).max().unwrap_or(0);
    // Where one problem is nearly all of the work the others would only wait for it.
    let is_much = all > FEW && 4 * largest < 3 * all;
    solvers.each(problems, is_much, |own, solvers| {
        match own.method {
            SolutionMethod::Joined { .. } => points::solve_joined(&sources, points, own, solvers, are_read),
            SolutionMethod::Reported { batch } => {
                assemble::problem(&sources, own, Contents::All);
                points::tell(points, before, own, batch);
            }
            SolutionMethod::Rows | SolutionMethod::Exact => {
                assemble::problem(&sources, own, Contents::All);
                solve(parameters, own, solvers);
            }
        }
        if is_measured {
            residual::measure(parameters, own);
        }
    });
    for own in problems.iter() {
        velocities.z[own.span.clone()].copy_from_slice(&own.z);
        velocities.z_position[own.span.clone()].copy_from_slice(&own.z_position);
        velocities.is_split |= own.is_split;
        report.count(&own.counts);
    }
    if is_measured {
        residual::tell(problems, report);
    }
}

/// Solves the islands that need no rows. Velocities begin here.
fn by_points(
    sources: &Sources,
    points: &mut PointIslands,
    solvers: &mut Threads<Solvers>,
    velocities: &mut Velocities,
    report: &mut StepReport,
) {
    velocities.z.clear();
    velocities.z.resize(sources.cliques.z_free.len(), 0.0);
    velocities.z_position.clone_from(&velocities.z);
    velocities.is_split = false;
    let is_much = sources.contacts.len() > FEW;
    let (batches, laws) = points.batches_mut();
    solvers.each(batches, is_much, |batch, solvers| solvers.points.solve(sources, laws, batch));
    for batch in points.batches() {
        batch.give(&mut velocities.z, &mut velocities.z_position);
        velocities.is_split |= batch.is_split;
        report.sweeps = report.sweeps.max(batch.sweeps);
    }
    points.note_unsolved();
}

/// Contacts and joints up to which one thread is as fast as several.
const FEW: usize = 100;

/// Solves every island of a problem.
pub(super) fn solve(parameters: &WorldParameters, own: &mut IslandProblem, solvers: &mut Solvers) {
    plan_islands(parameters, own, solvers);
    solve_as_planned(parameters, own, solvers);
}

/// Chooses the passes of every island of a problem.
pub(super) fn plan_islands(parameters: &WorldParameters, own: &IslandProblem, solvers: &mut Solvers) {
    let IslandProblem { problem, needs, method, .. } = own;
    let is_left = *method == SolutionMethod::Exact;
    let Solvers { plans, direct, .. } = solvers;
    plans.clear();
    plans.extend(problem.islands.iter().map(|i| plan::of_island(parameters, problem, (*needs, is_left), i, direct)));
}

/// Solves every island of a problem by the passes that were chosen.
pub(super) fn solve_as_planned(parameters: &WorldParameters, own: &mut IslandProblem, solvers: &mut Solvers) {
    let plans = std::mem::take(&mut solvers.plans);
    let rescued = if own.method == SolutionMethod::Exact { own.problem.islands.len() as u32 } else { 0 };
    own.counts = SolveCounts { rescued, ..SolveCounts::default() };
    own.impact.clear();
    own.impact_work = 0.0;
    if own.needs.has_impacts {
        impacts(parameters, own, &plans, solvers);
    }
    let IslandProblem { problem, needs, guess, lambda, z, z_position, is_split, counts, .. } = own;
    let needs = *needs;
    lambda.clone_from(guess);
    z.clone_from(&problem.z_free);
    z_position.clone_from(z);
    *is_split = false;
    let mut position_lambda = std::mem::take(&mut solvers.position_lambda);
    let mut first = 0;
    while first < problem.islands.len() {
        let end = first + together(problem, &plans, first);
        for pass in plans[first] {
            let run = Run { parameters, problem, needs, guess, islands: first..end, plan: pass };
            match pass.moves {
                Moves::Positions => {
                    if !*is_split {
                        position_lambda.clone_from(guess);
                        *is_split = true;
                    }
                    solvers.run(&run, z_position, &mut position_lambda, counts);
                }
                Moves::Displacements => {
                    *is_split = true;
                    solvers.displace(&run, (z, lambda), z_position, counts);
                }
                Moves::Both | Moves::Velocities | Moves::Start => solvers.run(&run, z, lambda, counts),
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
    limit_rebounds(parameters, own, solvers, |number| plans[number]);
    (solvers.plans, solvers.position_lambda) = (plans, position_lambda);
}

impl Solvers {
    /// The passes that were chosen last are exact solutions.
    pub(super) fn are_exact(&self) -> bool {
        self.plans.iter().all(|plan| plan.iter().all(|pass| pass.method == Method::Direct))
    }
}

/// Takes back what restitution has made in the islands of a problem, each with the passes that have solved it.
pub(super) fn limit_rebounds(
    parameters: &WorldParameters,
    own: &mut IslandProblem,
    solvers: &mut Solvers,
    plan_of: impl Fn(usize) -> &'static [PassPlan],
) {
    let IslandProblem { problem, needs, guess, lambda, z, z_position, counts, .. } = own;
    let needs = *needs;
    for number in 0..problem.islands.len() {
        let island = problem.islands[number].clone();
        if !rebound::bounces(problem, &island) || !rebound::made_energy(problem, &island, &problem.z_free, z, lambda) {
            continue;
        }
        let (mut z_without, mut lambda_without) = std::mem::take(&mut solvers.without);
        z_without.clone_from(&problem.z_free);
        lambda_without.clone_from(lambda);
        rebound::shift_targets(problem, &island, -1.0);
        for pass in plan_of(number).iter().filter(|pass| matches!(pass.moves, Moves::Both | Moves::Velocities)) {
            let pass = &PassPlan { method: pass.method.alone(), ..*pass };
            let run = Run { parameters, problem, needs, guess, islands: number..number + 1, plan: pass };
            solvers.run(&run, &mut z_without, &mut lambda_without, counts);
        }
        if displaces(plan_of(number)) {
            let span = island.z_range();
            z_position[span.clone()].iter_mut().zip(&z[span]).for_each(|(position, z)| *position -= z);
        }
        let without = (&z_without[..], &lambda_without[..]);
        let share = rebound::blend(problem, &island, &problem.z_free, without, z, lambda);
        solvers.without = (z_without, lambda_without);
        // Residuals refer to the restitution that remains.
        rebound::shift_targets(problem, &island, share);
        let span = island.z_range();
        if moves_both(plan_of(number)) {
            z_position[span.clone()].copy_from_slice(&z[span]);
        } else if displaces(plan_of(number)) {
            z_position[span.clone()].iter_mut().zip(&z[span]).for_each(|(position, z)| *position += z);
        }
    }
}

/// The impact stage of islands in which something hits.
fn impacts(
    parameters: &WorldParameters,
    own: &mut IslandProblem,
    plans: &[&'static [PassPlan]],
    solvers: &mut Solvers,
) {
    let IslandProblem { problem, needs, guess, impact, impact_work, counts, .. } = own;
    let mut stage = std::mem::take(&mut solvers.stage);
    for (number, plan) in plans.iter().enumerate() {
        let island = problem.islands[number].clone();
        if !stage.find(problem, *needs, &island) {
            continue;
        }
        let plan = &plan::impact_stage(plan);
        let run = Run { parameters, problem, needs: *needs, guess, islands: number..number + 1, plan };
        let (mut z, mut lambda) = std::mem::take(&mut solvers.hit);
        solvers.collide(&run, &stage, false, (&mut z, &mut lambda), counts);
        if rebound::made_energy(problem, &island, &problem.z_before, &z, &lambda) {
            let (mut z_without, mut lambda_without) = std::mem::take(&mut solvers.without);
            solvers.collide(&run, &stage, true, (&mut z_without, &mut lambda_without), counts);
            let without = (&z_without[..], &lambda_without[..]);
            rebound::blend(problem, &island, &problem.z_before, without, &mut z, &mut lambda);
            solvers.without = (z_without, lambda_without);
        }
        rebound::shorten(problem, &island, &problem.z_before, &mut z, &mut lambda);
        *impact_work += ImpactStage::begin_step(problem, &island, &z);
        impact.resize(problem.rows.len(), 0.0);
        let rows = island.row_range();
        impact[rows.clone()].copy_from_slice(&lambda[rows]);
        solvers.hit = (z, lambda);
    }
    solvers.stage = stage;
}

/// Velocities and positions move alike.
fn moves_both(plan: &[PassPlan]) -> bool {
    plan.iter().all(|pass| pass.moves == Moves::Both)
}

/// Positions have a pass of their own beside what velocities move them.
fn displaces(plan: &[PassPlan]) -> bool {
    plan.iter().any(|pass| pass.moves == Moves::Displacements)
}

/// Number of islands from the first on that a pass of sweeps may have together.
fn together(problem: &Problem, plans: &[&'static [PassPlan]], first: usize) -> usize {
    let plan = plans[first];
    let [
        PassPlan {
            method: Method::Sweeps | Method::SweepsThenDirect, rows: RowFilter::All, moves: Moves::Both, ..
        },
    ] = plan
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
        if plan.rows != RowFilter::All {
            for island in islands {
                self.run_on_some(run, island, &pass, z, lambda, counts);
            }
            return;
        }
        let Self { pgs, direct, tamsi, convex, restriction, .. } = self;
        for island in islands {
            counts.unmet.add(match plan.method {
                Method::Stribeck => plan::unmet(problem, *needs, island, &tamsi.abilities()),
                Method::Convex => plan::unmet(problem, *needs, island, &convex.abilities()),
                Method::Direct | Method::DirectAfterSweeps => plan::unmet(problem, *needs, island, &direct.abilities()),
                Method::Sweeps | Method::SweepsThenDirect => plan::unmet(problem, *needs, island, &pgs.abilities()),
            });
        }
        match plan.method {
            Method::Stribeck => islands.iter().for_each(|i| counts.add(tamsi.solve(problem, i, &pass, z, lambda))),
            Method::Convex => islands.iter().for_each(|i| counts.add(convex.solve(problem, i, &pass, z, lambda))),
            Method::Direct | Method::DirectAfterSweeps => {
                islands.iter().for_each(|i| counts.add(direct.solve(problem, i, &pass, z, lambda)));
            }
            Method::Sweeps => counts.add(pgs.solve_all(problem, islands, &pass, z, lambda)),
            Method::SweepsThenDirect => {
                counts.add(pgs.solve_all(problem, islands, &pass, z, lambda));
                for island in islands {
                    let solution = Solution { z, lambda };
                    let (asked, exact) = ((&pass, *guess), (&mut *direct, &mut *restriction));
                    rescue(parameters, problem, island, asked, exact, solution, counts);
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
        // Friction that sweeps will find acts on the direct normals as it did in the last step.
        let acts = |row: &Row| rows != RowFilter::Iterative || RowFilter::Direct.take(row);
        restriction.take(run.problem, island, &run.problem.z_free, lambda, |_, row| rows.take(row), acts);
        counts.add(solve_restriction(run.plan.method, restriction, pass, direct, pgs));
        restriction.give_back(island, z, lambda);
    }

    /// Runs a pass over what a bounded one, which came to these velocities and impulses, has left of the correction, and adds
    /// what comes out to the velocities that move positions: `b − Γ λ − cap`, since what a soft contact gives way under its
    /// load is no error.
    fn displace(&mut self, run: &Run, (z, lambda): (&[f64], &[f64]), z_position: &mut [f64], counts: &mut SolveCounts) {
        let Self { pgs, direct, restriction, zeros, .. } = self;
        let problem = run.problem;
        zeros.resize(problem.z_free.len().max(problem.rows.len()), 0.0);
        for island in &problem.islands[run.islands.clone()] {
            let keeps = |_, row: &Row| run.plan.rows.take(row);
            restriction.take(problem, island, zeros, zeros, keeps, |_| false);
            for (row, number) in restriction.problem.rows.iter_mut().zip(&restriction.rows) {
                let yielding = row.compliance * lambda[*number as usize];
                row.target = (row.target - yielding - row.cap).max(0.0);
                row.velocity_target = row.target;
                row.cap = f64::INFINITY;
                row.diagonal -= row.compliance;
                row.compliance = 0.0;
            }
            let pass = plan::pass(run.parameters, island, run.plan);
            counts.add(solve_restriction(run.plan.method, restriction, &pass, direct, pgs));
            let span = island.z_range();
            for ((position, z), own) in z_position[span.clone()].iter_mut().zip(&z[span]).zip(&restriction.z) {
                *position = z + own;
            }
        }
    }

    /// Solves the impact stage of an island; velocities and impulses of the whole problem come out.
    fn collide(
        &mut self,
        run: &Run,
        stage: &ImpactStage,
        is_plastic: bool,
        (z, lambda): (&mut Vec<f64>, &mut Vec<f64>),
        counts: &mut SolveCounts,
    ) {
        let Self { pgs, direct, restriction, .. } = self;
        let problem = run.problem;
        let island = &problem.islands[run.islands.start];
        z.clone_from(&problem.z_before);
        lambda.clear();
        lambda.resize(problem.rows.len(), 0.0);
        let keeps = |number, _: &Row| stage.has(island, number);
        restriction.take(problem, island, &problem.z_before, lambda, keeps, |_| false);
        stage.write(island, &mut restriction.problem, &restriction.rows, is_plastic);
        let pass = plan::pass(run.parameters, island, run.plan);
        counts.add(solve_restriction(run.plan.method, restriction, &pass, direct, pgs));
        restriction.give_back(island, z, lambda);
    }
}

/// Solves some of an island's rows.
fn solve_restriction(
    method: Method,
    restriction: &mut Restriction,
    pass: &Pass,
    direct: &mut Direct,
    pgs: &mut Pgs,
) -> SolveStatistics {
    let whole = restriction.problem.islands[0].clone();
    let Restriction { problem, z, lambda, .. } = restriction;
    match method {
        Method::Direct => direct.solve(problem, &whole, pass, z, lambda),
        _ => pgs.solve(problem, &whole, pass, z, lambda),
    }
}
