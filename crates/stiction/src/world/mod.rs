//! The world: bodies, shapes, joints and contacts, and their state.

/// A world as the pipeline reads it, beside what a step changes.
macro_rules! model {
    ($world:expr) => {
        crate::pipeline::Model {
            parameters: &$world.parameters,
            bodies: &$world.bodies,
            geoms: &$world.geoms,
            joints: &$world.joints,
            mimics: &$world.mimics,
            wires: &$world.wires,
            contact_table: &$world.contact_table,
            topology: $world.topology,
            revision: $world.revision,
            laws: $world.laws,
        }
    };
}

mod articulation;
mod body;
mod contact;
mod copy;
mod energy;
mod field;
mod freedom;
mod geom;
mod joint;
mod joint_check;
mod joint_group;
#[cfg(test)]
mod lane_tests;
mod memory;
mod mimic;
mod pair;
#[cfg(test)]
mod point_law_tests;
#[cfg(test)]
mod point_tests;
mod query;
mod snapshot;
#[cfg(test)]
mod thread_tests;
mod waking;
mod wire;

pub use articulation::ArticulatedModel;
pub use body::{BodyDefinition, BodyError, BodyMut, BodyRef};
pub use geom::{GeomDefinition, GeomError};
pub use joint::{DrivenMotion, JointMotion, JointRef};
pub use joint_group::{JointGroup, impulse_to_force};
pub use memory::MemoryUse;
pub use mimic::MimicError;
pub use pair::PairContact;
pub use query::{Accept, NearGeom, QueryFilter, WorldRayHit, WorldShapeHit};
pub use snapshot::Snapshot;
pub use wire::WireRef;

pub use crate::integrators::IntegratorParameters;
pub use crate::model::{
    AllowanceMass, AutoDisable, Body, BodyId, BodyKind, BodyState, BoundsRule, CompliantParameters, Contact,
    ContactDefinition, ContactForce, ContactId, ContactReport, Coordinates, Correction, Damping, DiscreteFriction,
    Energy, FreeMotionRule, Geom, GeomId, HybridRule, JointFeedback, JointId, JointState, Mimic, NodePlace,
    ParameterError, PointRule, Preset, SolverKind, State, SweptRule, TimeAdvancement, TreeMotion, Winch, WinchControl,
    Wire, WireDefinition, WireElasticity, WireError, WireId, WireMaterial, WireNode, WirePoint, WireState,
    WorldParameters,
};
pub use crate::pipeline::{ForceField, Motion};

use std::sync::OnceLock;

use crate::base::Arena;
use crate::broadphase::BroadPhase;
use crate::joints::Joint;
use crate::material::ContactTable;
use crate::model::Bodies;
use crate::pipeline::{FlowingWorld, StageTimes, StepContext, StepReport, Workspace, may_sleep};

/// Everything that is simulated together. Several worlds run side by side without knowing of each other.
pub struct World {
    /// Parameters of the whole world; may be changed between steps. Other gravity or wind wakes all bodies that sleep,
    /// other parameters none.
    pub parameters: WorldParameters,
    pub(crate) bodies: Bodies,
    pub(crate) geoms: Arena<Geom>,
    pub(crate) joints: Arena<Joint>,
    pub(crate) contacts: Arena<Contact>,
    pub(crate) mimics: Vec<Mimic>,
    pub(crate) wires: Arena<Wire>,
    pub(crate) contact_table: ContactTable,
    pub(crate) state: State,
    pub(crate) broadphase: Box<dyn BroadPhase>,
    pub(crate) work: Workspace,
    pub(crate) report: StepReport,
    /// Counts bodies and joints that came, went or changed what trees are made of.
    pub(crate) topology: u64,
    /// Counts changes of shapes and surfaces.
    pub(crate) revision: u64,
    /// Counts accesses to parameters of joints.
    pub(crate) laws: u64,
    pub(crate) stage_times: StageTimes,
    /// Edits since the last step that wake what sleeps.
    pub(crate) edits: waking::PendingEdits,
    /// Contact points of the last step, listed when somebody has asked for them.
    pub(crate) late_reports: OnceLock<Vec<ContactReport>>,
}

impl Default for World {
    fn default() -> Self {
        Self::new(WorldParameters::default())
    }
}

impl World {
    /// An empty world.
    #[must_use]
    pub fn new(parameters: WorldParameters) -> Self {
        Self {
            broadphase: parameters.broadphase.build(),
            parameters,
            bodies: Arena::default(),
            geoms: Arena::default(),
            joints: Arena::default(),
            contacts: Arena::default(),
            mimics: Vec::new(),
            wires: Arena::default(),
            contact_table: ContactTable::default(),
            state: State::default(),
            work: Workspace::default(),
            report: StepReport::default(),
            topology: 0,
            revision: 0,
            laws: 0,
            stage_times: StageTimes::default(),
            edits: waking::PendingEdits::default(),
            late_reports: OnceLock::new(),
        }
    }

    /// Simulated time \[s\].
    #[must_use]
    pub fn time(&self) -> f64 {
        self.state.time
    }

    /// Contacts by pair of materials ([`Surface::material`](crate::material::Surface)); a pair that is not listed combines
    /// its surfaces.
    #[must_use]
    pub fn contact_table(&self) -> &ContactTable {
        &self.contact_table
    }

    /// The contact table, to change. Changes take effect in the next step and wake all sleeping bodies.
    pub fn contact_table_mut(&mut self) -> &mut ContactTable {
        self.edits.concern_all = true;
        self.revision += 1;
        &mut self.contact_table
    }

    /// Report of the last step.
    #[must_use]
    pub fn report(&self) -> &StepReport {
        &self.report
    }

    /// Advances by `step` \[s\]. Never panics and never fails: what went wrong is in the report. A step that is not positive
    /// and finite is refused, and so is one with a parameter out of its range ([`StepReport::refused_parameter`]): nothing
    /// moves then.
    pub fn step(&mut self, step: f64) -> &StepReport {
        self.step_with(step, None)
    }

    /// Measures the stages of all steps from now on by a clock that counts nanoseconds; without one no longer. No result depends on it.
    ///
    /// ```
    /// use std::sync::LazyLock;
    /// use std::time::Instant;
    /// use stiction::world::World;
    ///
    /// static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
    /// let mut world = World::default();
    /// world.time_stages(Some(|| BEGIN.elapsed().as_nanos() as u64));
    /// world.step(0.001);
    /// assert_eq!(world.stage_times().steps(), 1);
    /// ```
    pub fn time_stages(&mut self, clock: Option<fn() -> u64>) {
        self.stage_times = StageTimes::with(clock);
    }

    /// Times of the stages of a step ([`World::time_stages`]).
    #[must_use]
    pub fn stage_times(&self) -> &StageTimes {
        &self.stage_times
    }

    fn step_with(&mut self, step: f64, field: Option<&dyn ForceField>) -> &StepReport {
        self.prepare_step(step);
        crate::pipeline::step(self.context(field), step);
        &self.report
    }

    /// The part of a step before the motion of trees that nothing touches; false where the step is done.
    pub(crate) fn begin_step(&mut self, step: f64) -> bool {
        self.prepare_step(step);
        crate::pipeline::begin_step(self.context(None), step)
    }

    /// The part of a step after it.
    pub(crate) fn finish_step(&mut self, step: f64) {
        crate::pipeline::finish_step(self.context(None), step);
    }

    /// What moves its trees that nothing touches, if it is in a step.
    pub(crate) fn flowing(&mut self, is_in_step: bool) -> FlowingWorld<'_> {
        let Workspace { flows, known_joints: known, feedback, .. } = &mut self.work;
        let (state, report) = (&mut self.state, &mut self.report);
        FlowingWorld { model: model!(self), state, flows, known, feedback, report, is_in_step }
    }

    fn prepare_step(&mut self, step: f64) {
        self.wake_edited();
        // Wires and what sleeps ask for the contacts of the last step.
        let has_wires = self.wires.iter().next().is_some();
        if self.work.reports_are_late && (has_wires || may_sleep(&model!(self), step, &self.state)) {
            self.complete_reports();
        }
        self.late_reports.take();
        self.prepare_wires(step);
    }

    fn context<'a>(&'a mut self, field: Option<&'a dyn ForceField>) -> StepContext<'a> {
        StepContext {
            model: model!(self),
            field,
            user_contacts: &mut self.contacts,
            state: &mut self.state,
            broadphase: self.broadphase.as_mut(),
            work: &mut self.work,
            report: &mut self.report,
            times: &mut self.stage_times,
        }
    }
}
