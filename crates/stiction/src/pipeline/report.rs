//! The report of a step.

use glam::DVec3;

use super::stage::StepCounts;
use super::{Outrun, PassedThrough, Unmet, Workspace, points};
use crate::base::Arena;
use crate::constraint::{RowKind, RowSource};
use crate::integrators::Statistics;
use crate::joints::Joint;
use crate::model::{BodyId, JointId, ParameterError, WorldParameters};
use crate::solvers::SolveStatistics;

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

/// Balance of the mechanical energy of a step \[J\]: `change` is the sum of what came in less what was lost, and what
/// the step made.
///
/// Works of impulses are `λ (u⁰ + u⁺) / 2`. In continuous time `contact_loss` holds all that is not the work of forces:
/// an integrator's error is bounded by its accuracy.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EnergyBalance {
    /// Kinetic energy after the step.
    pub kinetic: f64,
    /// Gravitational energy after the step, zero at the world's origin.
    pub gravitational: f64,
    /// Energy of the springs of joints after the step.
    pub springs: f64,
    /// Change of their sum in the step.
    pub change: f64,
    /// Work of users' forces and efforts, of prescribed bodies and of moving surfaces.
    pub forces: f64,
    /// Work of motors.
    pub motors: f64,
    /// Taken up by the springs that soft joints, stops and contacts are (CFM above 0), and by rotors; negative where they gave it back.
    pub stored: f64,
    /// Released by shapes that were placed into each other, while contacts push them apart: of the file, not made.
    pub placed: f64,
    /// Lost in joints: damping, dry friction, stops, the dampers of soft rows.
    pub joint_loss: f64,
    /// Lost in contacts. Compliant contacts give back what they stored: it is negative then.
    pub contact_loss: f64,
    /// Lost by damping of bodies.
    pub damping_loss: f64,
    /// Made by the correction of the drift of joints and of overrun stops.
    pub made_drift: f64,
    /// Made by contacts that push overlapping shapes apart.
    pub made_push_out: f64,
    /// Made by rows that the solver left unsolved.
    pub made_solver: f64,
    /// Error of the time step; the part of it that bodies have from falling, `h p·g / 2`, comes and goes, and so does that of
    /// springs, [`StepReport::spring_swing`].
    pub made_integration: f64,
    /// What joints had made and was taken off the motion again.
    pub taken_back: f64,
}

impl EnergyBalance {
    /// All that the step made, less what it took back \[J\]; negative where it lost.
    #[must_use]
    pub fn made(&self) -> f64 {
        self.made_drift + self.made_push_out + self.made_solver + self.made_integration - self.taken_back
    }

    /// Sum \[J\].
    #[must_use]
    pub fn total(&self) -> f64 {
        self.kinetic + self.gravitational + self.springs
    }
}

/// What happened in a step.
#[derive(Clone, Debug, PartialEq)]
pub struct StepReport {
    /// Number of the step, from 0.
    pub number: u64,
    /// The step was refused: its size is not positive and finite, or a parameter of the world is out of its range.
    pub refused: bool,
    /// The parameter that is out of its range, what was found and what is expected.
    pub refused_parameter: Option<ParameterError>,
    /// Bodies whose state or forces were not finite; they were put back, stopped and put to sleep.
    pub quarantined: Vec<BodyId>,
    /// Bodies whose pose changed, in the order of slots: those of which geometry kept elsewhere must follow.
    pub moved: Vec<BodyId>,
    /// Shapes that have gone through others, or stay inside them.
    pub passed_through: Vec<PassedThrough>,
    /// The shape that moved farthest beside its own size, where that is more than its longest side.
    pub outrun: Option<Outrun>,
    /// Bodies that were stopped on their way in this step where they first touch something ([`SweptRule`](crate::model::SweptRule)).
    pub stopped_at_impact: u32,
    /// Ways that they have not gone though their velocities say so, in all \[m\].
    pub way_not_gone: f64,
    /// Contact points that acted.
    pub contacts: usize,
    /// What the stages of the step had to do.
    pub counts: StepCounts,
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
    /// Islands that sweeps left unsolved, and that were solved exactly.
    pub rescued: u32,
    /// What islands needed and their solvers cannot do.
    pub unmet: Unmet,
    /// Islands that the compliant solver solved in parts, since the whole step did not converge.
    pub substepped: u32,
    /// Most parts of an island.
    pub substeps: u32,
    /// Trees whose motion was divided, since a whole step would have made energy: they turn fast, or are pulled hard.
    pub divided_trees: u32,
    /// Most parts of a tree's step.
    pub tree_parts: u32,
    /// Parts of steps of trees that nothing touches in which motors, stops, friction and drives did not settle together: some forces are not those of their laws.
    pub unsettled_laws: u32,
    /// The joint of a motor or drive without a force limit that gave way in trees that nothing touches: with others that hold rates, and with stops, it leaves
    /// its loop no motion, or its loop is at a dead point.
    pub overruled: Option<JointId>,
    /// Rows that contradict each other.
    pub inconsistent_rows: u32,
    /// Balance of the energy; zero where it is not kept ([`WorldParameters::audit`](crate::model::WorldParameters)).
    pub energy: EnergyBalance,
    /// The row that made most energy in this step, and how much \[J\].
    pub made_most: Option<(RowSource, RowKind, f64)>,
    /// What continuous time cost in this step. Where it came to the bound on trials, the world stands at the time reached.
    pub integration: Statistics,
    /// The body whose motion asked for the smallest steps, where that bound was come to.
    pub stiffest: Option<BodyId>,
    /// Continuous time: joints that close loops came to a singular position in this step, where a mechanism may change its
    /// branch.
    pub singular_loop: bool,
    /// In the first step, a joint that closes a loop and holds its links only where they hardly move without it, and by what share of what they would as
    /// free bodies. If it is to share an axis with another joint, as the second hinge of a door, the two are out of line and lock the mechanism.
    pub hardly_moving: Option<(JointId, f64)>,
    /// Deepest penetration at the start of the step \[m\].
    pub penetration: f64,
    /// Momentum of the bodies that moved in sub-steps, after the step \[kg m/s\]: what gravity does within the step is in the balance of
    /// their contacts.
    pub momentum_in_substeps: DVec3,
    /// Momentum of the trees that took the step in parts, after it \[kg m/s\]: their velocities are those of its end, not of the middle.
    pub momentum_in_parts: DVec3,
    /// What springs of joints have less at the positions that belong to their velocities, the middle of the step, `x − h v / 2`,
    /// than at those after it \[J\]: where they keep their energy it is the sum of these that they keep.
    pub spring_swing: f64,
    /// Joints from whose springs the step took more than their dampers did, and how much \[J\]: of what swings by more than half a
    /// radian in a step. It is in [`EnergyBalance::joint_loss`]; where springs are implicit it is not reported.
    pub spring_losses: Vec<(JointId, f64)>,
    /// Largest gap of a joint at the start of the step \[m\]; of trees that move in sub-steps or that nothing touches under `stiction` at its end, where the balance of
    /// energy is kept.
    pub joint_error: f64,
    /// The joint with that gap, and the gap \[m\].
    pub widest_joint: Option<(JointId, f64)>,
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
            refused_parameter: None,
            quarantined: Vec::new(),
            moved: Vec::new(),
            passed_through: Vec::new(),
            outrun: None,
            stopped_at_impact: 0,
            way_not_gone: 0.0,
            contacts: 0,
            counts: StepCounts::default(),
            rows: 0,
            islands: 0,
            sweeps: 0,
            factorizations: 0,
            gave_up: 0,
            rescued: 0,
            unmet: Unmet::default(),
            substepped: 0,
            substeps: 0,
            divided_trees: 0,
            tree_parts: 0,
            unsettled_laws: 0,
            overruled: None,
            inconsistent_rows: 0,
            energy: EnergyBalance::default(),
            made_most: None,
            integration: Statistics::default(),
            stiffest: None,
            singular_loop: false,
            hardly_moving: None,
            penetration: 0.0,
            momentum_in_substeps: DVec3::ZERO,
            momentum_in_parts: DVec3::ZERO,
            spring_swing: 0.0,
            spring_losses: Vec::new(),
            joint_error: 0.0,
            widest_joint: None,
            residuals: Vec::new(),
            worst: None,
        }
    }
}

/// What the solvers did in a problem.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SolveCounts {
    pub(super) sweeps: u32,
    pub(super) factorizations: u32,
    pub(super) inconsistent_rows: u32,
    pub(super) gave_up: u32,
    pub(super) rescued: u32,
    pub(super) unmet: Unmet,
    pub(super) substepped: u32,
    pub(super) substeps: u32,
}

impl SolveCounts {
    /// Adds what one solve did.
    pub(super) fn add(&mut self, statistics: SolveStatistics) {
        self.sweeps = self.sweeps.max(statistics.sweeps);
        self.factorizations += statistics.factorizations;
        self.inconsistent_rows += statistics.inconsistent_rows;
        self.gave_up += u32::from(statistics.gave_up);
        self.substepped += u32::from(statistics.substeps > 1);
        self.substeps = self.substeps.max(statistics.substeps);
    }
}

/// Share of what free bodies would move by below which links hardly move.
const HARDLY_MOVES: f64 = 5e-3;
/// The same of what takes the last motion of a loop: axes of hinges that are off by up to a few hundredths of a radian.
const ALL_BUT_LOCKED: f64 = 2e-2;

impl StepReport {
    /// Adds what the solvers did in a problem.
    pub(super) fn count(&mut self, own: &SolveCounts) {
        self.sweeps = self.sweeps.max(own.sweeps);
        self.factorizations += own.factorizations;
        self.inconsistent_rows += own.inconsistent_rows;
        self.gave_up += own.gave_up;
        self.rescued += own.rescued;
        self.unmet.add(own.unmet);
        self.substepped += own.substepped;
        self.substeps = self.substeps.max(own.substeps);
    }

    pub(super) fn begin(&mut self, number: u64) {
        let (mut quarantined, mut residuals) =
            (std::mem::take(&mut self.quarantined), std::mem::take(&mut self.residuals));
        let mut moved = std::mem::take(&mut self.moved);
        let mut passed_through = std::mem::take(&mut self.passed_through);
        let mut spring_losses = std::mem::take(&mut self.spring_losses);
        spring_losses.clear();
        passed_through.clear();
        quarantined.clear();
        residuals.clear();
        moved.clear();
        *self = Self { number, quarantined, residuals, moved, passed_through, spring_losses, ..Self::default() };
    }

    /// What the damper of an axis took, and the step from its spring \[J\].
    pub(super) fn note_spring(&mut self, joint: Option<JointId>, [own, by_step]: [f64; 2]) {
        if by_step.abs() > own.abs() {
            self.spring_losses.extend(joint.map(|joint| (joint, by_step)));
        }
    }

    pub(super) fn accepts(&mut self, step: f64, parameters: &WorldParameters) -> bool {
        self.refused_parameter = parameters.validate().err();
        self.refused = !(step.is_finite() && step > 0.0) || self.refused_parameter.is_some();
        !self.refused
    }

    /// Continuous time has no wires: nothing moves.
    pub(super) fn refuse_wires(&mut self, count: usize) {
        let expected = "none in continuous time";
        self.refused_parameter = Some(ParameterError { name: "number of wires", found: count as f64, expected });
        self.refused = true;
    }

    pub(super) fn finish(&mut self, joints: &Arena<Joint>, work: &Workspace, is_first: bool) {
        points::finish(work, self);
        for own in work.problems.iter().filter(|own| !own.is_reported()).map(|own| &own.problem) {
            self.rows += own.rows.len();
            self.islands += own.islands.len();
            self.contacts += own.contacts.len();
            self.penetration = own.contacts.iter().fold(self.penetration, |deepest, c| c.depth.max(deepest));
        }
        for emitted in work.problems.joints() {
            self.note_gap(joints, emitted.slot, emitted.gap);
        }
        if is_first {
            let moving = work.problems.joints().filter(|emitted| emitted.largest_share > 0.0);
            let least = moving.min_by(|a, b| a.largest_share.total_cmp(&b.largest_share));
            let found = least.filter(|emitted| emitted.largest_share < HARDLY_MOVES);
            if let Some(own) = found {
                self.note_hardly_moving(joints, own.slot, own.largest_share);
            }
        }
    }

    /// What the joint that closes a loop leaves it.
    pub(super) fn note_share_left(&mut self, joints: &Arena<Joint>, slot: u32, share: f64) {
        if share > 0.0 && share < ALL_BUT_LOCKED {
            self.note_hardly_moving(joints, slot, share);
        }
    }

    /// What carries a joint leaves it this share of its motion: the least is kept.
    pub(super) fn note_hardly_moving(&mut self, joints: &Arena<Joint>, slot: u32, share: f64) {
        if self.hardly_moving.is_none_or(|(_, least)| share < least) {
            self.hardly_moving = joints.handle_at(slot as usize).map(|id| (id, share));
        }
    }

    /// A joint has come apart.
    pub(super) fn note_gap(&mut self, joints: &Arena<Joint>, slot: u32, gap: f64) {
        if gap > self.joint_error {
            self.joint_error = gap;
            self.widest_joint = joints.handle_at(slot as usize).map(|id| (id, gap));
        }
    }

    /// Largest residual of all rows as they were solved \[m/s or rad/s\].
    #[must_use]
    pub fn residual(&self) -> f64 {
        self.residuals.iter().fold(0.0, |largest, r| r.solved.max(largest))
    }
}
