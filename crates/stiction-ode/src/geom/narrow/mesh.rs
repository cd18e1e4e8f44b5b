//! Triangle meshes and heightfields.

use super::super::GeomId;
use super::Contacts;

/// A mesh with another geom.
pub(super) unsafe fn mesh(_mesh: GeomId, _other: GeomId, _contacts: &mut Contacts) {}

/// A heightfield with another geom.
pub(super) unsafe fn heightfield(_field: GeomId, _other: GeomId, _contacts: &mut Contacts) {}
