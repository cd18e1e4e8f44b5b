//! Impulses of all islands, pass by pass.
//!
//! A step is a list of passes over one set of rows. Where a contact's correction would leave more velocity than its cap,
//! two passes are made from one start: an uncapped one that moves positions, a capped one that moves velocities.

use super::StepReport;
use crate::constraint::{Island, Problem};
use crate::solvers::{Direct, Pass, Pgs, SolveStatistics, Solver};
use crate::world::{BoundsRule, SolverKind, WorldParameters};

/// Impulses and velocities of a step.
#[derive(Default)]
pub(crate) struct Solution {
    /// Guess of the impulses.
    pub(crate) guess: Vec<f64>,
    /// Impulses of the velocity pass.
    pub(crate) lambda: Vec<f64>,
    /// `L v⁺` that stays with the bodies.
    pub(crate) z: Vec<f64>,
    /// `L v` that moves positions.
    pub(crate) z_position: Vec<f64>,
    /// Some island was solved in two passes.
    pub(crate) is_split: bool,
    position_lambda: Vec<f64>,
    pgs: Pgs,
    direct: Direct,
}

/// Solves every island.
pub(super) fn impulses(parameters: &WorldParameters, problem: &Problem, solution: &mut Solution, report: &mut StepReport) {
    let Solution { guess, lambda, z, z_position, is_split, position_lambda, pgs, direct } = solution;
    lambda.clone_from(guess);
    z.clone_from(&problem.z_free);
    z_position.clone_from(&problem.z_free);
    *is_split = false;
    for island in &problem.islands {
        let pass = Pass {
            capped: needs_split(problem, island),
            iterations: parameters.iterations,
            relaxation: parameters.sor,
            accelerated: parameters.accelerated,
            bounds_once: parameters.bounds == BoundsRule::Once,
        };
        // Hybrid rule: a small island is solved exactly where that costs no more than the sweeps.
        let is_direct = parameters.solver == SolverKind::Direct
            || parameters.hybrid && direct.is_cheaper_than_sweeps(problem, island, parameters.iterations);
        let solver: &mut dyn Solver = if is_direct { direct } else { pgs };
        count(report, solver.solve(problem, island, &pass, z, lambda));
        if pass.capped {
            if !*is_split {
                position_lambda.clone_from(guess);
                *is_split = true;
            }
            let pass = Pass { capped: false, ..pass };
            count(report, solver.solve(problem, island, &pass, z_position, position_lambda));
        } else {
            let span = island.z.start as usize..island.z.end as usize;
            z_position[span.clone()].copy_from_slice(&z[span]);
        }
    }
}

/// A correction that exceeds its cap.
fn needs_split(problem: &Problem, island: &Island) -> bool {
    problem.rows[island.rows.start as usize..island.rows.end as usize].iter().any(|row| row.target > row.cap || row.velocity_target != row.target)
}

fn count(report: &mut StepReport, statistics: SolveStatistics) {
    report.sweeps = report.sweeps.max(statistics.sweeps);
    report.factorizations += statistics.factorizations;
    report.inconsistent_rows += statistics.inconsistent_rows;
    report.gave_up += u32::from(statistics.gave_up);
}
