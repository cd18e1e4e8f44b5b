//! The implicit Stribeck solver: semi-implicit Euler with normal force and friction at the velocity after the step.
//!
//! Newton's method on `z = z_free + Y λ(Yᵀ z)`, limited by [`super::transition`]. A step that does not converge is solved
//! in 2, 3, … 20 equal parts, with depths that follow; one that still does not is finished by the convex solver, and
//! reported (Drake throws there).

use glam::DVec2;

use super::convex::Convex;
use super::island::CompliantIsland;
use super::laws::{self, Context};
use super::transition;
use crate::constraint::{Island, Problem};
use crate::solvers::sparse::block::N;
use crate::solvers::{Abilities, Pass, SolveStatistics, Solver};

/// Iterations of one attempt.
const ITERATIONS: u32 = 20;
/// Most parts of a step.
const PARTS: u32 = 20;
/// Share of the stiction tolerance to which contact velocities converge, and that softens the direction of slip.
const RELATIVE_TOLERANCE: f64 = 1e-2;
/// Cosine of the largest turn of a sliding velocity in an iteration, π/3.
const COS_TURN: f64 = 0.5;

/// The implicit Stribeck solver (TAMSI). Keeps its memory.
#[derive(Clone, Debug, Default)]
pub struct Tamsi {
    system: CompliantIsland,
    free: Vec<[f64; N]>,
    fallback: Convex,
}

impl Tamsi {
    /// Newton's method over one part of the step. Returns the iterations, and whether it converged.
    fn attempt(&mut self, problem: &Problem, context: &Context, share: f64) -> (u32, bool) {
        let system = &mut self.system;
        let tolerance = RELATIVE_TOLERANCE * context.tolerance;
        let mut is_near = false;
        for iteration in 0..=ITERATIONS {
            system.velocities();
            laws::coupled(problem, system, context, share, is_near);
            if is_near {
                return (iteration, system.is_sound());
            }
            if iteration == ITERATIONS {
                break;
            }
            system.residual();
            system.factor(false);
            system.solve();
            system.velocity_changes();
            let (mut normal, mut slip, mut other, mut alpha) = (0.0, 0.0, 0.0, 1.0f64);
            for (group, (u, du)) in system.groups.iter().zip(system.u.iter().zip(&system.du)) {
                if group.contact.is_none() {
                    other = du[0].abs().max(other);
                    continue;
                }
                normal += du[0] * du[0];
                if group.count > 1 {
                    let dv = DVec2::new(du[1], du[2]);
                    slip += dv.length_squared();
                    let v = DVec2::new(u[1], u[2]);
                    alpha = alpha.min(transition::limit(v, dv, context.tolerance, context.softening, COS_TURN));
                }
            }
            is_near = normal.max(slip) < tolerance * tolerance && other < tolerance;
            system.advance(alpha);
            if !system.is_sound() {
                break;
            }
        }
        (ITERATIONS, false)
    }

    /// The whole step in equal parts. Returns the iterations, and whether all parts converged.
    fn solve_in(&mut self, problem: &Problem, pass: &Pass, parts: u32) -> (u32, bool) {
        let share = 1.0 / f64::from(parts);
        let context = Context {
            step: problem.step * share,
            tolerance: pass.stiction_tolerance,
            softening: RELATIVE_TOLERANCE * pass.stiction_tolerance,
        };
        let mut iterations = 0;
        let mut totals = vec![[0.0; 3]; if parts > 1 { self.system.groups.len() } else { 0 }];
        for part in 0..parts {
            if parts > 1 {
                // Forces of the step act in equal parts, from the velocity of the last part.
                let system = &mut self.system;
                for (i, to) in system.z_free.iter_mut().enumerate() {
                    for k in 0..N {
                        to[k] = system.z[i][k] + share * (self.free[i][k] - system.z_before[i][k]);
                    }
                }
            }
            let (count, has_converged) = self.attempt(problem, &context, share);
            iterations += count;
            if !has_converged {
                return (iterations, false);
            }
            if parts > 1 {
                let system = &mut self.system;
                for (total, lambda) in totals.iter_mut().zip(&system.lambda) {
                    (0..3).for_each(|k| total[k] += lambda[k]);
                }
                if part + 1 < parts {
                    for (depth, u) in system.depth.iter_mut().zip(&system.u) {
                        *depth = (*depth - context.step * u[0]).max(0.0);
                    }
                }
            }
        }
        if parts > 1 {
            self.system.lambda.clone_from(&totals);
        }
        (iterations, true)
    }
}

impl Solver for Tamsi {
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
        if island.contacts.is_empty() {
            // Motors, stops and loops alone are a convex problem; Newton's method without a line search may jump to and fro
            // between the bounds of two motors.
            return self.fallback.solve(problem, island, pass, z, lambda);
        }
        let rows = island.row_range();
        lambda[rows].fill(0.0);
        self.system.load(problem, island, z);
        let mut statistics = SolveStatistics::default();
        for parts in 1..=PARTS {
            if parts == 2 {
                self.free.clone_from(&self.system.z_free);
            }
            if parts > 1 {
                self.system.restore_depths(problem);
                self.system.z.clone_from(&self.system.z_before);
            }
            let (iterations, has_converged) = self.solve_in(problem, pass, parts);
            statistics.sweeps += iterations;
            statistics.factorizations += iterations;
            if has_converged {
                statistics.substeps = parts;
                self.system.store(z, lambda);
                return statistics;
            }
        }
        let finished = self.fallback.solve(problem, island, pass, z, lambda);
        SolveStatistics {
            sweeps: statistics.sweeps + finished.sweeps,
            factorizations: statistics.factorizations + finished.factorizations,
            substeps: PARTS,
            gave_up: true,
            ..finished
        }
    }
}
