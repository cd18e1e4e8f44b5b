//! Contacts: user-defined ones, and those reported by a step.

use glam::DVec3;

use super::{BodyId, GeomId};
use crate::material::ContactSurface;

/// A contact joint of the user's own collision code (the guide's 7.3.7). It lives until it is removed, and acts in each
/// step. In continuous time it is a stiff compliant contact whose depth follows the bodies from where it first acted.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactDefinition {
    /// First and second body; `None` is the static environment.
    pub bodies: [Option<BodyId>; 2],
    /// Point in the world \[m\].
    pub position: DVec3,
    /// Unit normal, into the first body.
    pub normal: DVec3,
    /// Penetration \[m\].
    pub depth: f64,
    /// Parameters.
    pub surface: ContactSurface,
}

/// A user-defined contact.
#[derive(Clone, Debug)]
pub struct Contact {
    pub(crate) definition: ContactDefinition,
    pub(crate) force: ContactForce,
    /// The point in the frames of its bodies when it first acted, for continuous time.
    pub(crate) anchors: Option<[DVec3; 2]>,
}

/// Force of a contact on its first body in the last step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactForce {
    /// Force on the first body, world axes \[N\].
    pub force: DVec3,
    /// Rolling and spinning torque on the first body, world axes \[N m\].
    pub torque: DVec3,
}

/// A contact point of the last step, or, between bodies that sleep, of the last one before they fell asleep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactReport {
    /// First and second shape; `None` for a user-defined contact.
    pub geoms: Option<[GeomId; 2]>,
    /// First and second body; `None` is the static environment.
    pub bodies: [Option<BodyId>; 2],
    /// Point in the world at the start of the step, in continuous time where it was last \[m\].
    pub position: DVec3,
    /// Unit normal, into the first body.
    pub normal: DVec3,
    /// Penetration at the start of the step, in continuous time at its end, 0 where it has parted; negative is a gap \[m\].
    pub depth: f64,
    /// Force on the first body: its impulse over the length of the step \[N\].
    pub force: DVec3,
    /// The contact acts; otherwise its shapes are sensors to each other, and it is only found and reported.
    pub acts: bool,
}
