//! A world as the program sees it.

use super::body::BodyId;

/// `dWorldID`.
pub(crate) type WorldId = *mut World;

/// A world.
pub(crate) struct World {
    /// The newest body.
    pub first_body: BodyId,
}
