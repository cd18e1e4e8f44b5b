//! Islands of contacts between bodies that trees and wires have no part in: the impulses of contacts are found by sweeps over contact
//! points, without rows in memory; where there are joints, after theirs ([`joined`]).
//!
//! Which islands those are is known before any row is made ([`admit`]). Islands go into batches, small ones together; a batch is solved
//! by a function that sees no other. What the sweeps leave unsolved gets rows like all others, and so does what somebody reads rows of:
//! the audit, or the residuals.

mod admit;
mod batch;
mod fill;
mod joined;
mod law;
mod outcome;
mod rebound;
mod shares;
mod solver;

pub(super) use admit::take;
pub(crate) use batch::PointBatch;
pub(crate) use joined::JoinedMemory;
pub(super) use joined::solve as solve_joined;
pub(super) use outcome::{finish, remember, tell};
pub(super) use solver::PointSolver;

use law::PointLaw;

use super::islands::Islands;
use super::problems::SolutionMethod;

/// Rows of a batch of several islands at most: it stays near the processor, and of boxes on four points it fills eight lanes.
const BATCH_ROWS: u32 = 768;

/// Laws of the contacts of a step, where points have them.
pub(super) type PointLaws<'a> = &'a [Option<PointLaw>];

/// What becomes of an island.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Way {
    /// Rows.
    #[default]
    Rows,
    /// Sweeps over points, in a batch.
    Points { batch: u32 },
    /// The same, but these have left it unsolved.
    Unsolved,
    /// Sweeps over rows of joints and over points, unless it is to be solved exactly.
    Joined { may_be_exact: bool },
}

/// The islands that are solved by points.
#[derive(Default)]
pub(crate) struct PointIslands {
    /// By island.
    ways: Vec<Way>,
    batches: Vec<PointBatch>,
    used: usize,
    /// The laws of the contacts of the step, where points have them.
    laws: Vec<Option<PointLaw>>,
    /// Slots of the bodies of each two that touch in an island.
    pairs: Vec<[u32; 2]>,
}

impl PointIslands {
    /// How a problem solves an island; `None` of one that is solved by points.
    pub(super) fn method(&self, island: usize) -> Option<SolutionMethod> {
        match self.ways.get(island) {
            Some(Way::Points { .. } | Way::Unsolved) => None,
            Some(Way::Joined { may_be_exact }) => Some(SolutionMethod::Joined { may_be_exact: *may_be_exact }),
            Some(Way::Rows) | None => Some(SolutionMethod::Rows),
        }
    }

    /// The laws of the contacts of the step.
    pub(super) fn laws(&self) -> PointLaws<'_> {
        &self.laws
    }

    /// The batch of an island that has been solved.
    pub(super) fn batch_of(&self, island: usize) -> Option<u32> {
        match self.ways.get(island) {
            Some(Way::Points { batch }) => Some(*batch),
            _ => None,
        }
    }

    /// The sweeps have left it unsolved.
    pub(super) fn is_unsolved(&self, island: usize) -> bool {
        self.ways.get(island) == Some(&Way::Unsolved)
    }

    pub(super) fn batches(&self) -> &[PointBatch] {
        &self.batches[..self.used]
    }

    /// The batches, and the laws of their contacts.
    pub(super) fn batches_mut(&mut self) -> (&mut [PointBatch], PointLaws<'_>) {
        (&mut self.batches[..self.used], &self.laws)
    }

    fn clear(&mut self, islands: &Islands) {
        self.used = 0;
        self.laws.clear();
        self.ways.clear();
        self.ways.resize(islands.ends.len(), Way::Rows);
    }

    /// Adds an island to the last batch, or begins one.
    fn push(&mut self, island: usize, rows: u32, is_split: bool, is_checked: bool) {
        let last = self.used.checked_sub(1).map(|last| &self.batches[last]);
        if last.is_none_or(|last| last.is_split != is_split || last.rows + rows > BATCH_ROWS) {
            if self.used == self.batches.len() {
                self.batches.push(PointBatch::default());
            }
            self.batches[self.used].begin(is_split);
            self.used += 1;
        }
        let batch = self.used - 1;
        self.batches[batch].push(island as u32, rows, is_checked);
        self.ways[island] = Way::Points { batch: batch as u32 };
    }

    /// Marks the islands that the sweeps have left unsolved.
    pub(super) fn note_unsolved(&mut self) {
        for batch in &self.batches[..self.used] {
            for island in &batch.unsolved {
                self.ways[*island as usize] = Way::Unsolved;
            }
        }
    }
}
