//! The world taken apart for a step: what stages only read, and what they write.

use super::{StepReport, Workspace};
use crate::base::Arena;
use crate::broadphase::BroadPhase;
use crate::joints::Joint;
use crate::material::ContactTable;
use crate::world::{Bodies, Contact, Geom, Mimic, State, World, WorldParameters};

/// Bodies, shapes, joints and parameters: constant in a step, edited between steps.
#[derive(Clone, Copy)]
pub(super) struct Model<'a> {
    pub(super) parameters: &'a WorldParameters,
    pub(super) bodies: &'a Bodies,
    pub(super) geoms: &'a Arena<Geom>,
    pub(super) joints: &'a Arena<Joint>,
    pub(super) mimics: &'a [Mimic],
    pub(super) contact_table: &'a ContactTable,
    /// Number of changes of what trees are made of.
    pub(super) topology: u64,
}

/// A world in a step.
pub(super) struct WorldParts<'a> {
    pub(super) model: Model<'a>,
    /// The contacts that the user made; they are told their forces.
    pub(super) user_contacts: &'a mut Arena<Contact>,
    pub(super) state: &'a mut State,
    pub(super) broadphase: &'a mut dyn BroadPhase,
    pub(super) work: &'a mut Workspace,
    pub(super) report: &'a mut StepReport,
}

impl<'a> From<&'a mut World> for WorldParts<'a> {
    fn from(world: &'a mut World) -> Self {
        let World { parameters, bodies, geoms, joints, mimics, contact_table, topology, .. } = world;
        let model = Model { parameters, bodies, geoms, joints, mimics, contact_table, topology: *topology };
        Self {
            model,
            user_contacts: &mut world.contacts,
            state: &mut world.state,
            broadphase: world.broadphase.as_mut(),
            work: &mut world.work,
            report: &mut world.report,
        }
    }
}
