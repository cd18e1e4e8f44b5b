//! Block pivots on the proximal problem: rows with fixed bounds, solved exactly.
//!
//! A round solves `Y z + (Γ + R) λ = b + R λ_c`, `R = ρ A_ii` on hard rows, which is strictly convex whatever the rows
//! are; its answer is the next centre, so that the residual of the true rows, `R (λ − λ_c)`, falls by `1 + σ/ρA_ii` a
//! round. Inside a round all wrong rows flip at once (to *free*, never from bound to bound); when that stops helping,
//! an interior point finds the set, and at last a line search that is finite (Rockafellar 1976; Júdice and Pires 1994;
//! Mehrotra 1992; Sun 1997).

use super::bounds::AGREED;
use super::rows::{DirectIsland, FIXED, FREE, LOWER, SLIDING, UPPER};
use crate::solvers::sparse::block::{N, Vector};

/// Share of A_ii that makes hard rows solvable for a round.
pub(super) const RHO: f64 = 1e-8;
/// The same of rows of wires, one after the other until one does: lumps may weigh a billionth of what hangs on them, which
/// `ρ A_ii` must not hold up instead.
pub(super) const LIGHT_RHOS: [f64; 3] = [1e-13, 1e-10, RHO];
/// Most that is put down to roundings \[m/s\].
const MOST_NOISE: f64 = 1e-4;
/// Roundings of the products that a velocity is the sum of.
const ROUNDINGS: f64 = 8.0 * f64::EPSILON;
/// A row that is wrong by less stays [m/s].
pub(super) const WRONG: f64 = 2e-11;
/// Rounds end at this residual [m/s].
pub(super) const TOLERANCE: f64 = 1e-10;
/// Rounds that no longer improve may end at this residual [m/s].
const ACCEPTED: f64 = 9e-10;
/// Corrections end at this residual of a linear system [m/s].
pub(super) const REFINED: f64 = 1e-13;
const CORRECTIONS: usize = 3;
const ROUNDS: usize = 40;
const PIVOTS: usize = 60;
const PATIENCE: u32 = 5;

/// How a solve with fixed bounds ended.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Outcome {
    /// Largest natural residual [m/s].
    pub residual: f64,
    /// Rows that contradict each other.
    pub inconsistent: u32,
    /// The budget was spent before.
    pub gave_up: bool,
}

/// Where the first set of free rows comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// All rows are free.
    Cold,
    /// As the given impulses tell.
    Warm,
    /// The set of the last solve, whose bounds were nearly these.
    Kept,
}

impl Outcome {
    /// The rows are solved as far as roundings allow.
    pub fn is_good(&self) -> bool {
        !self.gave_up && self.inconsistent == 0 && self.residual < AGREED
    }
}

/// Bounds that are the same, or a tiny span, which would only make noise.
pub(super) fn is_no_freedom(lower: f64, upper: f64, diagonal: f64) -> bool {
    upper <= lower || (upper - lower) * diagonal < 1e-12
}

/// Free, or on the bound that an impulse is beyond.
pub(super) fn state_at(x: f64, lower: f64, upper: f64, diagonal: f64) -> i8 {
    if is_no_freedom(lower, upper, diagonal) {
        FIXED
    } else if x <= lower {
        LOWER
    } else if x >= upper {
        UPPER
    } else {
        FREE
    }
}

impl DirectIsland {
    /// Solves between `lower` and `upper`, from `lambda`.
    pub fn solve_box(&mut self, start: Start) -> Outcome {
        let m = self.lambda.len();
        for i in 0..m {
            self.lambda[i] = self.lambda[i].max(self.lower[i]).min(self.upper[i]);
        }
        self.soften();
        match start {
            Start::Cold => {
                for i in 0..m {
                    self.state[i] = if self.is_fixed(i) { FIXED } else { FREE };
                }
            }
            Start::Warm => self.guess_states(),
            Start::Kept => self.keep_states(),
        }
        self.trial.clone_from(&self.lambda);
        self.place_on_bounds();
        self.velocities(false);
        let mut is_factored = false;
        let mut failures = 0;
        let mut errors = [f64::INFINITY; ROUNDS];
        for round in 0..ROUNDS {
            self.rounds += 1;
            for i in 0..m {
                self.beta[i] = self.b[i] + self.proximal[i] * self.lambda[i];
            }
            if !self.pivot(&mut is_factored) {
                if self.factorizations >= self.budget {
                    self.take_centre();
                    return Outcome { residual: self.residual(), inconsistent: 0, gave_up: true };
                }
                failures += 1;
                if failures == 1 {
                    self.interior();
                    self.guess_states();
                    self.place_on_bounds();
                    self.velocities(false);
                    is_factored = false;
                    continue;
                }
                self.line_search();
                is_factored = false;
            }
            errors[round] = self.take_centre();
            let e = errors[round];
            if e < TOLERANCE || (e < ACCEPTED && round > 0 && e > 0.25 * errors[round - 1]) {
                return Outcome { residual: e, ..Outcome::default() };
            }
            if round > 12 && e > 0.5 * errors[round - 7] {
                return self.report_contradiction();
            }
        }
        let residual = self.residual();
        Outcome { residual, inconsistent: self.count_wrong(), gave_up: residual > ACCEPTED }
    }

    pub fn is_fixed(&self, i: usize) -> bool {
        is_no_freedom(self.lower[i], self.upper[i], self.diagonal[i])
    }

    /// R and D of every row on its branch.
    pub fn soften(&mut self) {
        for i in 0..self.lambda.len() {
            self.set_branch(i, self.is_capped(i, self.lambda[i]));
        }
    }

    /// Whether `u = cap` is the smaller branch of `min(b − Γ λ, cap)`.
    fn is_capped(&self, i: usize, lambda: f64) -> bool {
        self.cap[i] < self.target[i] && self.compliance[i] * lambda <= self.target[i] - self.cap[i]
    }

    /// R and D of a row on a branch; sums that had another D are forgotten.
    fn set_branch(&mut self, i: usize, capped: bool) {
        (self.b[i], self.gamma[i]) = if capped { (self.cap[i], 0.0) } else { (self.target[i], self.compliance[i]) };
        let hard = self.rho[i] * self.diagonal[i];
        self.proximal[i] = if self.gamma[i] >= 0.1 * hard { 0.0 } else { hard };
        let d = self.gamma[i] + self.proximal[i];
        if d != self.d[i] {
            self.d[i] = d;
            self.inverse[i] = 1.0 / d;
            self.sums_are_stale = true;
        }
        self.beta[i] = self.b[i] + self.proximal[i] * self.lambda[i];
    }

    /// Free, or on the bound that `λ − w / A_ii` is beyond.
    pub fn guess_states(&mut self) {
        self.trial.clone_from(&self.lambda);
        self.velocities(false);
        let mut u = std::mem::take(&mut self.w);
        self.gather(&self.z, &mut u);
        for i in 0..self.lambda.len() {
            if self.cap[i] < self.target[i] {
                self.set_branch(i, self.is_capped(i, self.lambda[i]));
            }
            let x = self.lambda[i] - (u[i] + self.gamma[i] * self.lambda[i] - self.b[i]) / self.diagonal[i];
            self.state[i] = state_at(x, self.lower[i], self.upper[i], self.diagonal[i]);
        }
        self.w = u;
    }

    fn keep_states(&mut self) {
        for i in 0..self.lambda.len() {
            self.state[i] = match self.state[i] {
                _ if self.is_fixed(i) => FIXED,
                FIXED => FREE,
                SLIDING if self.share[i] > 0.0 => UPPER,
                SLIDING => LOWER,
                state => state,
            };
        }
    }

    fn place_on_bounds(&mut self) {
        for i in 0..self.trial.len() {
            match self.state[i] {
                FREE => {}
                UPPER => self.trial[i] = self.upper[i],
                _ => self.trial[i] = self.lower[i],
            }
        }
    }

    /// Pivots until no row is wrong. False: they stopped making progress.
    fn pivot(&mut self, is_factored: &mut bool) -> bool {
        let (mut least, mut patience) = (u32::MAX, PATIENCE);
        for _ in 0..PIVOTS {
            if !*is_factored {
                if self.factorizations >= self.budget {
                    return false;
                }
                self.factor_free();
                *is_factored = true;
            }
            self.refine(false);
            let wrong = self.flip();
            if wrong == 0 {
                return true;
            }
            self.velocities(false);
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

    /// Solves for the free rows. λ is the variable and every correction starts from the true residual: taken from
    /// `(β − u) / D` it would carry the rounding of u times 1/ρ.
    pub fn refine(&mut self, is_coupled: bool) {
        let n = self.nodes;
        for _ in 0..CORRECTIONS {
            if self.residuals(is_coupled) < REFINED {
                return;
            }
            self.factor.solve(&mut self.rhs[..n]);
            self.correct(is_coupled);
        }
        self.residuals(is_coupled);
    }

    /// What roundings make of the velocities that the rows see: `ε Σ_k |y_k| Σ_j |y_jk λ_j|`. Light lumps between large
    /// tensions have more of it than rows are solved to.
    pub fn measure_noise(&mut self) {
        if !self.has_light {
            return;
        }
        let mut gross = std::mem::take(&mut self.gross);
        gross.clear();
        gross.resize(self.nodes + 1, [0.0; N]);
        let Self { runs, wide, parts, y, trial, noise, .. } = self;
        for run in runs.iter() {
            for i in run.first as usize..run.end as usize {
                for (half, node) in run.nodes.iter().enumerate() {
                    let to = &mut gross[*node as usize];
                    (0..N).for_each(|k| to[k] += (y[i][half][k] * trial[i]).abs());
                }
            }
        }
        for row in wide.iter() {
            for (node, y) in &parts[row.first as usize..row.end as usize] {
                let to = &mut gross[*node as usize];
                (0..N).for_each(|k| to[k] += (y[k] * trial[row.row as usize]).abs());
            }
        }
        let along = |y: &Vector, node: u32| (0..N).map(|k| y[k].abs() * gross[node as usize][k]).sum::<f64>();
        for run in runs.iter() {
            for i in run.first as usize..run.end as usize {
                let all = along(&y[i][0], run.nodes[0]) + along(&y[i][1], run.nodes[1]);
                noise[i] = (ROUNDINGS * all).min(MOST_NOISE);
            }
        }
        for row in wide.iter() {
            let parts = &parts[row.first as usize..row.end as usize];
            let all = parts.iter().map(|(node, y)| along(y, *node)).sum::<f64>();
            noise[row.row as usize] = (ROUNDINGS * all).min(MOST_NOISE);
        }
        self.gross = gross;
    }

    /// How wrong a row may be and stay \[m/s\].
    pub fn wrong(&self, i: usize) -> f64 {
        WRONG + self.noise[i]
    }

    /// Flips the rows that stand wrong and returns how many.
    fn flip(&mut self) -> u32 {
        self.measure_noise();
        let mut wrong = 0;
        for i in 0..self.trial.len() {
            let state = match self.state[i] {
                FREE => {
                    let slack = self.wrong(i) / self.diagonal[i];
                    if self.trial[i] < self.lower[i] - slack {
                        self.trial[i] = self.lower[i];
                        LOWER
                    } else if self.trial[i] > self.upper[i] + slack {
                        self.trial[i] = self.upper[i];
                        UPPER
                    } else {
                        FREE
                    }
                }
                LOWER if self.w[i] < -self.wrong(i) => FREE,
                UPPER if self.w[i] > self.wrong(i) => FREE,
                state => state,
            };
            wrong += u32::from(state != self.state[i]);
            self.state[i] = state;
        }
        wrong + self.flip_branches()
    }

    /// Capped rows that stand on the wrong branch.
    pub fn flip_branches(&mut self) -> u32 {
        let mut wrong = 0;
        for k in 0..self.capped_rows.len() {
            let i = self.capped_rows[k] as usize;
            // The branches meet at λ = (b − cap) / Γ; both are within the slack there.
            let slack = self.wrong(i) / self.diagonal[i];
            let meeting = (self.target[i] - self.cap[i]) / self.compliance[i];
            let is_capped = self.gamma[i] == 0.0;
            if (is_capped && self.trial[i] > meeting + slack) || (!is_capped && self.trial[i] < meeting - slack) {
                self.set_branch(i, !is_capped);
                wrong += 1;
            }
        }
        wrong
    }

    /// The clamped pivots' impulses become the centre. Returns the largest natural residual of the true rows, for
    /// which `w` of the last product is enough: `u = w − D λ + β`.
    fn take_centre(&mut self) -> f64 {
        let mut is_cut = false;
        let mut largest = 0.0f64;
        for i in 0..self.trial.len() {
            let x = self.trial[i].max(self.lower[i]).min(self.upper[i]);
            is_cut |= x != self.trial[i];
            if self.state[i] != FIXED {
                let w = self.w[i] + self.beta[i] - self.b[i] - self.proximal[i] * self.trial[i];
                let projected = (x - w / self.diagonal[i]).max(self.lower[i]).min(self.upper[i]);
                largest = largest.max((x - projected).abs() * self.diagonal[i] - self.noise[i]);
            }
            self.lambda[i] = x;
        }
        if !is_cut {
            return largest;
        }
        self.trial.clone_from(&self.lambda);
        self.residual()
    }
}
