//! The convex solver: friction bounds `μ λ_n⁰` from the normal force at the start of the step.
//!
//! Then every impulse is minus the gradient of a convex potential of its velocity, and the step is
//! `min ½ |z − z_free|² + Σ ℓ(Yᵀ z)`: it has one solution, which Newton's method with an exact line search always reaches
//! (as Drake's *lagged* model, arXiv 2110.10107 and 2312.03908).
//!
//! Bias: friction of an impact is bounded by the normal force before it, so that most of its impulse is lost, and a load
//! that grows within a step is held only from the next step on. TAMSI has neither, and need not converge.

use super::island::{CompliantIsland, Triple};
use super::laws::{self, Context};
use crate::constraint::{Island, Problem};
use crate::solvers::sparse::block::dot;
use crate::solvers::{Abilities, Pass, SolveStatistics, Solver};

/// Iterations of Newton's method; convexity needs far fewer.
const ITERATIONS: u32 = 200;
/// Relative size of the gradient, or of the last change, at the solution.
const TOLERANCE: f64 = 1e-10;
/// Trials of the line search.
const TRIALS: u32 = 60;

/// The convex solver. Keeps its memory.
#[derive(Clone, Debug, Default)]
pub struct Convex {
    system: CompliantIsland,
    normals: Vec<f64>,
    /// Velocities at the start of a line search.
    from: Vec<Triple>,
}

impl Convex {
    /// Slope of the objective along the change, at a share α of it: increasing in α.
    fn slope(&mut self, problem: &Problem, context: &Context, alpha: f64) -> f64 {
        let Self { system, normals, from } = self;
        for (u, (from, du)) in system.u.iter_mut().zip(from.iter().zip(&system.du)) {
            (0..3).for_each(|k| u[k] = from[k] + alpha * du[k]);
        }
        laws::lagged(problem, system, context, normals);
        let inertia: f64 = system
            .change
            .iter()
            .zip(system.z.iter().zip(&system.z_free))
            .map(|(c, (z, free))| dot(c, z) - dot(c, free) + alpha * dot(c, c))
            .sum();
        let work: f64 = system
            .lambda
            .iter()
            .zip(&system.du)
            .map(|(lambda, du)| lambda.iter().zip(du).map(|(l, d)| l * d).sum::<f64>())
            .sum();
        inertia - work
    }

    /// The minimum along the change: full Newton steps where they go downhill all the way, else bisected by the secant
    /// (Illinois' rule).
    fn line_search(&mut self, problem: &Problem, context: &Context) -> f64 {
        self.from.clone_from(&self.system.u);
        let start = self.slope(problem, context, 0.0);
        let (mut low, mut high) = ((0.0, start), (1.0, self.slope(problem, context, 1.0)));
        let tiny = 1e-8 * start.abs();
        if high.1 <= tiny {
            return 1.0;
        }
        let mut last_side = 0;
        for _ in 0..TRIALS {
            let alpha = low.0 - low.1 * (high.0 - low.0) / (high.1 - low.1);
            let value = self.slope(problem, context, alpha);
            if value.abs() <= tiny {
                return alpha;
            }
            if value > 0.0 {
                high = (alpha, value);
                if last_side == 1 {
                    low.1 *= 0.5;
                }
                last_side = 1;
            } else {
                low = (alpha, value);
                if last_side == -1 {
                    high.1 *= 0.5;
                }
                last_side = -1;
            }
        }
        0.5 * (low.0 + high.0)
    }
}

impl Solver for Convex {
    fn abilities(&self) -> Abilities {
        Abilities { cap: false, smooth_laws: true, routes: false }
    }

    fn solve(
        &mut self,
        problem: &Problem,
        island: &Island,
        pass: &Pass,
        z: &mut [f64],
        lambda: &mut [f64],
    ) -> SolveStatistics {
        let rows = island.row_range();
        lambda[rows].fill(0.0);
        self.system.load(problem, island, z);
        let context = Context { step: problem.step, tolerance: pass.stiction_tolerance, softening: 0.0 };
        self.system.velocities();
        laws::normals_before(problem, &self.system, &context, &mut self.normals);
        let mut statistics = SolveStatistics { substeps: 1, ..SolveStatistics::default() };
        let mut has_converged = false;
        for _ in 0..ITERATIONS {
            self.system.velocities();
            laws::lagged(problem, &mut self.system, &context, &self.normals);
            let gradient = self.system.residual();
            let size: f64 = self.system.z.iter().chain(&self.system.z_free).map(|z| dot(z, z)).sum();
            if gradient <= TOLERANCE * TOLERANCE * size.max(f64::MIN_POSITIVE) {
                has_converged = true;
                break;
            }
            self.system.factor(true);
            self.system.solve();
            self.system.velocity_changes();
            statistics.factorizations += 1;
            // Beside stiff rows rounding keeps the gradient up; what counts is how far the solution still is.
            let change: f64 = self.system.change.iter().map(|c| dot(c, c)).sum();
            if change <= TOLERANCE * TOLERANCE * size {
                self.system.advance(1.0);
                has_converged = true;
                break;
            }
            let alpha = self.line_search(problem, &context);
            self.system.advance(alpha);
            if !self.system.is_sound() {
                break;
            }
        }
        statistics.sweeps = statistics.factorizations;
        statistics.gave_up = !has_converged;
        if self.system.is_sound() {
            self.system.velocities();
            laws::lagged(problem, &mut self.system, &context, &self.normals);
            self.system.store(z, lambda);
        }
        statistics
    }
}
