//! Newton with exact line search on one proximal round: the last net, which ends after finitely many steps.
//!
//! `φ(z) = ½ |z − z_free|² + Σ ψ_i(z)` with `−ψ_i' = λ_i(z) = clamp((β_i − u_i) / D_i)` is strongly convex and piecewise
//! quadratic. A step goes to the exact minimum along `−H⁻¹∇φ`, so that a piece once left is left for good (Sun 1997).

use super::{pivots::state_at, rows::DirectIsland};
use crate::solvers::sparse::block::{N, dot};

const STEPS: usize = 2000;

impl DirectIsland {
    /// Sets states and impulses to the answer of this round's problem (or of the best that the budget allows).
    pub fn line_search(&mut self) {
        let (m, n) = (self.lambda.len(), self.nodes);
        let mut s = std::mem::take(&mut self.scratch);
        s.resize(m);
        s.direction.resize(n + 1, [0.0; N]);
        self.trial.clone_from(&self.lambda);
        self.velocities(false);
        let mut share = 0.0;
        for step in 0..STEPS {
            self.gather(&self.z, &mut s.u);
            let mut is_same = step > 0;
            for i in 0..m {
                // λ without bounds goes to `x`, with bounds to `trial`.
                s.x[i] = (self.beta[i] - s.u[i]) * self.inverse[i];
                self.trial[i] = s.x[i].max(self.lower[i]).min(self.upper[i]);
                let state = self.state_of(i, s.x[i]);
                is_same &= state == self.state[i];
                self.state[i] = state;
            }
            if is_same && share == 1.0 {
                break;
            }
            if !is_same {
                if self.factorizations >= self.budget {
                    break;
                }
                self.factor_free();
            }
            // −∇φ = Yλ − (z − z_free).
            for k in 0..n {
                for p in 0..N {
                    s.direction[k][p] = self.z_free[k][p] - self.z[k][p];
                }
            }
            self.scatter(&self.trial, &mut s.direction);
            self.factor.solve(&mut s.direction[..n]);
            s.direction[n] = [0.0; N];
            self.gather(&s.direction, &mut s.u);
            let (mut slope, mut curvature) = (0.0, 0.0);
            for k in 0..n {
                let d = &s.direction[k];
                curvature += dot(d, d);
                slope += dot(d, &self.z[k]) - dot(d, &self.z_free[k]);
            }
            share = self.exact_share(&s.x, &s.u, slope, curvature, &mut s.breakpoints);
            for k in 0..n {
                for p in 0..N {
                    self.z[k][p] += share * s.direction[k][p];
                }
            }
        }
        self.scratch = s;
        self.velocities(false);
        // Residuals of the states found, for the centre that follows.
        self.refine(false);
    }

    fn state_of(&self, i: usize, x: f64) -> i8 {
        state_at(x, self.lower[i], self.upper[i], self.diagonal[i])
    }

    /// Root of the increasing, piecewise linear `φ'(a) = slope + a curvature − Σ s_i clamp(x_i − a s_i / D_i)`.
    fn exact_share(&self, x: &[f64], s: &[f64], slope: f64, curvature: f64, breakpoints: &mut Vec<f64>) -> f64 {
        let derivative = |a: f64| {
            let mut sum = slope + a * curvature;
            for i in 0..x.len() {
                sum -= s[i] * (x[i] - a * s[i] * self.inverse[i]).max(self.lower[i]).min(self.upper[i]);
            }
            sum
        };
        if derivative(1.0).abs() <= 1e-9 * derivative(0.0).abs() {
            return 1.0;
        }
        breakpoints.clear();
        for i in 0..x.len() {
            let rate = s[i] * self.inverse[i];
            for bound in [self.lower[i], self.upper[i]] {
                let a = (x[i] - bound) / rate;
                if a.is_finite() && a > 0.0 {
                    breakpoints.push(a);
                }
            }
        }
        breakpoints.sort_unstable_by(f64::total_cmp);
        let k = breakpoints.partition_point(|a| derivative(*a) < 0.0);
        let low = if k > 0 { breakpoints[k - 1] } else { 0.0 };
        let high = breakpoints.get(k).copied().unwrap_or(low + 1.0);
        let (at_low, at_high) = (derivative(low), derivative(high));
        if at_low == at_high { low } else { low - at_low * (high - low) / (at_high - at_low) }
    }
}
