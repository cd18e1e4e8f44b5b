//! Truth after a step: residuals in physical units, for every solver alike.

use std::ops::Range;

use super::report::{Residual, StepReport, WorstRow};
use super::solve::Solution;
use crate::constraint::{ContactPoint, Problem, RowKind};
use crate::world::WorldParameters;

/// Measures the residuals of this step, if it is its turn.
pub(super) fn measure(
    parameters: &WorldParameters,
    number: u64,
    problem: &Problem,
    solution: &Solution,
    report: &mut StepReport,
) {
    let interval = u64::from(parameters.residual_interval);
    if interval == 0 || !number.is_multiple_of(interval) {
        return;
    }
    report.residuals.extend(RowKind::ALL.map(|kind| Residual { kind, solved: 0.0, hard: 0.0 }));
    // Rows of a contact that Newton's method solved by its law only stand for it: the law holds, or the solver gave up.
    let by_law = parameters.solver.starts_from_velocity();
    let mut laws = problem.contacts.iter().filter(|c| by_law && c.smooth.is_some()).map(contact_rows).peekable();
    for (i, row) in problem.rows.iter().enumerate() {
        while laws.next_if(|rows| rows.end <= i).is_some() {}
        if laws.peek().is_some_and(|rows| rows.contains(&i)) {
            continue;
        }
        if i > 0 && problem.rows[i - 1].ellipse {
            // Judged with the row before it: the two are bounded together.
            continue;
        }
        let measure = |hard: bool| {
            if row.ellipse {
                problem.ellipse_residual(i, &solution.lambda, &solution.z, true, hard)
            } else {
                problem.residual(row, i, &solution.lambda, &solution.z, true, hard)
            }
        };
        let solved = measure(false);
        let hard = if row.compliance > 0.0 { measure(true) } else { solved };
        let entry = &mut report.residuals[row.kind as usize];
        entry.solved = entry.solved.max(solved);
        entry.hard = entry.hard.max(hard);
        if report.worst.is_none_or(|w| solved > w.residual) {
            report.worst = Some(WorstRow { source: row.source, kind: row.kind, residual: solved });
        }
    }
}

/// Rows of a contact.
fn contact_rows(contact: &ContactPoint) -> Range<usize> {
    let others = contact.has_friction.iter().chain(&contact.has_rolling).filter(|has| **has).count();
    contact.row as usize..contact.row as usize + 1 + others
}
