//! Solvers: from a problem to its impulses. They see rows and cliques only.
//!
//! ```
//! use stiction::constraint::{Problem, RowKind, RowSource};
//! use stiction::solvers::{Direct, Pass, Solver};
//!
//! let mut problem = Problem::default();
//! problem.clear(1e-3);
//! let body = problem.push_clique(&[-2.0]);
//! problem.push_row(&[(body, &[0.5])], 0.0, 0.0, RowKind::Joint, RowSource::Contact(0));
//! problem.close_island();
//! let (mut z, mut lambda) = (problem.z_free.clone(), vec![0.0]);
//! let pass = Pass {
//!     capped: false,
//!     iterations: 20,
//!     relaxation: 1.0,
//!     accelerated: false,
//!     bounds_once: false,
//!     budget: Pass::FULL_BUDGET,
//!     stiction_tolerance: 1e-3,
//! };
//! Direct::default().solve(&problem, &problem.islands[0], &pass, &mut z, &mut lambda);
//! assert!((lambda[0] - 4.0).abs() < 1e-9 && z[0].abs() < 1e-9);
//! ```

mod anderson;
mod compliant;
mod direct;
pub mod ordered;
mod pgs;
pub(crate) mod points;
mod semidefinite;
pub(crate) mod soft;
mod sparse;

pub use compliant::{Convex, Tamsi, transition};
pub use direct::Direct;
pub(crate) use direct::NOBODY;
pub use pgs::Pgs;
pub(crate) use pgs::RowSweeps;
pub(crate) use semidefinite::SemidefiniteSystem;

use crate::constraint::{Island, Problem};

/// What solvers differ in, as data: the plan of a step compares it with what rows need. All of them take rows with fixed
/// bounds and with bounds that follow the normal, ellipses, and cliques of any size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abilities {
    /// The cap on the velocity that correction leaves.
    pub cap: bool,
    /// Smooth laws of contacts as they are; other solvers take their linearization.
    pub smooth_laws: bool,
    /// Some rows of an island, beside another solver that has the rest.
    pub routes: bool,
}

/// One solve over the rows of an island.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pass {
    /// Correction is capped: the velocity pass of a split step.
    pub capped: bool,
    /// Sweeps of an iterative solver.
    pub iterations: u32,
    /// Over-relaxation of an iterative solver.
    pub relaxation: f64,
    /// Anderson acceleration of an iterative solver.
    pub accelerated: bool,
    /// Friction bounds are taken once, from the normals of a solution without friction.
    pub bounds_once: bool,
    /// Most factorisations of a direct solver.
    pub budget: u32,
    /// Slip speed below which regularised friction counts as sticking \[m/s\].
    pub stiction_tolerance: f64,
}

impl Pass {
    /// Factorisations that a direct solver may spend on an island: hard cases end within it, or never.
    pub const FULL_BUDGET: u32 = 240;
}

/// What a solve did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SolveStatistics {
    /// Sweeps.
    pub sweeps: u32,
    /// Matrix factorisations.
    pub factorizations: u32,
    /// Rows that contradict each other.
    pub inconsistent_rows: u32,
    /// Equal parts that the step was solved in: more than one where the whole step did not converge.
    pub substeps: u32,
    /// The solver gave up before its tolerance.
    pub gave_up: bool,
}

/// A solver. `z` comes in as the free velocity and goes out as the velocity after the impulses; `lambda` comes in as
/// the guess (zero when cold) and goes out as the impulses. Both are those of the whole problem.
pub trait Solver {
    /// What it can do.
    fn abilities(&self) -> Abilities;
    /// Solves the rows of an island.
    fn solve(
        &mut self,
        problem: &Problem,
        island: &Island,
        pass: &Pass,
        z: &mut [f64],
        lambda: &mut [f64],
    ) -> SolveStatistics;
}
