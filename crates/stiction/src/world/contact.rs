//! Contacts: user-defined ones, and those reported by a step.

use super::{Contact, ContactDefinition, ContactForce, ContactId, ContactReport, GeomId, World};
use crate::pipeline::all_contacts;

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

    /// Removes all user-defined contacts (the guide's `dJointGroupEmpty`).
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
        let patch = |number: usize| self.state.patches.heads.get(number).map(|head| head.geoms);
        let [a, b] = match self.work.contacts.get(index) {
            Some(contact) => {
                let manifold = self.work.manifolds.get(contact.manifold as usize)?;
                manifold.geoms.or_else(|| patch(manifold.patch? as usize))?
            }
            // Points of patches are counted after them, four each.
            None => patch((index - self.work.contacts.len()) / 4)?,
        };
        Some([self.geoms.handle_at(a as usize)?, self.geoms.handle_at(b as usize)?])
    }

    /// Contact points of the last step, in the order of pairs, then those of the user's contacts. While bodies sleep their contacts
    /// are those with which they fell asleep: points, depths and forces hold, so that the forces on a sleeping stack still add
    /// up to its weight.
    #[must_use]
    pub fn contact_reports(&self) -> &[ContactReport] {
        if self.work.reports_are_late {
            self.late_reports.get_or_init(|| all_contacts(&model!(self), &self.state, &self.work))
        } else {
            &self.state.reports
        }
    }

    /// Puts the contact points of the last step into the state.
    pub(super) fn complete_reports(&mut self) {
        if self.work.reports_are_late {
            let listed = self.late_reports.take();
            self.state.reports = listed.unwrap_or_else(|| all_contacts(&model!(self), &self.state, &self.work));
            self.work.reports_are_late = false;
        }
    }
}
