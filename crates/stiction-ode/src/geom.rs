//! Geoms.

use crate::objects::body::BodyId;

/// A geom.
pub(crate) struct Geom {
    pub body: BodyId,
    pub body_next: *mut Geom,
}
