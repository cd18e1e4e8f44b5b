//! Impulses of all islands, pass by pass.
//!
//! A step is a list of passes over one set of rows. Where a contact's correction would leave more velocity than its cap,
//! two passes are made from one start: an uncapped one that moves positions, a capped one that moves velocities.

use super::StepReport;
use crate::constraint::{Island, Problem};
use crate::solvers::{Pass, Pgs, SolveStatistics};
use crate::world::{BoundsRule, WorldParameters};

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
}

/// Solves every island.
pub(super) fn impulses(parameters: &WorldParameters, problem: &Problem, solution: &mut Solution, report: &mut StepReport) {
    let Solution { guess, lambda, z, z_position, is_split, position_lambda, pgs } = solution;
    lambda.clone_from(guess);
    z.clone_from(&problem.z_free);
    z_position.clone_from(&problem.z_free);
    *is_split = false;
    let mut rest = problem.islands.as_slice();
    while let Some(first) = rest.first() {
        let pass = Pass {
            capped: needs_split(problem, first),
            iterations: parameters.iterations,
            relaxation: parameters.sor,
            accelerated: parameters.accelerated,
            bounds_once: parameters.bounds == BoundsRule::Once,
        };
        let count = if pass.capped { 1 } else { batch(problem, rest) };
        let (islands, after) = rest.split_at(count);
        rest = after;
        tally(report, pgs.solve_all(problem, islands, &pass, z, lambda));
        if pass.capped {
            if !*is_split {
                position_lambda.clone_from(guess);
                *is_split = true;
            }
            let pass = Pass { capped: false, ..pass };
            tally(report, pgs.solve_all(problem, islands, &pass, z_position, position_lambda));
        } else {
            let span = islands[0].z.start as usize..islands[count - 1].z.end as usize;
            z_position[span.clone()].copy_from_slice(&z[span]);
        }
    }
}

/// Rows that are swept together at most: small islands share a batch as long as it stays near the processor.
const BATCH_ROWS: u32 = 600;

/// Number of islands from the first on, which is not split, that go into one batch.
fn batch(problem: &Problem, islands: &[Island]) -> usize {
    let start = islands[0].rows.start;
    let fits = |i: &&Island| i.rows.end - start <= BATCH_ROWS && !needs_split(problem, i);
    1 + islands[1..].iter().take_while(fits).count()
}

/// A correction that exceeds its cap.
fn needs_split(problem: &Problem, island: &Island) -> bool {
    problem.rows[island.rows.start as usize..island.rows.end as usize].iter().any(|row| row.target > row.cap)
}

fn tally(report: &mut StepReport, statistics: SolveStatistics) {
    report.sweeps = report.sweeps.max(statistics.sweeps);
    report.factorizations += statistics.factorizations;
    report.inconsistent_rows += statistics.inconsistent_rows;
    report.gave_up += u32::from(statistics.gave_up);
}
