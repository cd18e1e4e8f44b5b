//! A joint as the program sees it.

use super::body::BodyId;

/// `dJointID`.
pub(crate) type JointId = *mut Joint;

/// One side of a joint in the list of the body on the other side.
pub(crate) struct JointNode {
    pub joint: JointId,
    /// The body on the other side; null for the world.
    pub body: BodyId,
    pub next: *mut JointNode,
}

/// A joint.
pub(crate) struct Joint {
    pub nodes: [JointNode; 2],
}
