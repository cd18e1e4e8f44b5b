//! The parts of a world that a step reads and writes.

use super::field::ForceField;
use super::{StageTimes, StepReport, Workspace};
use crate::base::Arena;
use crate::broadphase::BroadPhase;
use crate::joints::Joint;
use crate::material::ContactTable;
use crate::model::{Bodies, Contact, Geom, Mimic, State, Wire, WorldParameters};

/// Bodies, shapes, joints and parameters: constant in a step, edited between steps.
#[derive(Clone, Copy)]
pub(crate) struct Model<'a> {
    pub(crate) parameters: &'a WorldParameters,
    pub(crate) bodies: &'a Bodies,
    pub(crate) geoms: &'a Arena<Geom>,
    pub(crate) joints: &'a Arena<Joint>,
    pub(crate) mimics: &'a [Mimic],
    pub(crate) wires: &'a Arena<Wire>,
    pub(crate) contact_table: &'a ContactTable,
    /// Counts changes of what trees are made of.
    pub(crate) topology: u64,
    /// Counts changes of shapes and surfaces.
    pub(crate) revision: u64,
    /// Counts changes of the parameters of joints.
    pub(crate) laws: u64,
}

/// The parts of a world: what a step reads, what it writes, and its memory.
pub(crate) struct StepContext<'a> {
    pub(crate) model: Model<'a>,
    /// Forces that continuous time evaluates at every state that it comes to.
    pub(crate) field: Option<&'a dyn ForceField>,
    /// User-defined contacts; their forces are written.
    pub(crate) user_contacts: &'a mut Arena<Contact>,
    pub(crate) state: &'a mut State,
    pub(crate) broadphase: &'a mut dyn BroadPhase,
    pub(crate) work: &'a mut Workspace,
    pub(crate) report: &'a mut StepReport,
    pub(crate) times: &'a mut StageTimes,
}

impl StepContext<'_> {
    /// The same for a stage of the step.
    pub(crate) fn reborrow(&mut self) -> StepContext<'_> {
        StepContext {
            model: self.model,
            field: self.field,
            user_contacts: self.user_contacts,
            state: self.state,
            broadphase: self.broadphase,
            work: self.work,
            report: self.report,
            times: self.times,
        }
    }
}
