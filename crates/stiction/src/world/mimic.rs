//! Joints that follow others (SDFormat's and URDF's `mimic`): `q_follower = multiplier (q_leader − reference) + offset`.

use super::{Mimic, World};

/// A follower is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MimicError {
    /// A joint does not exist (any more).
    #[error("a joint of the mimic does not exist")]
    UnknownJoint,
    /// A joint has no such axis.
    #[error("a joint of the mimic has no such axis")]
    UnknownAxis,
    /// A joint follows itself.
    #[error("a motion cannot follow itself")]
    Itself,
    /// A number is not finite.
    #[error("multiplier, offset and reference must be finite")]
    NotFinite,
}

impl World {
    /// Lets one motion follow another, and wakes the bodies of both joints. It holds while both joints exist.
    ///
    /// # Errors
    /// Joints or axes that do not exist, a motion that follows itself, numbers that are not finite.
    pub fn add_mimic(&mut self, mimic: Mimic) -> Result<(), MimicError> {
        for (id, axis) in [mimic.follower, mimic.leader] {
            let joint = self.joint(id).ok_or(MimicError::UnknownJoint)?;
            if axis >= joint.motion_count() {
                return Err(MimicError::UnknownAxis);
            }
        }
        if mimic.follower == mimic.leader {
            return Err(MimicError::Itself);
        }
        if ![mimic.multiplier, mimic.offset, mimic.reference].iter().all(|x| x.is_finite()) {
            return Err(MimicError::NotFinite);
        }
        self.mimics.push(mimic);
        self.revision += 1;
        self.wake_joint(mimic.follower.0);
        self.wake_joint(mimic.leader.0);
        Ok(())
    }

    /// All followers, in the order of creation.
    #[must_use]
    pub fn mimics(&self) -> &[Mimic] {
        &self.mimics
    }
}
