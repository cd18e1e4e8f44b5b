//! Friction bounds around solves with fixed bounds: taken once, or until they agree with the normals.
//!
//! *Once*: a solution without friction gives the normals, its bounds hold for a second solve. Two convex problems, so
//! that there is always an answer. *Converged*: a fixed point of bounds and normals, which need not exist or be one.
//! Coupled pivots are tried first (a few factorisations when most rows stick), then rounds of bounds with Anderson
//! acceleration on the vector of normals, which also converge where plain rounds go in circles.

use super::pivots::{Outcome, Start, TOLERANCE};
use super::rows::DirectIsland;
use crate::contact::friction;
use crate::solvers::sparse::ordering::NONE;

const ROUNDS: usize = 20;
const DEPTH: usize = 5;
/// Solves with present bounds between coupled pivots.
const RETRIES: u32 = 2;
/// Rounds that came so much nearer are worth another try of coupled pivots.
const NEARER: f64 = 0.1;
/// Bounds agree with the normals when no row is wrong by more [m/s].
pub(super) const AGREED: f64 = 1e-9;

/// Memory of the rounds.
#[derive(Clone, Debug, Default)]
pub(super) struct Rounds {
    /// Impulses that came in, or the best so far.
    kept: Vec<f64>,
    /// Normals that bounds are taken from.
    pub normals: Vec<f64>,
    weights: Vec<f64>,
    /// Normals that came out and how far they were moved, the oldest first.
    images: [Vec<f64>; DEPTH + 1],
    displacements: [Vec<f64>; DEPTH + 1],
    held: usize,
}

impl DirectIsland {
    /// Bounds from these normal impulses (indexed by row).
    pub fn set_bounds(&mut self, normals: &[f64]) {
        for i in 0..self.lower.len() {
            let [lower, upper] = self.fixed_bounds[i];
            (self.lower[i], self.upper[i]) = if self.normal[i] == NONE {
                (lower, upper)
            } else {
                let bound = friction::bound(self.coefficient[i], normals[self.normal[i] as usize]);
                (-bound, bound + self.slant_of(i, normals))
            };
        }
    }

    /// What an ellipse adds to the forward bound of a row, by the row across it.
    pub fn slant_of(&self, i: usize, lambda: &[f64]) -> f64 {
        if self.slant[i] == 0.0 { 0.0 } else { self.slant[i] * lambda[i - 1] }
    }

    /// A solution without friction; its normals go to `rounds.normals`. Friction impulses are as they came.
    pub fn without_friction(&mut self, is_warm: bool, rounds: &mut Rounds) -> Outcome {
        rounds.kept.clone_from(&self.lambda);
        rounds.normals.clear();
        rounds.normals.resize(self.lambda.len(), 0.0);
        self.set_bounds(&rounds.normals);
        let outcome = self.solve_box(if is_warm { Start::Warm } else { Start::Cold });
        rounds.normals.clone_from(&self.lambda);
        for i in 0..self.lambda.len() {
            if self.normal[i] != NONE {
                self.lambda[i] = rounds.kept[i];
            }
        }
        outcome
    }

    /// Bounds taken once.
    pub fn solve_once(&mut self, is_warm: bool, rounds: &mut Rounds) -> Outcome {
        let first = self.without_friction(is_warm, rounds);
        if !self.has_friction {
            return first;
        }
        self.set_bounds(&rounds.normals);
        let second = self.solve_box(Start::Warm);
        Outcome {
            inconsistent: first.inconsistent.max(second.inconsistent),
            gave_up: first.gave_up || second.gave_up,
            ..second
        }
    }

    /// Residual with the bounds of the present normals.
    pub fn agreement(&mut self) -> f64 {
        let normals = std::mem::take(&mut self.lambda);
        self.set_bounds(&normals);
        self.lambda = normals;
        self.residual()
    }

    /// Bounds that agree with their normals, from a solution whose bounds need not.
    pub fn solve_converged(&mut self, is_warm: bool, rounds: &mut Rounds) -> Outcome {
        let mut outcome = Outcome::default();
        if !is_warm || !self.has_friction {
            outcome = self.solve_once(is_warm, rounds);
            if !self.has_friction || outcome.gave_up || outcome.inconsistent > 0 {
                return outcome;
            }
        }
        outcome.residual = self.agreement();
        if outcome.residual >= TOLERANCE {
            outcome.residual = self.solve_coupled(RETRIES);
        }
        if outcome.residual >= AGREED {
            outcome = self.agree(rounds);
        }
        outcome
    }

    /// Anderson's rounds of bounds; ends with the best of them.
    fn agree(&mut self, rounds: &mut Rounds) -> Outcome {
        let m = self.lambda.len();
        rounds.weights.clear();
        rounds.weights.resize(m, 0.0);
        for n in self.normal.iter().filter(|n| **n != NONE) {
            rounds.weights[*n as usize] = self.diagonal[*n as usize].sqrt();
        }
        rounds.held = 0;
        rounds.normals.clone_from(&self.lambda);
        // Where no round leaves numbers, the start is what there is.
        rounds.kept.clone_from(&self.lambda);
        let mut best = Outcome { residual: f64::INFINITY, ..Outcome::default() };
        let mut tried = self.residual();
        for _ in 0..ROUNDS {
            self.set_bounds(&rounds.normals);
            let outcome = self.solve_box(Start::Kept);
            let residual = self.agreement();
            if residual < best.residual {
                best = Outcome { residual, ..outcome };
                rounds.kept.clone_from(&self.lambda);
            }
            if residual < AGREED || self.factorizations >= self.budget {
                break;
            }
            rounds.push(&self.lambda);
            if residual < NEARER * tried {
                tried = residual;
                let residual = self.solve_coupled(0);
                if residual < best.residual {
                    best = Outcome { residual, ..outcome };
                    rounds.kept.clone_from(&self.lambda);
                }
                if residual < AGREED {
                    break;
                }
            }
            rounds.extrapolate();
        }
        self.lambda.clone_from(&rounds.kept);
        best.residual = self.agreement();
        // As `!(<)`: what is no number agrees with nothing.
        best.gave_up = (best.residual.is_nan() || best.residual >= AGREED) && best.inconsistent == 0;
        best
    }
}

impl Rounds {
    /// Remembers the normals of a solve between bounds of `normals`.
    fn push(&mut self, lambda: &[f64]) {
        if self.held > DEPTH {
            self.images.rotate_left(1);
            self.displacements.rotate_left(1);
            self.held = DEPTH;
        }
        let (image, displacement) = (&mut self.images[self.held], &mut self.displacements[self.held]);
        image.clear();
        displacement.clear();
        for i in 0..lambda.len() {
            let x = if self.weights[i] > 0.0 { lambda[i].max(0.0) } else { lambda[i] };
            image.push(x);
            displacement.push((x - self.normals[i]) * self.weights[i]);
        }
        self.held += 1;
    }

    /// The next normals: `y − ΔY a`, `a = argmin |f − ΔF a|`, none of them negative.
    fn extrapolate(&mut self) {
        let k = self.held - 1;
        let f = &self.displacements;
        let difference = |r: usize, i: usize| f[r + 1][i] - f[r][i];
        let n = f[k].len();
        let mut a = [[0.0; DEPTH + 1]; DEPTH];
        let mut trace = 0.0;
        for r in 0..k {
            for c in 0..k {
                a[r][c] = (0..n).map(|i| difference(r, i) * difference(c, i)).sum();
            }
            a[r][DEPTH] = (0..n).map(|i| difference(r, i) * f[k][i]).sum();
            trace += a[r][r];
        }
        for p in 0..k {
            a[p][p] += 1e-12 * trace + f64::MIN_POSITIVE;
            for r in p + 1..k {
                let factor = a[r][p] / a[p][p];
                for c in p..=DEPTH {
                    a[r][c] -= factor * a[p][c];
                }
            }
        }
        self.normals.clone_from(&self.images[k]);
        let mut x = [0.0; DEPTH];
        for r in (0..k).rev() {
            let known: f64 = (r + 1..k).map(|c| a[r][c] * x[c]).sum();
            x[r] = (a[r][DEPTH] - known) / a[r][r];
            for i in 0..n {
                self.normals[i] -= x[r] * (self.images[r + 1][i] - self.images[r][i]);
            }
        }
        for x in &mut self.normals {
            *x = if x.is_finite() { x.max(0.0) } else { 0.0 };
        }
    }
}
