//! Geoms.

use crate::objects::body::BodyId;

/// A geom.
pub(crate) struct Geom {
    pub body: BodyId,
    pub body_next: *mut Geom,
}

/// The geom has moved.
pub(crate) unsafe fn moved(_geom: *mut Geom) {}

/// The body goes.
pub(crate) unsafe fn release_body(_body: BodyId) {}
