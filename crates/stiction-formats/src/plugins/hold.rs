//! What holds, pushes or watches bodies.

use stiction::math::DVec3;

use super::PidDescription;

/// A constant wrench at the origin of a link (`ApplyLinkWrench`, `<persistent>`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WrenchDescription {
    /// Index of the link.
    pub link: usize,
    /// Force, world axes \[N\].
    pub force: DVec3,
    /// Torque, world axes \[N m\].
    pub torque: DVec3,
    /// Where, in the frame of the link \[m\].
    pub offset: DVec3,
    /// A command gives the wrench; without one it is that above.
    pub is_commanded: bool,
}

/// `DetachableJoint`: a fixed joint between two models.
#[derive(Clone, Debug, PartialEq)]
pub struct DetachableDescription {
    /// Index of the link of the model that has the plugin.
    pub parent: usize,
    /// Index of the link of the other model.
    pub child: usize,
}

/// `BreakableJointPlugin` of a force-torque sensor.
#[derive(Clone, Debug, PartialEq)]
pub struct BreakableDescription {
    /// Index of the joint.
    pub joint: usize,
    /// Force above which it breaks \[N\].
    pub force: f64,
    /// Time between readings of the sensor \[s\].
    pub period: f64,
}

/// `HarnessPlugin`: joints to the world, of which one is a winch and one is let go.
#[derive(Clone, Debug, PartialEq)]
pub struct HarnessDescription {
    /// Index of the joint that is let go.
    pub detach: usize,
    /// Index of the joint that pulls.
    pub winch: usize,
    /// Controller of its position.
    pub position: PidDescription,
    /// Controller of its velocity.
    pub velocity: PidDescription,
}

/// `GravityCompensationPlugin`.
#[derive(Clone, Debug, PartialEq)]
pub struct GravityCompensationDescription {
    /// Joints by index, with the links beyond each.
    pub joints: Vec<(usize, Vec<usize>)>,
}

/// `KineticEnergyMonitor`.
#[derive(Clone, Debug, PartialEq)]
pub struct MonitorDescription {
    /// Index of the link.
    pub link: usize,
    /// Loss in a step that is told \[J\].
    pub threshold: f64,
}

/// `TouchPlugin`.
#[derive(Clone, Debug, PartialEq)]
pub struct TouchDescription {
    /// Scoped names of the collisions of the model that count.
    pub own: Vec<String>,
    /// Scoped names of the collisions that it touches.
    pub targets: Vec<String>,
    /// How long \[s\].
    pub time: f64,
}
