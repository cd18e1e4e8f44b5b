//! Checks of joint definitions: the bodies exist and are different.

use glam::DVec3;

use super::World;
use crate::joints::{JointDefinition, JointError};

impl World {
    /// The definition checked, with unit axes, and with what its kind sets itself.
    pub(super) fn checked(&self, mut definition: JointDefinition) -> Result<JointDefinition, JointError> {
        let ends = [definition.bodies[0], definition.bodies[1], definition.reference];
        for (index, body) in ends.iter().enumerate() {
            if body.is_some_and(|b| self.bodies.get(b).is_none()) {
                return Err(JointError::UnknownBody { index });
            }
        }
        if definition.bodies[0] == definition.bodies[1] {
            return Err(JointError::SameBody);
        }
        let center = definition.bodies[0].map_or(DVec3::ZERO, |body| self.state.bodies[body.slot()].motion.position);
        definition.complete(center)?;
        Ok(definition)
    }
}
