//! The problems of a step: each has its own rows, blocks, coordinates and contacts, counted from zero, and is assembled and
//! solved by functions that see no other. A large island is a problem of its own, small ones share one.

use std::ops::{Deref, DerefMut, Range};

use super::islands::{Islands, LISTS};
use super::joint_rows::EmittedJoint;
use super::least_norm::SharedLoads;
use super::parts::Parts;
use super::plan::Needs;
use super::points::{JoinedMemory, PointBatch, PointIslands};
use super::report::SolveCounts;
use super::residual::Residuals;
use super::turning::Turning;
use super::wires::{EmittedWire, WireRole};
use crate::constraint::Problem;
use crate::joints::JointRow;

/// Rows up to which islands share a problem: it stays near the processor, and the sweeps of several run side by side.
pub(super) const SHARED_ROWS: u32 = 600;
/// Rows of a contact, about, and of a joint.
const CONTACT_ROWS: u32 = 3;
const JOINT_ROWS: u32 = 6;
/// Rows of a wire, about.
const WIRE_ROWS: u32 = 100;

/// How islands are solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum SolutionMethod {
    /// By the passes of a plan over rows.
    #[default]
    Rows,
    /// Exactly: sweeps over points have left them unsolved.
    Exact,
    /// By sweeps over the rows of joints and over points; what may be solved exactly is alone.
    Joined { may_be_exact: bool },
    /// They have been, by a batch of points: rows are for those who read them.
    Reported { batch: u32 },
}

/// Islands that are assembled and solved together, and what came out.
#[derive(Default)]
pub(crate) struct IslandProblem {
    /// Its islands.
    pub(super) islands: Range<usize>,
    /// Its contacts in [`Islands::contacts`].
    pub(super) contacts: Range<usize>,
    /// Number of its first clique in the step.
    pub(super) first_clique: u32,
    /// Its coordinates in those of the step.
    pub(super) span: Range<usize>,
    /// How its islands are solved.
    pub(super) method: SolutionMethod,
    /// Its contacts have been swept by points and have no rows: their impulses are in the batch.
    pub(super) is_swept: bool,
    /// The batch of its own, where joints and points are swept together, and the memory of its sweeps.
    pub(super) batch: PointBatch,
    pub(super) joined: JoinedMemory,
    /// Its joints, in the order of rows.
    pub(super) joints: Vec<EmittedJoint>,
    /// Their rows as the joints gave them.
    pub(super) joint_rows: Vec<JointRow>,
    /// Its wires.
    pub(super) wires: Vec<EmittedWire>,
    /// What the rows of wires are.
    pub(super) wire_roles: Vec<WireRole>,
    /// Rows, blocks and contacts, with indices of their own.
    pub(super) problem: Problem,
    /// What some of its rows need.
    pub(super) needs: Needs,
    /// Guess of the impulses.
    pub(super) guess: Vec<f64>,
    /// Impulses of the velocity pass.
    pub(super) lambda: Vec<f64>,
    /// Impulses of the impact stage; empty where nothing hit.
    pub(super) impact: Vec<f64>,
    /// Their work on the bodies \[J\].
    pub(super) impact_work: f64,
    /// `L v⁺` that stays with the bodies.
    pub(super) z: Vec<f64>,
    /// `L v` that moves positions.
    pub(super) z_position: Vec<f64>,
    /// Some island was solved in two passes.
    pub(super) is_split: bool,
    /// What the solvers did.
    pub(super) counts: SolveCounts,
    /// What they left.
    pub(super) residuals: Residuals,
    pub(super) parts: Parts,
    pub(super) turning: Turning,
    pub(super) loads: SharedLoads,
}

/// The problems of a step, in the order of islands; their memory is kept.
#[derive(Default)]
pub(crate) struct IslandProblems {
    all: Vec<IslandProblem>,
    count: usize,
}

impl IslandProblem {
    /// Contacts have rows.
    #[cfg(test)]
    pub(crate) fn has_contact_rows(&self) -> bool {
        !self.problem.contacts.is_empty()
    }

    /// Its rows are only for those who read them.
    pub(super) fn is_reported(&self) -> bool {
        matches!(self.method, SolutionMethod::Reported { .. })
    }

    /// Adds the impulses of the impact stage to those of the step, for all reports of forces; the warm start is of the
    /// step's alone.
    pub(super) fn add_impacts(&mut self) {
        for (total, impact) in self.lambda.iter_mut().zip(&self.impact) {
            *total += impact;
        }
    }

    /// The part of a row's impulse that the next step may start from.
    pub(super) fn lasting(&self, row: usize) -> f64 {
        self.lambda[row] - self.impact.get(row).copied().unwrap_or(0.0)
    }
}

impl Deref for IslandProblems {
    type Target = [IslandProblem];
    fn deref(&self) -> &[IslandProblem] {
        &self.all[..self.count]
    }
}

impl DerefMut for IslandProblems {
    fn deref_mut(&mut self) -> &mut [IslandProblem] {
        &mut self.all[..self.count]
    }
}

impl IslandProblems {
    /// No problem.
    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    /// Shares the islands that have rows among problems. Those of points have none as yet.
    pub(super) fn share(&mut self, islands: &Islands, points: &PointIslands) {
        self.count = 0;
        self.add(islands, |island| points.method(island));
    }

    /// Adds islands that points have not solved, and all others of points if they are read.
    pub(super) fn share_points(&mut self, islands: &Islands, points: &PointIslands, is_read: bool) {
        self.add(islands, |island| {
            if points.is_unsolved(island) {
                return Some(SolutionMethod::Exact);
            }
            points.batch_of(island).filter(|_| is_read).map(|batch| SolutionMethod::Reported { batch })
        });
    }

    /// Shares some islands among new problems: those of the same method side by side.
    fn add(&mut self, islands: &Islands, method_of: impl Fn(usize) -> Option<SolutionMethod>) {
        let (mut start, mut rows, mut last) = ([0u32; LISTS], SHARED_ROWS, None);
        for (number, end) in islands.ends.iter().enumerate() {
            let own =
                JOINT_ROWS * (end[1] - start[1]) + CONTACT_ROWS * (end[2] - start[2]) + WIRE_ROWS * (end[3] - start[3]);
            if own > 0 {
                let method = method_of(number);
                if let Some(own_method) = method {
                    let is_alone = own_method == SolutionMethod::Joined { may_be_exact: true };
                    if rows + own > SHARED_ROWS || method != last || is_alone {
                        self.open(number, start[2] as usize, own_method);
                        rows = 0;
                    }
                    rows += own;
                    let problem = &mut self.all[self.count - 1];
                    problem.islands.end = number + 1;
                    problem.contacts.end = end[2] as usize;
                }
                last = method;
            }
            start = *end;
        }
    }

    fn open(&mut self, island: usize, contact: usize, method: SolutionMethod) {
        if self.count == self.all.len() {
            self.all.push(IslandProblem::default());
        }
        let own = &mut self.all[self.count];
        self.count += 1;
        own.islands = island..island;
        own.contacts = contact..contact;
        (own.method, own.is_swept) = (method, false);
        own.joints.clear();
        own.joint_rows.clear();
        own.wires.clear();
    }

    /// All joints that take part, in the order of islands.
    pub(super) fn joints(&self) -> impl Iterator<Item = &EmittedJoint> {
        self.iter().flat_map(|own| &own.joints)
    }

    /// The same, each with the problem that has its rows.
    pub(super) fn joints_in_problems(&self) -> impl Iterator<Item = (&IslandProblem, &EmittedJoint)> {
        self.iter().flat_map(|own| own.joints.iter().map(move |emitted| (own, emitted)))
    }
}
