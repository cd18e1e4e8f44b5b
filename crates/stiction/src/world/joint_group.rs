//! Joint groups: joints and contacts that are removed together (the guide's 3.6).

use glam::DVec3;

use super::{ContactDefinition, ContactId, JointId, World};
use crate::joints::{JointDefinition, JointError};

/// Joints and contacts that are removed at once, newest first. What was removed otherwise meanwhile is passed over.
#[derive(Clone, Debug, Default)]
pub struct JointGroup {
    joints: Vec<JointId>,
    contacts: Vec<ContactId>,
}

impl JointGroup {
    /// An empty group.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a joint to a world, as one of the group.
    ///
    /// # Errors
    /// Those of [`World::add_joint`].
    pub fn add_joint(&mut self, world: &mut World, definition: JointDefinition) -> Result<JointId, JointError> {
        let joint = world.add_joint(definition)?;
        self.joints.push(joint);
        Ok(joint)
    }

    /// Adds a contact to a world, as one of the group; `None` as [`World::add_contact`].
    pub fn add_contact(&mut self, world: &mut World, definition: ContactDefinition) -> Option<ContactId> {
        let contact = world.add_contact(definition)?;
        self.contacts.push(contact);
        Some(contact)
    }

    /// Joints of the group in the order of creation.
    #[must_use]
    pub fn joints(&self) -> &[JointId] {
        &self.joints
    }

    /// Contacts of the group in the order of creation.
    #[must_use]
    pub fn contacts(&self) -> &[ContactId] {
        &self.contacts
    }

    /// Removes all joints and contacts of the group from their world.
    pub fn clear(&mut self, world: &mut World) {
        while let Some(contact) = self.contacts.pop() {
            world.remove_contact(contact);
        }
        while let Some(joint) = self.joints.pop() {
            world.remove_joint(joint);
        }
    }
}

/// The force that makes an impulse in one step \[N, or N m\], for an impulse \[N s, or N m s\] and a step \[s\] above zero.
#[must_use]
pub fn impulse_to_force(impulse: DVec3, step: f64) -> DVec3 {
    impulse / step
}
