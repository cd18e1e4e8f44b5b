//! Interior point for one proximal round: ten to twenty factorisations whatever the degeneracy.
//!
//! Mehrotra's predictor and corrector on `½ λᵀ(YᵀY + D)λ − λᵀ(β − Yᵀ z_free)`, `lower ≤ λ ≤ upper`. Every system is
//! `1 + Y E⁻¹ Yᵀ` with `E = D + barrier`: the pattern of all others. It runs to 1e-12, since at 1e-8 degenerate rows are
//! not told apart, and only on the proximal problem, which always has an answer.

use super::rows::DirectIsland;
use crate::solvers::sparse::block::{N, Vector};

const STEPS: usize = 40;
const STOP: f64 = 1e-12;

/// Numbers of a row between steps.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    pub x: Vec<f64>,
    pub u: Vec<f64>,
    q: Vec<f64>,
    weights: Vec<f64>,
    rhs: Vec<f64>,
    dual: Vec<f64>,
    step: Vec<f64>,
    /// Multipliers of the lower and the upper bound, and their steps.
    multipliers: [Vec<f64>; 2],
    steps: [Vec<f64>; 2],
    pub z: Vec<Vector>,
    pub direction: Vec<Vector>,
    pub breakpoints: Vec<f64>,
}

impl Scratch {
    /// `x` with this length.
    pub fn borrow(&mut self, m: usize) -> &mut [f64] {
        self.x.resize(m, 0.0);
        &mut self.x
    }

    /// All lists with this length.
    pub fn resize(&mut self, m: usize) {
        let Self { x, u, q, weights, rhs, dual, step, multipliers: [a, b], steps: [c, d], .. } = self;
        for list in [x, u, q, weights, rhs, dual, step, a, b, c, d] {
            list.clear();
            list.resize(m, 0.0);
        }
    }
}

/// Distance to a bound, never zero.
fn gap(distance: f64) -> f64 {
    distance.max(1e-300)
}

/// How far an iterate is from the answer.
struct Gaps {
    /// Largest residual of `(YᵀY + D) λ − Yᵀ z_free − β − zₗ + zᵤ = 0`.
    dual: f64,
    /// Mean of `distance × multiplier` over all bounds.
    complementarity: f64,
}

impl DirectIsland {
    /// Moves the centre to the answer of this round's problem.
    pub fn interior(&mut self) {
        let m = self.lambda.len();
        let mut s = std::mem::take(&mut self.scratch);
        s.resize(m);
        let (scale, bounds) = self.interior_start(&mut s);
        for _ in 0..STEPS {
            let Gaps { dual, complementarity: mu } = self.gaps(&mut s, bounds);
            // Not a number: nothing below would help, and the pivots start from what there is.
            if (dual < STOP && mu < STOP * scale) || !(dual + mu).is_finite() || self.factorizations >= self.budget {
                break;
            }
            self.factor_weighted(&s.weights);
            let longest = self.interior_step(&mut s, 0.0, false);
            let after = self.complementarity_after(&s, longest);
            let ratio = if mu > 0.0 { after / bounds / mu } else { 0.0 };
            let longest = 0.995 * self.interior_step(&mut s, ratio * ratio * ratio * mu, true);
            for i in 0..m {
                s.x[i] += longest * s.step[i];
                s.multipliers[0][i] += longest * s.steps[0][i];
                s.multipliers[1][i] += longest * s.steps[1][i];
            }
        }
        self.take_interior(&s);
        self.scratch = s;
    }

    /// The row moves and has this bound.
    fn has_lower(&self, i: usize) -> bool {
        !self.is_fixed(i) && self.lower[i].is_finite()
    }

    fn has_upper(&self, i: usize) -> bool {
        !self.is_fixed(i) && self.upper[i].is_finite()
    }

    /// Begins well inside all bounds. Returns the scale of impulses and the number of bounds.
    fn interior_start(&self, s: &mut Scratch) -> (f64, f64) {
        let m = self.lambda.len();
        self.gather(&self.z_free, &mut s.q);
        let mut largest = 0.0f64;
        for i in 0..m {
            s.q[i] -= self.beta[i];
            largest = largest.max(s.q[i].abs());
        }
        s.breakpoints.clone_from(&self.diagonal);
        s.breakpoints.sort_unstable_by(f64::total_cmp);
        let scale = (0.1 * largest / s.breakpoints[m / 2]).max(1e-3);
        let mut bounds = 0;
        for i in 0..m {
            let (l, u) = (self.has_lower(i), self.has_upper(i));
            s.x[i] = match (l, u) {
                _ if self.is_fixed(i) => self.lower[i],
                (true, true) => 0.5 * (self.lower[i] + self.upper[i]),
                (true, false) => self.lower[i] + scale,
                (false, true) => self.upper[i] - scale,
                (false, false) => 0.0,
            };
            for (side, has) in [l, u].into_iter().enumerate() {
                s.multipliers[side][i] = if has { scale * self.diagonal[i] } else { 0.0 };
                bounds += usize::from(has);
            }
        }
        (scale, bounds.max(1) as f64)
    }

    /// Residuals at `s.x`, and the weights `1 / E` of the system there.
    fn gaps(&self, s: &mut Scratch, bounds: f64) -> Gaps {
        s.z.clone_from(&self.z_free);
        self.scatter(&s.x, &mut s.z);
        self.gather(&s.z, &mut s.u);
        let mut worst = 0.0f64;
        let mut sum = 0.0;
        for i in 0..self.lambda.len() {
            s.weights[i] = 0.0;
            if self.is_fixed(i) {
                continue;
            }
            let (zl, zu) = (s.multipliers[0][i], s.multipliers[1][i]);
            s.dual[i] = s.u[i] - self.beta[i] + self.d[i] * s.x[i] - zl + zu;
            worst = worst.max(s.dual[i].abs());
            let mut e = self.d[i];
            if self.has_lower(i) {
                sum += (s.x[i] - self.lower[i]) * zl;
                e += zl / gap(s.x[i] - self.lower[i]);
            }
            if self.has_upper(i) {
                sum += (self.upper[i] - s.x[i]) * zu;
                e += zu / gap(self.upper[i] - s.x[i]);
            }
            s.weights[i] = 1.0 / e;
        }
        Gaps { dual: worst, complementarity: sum / bounds }
    }

    /// Sum of `distance × multiplier` after a part of the step.
    fn complementarity_after(&self, s: &Scratch, part: f64) -> f64 {
        let mut sum = 0.0;
        for i in 0..self.lambda.len() {
            let x = s.x[i] + part * s.step[i];
            if self.has_lower(i) {
                sum += (x - self.lower[i]) * (s.multipliers[0][i] + part * s.steps[0][i]);
            }
            if self.has_upper(i) {
                sum += (self.upper[i] - x) * (s.multipliers[1][i] + part * s.steps[1][i]);
            }
        }
        sum
    }

    /// Takes the iterate as the answer. Nearer to its bound than its multiplier is long, both as velocities: on the bound.
    fn take_interior(&mut self, s: &Scratch) {
        for i in 0..self.lambda.len() {
            let x = s.x[i];
            self.lambda[i] = if !x.is_finite() {
                self.lambda[i]
            } else if self.has_lower(i) && (x - self.lower[i]) * self.diagonal[i] < s.multipliers[0][i] {
                self.lower[i]
            } else if self.has_upper(i) && (self.upper[i] - x) * self.diagonal[i] < s.multipliers[1][i] {
                self.upper[i]
            } else {
                x
            };
        }
    }

    /// Step towards `distance × multiplier = centre` (with the second-order term of the last step when correcting);
    /// returns the longest share of it that stays inside.
    fn interior_step(&mut self, s: &mut Scratch, centre: f64, corrects: bool) -> f64 {
        let m = self.lambda.len();
        for i in 0..m {
            s.rhs[i] = 0.0;
            s.u[i] = 0.0;
            if s.weights[i] == 0.0 {
                continue;
            }
            s.rhs[i] = -s.dual[i];
            for (side, sign, bound) in [(0, 1.0, self.lower[i]), (1, -1.0, self.upper[i])] {
                if !bound.is_finite() {
                    continue;
                }
                let distance = gap(sign * (s.x[i] - bound));
                let mut wanted = centre - distance * s.multipliers[side][i];
                if corrects {
                    wanted -= sign * s.step[i] * s.steps[side][i];
                }
                s.rhs[i] += sign * wanted / distance;
                s.steps[side][i] = wanted;
            }
            s.u[i] = s.rhs[i] * s.weights[i];
        }
        self.rhs.fill([0.0; N]);
        let mut rhs = std::mem::take(&mut self.rhs);
        self.scatter(&s.u, &mut rhs);
        self.factor.solve(&mut rhs[..self.nodes]);
        self.gather(&rhs, &mut s.u);
        self.rhs = rhs;
        let mut longest = 1.0f64;
        for i in 0..m {
            if s.weights[i] == 0.0 {
                continue;
            }
            let step = (s.rhs[i] - s.u[i]) * s.weights[i];
            s.step[i] = step;
            for (side, sign, bound) in [(0, 1.0, self.lower[i]), (1, -1.0, self.upper[i])] {
                if !bound.is_finite() {
                    continue;
                }
                let distance = gap(sign * (s.x[i] - bound));
                let multiplier = s.multipliers[side][i];
                let change = (s.steps[side][i] - sign * multiplier * step) / distance;
                s.steps[side][i] = change;
                if sign * step < 0.0 {
                    longest = longest.min(-distance / (sign * step));
                }
                if change < 0.0 {
                    longest = longest.min(-multiplier / change);
                }
            }
        }
        longest
    }
}
