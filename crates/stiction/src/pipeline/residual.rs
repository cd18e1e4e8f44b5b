//! Residuals after a step, in physical units and independent of the solver.

use super::problems::IslandProblem;
use super::report::{Residual, StepReport, WorstRow};
use crate::constraint::{Bound, ContactPoint, RowKind};
use crate::model::{BoundsRule, SolverKind, WorldParameters};

/// Largest residual of each kind of rows, and the row with the largest of all.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Residuals {
    kinds: [Residual; RowKind::ALL.len()],
    worst: Option<WorstRow>,
}

impl Default for Residuals {
    fn default() -> Self {
        Self { kinds: RowKind::ALL.map(|kind| Residual { kind, solved: 0.0, hard: 0.0 }), worst: None }
    }
}

/// It is the turn of this step.
pub(super) fn is_due(parameters: &WorldParameters, number: u64) -> bool {
    let interval = u64::from(parameters.residual_interval);
    interval != 0 && number.is_multiple_of(interval)
}

/// Tells the residuals of all problems.
pub(super) fn tell(problems: &[IslandProblem], report: &mut StepReport) {
    let mut all = Residuals::default();
    for own in problems.iter().map(|own| &own.residuals) {
        for (sum, own) in all.kinds.iter_mut().zip(&own.kinds) {
            sum.solved = sum.solved.max(own.solved);
            sum.hard = sum.hard.max(own.hard);
        }
        if let Some(worst) = own.worst
            && all.worst.is_none_or(|w| worst.residual > w.residual)
        {
            all.worst = Some(worst);
        }
    }
    report.residuals.extend(all.kinds);
    report.worst = all.worst;
}

/// Measures the residuals of a problem.
pub(super) fn measure(parameters: &WorldParameters, own: &mut IslandProblem) {
    let IslandProblem { problem, lambda, z, residuals, .. } = own;
    *residuals = Residuals::default();
    // Rows of a contact that Newton's method solved by its law only stand for it: the law holds, or the solver gave up.
    let by_law = parameters.solver.starts_from_velocity();
    // Bounds taken once are those of normals without friction, which are not these: friction that is at one is at its own.
    let is_once = parameters.bounds == BoundsRule::Once && parameters.solver == SolverKind::Direct;
    let mut laws = problem.contacts.iter().filter(|c| by_law && c.smooth.is_some()).map(ContactPoint::rows).peekable();
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
            if is_once && matches!(row.bound, Bound::Coefficient { .. }) && !row.ellipse {
                problem.residual_within(row, lambda[i].abs(), i, lambda, z, hard)
            } else if row.ellipse {
                problem.ellipse_residual(i, lambda, z, true, hard)
            } else {
                problem.residual(row, i, lambda, z, true, hard)
            }
        };
        let solved = measure(false);
        let hard = if row.compliance > 0.0 { measure(true) } else { solved };
        let entry = &mut residuals.kinds[row.kind as usize];
        entry.solved = entry.solved.max(solved);
        entry.hard = entry.hard.max(hard);
        if residuals.worst.is_none_or(|w| solved > w.residual) {
            residuals.worst = Some(WorstRow { source: row.source, kind: row.kind, residual: solved });
        }
    }
}
