//! The direct solver: rows solved exactly, by proximal block pivots factored in velocity space.
//!
//! Rows are chosen, nodes are factored: `H = 1 + Y_F D_F⁻¹ Y_Fᵀ` has the shape of the graph of bodies for every set F of
//! free rows, however many there are and however they depend on each other.
//!
//! | module | idea |
//! |---|---|
//! | `rows`, `products` | an island beside each other, products with its rows |
//! | `pivots` | block pivots, proximal rounds, corrections, caps |
//! | `contradiction` | residuals, and rows that no impulse satisfies |
//! | `few` | the same for one free body, or a few |
//! | `interior`, `line_search` | what helps when pivots do not |
//! | `bounds`, `coupled`, `cone` | friction: bounds once or converged, boxes or ellipses |

mod bounds;
mod cone;
mod contradiction;
mod coupled;
mod few;
mod interior;
mod line_search;
mod pivots;
mod products;
mod rows;

use super::sparse::ordering;
use super::{Abilities, Pass, Pgs, SolveStatistics, Solver};
use crate::constraint::{Island, Problem};

// A multiply-add of the factorisation, in blocks, takes about an eighth of a nanosecond; products with rows and sweeps
// wait for memory and for each other. All is counted in multiply-adds of the first kind (measured on walls and chains).
/// Corrections, products and sums per row and factorisation.
const PER_ROW: f64 = 900.0;
/// A row in one sweep, several rows side by side.
const PER_SWEEP: f64 = 60.0;
/// Factorisations of a usual solve from a good guess.
const USUAL_ROUNDS: f64 = 1.0;
/// Sweeps when nothing else helps.
const LAST_SWEEPS: u32 = 20;
/// Cliques of an island that is worth a second attempt where the budget is short.
const SMALL: usize = 24;
/// How many times the velocities at hand a point may have to go on from it.
const FAR: f64 = 1e3;
/// A residual that is good enough to keep, though not what is promised \[m/s\].
const NEARLY: f64 = 1e-5;

/// No second body.
pub(crate) const NOBODY: u32 = ordering::NONE;

/// The direct solver. Keeps its memory and the elimination orders of the islands it has seen.
#[derive(Clone, Debug, Default)]
pub struct Direct {
    patterns: ordering::Patterns,
    connections: ordering::Connections,
    system: rows::DirectIsland,
    rounds: bounds::Rounds,
    frames: cone::Frames,
    pgs: Pgs,
    one_body: few::OneBody,
    few_bodies: Box<few::FewBodies>,
    /// Velocities without impulses, and the best velocities and impulses, of an island that was given up.
    free: Vec<f64>,
    best: (Vec<f64>, Vec<f64>),
}

impl Direct {
    /// Multiply-adds of a usual solve of this island; infinite when its elimination order alone costs more than
    /// `limit`.
    pub fn cost(&mut self, problem: &Problem, island: &Island, limit: f64) -> f64 {
        rows::connect(problem, island, &mut self.system, &mut self.connections);
        let pattern = self.patterns.of(&self.connections, limit);
        if pattern.is_cut {
            return f64::INFINITY;
        }
        USUAL_ROUNDS * (pattern.cost + PER_ROW * f64::from(island.rows.end - island.rows.start))
    }

    /// Whether an exact solve of this island from a good guess usually costs no more than this many sweeps.
    pub fn is_cheaper_than_sweeps(&mut self, problem: &Problem, island: &Island, iterations: u32) -> bool {
        let rows = f64::from(island.rows.end - island.rows.start);
        let sweeps = f64::from(iterations) * PER_SWEEP * rows;
        // The rows alone may cost more: then no elimination order need be looked for.
        USUAL_ROUNDS * PER_ROW * rows < sweeps && self.cost(problem, island, sweeps) <= sweeps
    }

    /// The same of rows that need not exist: each two of a number of free bodies that rows connect one after the other, the second one
    /// [`NOBODY`] where they act on one.
    pub(crate) fn is_cheaper_between(&mut self, bodies: u32, pairs: &[[u32; 2]], rows: u32, iterations: u32) -> bool {
        let rows = f64::from(rows);
        let sweeps = f64::from(iterations) * PER_SWEEP * rows;
        if USUAL_ROUNDS * PER_ROW * rows >= sweeps {
            return false;
        }
        self.connections.clear();
        self.connections.nodes = bodies;
        for pair in pairs {
            if self.connections.pairs.last() != Some(pair) {
                self.connections.pairs.push(*pair);
            }
        }
        let pattern = self.patterns.of(&self.connections, sweeps);
        !pattern.is_cut && USUAL_ROUNDS * (pattern.cost + PER_ROW * rows) <= sweeps
    }
}

impl Solver for Direct {
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
        if island.rows.is_empty() {
            return SolveStatistics::default();
        }
        if self.one_body.solve(problem, island, pass, z, lambda) {
            self.one_body.store(problem, island, z, lambda);
            let factorizations = self.one_body.factorizations;
            return SolveStatistics { sweeps: 1, factorizations, substeps: 1, ..SolveStatistics::default() };
        }
        if self.few_bodies.solve(problem, island, pass, z, lambda) {
            self.few_bodies.store(problem, island, z, lambda);
            let factorizations = self.few_bodies.factorizations;
            return SolveStatistics { sweeps: 1, factorizations, substeps: 1, ..SolveStatistics::default() };
        }
        let outcome = self.attempt(problem, island, pass, pass.bounds_once, z, lambda);
        let mut statistics = SolveStatistics {
            sweeps: self.system.rounds,
            factorizations: self.system.factorizations,
            inconsistent_rows: outcome.inconsistent,
            substeps: 1,
            gave_up: outcome.gave_up || !self.is_sound(),
        };
        if !statistics.gave_up || self.is_sound() && outcome.residual < NEARLY {
            self.system.store(z, lambda);
            return statistics;
        }
        // Bounds that follow the normals need not have a solution; bounds taken once always do, and where nearly all
        // sticks they are as good as a solution: a point to go on from.
        if !pass.bounds_once && (pass.budget == Pass::FULL_BUDGET || island.cliques.len() <= SMALL) {
            let outcome = self.attempt(problem, island, pass, true, z, lambda);
            statistics.factorizations += self.system.factorizations;
            statistics.inconsistent_rows = statistics.inconsistent_rows.max(outcome.inconsistent);
        }
        statistics.sweeps += self.go_on(problem, island, pass, z, lambda);
        statistics
    }
}

impl Direct {
    /// One direct solve from the guess in `lambda`; the answer stays in the system.
    fn attempt(
        &mut self,
        problem: &Problem,
        island: &Island,
        pass: &Pass,
        once: bool,
        z: &[f64],
        lambda: &[f64],
    ) -> pivots::Outcome {
        let Self { patterns, connections, system, rounds, frames, .. } = self;
        rows::connect(problem, island, system, connections);
        let pattern = patterns.of(connections, f64::INFINITY);
        system.budget = pass.budget;
        let mut best = (f64::INFINITY, 0);
        for (number, rho) in pivots::LIGHT_RHOS.into_iter().enumerate() {
            system.light_rho = rho;
            system.load(problem, island, pattern, pass.capped, z, lambda);
            let outcome = Self::solve_system(system, rounds, frames, once);
            if !system.has_light || outcome.is_good() {
                return outcome;
            }
            if outcome.residual < best.0 {
                best = (outcome.residual, number);
            }
        }
        system.light_rho = pivots::LIGHT_RHOS[best.1];
        system.load(problem, island, pattern, pass.capped, z, lambda);
        Self::solve_system(system, rounds, frames, once)
    }

    /// Solves what has been loaded.
    fn solve_system(
        system: &mut rows::DirectIsland,
        rounds: &mut bounds::Rounds,
        frames: &mut cone::Frames,
        once: bool,
    ) -> pivots::Outcome {
        let is_warm = system.lambda.iter().any(|x| *x != 0.0);
        if !system.ellipses.is_empty() {
            system.solve_cone(is_warm, once, rounds, frames)
        } else if once {
            system.solve_once(is_warm, rounds)
        } else {
            system.solve_converged(is_warm, rounds)
        }
    }

    /// After a solve that gave up: sweeps from its best point, and from the guess; what is nearer to a solution of the
    /// true bounds is the answer. Friction that follows its normals need not have a solution that pivots find, but
    /// sweeps keep every bound, and the answer is never worse than theirs.
    fn go_on(&mut self, problem: &Problem, island: &Island, pass: &Pass, z: &mut [f64], lambda: &mut [f64]) -> u32 {
        let (span, rows) = (island.z_range(), island.row_range());
        let sweeps = Pass { iterations: pass.iterations.max(LAST_SWEEPS), accelerated: false, ..*pass };
        let worst = |z: &[f64], lambda: &[f64]| {
            let residual = |i: usize| problem.unit_residual(i, lambda, z, pass.capped);
            rows.clone().map(residual).fold(0.0, f64::max)
        };
        let is_sound = self.is_sound();
        let mut free = std::mem::take(&mut self.free);
        free.clear();
        free.extend_from_slice(&z[span.clone()]);
        let mut best = std::mem::take(&mut self.best);
        let mut count = self.pgs.solve(problem, island, &sweeps, z, lambda).sweeps;
        if is_sound {
            best.0.clear();
            best.0.extend_from_slice(&z[span.clone()]);
            best.1.clear();
            best.1.extend_from_slice(&lambda[rows.clone()]);
            let residual = worst(z, lambda);
            self.system.store(z, lambda);
            // What is far beyond every velocity at hand is no point to go on from: sweeps that bring it back leave the
            // rounding of its impulses in the velocities.
            let largest = |z: &[f64]| z.iter().fold(0.0, |most: f64, z| most.max(z.abs()));
            let is_near = largest(&z[span.clone()]) <= FAR * largest(&best.0).max(largest(&free));
            if is_near {
                z[span.clone()].copy_from_slice(&free);
                count += self.pgs.solve(problem, island, &sweeps, z, lambda).sweeps;
                z[span.clone()].copy_from_slice(&free);
                for i in rows.clone().filter(|i| lambda[*i] != 0.0) {
                    problem.apply(&problem.rows[i], lambda[i], z);
                }
            }
            // As `!(<)`: what is no number is never the better one.
            if !(is_near && worst(z, lambda) < residual) {
                z[span].copy_from_slice(&best.0);
                lambda[rows].copy_from_slice(&best.1);
            }
        }
        (self.free, self.best) = (free, best);
        count
    }

    /// Every number of the answer is finite.
    fn is_sound(&self) -> bool {
        self.system.lambda.iter().all(|x| x.is_finite()) && self.system.z.iter().flatten().all(|x| x.is_finite())
    }
}
