//! The direct solver: rows solved exactly, by proximal block pivots factored in velocity space.
//!
//! Rows are chosen, nodes are factored: `H = 1 + Y_F D_F⁻¹ Y_Fᵀ` has the shape of the graph of bodies for every set F of
//! free rows, however many there are and however they depend on each other.
//!
//! | module | idea |
//! |---|---|
//! | `ordering` | elimination order and shape of the factor, kept while the pairs stay |
//! | `block`, `factor` | Cholesky and LU in blocks of six |
//! | `rows`, `products` | an island beside each other, products with its rows |
//! | `pivots` | block pivots, proximal rounds, corrections, caps |
//! | `contradiction` | residuals, and rows that no impulse satisfies |
//! | `interior`, `line_search` | what helps when pivots do not |
//! | `bounds`, `coupled`, `cone` | friction: bounds once or converged, boxes or ellipses |

mod block;
mod bounds;
mod cone;
mod contradiction;
mod coupled;
mod factor;
mod interior;
mod line_search;
mod ordering;
mod pivots;
mod products;
mod rows;

use super::{Abilities, Pass, Pgs, SolveStatistics, Solver};
use crate::constraint::{Island, Problem};

// A multiply-add of the factorisation, in blocks, takes about an eighth of a nanosecond; products with rows and sweeps
// wait for memory and for each other. All is counted in multiply-adds of the first kind (measured on walls and chains).
/// Corrections, products and sums per row and factorisation.
const PER_ROW: f64 = 900.0;
/// A row in one sweep, row after row. Lanes make sweeps up to four times cheaper than this: the exact answer is worth
/// that much.
const PER_SWEEP: f64 = 160.0;
/// Factorisations of a usual solve.
const USUAL_ROUNDS: f64 = 2.0;
/// Sweeps after a budget is spent.
const LAST_SWEEPS: u32 = 20;

/// The direct solver. Keeps its memory and the elimination orders of the islands it has seen.
#[derive(Clone, Debug)]
pub struct Direct {
    /// Most factorisations of an island; then sweeps finish.
    pub budget: u32,
    patterns: ordering::Patterns,
    connections: ordering::Connections,
    system: rows::System,
    rounds: bounds::Rounds,
    frames: cone::Frames,
    pgs: Pgs,
    spare: [Vec<f64>; 2],
}

impl Default for Direct {
    fn default() -> Self {
        Self {
            budget: 240,
            patterns: ordering::Patterns::default(),
            connections: ordering::Connections::default(),
            system: rows::System::default(),
            rounds: bounds::Rounds::default(),
            frames: cone::Frames::default(),
            pgs: Pgs::default(),
            spare: [Vec::new(), Vec::new()],
        }
    }
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

    /// Whether an exact solve of this island usually costs no more than this many sweeps. Islands of one or two cliques
    /// nearly always do.
    pub fn is_cheaper_than_sweeps(&mut self, problem: &Problem, island: &Island, iterations: u32) -> bool {
        if island.cliques.end - island.cliques.start <= 2 {
            return true;
        }
        let sweeps = f64::from(iterations) * PER_SWEEP * f64::from(island.rows.end - island.rows.start);
        self.cost(problem, island, sweeps) <= sweeps
    }
}

impl Solver for Direct {
    fn abilities(&self) -> Abilities {
        Abilities {
            name: "direct",
            linear_rows: true,
            coefficient_bounds: true,
            ellipse: true,
            cap: true,
            any_clique: true,
            warm_start: true,
            exact: true,
        }
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
        let Self { budget, patterns, connections, system, rounds, frames, .. } = self;
        rows::connect(problem, island, system, connections);
        let pattern = patterns.of(connections, f64::INFINITY);
        system.budget = *budget;
        system.load(problem, island, pattern, pass.capped, z, lambda);
        let is_warm = system.lambda.iter().any(|x| *x != 0.0);
        let outcome = if system.ellipses.is_empty() {
            if pass.bounds_once { system.solve_once(is_warm, rounds) } else { system.solve_converged(is_warm, rounds) }
        } else {
            system.solve_cone(is_warm, pass.bounds_once, rounds, frames)
        };
        let statistics = SolveStatistics {
            sweeps: system.rounds,
            factorizations: system.factorizations,
            inconsistent_rows: outcome.inconsistent,
            gave_up: outcome.gave_up,
        };
        let is_sound = system.lambda.iter().all(|x| x.is_finite()) && system.z.iter().flatten().all(|x| x.is_finite());
        if outcome.gave_up || !is_sound {
            let residual = self.finish_with_sweeps(problem, island, pass, is_sound, z, lambda);
            // Rows alone know neither bounds taken once nor ellipses: their residual is not what is promised.
            let is_judged = !pass.bounds_once && self.system.ellipses.is_empty();
            return SolveStatistics { gave_up: !is_judged || residual >= bounds::AGREED, ..statistics };
        }
        self.system.store(z, lambda);
        statistics
    }
}

impl Direct {
    /// Accelerated sweeps from what was reached; the better of both stays. Returns its largest residual.
    fn finish_with_sweeps(
        &mut self,
        problem: &Problem,
        island: &Island,
        pass: &Pass,
        is_sound: bool,
        z: &mut [f64],
        lambda: &mut [f64],
    ) -> f64 {
        let [swept_z, swept] = &mut self.spare;
        swept_z.clear();
        swept_z.extend_from_slice(z);
        if is_sound {
            self.system.store(z, lambda);
        }
        swept.clear();
        swept.extend_from_slice(lambda);
        let sweeps = Pass { iterations: pass.iterations.max(LAST_SWEEPS), relaxation: 1.0, accelerated: true, ..*pass };
        self.pgs.solve(problem, island, &sweeps, swept_z, swept);
        let worst = |z: &[f64], lambda: &[f64]| {
            (island.rows.start as usize..island.rows.end as usize)
                .map(|i| problem.residual(&problem.rows[i], i, lambda, z, pass.capped, false))
                .fold(0.0, f64::max)
        };
        let (reached, after) = (worst(z, lambda), worst(swept_z, swept));
        if is_sound && reached <= after {
            return reached;
        }
        z.copy_from_slice(swept_z);
        lambda.copy_from_slice(swept);
        after
    }
}
