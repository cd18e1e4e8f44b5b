//! Joints that follow others (SDFormat's and URDF's `mimic`): `q_follower = multiplier (q_leader − reference) + offset`.

use super::JointId;

/// One motion of a joint that follows one of another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mimic {
    /// Joint and axis that follow.
    pub follower: (JointId, usize),
    /// Joint and axis that lead.
    pub leader: (JointId, usize),
    /// Multiplier.
    pub multiplier: f64,
    /// Offset \[m or rad\].
    pub offset: f64,
    /// Position of the leader where the follower is at the offset \[m or rad\].
    pub reference: f64,
}

impl Mimic {
    /// Position error of present positions of follower and leader \[m or rad\].
    pub(crate) fn error(&self, follower: f64, leader: f64) -> f64 {
        follower - self.multiplier * (leader - self.reference) - self.offset
    }
}
