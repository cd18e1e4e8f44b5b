//! Contacts: those that the user makes, and those that a step reports.

use glam::DVec3;

use super::{BodyId, ContactId, GeomId, World};
use crate::material::ContactSurface;

/// A contact joint of the user's own collision code (the guide's 7.3.7). It lives until it is removed, and acts in each
/// step. In continuous time it is a stiff compliant contact whose depth follows the bodies from where it first acted.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactDefinition {
    /// First and second body; `None` is the static environment.
    pub bodies: [Option<BodyId>; 2],
    /// Point in the world \[m\].
    pub position: DVec3,
    /// Unit normal, into the first body.
    pub normal: DVec3,
    /// Penetration \[m\].
    pub depth: f64,
    /// Parameters.
    pub surface: ContactSurface,
}

/// A contact that the user made.
#[derive(Clone, Debug)]
pub struct Contact {
    pub(crate) definition: ContactDefinition,
    pub(crate) force: ContactForce,
    /// The point in the frames of its bodies when it first acted, for continuous time.
    pub(crate) anchors: Option<[DVec3; 2]>,
}

/// Force of a contact on its first body in the last step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactForce {
    /// Force on the first body, world axes \[N\].
    pub force: DVec3,
    /// Rolling and spinning torque on the first body, world axes \[N m\].
    pub torque: DVec3,
}

/// A contact point of the last step, or, between bodies that sleep, of the last one before they fell asleep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactReport {
    /// First and second shape; `None` for a contact that the user made.
    pub geoms: Option<[GeomId; 2]>,
    /// First and second body; `None` is the static environment.
    pub bodies: [Option<BodyId>; 2],
    /// Point in the world, at the start of the step \[m\].
    pub position: DVec3,
    /// Unit normal, into the first body.
    pub normal: DVec3,
    /// Penetration at the start of the step; negative is a gap \[m\].
    pub depth: f64,
    /// Force on the first body \[N\].
    pub force: DVec3,
}

impl World {
    /// Adds a contact. Returns `None` if a body does not exist, a number is not finite, or the normal has no length.
    pub fn add_contact(&mut self, definition: ContactDefinition) -> Option<ContactId> {
        let known = definition.bodies.iter().flatten().all(|b| self.bodies.get(*b).is_some());
        let finite = definition.position.is_finite() && definition.depth.is_finite();
        let normal = definition.normal.try_normalize()?;
        if !known || !finite || definition.bodies == [None, None] {
            return None;
        }
        let definition = ContactDefinition { normal, ..definition };
        definition.bodies.into_iter().flatten().for_each(|body| self.wake(body));
        Some(self.contacts.insert(Contact { definition, force: ContactForce::default(), anchors: None }))
    }

    /// Removes a contact. Returns whether it was there.
    pub fn remove_contact(&mut self, id: ContactId) -> bool {
        let Some(contact) = self.contacts.remove(id) else { return false };
        // A contact acts in one step as in the next; who slept on it wakes.
        contact.definition.bodies.into_iter().flatten().for_each(|body| self.wake(body));
        true
    }

    /// Removes all contacts that the user made (the guide's `dJointGroupEmpty`).
    pub fn clear_contacts(&mut self) {
        let ids: Vec<_> = self.contacts.iter().map(|(id, _)| id).collect();
        for id in ids {
            self.remove_contact(id);
        }
    }

    /// Force of a contact in the last step; while its bodies sleep, in the last one before.
    #[must_use]
    pub fn contact_force(&self, id: ContactId) -> Option<ContactForce> {
        self.contacts.get(id).map(|c| c.force)
    }

    /// The two shapes of a contact that a row of the last step names ([`crate::constraint::RowSource::Contact`]).
    #[must_use]
    pub fn contact_geoms(&self, index: usize) -> Option<[GeomId; 2]> {
        let contact = self.work.contacts.get(index)?;
        let [a, b] = self.work.manifolds.get(contact.manifold as usize)?.geoms?;
        Some([self.geoms.handle_at(a as usize)?, self.geoms.handle_at(b as usize)?])
    }

    /// Contact points of the last step, in the order of pairs, then those of the user's contacts. While bodies sleep their contacts
    /// are those with which they fell asleep: points, depths and forces hold, so that the forces on a sleeping stack still add
    /// up to its weight.
    #[must_use]
    pub fn contact_reports(&self) -> &[ContactReport] {
        &self.state.reports
    }
}
