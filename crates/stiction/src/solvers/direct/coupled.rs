//! Block pivots with the friction bounds inside the matrix.
//!
//! A sliding row has `λ_t = s μ λ_n`, so that it moves with its normal: with `C_n = Y_n + Σ s μ Y_t` the free rows obey
//! `(YᵀC + D) λ = …`, factored as `1 + C D⁻¹ Yᵀ` (LU in the shape of the Cholesky). The flip rule is that of fixed
//! bounds, evaluated with the present normals; a bound of zero accepts any sign (Hüeber, Stadler and Wohlmuth 2008).

use super::pivots::{Start, TOLERANCE};
use super::rows::{DirectIsland, FIXED, FREE, LOWER, SLIDING, UPPER};
use crate::contact::friction;
use crate::solvers::sparse::block::add_scaled;
use crate::solvers::sparse::ordering::NONE;

const ROUNDS: usize = 40;
const PIVOTS: usize = 60;
const PATIENCE: u32 = 4;

impl DirectIsland {
    /// Pivots from the present impulses. Returns the residual with the bounds of the present normals, infinite where
    /// friction rows stand on other nodes than their normals. Pivots that stop making progress start again from a solve
    /// between the present bounds, `retries` times.
    pub fn solve_coupled(&mut self, retries: u32) -> f64 {
        if !self.can_couple() {
            return f64::INFINITY;
        }
        self.c.clone_from(&self.y);
        self.guess_coupled();
        let (mut failures, mut is_factored) = (0, false);
        let mut residual = f64::INFINITY;
        for _ in 0..ROUNDS {
            for i in 0..self.lambda.len() {
                self.beta[i] = self.b[i] + self.proximal[i] * self.lambda[i];
            }
            if self.pivot_coupled(&mut is_factored) {
                self.rounds += 1;
                self.lambda.clone_from(&self.trial);
                let last = residual;
                residual = self.clamp_to_present_bounds();
                if residual < TOLERANCE || residual > 0.5 * last {
                    return residual;
                }
                continue;
            }
            failures += 1;
            if failures > retries || self.factorizations >= self.budget {
                break;
            }
            // One solve between the present bounds always has an answer; pivots again from there.
            self.agreement();
            self.solve_box(Start::Kept);
            self.guess_coupled();
            is_factored = false;
            residual = f64::INFINITY;
        }
        self.agreement()
    }

    /// Whether each friction row stands after its normal in the same run, so that one column can hold both.
    fn can_couple(&self) -> bool {
        let mut first = 0;
        for (k, run) in self.runs.iter().enumerate() {
            let continues = k > 0 && self.runs[k - 1].nodes == run.nodes && self.runs[k - 1].end == run.first;
            if !continues {
                first = run.first;
            }
            let rows = run.first as usize..run.end as usize;
            if rows
                .into_iter()
                .any(|i| self.normal[i] != NONE && (self.normal[i] < first || self.normal[i] as usize >= i))
            {
                return false;
            }
        }
        self.wide.iter().all(|row| self.normal[row.row as usize] == NONE)
    }

    fn guess_coupled(&mut self) {
        self.agreement();
        self.soften();
        self.guess_states();
        for i in 0..self.lambda.len() {
            self.share[i] = 0.0;
            let n = self.normal[i];
            if n == NONE {
                continue;
            }
            if self.coefficient[i] == 0.0 {
                self.state[i] = FIXED;
                self.trial[i] = 0.0;
                continue;
            }
            match self.state[i] {
                FREE => {}
                UPPER => self.slide(i, 1.0),
                LOWER => self.slide(i, -1.0),
                _ => self.slide(i, if self.w[i] > 0.0 { -1.0 } else { 1.0 }),
            }
        }
    }

    fn slide(&mut self, i: usize, sign: f64) {
        self.state[i] = SLIDING;
        // An infinite coefficient slides only without a normal impulse, where any share is zero.
        self.share[i] = if self.coefficient[i].is_finite() { sign * self.coefficient[i] } else { 0.0 };
    }

    fn pivot_coupled(&mut self, is_factored: &mut bool) -> bool {
        let (mut least, mut patience) = (u32::MAX, PATIENCE);
        for _ in 0..PIVOTS {
            self.place_coupled();
            if !*is_factored {
                if self.factorizations >= self.budget {
                    return false;
                }
                self.form_columns();
                self.factor_coupled();
                *is_factored = true;
            }
            self.velocities(true);
            self.refine(true);
            let wrong = self.flip_coupled();
            if wrong == 0 {
                return true;
            }
            *is_factored = false;
            if wrong < least {
                (least, patience) = (wrong, PATIENCE);
            } else {
                patience -= 1;
                if patience == 0 {
                    return false;
                }
            }
        }
        false
    }

    fn place_coupled(&mut self) {
        for i in 0..self.trial.len() {
            self.trial[i] = match self.state[i] {
                FREE => self.trial[i],
                SLIDING => self.share[i] * self.trial[self.normal[i] as usize] + self.slope(i, 1.0),
                UPPER => self.upper[i],
                _ if self.normal[i] != NONE => 0.0,
                _ => self.lower[i],
            };
        }
    }

    /// What the ellipse adds to the bound of a row sliding forwards.
    fn slope(&self, i: usize, sign: f64) -> f64 {
        let slides_back = self.state[i] == SLIDING && self.share[i] < 0.0;
        if slides_back || sign < 0.0 { 0.0 } else { self.slant_of(i, &self.trial) }
    }

    /// `C_n = Y_n + Σ s μ Y_t`.
    fn form_columns(&mut self) {
        for i in 0..self.trial.len() {
            self.c[i] = self.y[i];
            if self.state[i] == SLIDING {
                let n = self.normal[i] as usize;
                for half in 0..2 {
                    add_scaled(&mut self.c[n][half], &self.y[i][half], self.share[i]);
                    if self.slant[i] != 0.0 && self.share[i] > 0.0 {
                        add_scaled(&mut self.c[i - 1][half], &self.y[i][half], self.slant[i]);
                    }
                }
            }
        }
    }

    fn flip_coupled(&mut self) -> u32 {
        self.measure_noise();
        let mut wrong = 0;
        for i in 0..self.trial.len() {
            let allowed = self.wrong(i);
            let slack = allowed / self.diagonal[i];
            let n = self.normal[i];
            let (x, w, state) = (self.trial[i], self.w[i], self.state[i]);
            if n == NONE {
                let new = match state {
                    FREE if x < self.lower[i] - slack => LOWER,
                    FREE if x > self.upper[i] + slack => UPPER,
                    LOWER if w < -allowed => FREE,
                    UPPER if w > allowed => FREE,
                    _ => state,
                };
                wrong += u32::from(new != state);
                self.state[i] = new;
                continue;
            }
            let bound = friction::bound(self.coefficient[i], self.trial[n as usize]);
            match state {
                FREE if x > bound + self.slope(i, x) + slack || x < -bound - slack => {
                    self.slide(i, x.signum());
                    wrong += 1;
                }
                SLIDING if bound > 0.0 => {
                    let is_open = self.share[i] == 0.0;
                    if is_open || (self.share[i] < 0.0 && w < -allowed) || (self.share[i] > 0.0 && w > allowed) {
                        self.state[i] = FREE;
                        wrong += 1;
                    }
                }
                _ => {}
            }
        }
        wrong + self.flip_branches()
    }

    fn clamp_to_present_bounds(&mut self) -> f64 {
        for i in 0..self.lambda.len() {
            let x = self.lambda[i];
            self.lambda[i] = match self.normal[i] {
                NONE => x.max(self.lower[i]).min(self.upper[i]),
                n => {
                    let bound = friction::bound(self.coefficient[i], self.lambda[n as usize]);
                    x.max(-bound).min(bound + self.slant_of(i, &self.lambda))
                }
            };
        }
        self.agreement()
    }
}
