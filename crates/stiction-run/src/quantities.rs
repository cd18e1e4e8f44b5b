//! What can be observed of a run.

mod curve;
mod slip;

use stiction::joints::JointKind;
use stiction::math::DVec3;
use stiction::world::{BodyId, BodyKind, World};
use stiction_formats::simulation::Simulation;

use crate::watch::Totals;

pub(crate) use curve::Curve;

/// A quantity by its name on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Quantity {
    /// z of a link \[m\].
    Height,
    /// Speed of a link \[m/s\].
    Speed,
    /// x, y, z of a link \[m\].
    Position,
    /// Roll, pitch, yaw of a link \[rad\].
    Orientation,
    /// Path of a link seen from above \[m\].
    Path,
    /// Position of a joint axis \[m or rad\].
    Angle,
    /// Rate of a joint axis \[m/s or rad/s\].
    Rate,
    /// Effort of a joint axis \[N or N m\].
    Effort,
    /// Deepest penetration \[m\].
    Penetration,
    /// Mechanical energy \[J\].
    Energy,
    /// Sum of the energy that the steps made \[J\].
    MadeEnergy,
    /// Number of contact points.
    Contacts,
    /// Sum of the normal forces of all contacts \[N\].
    Force,
    /// Largest residual \[m/s\].
    Residual,
    /// Largest tension of all wires \[N\].
    Tension,
    /// Largest distance of the anchors of a joint \[m\].
    JointGap,
    /// Relative tangential speed at the contacts of a link, or of two links \[m/s\].
    Slip,
    /// The same at the contacts of the child link of a joint: a wheel over the ground \[m/s\].
    WheelSlip,
}

/// What an axis of a joint measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisKind {
    /// An angle: rad, rad/s, N m.
    Angle,
    /// A length: m, m/s, N.
    Length,
}

impl Quantity {
    /// All, with their names and axis labels.
    pub const ALL: [(Self, &'static str, &'static str); 18] = [
        (Self::Height, "height", "height [m]"),
        (Self::Speed, "speed", "speed [m/s]"),
        (Self::Position, "position", "position [m]"),
        (Self::Orientation, "orientation", "roll, pitch, yaw [rad]"),
        (Self::Path, "path", "y [m]"),
        (Self::Angle, "angle", "joint position [rad or m]"),
        (Self::Rate, "rate", "joint rate [rad/s or m/s]"),
        (Self::Effort, "effort", "joint effort [N m or N]"),
        (Self::Penetration, "penetration", "penetration [m]"),
        (Self::Energy, "energy", "energy [J]"),
        (Self::MadeEnergy, "made_energy", "energy made by the steps [J]"),
        (Self::Contacts, "contacts", "contact points"),
        (Self::Force, "force", "sum of contact forces [N]"),
        (Self::Residual, "residual", "residual [m/s]"),
        (Self::Tension, "tension", "largest tension of wires [N]"),
        (Self::JointGap, "joint_gap", "largest joint gap [m]"),
        (Self::Slip, "slip", "slip at contacts [m/s]"),
        (Self::WheelSlip, "wheel_slip", "slip of wheels [m/s]"),
    ];

    /// By name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, n, _)| *n == name).map(|(q, ..)| *q)
    }

    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(q, ..)| *q == self).map_or("", |(_, name, _)| name)
    }

    /// Label of an axis.
    #[must_use]
    pub fn label(self) -> &'static str {
        Self::ALL.iter().find(|(q, ..)| *q == self).map_or("", |(.., label)| label)
    }

    /// It belongs to the whole world, not to a link or joint.
    #[must_use]
    pub const fn is_of_world(self) -> bool {
        matches!(
            self,
            Self::Penetration
                | Self::Energy
                | Self::MadeEnergy
                | Self::Contacts
                | Self::Force
                | Self::Residual
                | Self::Tension
                | Self::JointGap
        )
    }

    /// It belongs to a joint.
    #[must_use]
    pub const fn is_of_joint(self) -> bool {
        matches!(self, Self::Angle | Self::Rate | Self::Effort | Self::WheelSlip)
    }

    /// It belongs to an axis of a joint, and its unit depends on the kind of the axis.
    #[must_use]
    pub const fn is_of_axis(self) -> bool {
        matches!(self, Self::Angle | Self::Rate | Self::Effort)
    }

    /// Label of an axis of a plot, for joints of one kind: `joint position [m]`.
    #[must_use]
    pub fn label_of(self, kind: Option<AxisKind>) -> &'static str {
        match (self, kind) {
            (Self::Angle, Some(AxisKind::Angle)) => "joint angle [rad]",
            (Self::Angle, Some(AxisKind::Length)) => "joint position [m]",
            (Self::Rate, Some(AxisKind::Angle)) => "joint rate [rad/s]",
            (Self::Rate, Some(AxisKind::Length)) => "joint rate [m/s]",
            (Self::Effort, Some(AxisKind::Angle)) => "joint effort [N m]",
            (Self::Effort, Some(AxisKind::Length)) => "joint effort [N]",
            _ => self.label(),
        }
    }

    /// The smallest range of values that a plot shows in full height: differences below it are noise.
    #[must_use]
    pub const fn smallest_range(self) -> f64 {
        match self {
            Self::Contacts => 1.0,
            Self::Residual => 1e-6,
            _ => 1e-3,
        }
    }

    /// Names that are near to an unknown one.
    pub(crate) fn near(name: &str) -> Vec<&'static str> {
        stiction_formats::nearest(name, Self::ALL.iter().map(|(_, name, _)| *name))
    }
}

/// Contact points that act: those of the step, and those between bodies that sleep, which the step leaves as they are.
pub(crate) fn contacts(world: &World) -> usize {
    let sleeps = |body: BodyId| world.body(body).is_some_and(|body| !body.is_enabled());
    let rest = |bodies: &[Option<BodyId>; 2]| {
        let moving = bodies.iter().flatten().filter(|b| world.body(**b).is_some_and(|b| b.kind() == BodyKind::Dynamic));
        let mut moving = moving.peekable();
        moving.peek().is_some() && moving.all(|body| sleeps(*body))
    };
    let asleep = world.contact_reports().iter().filter(|contact| contact.acts && rest(&contact.bodies)).count();
    world.report().contacts + asleep
}

/// A quantity of the whole world; for speed the largest of all links.
pub(crate) fn total(quantity: Quantity, simulation: &Simulation, totals: &Totals) -> f64 {
    let world = &simulation.world;
    match quantity {
        Quantity::Penetration => world.report().penetration,
        Quantity::Energy => world.energy().total(),
        Quantity::MadeEnergy => totals.ledger.made(),
        Quantity::Contacts => contacts(world) as f64,
        Quantity::Force => world.contact_reports().iter().map(|c| c.force.dot(c.normal).abs()).sum(),
        Quantity::Residual => world.report().residual(),
        Quantity::JointGap => world.report().joint_error,
        Quantity::Tension => {
            let wires = simulation.wires.iter().filter_map(|wire| world.wire(wire.id));
            wires.map(|wire| wire.nodes().iter().map(|node| node.tension).fold(0.0, f64::max)).fold(0.0, f64::max)
        }
        Quantity::Slip | Quantity::WheelSlip => slip::largest_slip(simulation, &slip::Touching::default()),
        Quantity::Speed => simulation.links.iter().map(|l| simulation.link_velocity(l).0.length()).fold(0.0, f64::max),
        _ => 0.0,
    }
}

/// What an axis, from 0, of a joint measures; `None` for an axis that it does not have.
pub(crate) fn axis_kind(simulation: &Simulation, joint: usize, axis: usize) -> Option<AxisKind> {
    let joint = &simulation.joints[joint];
    let motion = *joint.axes.get(axis)?;
    let reference = simulation.world.joint(joint.id?)?;
    let is_length = match reference.definition().kind {
        JointKind::Slider | JointKind::LinearMotor { .. } => true,
        JointKind::Piston | JointKind::PrismaticRotoide | JointKind::PrismaticUniversal => motion == 0,
        JointKind::Planar | JointKind::Plane2D => motion < 2,
        JointKind::Transmission { .. } => motion == 2,
        _ => false,
    };
    Some(if is_length { AxisKind::Length } else { AxisKind::Angle })
}

/// Numbers of a quantity of a link.
pub(crate) fn of_link(quantity: Quantity, simulation: &Simulation, link: usize) -> DVec3 {
    let link = &simulation.links[link];
    let pose = simulation.link_pose(link);
    match quantity {
        Quantity::Height => DVec3::splat(pose.position.z),
        Quantity::Speed => DVec3::splat(simulation.link_velocity(link).0.length()),
        Quantity::Orientation => pose.rpy(),
        _ => pose.position,
    }
}

/// Position, rate and effort of an axis of a joint.
pub(crate) fn of_joint(quantity: Quantity, simulation: &Simulation, joint: usize, axis: usize) -> f64 {
    let joint = &simulation.joints[joint];
    let Some((reference, axis)) = joint.id.and_then(|id| simulation.world.joint(id)).zip(joint.axes.get(axis)) else {
        return 0.0;
    };
    match quantity {
        Quantity::Angle => reference.position(*axis),
        Quantity::Rate => reference.rate(*axis),
        _ => reference.effort(*axis),
    }
}
