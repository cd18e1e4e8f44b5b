//! Friction ellipses: the pivots see boxes whose first axis lies along the sliding, anew each round.
//!
//! With α at least the largest eigenvalue of the tangent block, the law is `λ_t = P(λ_t − w_t / α)`, P the projection
//! onto the ellipse along the ray. Where `x = λ_t − w_t / α` is outside, P is linearised about it: along `d = x / |x|`
//! λ slides at `μ_d λ_n` (plus the slope of the ellipse times λ_p), across it `w_p + Γ_p λ_p = 0` with `Γ_p = α (1 − κ) / κ`, `κ = μ_d λ_n / |x|`: a compliant row
//! without bounds, hard in the limit of sticking. Rounds are Newton steps, whose directions settle quadratically.

use super::bounds::{AGREED, Rounds};
use super::pivots::{Outcome, Start, TOLERANCE};
use super::rows::{DirectIsland, Pair};
use crate::contact::friction;
use crate::solvers::sparse::block::{self, N};
use crate::solvers::sparse::ordering::NONE;

const ROUNDS: usize = 30;

/// The two rows of an ellipse as assembled, and the axis they are turned to.
#[derive(Clone, Copy, Debug)]
struct Frame {
    row: usize,
    y: [Pair; 2],
    target: [f64; 2],
    compliance: [f64; 2],
    coefficient: [f64; 2],
    bounds: [[f64; 2]; 2],
    normal: [u32; 2],
    diagonal: [f64; 2],
    is_turned: bool,
    axis: [f64; 2],
    alpha: f64,
}

/// Frames of an island, and the best impulses so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Frames {
    list: Vec<Frame>,
    best: Vec<f64>,
    velocity: Vec<f64>,
}

/// Without the platform's `hypot`, whose last bit differs.
fn length([x, y]: [f64; 2]) -> f64 {
    (x * x + y * y).sqrt()
}

impl DirectIsland {
    /// Solves with ellipses.
    pub fn solve_cone(&mut self, is_warm: bool, once: bool, rounds: &mut Rounds, frames: &mut Frames) -> Outcome {
        self.remember_frames(frames);
        let mut outcome = Outcome::default();
        if once {
            outcome = self.without_friction(is_warm, rounds);
            self.set_bounds(&rounds.normals);
            self.residual();
        } else if is_warm {
            self.agreement();
        } else {
            outcome = self.solve_once(false, rounds);
            self.agreement();
        }
        let mut best = f64::INFINITY;
        // Where no round leaves numbers, the start is what there is.
        frames.best.clone_from(&self.lambda);
        for round in 0..ROUNDS {
            let residual = self.cone_residual(once, rounds, frames);
            let last = best;
            if residual < best {
                best = residual;
                frames.best.clone_from(&self.lambda);
            }
            if residual < TOLERANCE || (residual < AGREED && round > 0 && residual > 0.25 * last) {
                break;
            }
            if self.factorizations >= self.budget {
                break;
            }
            self.turn(once, rounds, frames);
            if once {
                self.set_bounds(&rounds.normals);
                outcome.inconsistent = outcome.inconsistent.max(self.solve_box(Start::Warm).inconsistent);
            } else {
                self.soften();
                let step = self.solve_converged(true, rounds);
                outcome.inconsistent = outcome.inconsistent.max(step.inconsistent);
            }
            self.turn_back(frames);
        }
        self.lambda.clone_from(&frames.best);
        outcome.residual = self.cone_residual(once, rounds, frames);
        // As `!(<)`: what is no number agrees with nothing.
        outcome.gave_up = (outcome.residual.is_nan() || outcome.residual >= AGREED) && outcome.inconsistent == 0;
        outcome
    }

    fn remember_frames(&self, frames: &mut Frames) {
        frames.list.clear();
        for first in &self.ellipses {
            let i = *first as usize;
            let two = |list: &[f64]| [list[i], list[i + 1]];
            let mut cross = 0.0;
            for half in 0..2 {
                cross += block::dot(&self.y[i][half], &self.y[i + 1][half]);
            }
            frames.list.push(Frame {
                row: i,
                y: [self.y[i], self.y[i + 1]],
                target: two(&self.target),
                compliance: two(&self.compliance),
                coefficient: two(&self.coefficient),
                bounds: [self.fixed_bounds[i], self.fixed_bounds[i + 1]],
                normal: [self.normal[i], self.normal[i + 1]],
                diagonal: two(&self.diagonal),
                is_turned: false,
                axis: [1.0, 0.0],
                alpha: self.diagonal[i].max(self.diagonal[i + 1]) + cross.abs(),
            });
        }
    }

    /// Half axes of an ellipse now.
    fn half_axes(&self, frame: &Frame, once: bool, rounds: &Rounds) -> [f64; 2] {
        let normals = if once { &rounds.normals } else { &self.lambda };
        [0, 1].map(|k| match frame.normal[k] {
            NONE => frame.bounds[k][1],
            n => friction::bound(frame.coefficient[k], normals[n as usize]),
        })
    }

    /// Largest residual: of ellipses by their projection, of other rows by their bounds. Leaves velocities behind.
    fn cone_residual(&mut self, once: bool, rounds: &Rounds, frames: &mut Frames) -> f64 {
        if once {
            self.set_bounds(&rounds.normals);
            self.residual();
        } else {
            self.agreement();
        }
        frames.velocity.clear();
        frames.velocity.resize(self.lambda.len(), 0.0);
        self.gather(&self.z, &mut frames.velocity);
        let mut largest = 0.0f64;
        let mut ellipse = 0;
        let mut i = 0;
        while i < self.lambda.len() {
            if frames.list.get(ellipse).is_some_and(|f| f.row == i) {
                let frame = frames.list[ellipse];
                let x = self.trial_point(&frame, &frames.velocity);
                let axes = self.half_axes(&frame, once, rounds);
                let (p, q) = friction::project_ellipse(x[0], x[1], axes[0], axes[1]);
                largest = largest.max((self.lambda[i] - p).abs() * frame.alpha);
                largest = largest.max((self.lambda[i + 1] - q).abs() * frame.alpha);
                ellipse += 1;
                i += 2;
            } else {
                largest = largest.max(self.natural(i, frames.velocity[i]).abs());
                i += 1;
            }
        }
        largest
    }

    /// `λ_t − w_t / α`.
    fn trial_point(&self, frame: &Frame, velocity: &[f64]) -> [f64; 2] {
        [0, 1].map(|k| {
            let x = self.lambda[frame.row + k];
            x - (velocity[frame.row + k] + frame.compliance[k] * x - frame.target[k]) / frame.alpha
        })
    }

    /// Turns the rows of each ellipse along its trial point.
    fn turn(&mut self, once: bool, rounds: &Rounds, frames: &mut Frames) {
        for f in 0..frames.list.len() {
            let mut frame = frames.list[f];
            let x = self.trial_point(&frame, &frames.velocity);
            let axes = self.half_axes(&frame, once, rounds);
            let length = self::length(x);
            let outside = self::length([0, 1].map(|k| x[k] / axes[k].max(f64::MIN_POSITIVE)));
            let i = frame.row;
            if length == 0.0 || !outside.is_finite() || axes.iter().any(|a| *a <= 0.0) {
                frames.list[f].is_turned = false;
                continue;
            }
            let [c, s] = [x[0] / length, x[1] / length];
            (frame.is_turned, frame.axis) = (true, [c, s]);
            for half in 0..2 {
                for k in 0..N {
                    let (p, q) = (frame.y[0][half][k], frame.y[1][half][k]);
                    self.y[i + 1][half][k] = c * p + s * q;
                    self.y[i][half][k] = c * q - s * p;
                }
            }
            let (p, q) = (self.lambda[i], self.lambda[i + 1]);
            (self.lambda[i + 1], self.lambda[i]) = (c * p + s * q, c * q - s * p);
            // Different slips of the axes mix; the mixed part stays with the last impulses.
            let [g1, g2] = frame.compliance;
            let (along, across, mixed) = (c * c * g1 + s * s * g2, s * s * g1 + c * c * g2, c * s * (g2 - g1));
            self.target[i + 1] = c * frame.target[0] + s * frame.target[1] - mixed * self.lambda[i];
            self.target[i] = c * frame.target[1] - s * frame.target[0] - mixed * self.lambda[i + 1];
            self.compliance[i + 1] = along;
            self.compliance[i] = across;
            let coefficient = 1.0 / self::length([c / frame.coefficient[0], s / frame.coefficient[1]]);
            if frame.normal[0] == NONE {
                let bound = length / outside;
                self.fixed_bounds[i + 1] = [-bound, bound];
            } else {
                self.coefficient[i + 1] = coefficient;
            }
            if outside > 1.0 {
                // κ = 1 / outside.
                self.compliance[i] += frame.alpha * (outside - 1.0);
                self.fixed_bounds[i] = [f64::NEG_INFINITY, f64::INFINITY];
                self.normal[i] = NONE;
                // R' / R of the radius R(θ) of the ellipse.
                let [p, q] = axes.map(|a| 1.0 / (a * a));
                self.slant[i + 1] = c * s * (p - q) / (c * c * p + s * s * q);
            } else {
                let bound = length / outside;
                self.fixed_bounds[i] = [-bound, bound];
                self.coefficient[i] = 1.0 / self::length([s / frame.coefficient[0], c / frame.coefficient[1]]);
            }
            for k in i..i + 2 {
                let square: f64 = self.y[k].iter().flatten().map(|y| y * y).sum();
                self.diagonal[k] = (square + self.compliance[k]).max(f64::MIN_POSITIVE);
            }
            frames.list[f] = frame;
        }
    }

    /// Puts the rows back as assembled, with their impulses.
    fn turn_back(&mut self, frames: &Frames) {
        for frame in &frames.list {
            let i = frame.row;
            let [c, s] = frame.axis;
            // `p` across, `q` along the axis.
            let (p, q) = (self.lambda[i], self.lambda[i + 1]);
            self.slant[i + 1] = 0.0;
            (self.lambda[i], self.lambda[i + 1]) =
                if frame.is_turned { (c * q - s * p, s * q + c * p) } else { (p, q) };
            for k in 0..2 {
                self.y[i + k] = frame.y[k];
                self.target[i + k] = frame.target[k];
                self.compliance[i + k] = frame.compliance[k];
                self.coefficient[i + k] = frame.coefficient[k];
                self.fixed_bounds[i + k] = frame.bounds[k];
                self.normal[i + k] = frame.normal[k];
                self.diagonal[i + k] = frame.diagonal[k];
            }
        }
        self.soften();
    }
}
