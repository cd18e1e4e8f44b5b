//! Anderson acceleration of sweeps, with a safeguard.
//!
//! Sweeps are a fixed-point iteration `y = S(x)`. From the last few pairs of image y and displacement
//! `f = (y − x) √A_ii` the next point is `y − ΔY a` with `a = argmin |f − ΔF a|` (Walker and Ni 2011), projected onto the
//! bounds. A guess whose displacement grows is thrown away and the iteration goes back to the plain image: without that
//! a warm tower explodes. The result is always a swept point.

use super::Pass;
use super::pgs::{start, sweep};
use crate::constraint::{Island, Problem};

const DEPTH: usize = 5;

/// Memory of the last images and displacements. The oldest comes first; those past `used` are spare memory.
#[derive(Clone, Debug, Default)]
pub struct History {
    images: [Vec<f64>; DEPTH + 1],
    displacements: [Vec<f64>; DEPTH + 1],
    used: usize,
    point: Vec<f64>,
    plain: Vec<f64>,
    scale: Vec<f64>,
}

impl History {
    /// Accelerated sweeps; `z` and `lambda` come in started, and go out as a swept point. Returns the number of sweeps.
    pub fn run(&mut self, problem: &Problem, island: &Island, pass: &Pass, z: &mut [f64], lambda: &mut [f64]) -> u32 {
        let rows = island.row_range();
        let span = island.z_range();
        let n = rows.len();
        self.scale.clear();
        self.scale.extend(problem.rows[rows.clone()].iter().map(|r| r.diagonal.sqrt()));
        self.used = 0;
        let mut last_norm = f64::INFINITY;
        let mut has_plain = false;
        let mut sweeps = 0;
        while sweeps < pass.iterations {
            self.point.clear();
            self.point.extend_from_slice(&lambda[rows.clone()]);
            let change = sweep(problem, island, pass, z, lambda);
            sweeps += 1;
            // From here on the point is its displacement.
            for i in 0..n {
                self.point[i] = (lambda[rows.start + i] - self.point[i]) * self.scale[i];
            }
            let norm = self.point.iter().map(|f| f * f).sum::<f64>();
            if change < super::pgs::STILL || sweeps == pass.iterations {
                break;
            }
            if has_plain && norm > last_norm {
                // A bad guess: go back to the plain image and forget.
                lambda[rows.clone()].copy_from_slice(&self.plain);
                restart(problem, island, &span, z, lambda);
                has_plain = false;
                self.used = 0;
                continue;
            }
            last_norm = norm;
            self.remember(&lambda[rows.clone()]);
            if self.used < 2 {
                continue;
            }
            let weights = self.weights();
            self.plain.clear();
            self.plain.extend_from_slice(&lambda[rows.clone()]);
            has_plain = true;
            for (k, weight) in weights.iter().enumerate().take(self.used - 1) {
                for i in 0..n {
                    lambda[rows.start + i] -= weight * (self.images[k + 1][i] - self.images[k][i]);
                }
            }
            restart(problem, island, &span, z, lambda);
        }
        sweeps
    }

    /// Stores an image and its displacement, in place of the oldest where the memory is full.
    fn remember(&mut self, image: &[f64]) {
        if self.used > DEPTH {
            self.images.rotate_left(1);
            self.displacements.rotate_left(1);
            self.used -= 1;
        }
        for (memory, new) in [(&mut self.images, image), (&mut self.displacements, &self.point)] {
            memory[self.used].clear();
            memory[self.used].extend_from_slice(new);
        }
        self.used += 1;
    }

    /// `a = (ΔFᵀΔF + 1e-8 tr) \ ΔFᵀ f` by Gaussian elimination of at most five unknowns.
    fn weights(&self) -> [f64; DEPTH] {
        let m = self.used - 1;
        let last = &self.displacements[m];
        let difference = |k: usize, i: usize| self.displacements[k + 1][i] - self.displacements[k][i];
        let n = last.len();
        let mut a = [[0.0; DEPTH + 1]; DEPTH];
        for r in 0..m {
            for c in r..m {
                let dot = (0..n).map(|i| difference(r, i) * difference(c, i)).sum::<f64>();
                a[r][c] = dot;
                a[c][r] = dot;
            }
            a[r][m] = (0..n).map(|i| difference(r, i) * last[i]).sum::<f64>();
        }
        let trace: f64 = (0..m).map(|r| a[r][r]).sum();
        for r in 0..m {
            a[r][r] += 1e-8 * trace + f64::MIN_POSITIVE;
        }
        for p in 0..m {
            for r in p + 1..m {
                let factor = a[r][p] / a[p][p];
                for c in p..=m {
                    a[r][c] -= factor * a[p][c];
                }
            }
        }
        let mut x = [0.0; DEPTH];
        for r in (0..m).rev() {
            let known: f64 = (r + 1..m).map(|c| a[r][c] * x[c]).sum();
            x[r] = (a[r][m] - known) / a[r][r];
        }
        x
    }
}

/// Projects the impulses and makes `z` anew from them.
fn restart(problem: &Problem, island: &Island, span: &std::ops::Range<usize>, z: &mut [f64], lambda: &mut [f64]) {
    z[span.clone()].copy_from_slice(&problem.z_free[span.clone()]);
    start(problem, island, z, lambda);
}
