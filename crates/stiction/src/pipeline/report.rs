//! What a step tells of itself.

use super::Workspace;
use crate::constraint::{RowKind, RowSource};
use crate::integrators::Statistics;
use crate::math::Pose;
use crate::world::{Bodies, Body, BodyId, State};

/// Largest residual of one kind of rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Residual {
    /// Kind of rows.
    pub kind: RowKind,
    /// Largest natural residual of the rows as they were solved, with their compliance \[m/s or rad/s\].
    pub solved: f64,
    /// The same without compliance: how far softness leads away from the hard problem \[m/s or rad/s\].
    pub hard: f64,
}

/// The row with the largest residual.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorstRow {
    /// Who made it.
    pub source: RowSource,
    /// What it stands for.
    pub kind: RowKind,
    /// Its residual \[m/s or rad/s\].
    pub residual: f64,
}

/// What happened in a step.
#[derive(Clone, Debug, PartialEq)]
pub struct StepReport {
    /// Number of the step, from 0.
    pub number: u64,
    /// The step was refused: its size is not positive and finite.
    pub refused: bool,
    /// Bodies whose state or forces were not finite; they were put back, stopped and put to sleep.
    pub quarantined: Vec<BodyId>,
    /// Bodies whose pose changed, in the order of slots: those of which geometry kept elsewhere must follow.
    pub moved: Vec<BodyId>,
    /// Contact points that acted.
    pub contacts: usize,
    /// Constraint rows.
    pub rows: usize,
    /// Islands with rows.
    pub islands: usize,
    /// Most sweeps of an island.
    pub sweeps: u32,
    /// Matrix factorisations of all islands.
    pub factorizations: u32,
    /// Islands of which a direct solve gave up, and that sweeps finished.
    pub gave_up: u32,
    /// Islands that the compliant solver solved in parts, since the whole step did not converge.
    pub substepped: u32,
    /// Most parts of an island.
    pub substeps: u32,
    /// Trees whose motion by inertia was divided, since a whole step would have made energy.
    pub divided_trees: u32,
    /// Most parts of a tree's step.
    pub tree_parts: u32,
    /// Rows that contradict each other.
    pub inconsistent_rows: u32,
    /// What continuous time cost in this step.
    pub integration: Statistics,
    /// Deepest penetration at the start of the step \[m\].
    pub penetration: f64,
    /// Largest gap of a joint at the start of the step \[m\].
    pub joint_error: f64,
    /// Largest residual of each kind of rows, in the order of [`RowKind::ALL`]; empty if not measured in this step.
    pub residuals: Vec<Residual>,
    /// The row with the largest residual.
    pub worst: Option<WorstRow>,
}

impl Default for StepReport {
    fn default() -> Self {
        Self {
            number: 0,
            refused: false,
            quarantined: Vec::new(),
            moved: Vec::new(),
            contacts: 0,
            rows: 0,
            islands: 0,
            sweeps: 0,
            factorizations: 0,
            gave_up: 0,
            substepped: 0,
            substeps: 0,
            divided_trees: 0,
            tree_parts: 0,
            inconsistent_rows: 0,
            integration: Statistics::default(),
            penetration: 0.0,
            joint_error: 0.0,
            residuals: Vec::new(),
            worst: None,
        }
    }
}

impl StepReport {
    pub(super) fn begin(&mut self, number: u64) {
        let (mut quarantined, mut residuals) =
            (std::mem::take(&mut self.quarantined), std::mem::take(&mut self.residuals));
        let mut moved = std::mem::take(&mut self.moved);
        quarantined.clear();
        residuals.clear();
        moved.clear();
        *self = Self { number, quarantined, residuals, moved, ..Self::default() };
    }

    pub(super) fn accepts(&mut self, step: f64) -> bool {
        self.refused = !(step.is_finite() && step > 0.0);
        !self.refused
    }

    /// Lists the bodies that are not where they were before the step.
    pub(super) fn list_moved(&mut self, bodies: &Bodies, state: &State, before: &[Pose]) {
        let has_moved =
            |(id, body): &(BodyId, &Body)| state.bodies[id.slot()].motion.frame(body.mass.center) != before[id.slot()];
        self.moved.extend(bodies.iter().filter(has_moved).map(|(id, _)| id));
    }

    pub(super) fn finish(&mut self, work: &Workspace) {
        self.rows = work.problem.rows.len();
        self.islands = work.problem.islands.len();
        self.contacts = work.problem.contacts.len();
        self.penetration = work.problem.contacts.iter().fold(0.0, |deepest, c| c.depth.max(deepest));
        self.joint_error = work.emitted_joints.iter().fold(0.0, |largest, j| j.gap.max(largest));
    }

    /// Largest residual of all rows as they were solved \[m/s or rad/s\].
    #[must_use]
    pub fn residual(&self) -> f64 {
        self.residuals.iter().fold(0.0, |largest, r| r.solved.max(largest))
    }
}
