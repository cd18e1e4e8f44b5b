//! A step as data: which passes the rows of an island get.
//!
//! A pass solves some rows by a method, from a start, with the full right side or a bounded one, and moves velocities,
//! positions or both. What distinguishes one engine's step from another's is a table of passes below; the passes
//! themselves are run by `solve.rs`, which names no engine.

use super::unsolved::has_joints;
use crate::constraint::{Island, Problem, Route, Row, RowKind, RowSource};
use crate::model::{BoundsRule, Correction, HybridRule, SolverKind, WorldParameters};
use crate::solvers::{Abilities, Direct, Pass};

/// How a pass finds impulses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    /// Newton's method on smooth laws with implicit Stribeck friction (TAMSI).
    Stribeck,
    /// Newton's method on the convex problem of smooth laws.
    Convex,
    /// Exact for linear rows.
    Direct,
    /// Sweeps; several islands side by side.
    Sweeps,
    /// Sweeps, and the direct solver for islands that they leave unsolved.
    SweepsThenDirect,
    /// The direct solver, after sweeps over points that have left the island unsolved.
    DirectAfterSweeps,
}

impl Method {
    /// Without what is made up for afterwards.
    pub(super) const fn alone(self) -> Self {
        match self {
            Self::SweepsThenDirect | Self::DirectAfterSweeps => Self::Sweeps,
            other => other,
        }
    }
}

/// Which rows a pass solves; the impulses of all others hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowFilter {
    All,
    /// Rows on the direct route, and rows on none.
    Direct,
    /// Rows on the iterative route.
    Iterative,
    /// Normals of contacts, and what holds joints and their stops: what moves positions beside the velocities does not part them.
    Holding,
}

impl RowFilter {
    /// The pass solves this row.
    pub(super) const fn take(self, row: &Row) -> bool {
        match self {
            Self::All => true,
            Self::Direct => !matches!(row.route, Route::Iterative),
            Self::Iterative => matches!(row.route, Route::Iterative | Route::Both),
            Self::Holding => matches!(row.kind, RowKind::Normal | RowKind::Joint | RowKind::Limit),
        }
    }
}

/// Right side of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Right {
    /// Wanted velocities, and the correction of errors in full.
    Full,
    /// The same; the velocity that correction leaves is bounded.
    Bounded,
    /// What the bound has left of the correction, from rest and without softness.
    Remainder,
    /// Restitution of contacts that hit, from the velocities before the step; all else holds.
    Impact,
}

/// What a pass moves. Each starts from the velocities without impulses and the guess of the last step, and a pass goes on
/// from what the pass before it left there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moves {
    Both,
    Velocities,
    Positions,
    /// Positions, beside what the velocities move them.
    Displacements,
    /// The velocities before the step, from which the other passes start.
    Start,
}

/// One pass over the rows of an island.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PassPlan {
    pub(super) method: Method,
    pub(super) rows: RowFilter,
    pub(super) right: Right,
    pub(super) moves: Moves,
}

const fn all(method: Method) -> PassPlan {
    PassPlan { method, rows: RowFilter::All, right: Right::Full, moves: Moves::Both }
}

/// The same with the velocity that correction leaves bounded.
const fn bounded(pass: PassPlan) -> PassPlan {
    PassPlan { right: Right::Bounded, ..pass }
}

/// The same for velocities alone, or for positions alone.
const fn velocities(pass: PassPlan) -> PassPlan {
    PassPlan { moves: Moves::Velocities, ..bounded(pass) }
}
const fn positions(pass: PassPlan) -> PassPlan {
    PassPlan { moves: Moves::Positions, ..pass }
}

/// What a bounded pass has left of the correction of contacts, as displacements.
const fn displacements(method: Method) -> PassPlan {
    PassPlan { rows: RowFilter::Holding, right: Right::Remainder, moves: Moves::Displacements, ..all(method.alone()) }
}

/// How errors are corrected, where a bound on the velocity that correction leaves is felt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Correcting {
    /// In full: one solve moves velocities and positions (ODE's steppers).
    InFull,
    /// Within the bound: one solve moves both (SPOOK's contacts part no faster than they came).
    Bounded,
    /// Two full solves from one start: a bounded one moves velocities, an unbounded one positions (Gazebo's
    /// `contact_max_correcting_vel` and `max_vel`).
    Split,
    /// The correction of contacts moves positions by impulses of its own (Bullet's split impulse).
    Displaced,
}

/// The passes of a method, by [`Correcting`].
type Plans = [&'static [PassPlan]; 4];

const fn split(method: Method) -> [PassPlan; 2] {
    [velocities(all(method)), positions(all(method))]
}
const fn split_impulse(method: Method) -> [PassPlan; 2] {
    [velocities(all(method)), displacements(method)]
}

/// ODE's steppers, and those of Gazebo and Bullet with one solver for all rows.
const DIRECT: Plans =
    [&[all(Method::Direct)], &[bounded(all(Method::Direct))], &split(Method::Direct), &split_impulse(Method::Direct)];
const SWEEPS: Plans =
    [&[all(Method::Sweeps)], &[bounded(all(Method::Sweeps))], &split(Method::Sweeps), &split_impulse(Method::Sweeps)];
const HYBRID: Plans = [
    &[all(Method::SweepsThenDirect)],
    &[bounded(all(Method::SweepsThenDirect))],
    &split(Method::SweepsThenDirect),
    &split_impulse(Method::SweepsThenDirect),
];

/// What sweeps over points have left unsolved.
const LEFT: Plans = [
    &[all(Method::DirectAfterSweeps)],
    &[bounded(all(Method::DirectAfterSweeps))],
    &split(Method::DirectAfterSweeps),
    &split_impulse(Method::DirectAfterSweeps),
];

/// AGX's: rows on the direct route first, then those on the iterative one, and the direct ones once more under the friction
/// that came out: sweeps shift the load between points that share it, and do not find back.
const ON_DIRECT: PassPlan = PassPlan { rows: RowFilter::Direct, ..all(Method::Direct) };
const ON_ITERATIVE: PassPlan = PassPlan { rows: RowFilter::Iterative, ..all(Method::Sweeps) };
const ROUTES: Plans = [
    &[ON_DIRECT, ON_ITERATIVE, ON_DIRECT],
    &[bounded(ON_DIRECT), bounded(ON_ITERATIVE), bounded(ON_DIRECT)],
    &[
        velocities(ON_DIRECT),
        velocities(ON_ITERATIVE),
        velocities(ON_DIRECT),
        positions(ON_DIRECT),
        positions(ON_ITERATIVE),
        positions(ON_DIRECT),
    ],
    &[velocities(ON_DIRECT), velocities(ON_ITERATIVE), velocities(ON_DIRECT), displacements(Method::Direct)],
];

/// Drake's discrete plant.
const STRIBECK: &[PassPlan] = &[all(Method::Stribeck)];
const CONVEX: &[PassPlan] = &[all(Method::Convex)];

/// SPOOK's impact stage, before all other passes of an island with these.
pub(super) const fn impact_stage(passes: &[PassPlan]) -> PassPlan {
    let method = if let [first, ..] = passes { first.method.alone() } else { Method::Direct };
    PassPlan { right: Right::Impact, moves: Moves::Start, ..all(method) }
}

/// What some row of a problem needs of the passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Needs {
    /// A bound on the velocity that correction leaves.
    pub(super) bounds_correction: bool,
    /// A bound on the velocity of parting contacts.
    pub(super) bounds_exit: bool,
    /// A route.
    pub(super) has_routes: bool,
    /// A force over depth and speed.
    pub(super) has_smooth_laws: bool,
    /// Wires: light nodes under heavy loads, which sweeps do not solve.
    pub(super) has_wires: bool,
    /// An impact stage, if it hits.
    pub(super) has_impacts: bool,
}

/// The pass that solves an island exactly which sweeps have left unsolved.
pub(super) const EXACT: &[PassPlan] = &[all(Method::Direct)];

/// The passes of an island of a problem with these needs; `is_left` by sweeps over points.
pub(super) fn of_island(
    parameters: &WorldParameters,
    problem: &Problem,
    (needs, is_left): (Needs, bool),
    island: &Island,
    direct: &mut Direct,
) -> &'static [PassPlan] {
    match parameters.solver {
        SolverKind::Tamsi => return STRIBECK,
        SolverKind::Convex => return CONVEX,
        SolverKind::Direct | SolverKind::Iterative | SolverKind::Substeps => {}
    }
    let rows = &problem.rows[island.row_range()];
    // Before the impact stage the rows do not show yet which will be bounded.
    let correcting = if needs.bounds_exit && rows.iter().any(|row| row.cap < f64::INFINITY) {
        Correcting::Bounded
    } else if !(needs.bounds_correction && rows.iter().any(is_bounded)) {
        Correcting::InFull
    } else if parameters.correction == Correction::SplitImpulse {
        Correcting::Displaced
    } else {
        Correcting::Split
    };
    let plans = if needs.has_routes && rows.iter().any(|row| row.route != Route::Any) {
        &ROUTES
    } else if is_left {
        &LEFT
    } else if must_be_exact(parameters, island)
        || needs.has_wires && rows.iter().any(|row| matches!(row.source, RowSource::Wire { .. }))
        || is_exact_cheaper(parameters, problem, island, direct)
    {
        &DIRECT
    } else if parameters.hybrid == HybridRule::Off {
        &SWEEPS
    } else {
        &HYBRID
    };
    plans[correcting as usize]
}

/// Settings of a solver for a pass.
pub(super) fn pass(parameters: &WorldParameters, island: &Island, plan: &PassPlan) -> Pass {
    let is_wanted = must_be_exact(parameters, island) || plan.rows == RowFilter::Direct;
    let budget = match plan.method {
        Method::DirectAfterSweeps => RESCUE_BUDGET,
        _ if is_wanted => Pass::FULL_BUDGET,
        _ => HYBRID_BUDGET,
    };
    Pass { capped: plan.right == Right::Bounded, budget, ..sweeps(parameters) }
}

/// Settings of sweeps over all rows with their full right side.
pub(super) fn sweeps(parameters: &WorldParameters) -> Pass {
    Pass {
        capped: false,
        iterations: parameters.iterations,
        relaxation: parameters.sor,
        accelerated: parameters.accelerated,
        bounds_once: parameters.bounds == BoundsRule::Once,
        budget: HYBRID_BUDGET,
        stiction_tolerance: parameters.compliant.stiction_tolerance,
    }
}

/// The correction of a row is more than may be left of it.
pub(super) fn is_bounded(row: &Row) -> bool {
    row.target > row.cap || row.velocity_target != row.target
}

/// What the rows of an island of a problem with these needs ask for and the solver of their passes cannot do.
pub(super) fn unmet(problem: &Problem, needs: Needs, island: &Island, abilities: &Abilities) -> Unmet {
    let is_able = (abilities.cap || !needs.bounds_correction)
        && (abilities.smooth_laws || !needs.has_smooth_laws)
        && (abilities.routes || !needs.has_routes);
    if is_able {
        return Unmet::default();
    }
    let rows = &problem.rows[island.row_range()];
    let contacts = &problem.contacts[island.contact_range()];
    let is_routed = || rows.iter().any(|row| row.route != Route::Any);
    Unmet {
        correction_bounds: u32::from(!abilities.cap && rows.iter().any(is_bounded)),
        linearized_laws: u32::from(!abilities.smooth_laws && contacts.iter().any(|c| c.smooth.is_some())),
        routes: u32::from(!abilities.routes && is_routed()),
    }
}

/// Islands whose rows asked for more than their solver can do, by what is mapped or left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unmet {
    /// A bound on the correcting velocity (`max_vel`, `contact_max_correcting_vel`) is not kept: errors are corrected in
    /// full.
    pub correction_bounds: u32,
    /// Laws of force over depth and speed are taken linearized at the present depth.
    pub linearized_laws: u32,
    /// Routes of materials are not followed: one solver has all rows.
    pub routes: u32,
}

impl Unmet {
    /// Adds what another island lacks.
    pub(super) fn add(&mut self, other: Self) {
        self.correction_bounds += other.correction_bounds;
        self.linearized_laws += other.linearized_laws;
        self.routes += other.routes;
    }
}

/// The user asks for an exact solution of the island: of all, or of those up to a number of rows.
fn must_be_exact(parameters: &WorldParameters, island: &Island) -> bool {
    parameters.solver == SolverKind::Direct || island.rows.end - island.rows.start <= parameters.direct_rows
}

/// The hybrid rule: an island is solved exactly where that usually costs no more than its sweeps. While its contacts are
/// those of the last step the old impulses tell which rows are free, and one factorisation does; where they come and go
/// the pivots take more, but a stack that sweeps have once set swaying does not come to rest under them.
fn is_exact_cheaper(parameters: &WorldParameters, problem: &Problem, island: &Island, direct: &mut Direct) -> bool {
    let cliques = island.cliques.end - island.cliques.start;
    let is_wanted = match parameters.hybrid {
        HybridRule::On => true,
        // A stack: sweeps that are stopped at a residual leave it swaying, and what sways they do not bring to rest.
        HybridRule::Unsolved => !island.contacts.is_empty() && cliques > 2,
        HybridRule::Off => false,
    };
    let is_mixed = !island.contacts.is_empty() && has_joints(problem, island);
    is_wanted
        && cliques <= if is_mixed { MIXED_CLIQUES } else { HYBRID_CLIQUES }
        && direct.is_cheaper_than_sweeps(problem, island, parameters.iterations)
}

/// Bodies of an island that is looked at for an exact solve: the search for an elimination order, anew when pairs come or
/// go, has its own cost and takes memory.
pub(super) const HYBRID_CLIQUES: u32 = 128;

/// The same for islands of joints and contacts: where ragdolls fall on each other the pivots take many rounds.
pub(super) const MIXED_CLIQUES: u32 = 24;

/// Factorisations of an island that sweeps have left unsolved.
pub(super) const RESCUE_BUDGET: u32 = 12;

/// Factorisations of an island that is solved directly only because that is cheap.
const HYBRID_BUDGET: u32 = 30;
