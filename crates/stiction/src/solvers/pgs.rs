//! Projected Gauss-Seidel with over-relaxation and warm start.
//!
//! A sweep visits the rows in order; joint rows come first, the friction rows of a contact right after its normal:
//! `x = λ + ω (b − Γ λ − Yᵀz) / A_ii`, clamped to the bounds, `z += Y (x − λ)`. A capped row has
//! `u⁺ = min(b − Γ λ, cap)`, and since both branches grow with λ the smaller root is the solution.
//!
//! Rows of free bodies are packed into records that several lanes visit at once, in an order that commutes with the
//! order of rows ([`plan`]); all others are visited one by one.

mod batch;
mod plan;
mod record;
#[cfg(test)]
mod tests;
mod two;
#[cfg(target_arch = "x86_64")]
mod wide;

pub(crate) use batch::RowSweeps;

use super::{Abilities, Pass, SolveStatistics, Solver};
use crate::constraint::{Island, Problem, Row};
use crate::contact::friction;

/// A sweep that changes no velocity by more than this ends the iteration \[m/s\]: further sweeps would change only the
/// last digits. Counted, never timed.
pub(super) const STILL: f64 = 1e-12;

/// Projected Gauss-Seidel.
#[derive(Clone, Debug, Default)]
pub struct Pgs {
    history: super::anderson::History,
    batch: RowSweeps,
}

impl Pgs {
    /// Solves consecutive islands together: the same bits as one by one, faster for small ones.
    pub(crate) fn solve_all(
        &mut self,
        problem: &Problem,
        islands: &[Island],
        pass: &Pass,
        z: &mut [f64],
        lambda: &mut [f64],
    ) -> SolveStatistics {
        if pass.accelerated || pass.capped {
            let mut statistics = SolveStatistics::default();
            for island in islands {
                statistics.sweeps = statistics.sweeps.max(self.solve(problem, island, pass, z, lambda).sweeps);
            }
            return statistics;
        }
        let sweeps = self.batch.run(problem, islands, pass, z, lambda);
        SolveStatistics { sweeps, ..SolveStatistics::default() }
    }
}

impl Solver for Pgs {
    fn abilities(&self) -> Abilities {
        Abilities { cap: true, smooth_laws: false, routes: true }
    }

    fn solve(
        &mut self,
        problem: &Problem,
        island: &Island,
        pass: &Pass,
        z: &mut [f64],
        lambda: &mut [f64],
    ) -> SolveStatistics {
        if !pass.accelerated && !pass.capped {
            return self.solve_all(problem, std::slice::from_ref(island), pass, z, lambda);
        }
        start(problem, island, z, lambda);
        let mut statistics = SolveStatistics::default();
        if pass.accelerated {
            statistics.sweeps = self.history.run(problem, island, pass, z, lambda);
            return statistics;
        }
        for _ in 0..pass.iterations {
            statistics.sweeps += 1;
            if sweep(problem, island, pass, z, lambda) < STILL {
                break;
            }
        }
        statistics
    }
}

/// Clamps the guess to its bounds and puts its impulses into `z`.
pub(super) fn start(problem: &Problem, island: &Island, z: &mut [f64], lambda: &mut [f64]) {
    let rows = island.row_range();
    let mut i = rows.start;
    while i < rows.end {
        let row = &problem.rows[i];
        if row.ellipse {
            let (b1, b2) = (row.bounds(lambda).1, problem.rows[i + 1].bounds(lambda).1);
            (lambda[i], lambda[i + 1]) = friction::project_ellipse(lambda[i], lambda[i + 1], b1, b2);
            apply(problem, row, lambda[i], z);
            apply(problem, &problem.rows[i + 1], lambda[i + 1], z);
            i += 2;
            continue;
        }
        let (lower, upper) = row.bounds(lambda);
        lambda[i] = if row.diagonal > 0.0 { lambda[i].max(lower).min(upper) } else { 0.0 };
        if lambda[i] != 0.0 {
            apply(problem, row, lambda[i], z);
        }
        i += 1;
    }
}

/// One sweep; returns the largest change of a row's velocity `|δλ| A_ii`.
pub(super) fn sweep(problem: &Problem, island: &Island, pass: &Pass, z: &mut [f64], lambda: &mut [f64]) -> f64 {
    let mut largest = 0.0f64;
    let (mut i, end) = (island.rows.start as usize, island.rows.end as usize);
    while i < end {
        largest = largest.max(sweep_unit(problem, i, pass, z, lambda));
        i += if problem.rows[i].ellipse { 2 } else { 1 };
    }
    largest
}

/// Visits a row, or the two rows of an ellipse; returns the change of velocity.
fn sweep_unit(problem: &Problem, i: usize, pass: &Pass, z: &mut [f64], lambda: &mut [f64]) -> f64 {
    let row = &problem.rows[i];
    if row.ellipse {
        return sweep_ellipse(problem, i, pass, z, lambda);
    }
    if row.diagonal == 0.0 {
        return 0.0;
    }
    let old = lambda[i];
    let u = velocity(problem, row, z);
    let mut new = old + pass.relaxation * (row.target_in(pass.capped) - row.compliance * old - u) / row.diagonal;
    if pass.capped && row.cap < row.target {
        new = new.min(old + pass.relaxation * (row.cap - u) / (row.diagonal - row.compliance));
    }
    let (lower, upper) = row.bounds(lambda);
    new = new.max(lower).min(upper);
    let delta = new - old;
    if delta == 0.0 {
        return 0.0;
    }
    lambda[i] = new;
    apply(problem, row, delta, z);
    delta.abs() * row.diagonal
}

/// Both axes of a friction cone together: a step along the residual scaled by the larger diagonal, then the projection.
fn sweep_ellipse(problem: &Problem, i: usize, pass: &Pass, z: &mut [f64], lambda: &mut [f64]) -> f64 {
    let rows = [&problem.rows[i], &problem.rows[i + 1]];
    let old = [lambda[i], lambda[i + 1]];
    // λ ← P(λ − ω w / α) with α at least the largest eigenvalue of the 2 × 2 block: the trace bounds it.
    let alpha = rows[0].diagonal.max(rows[1].diagonal) + cross(problem, rows).abs();
    if alpha == 0.0 {
        return 0.0;
    }
    let step = |k: usize, z: &[f64]| {
        let row = rows[k];
        old[k]
            + pass.relaxation.min(1.0)
                * (row.target_in(pass.capped) - row.compliance * old[k] - velocity(problem, row, z))
                / alpha
    };
    let wanted = [step(0, z), step(1, z)];
    let bounds = [rows[0].bounds(lambda).1, rows[1].bounds(lambda).1];
    let new = friction::project_ellipse(wanted[0], wanted[1], bounds[0], bounds[1]);
    let deltas = [new.0 - old[0], new.1 - old[1]];
    (lambda[i], lambda[i + 1]) = new;
    apply(problem, rows[0], deltas[0], z);
    apply(problem, rows[1], deltas[1], z);
    deltas[0].abs().max(deltas[1].abs()) * alpha
}

/// `Y₁ᵀ Y₂` of two rows over the same cliques.
fn cross(problem: &Problem, rows: [&Row; 2]) -> f64 {
    let mut sum = 0.0;
    for (a, b) in problem.row_blocks(rows[0]).iter().zip(problem.row_blocks(rows[1])) {
        for k in 0..a.dofs as usize {
            sum += problem.y[a.y as usize + k] * problem.y[b.y as usize + k];
        }
    }
    sum
}

/// `Yᵀ z`, with the common case of free bodies unrolled.
#[inline(always)]
fn velocity(problem: &Problem, row: &Row, z: &[f64]) -> f64 {
    let mut u = 0.0;
    for block in problem.row_blocks(row) {
        if block.dofs == 6 {
            let y = &problem.y[block.y as usize..block.y as usize + 6];
            let z = &z[block.z as usize..block.z as usize + 6];
            u += (y[0] * z[0] + y[1] * z[1]) + (y[2] * z[2] + y[3] * z[3]) + (y[4] * z[4] + y[5] * z[5]);
        } else {
            for k in 0..block.dofs as usize {
                u += problem.y[block.y as usize + k] * z[block.z as usize + k];
            }
        }
    }
    u
}

/// `z += Y δλ`.
#[inline(always)]
fn apply(problem: &Problem, row: &Row, delta: f64, z: &mut [f64]) {
    for block in problem.row_blocks(row) {
        if block.dofs == 6 {
            let y = &problem.y[block.y as usize..block.y as usize + 6];
            let z = &mut z[block.z as usize..block.z as usize + 6];
            for k in 0..6 {
                z[k] += y[k] * delta;
            }
        } else {
            for k in 0..block.dofs as usize {
                z[block.z as usize + k] += problem.y[block.y as usize + k] * delta;
            }
        }
    }
}
