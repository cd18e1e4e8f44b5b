//! What can be observed of a run.

use stiction::math::DVec3;
use stiction_formats::simulation::Simulation;

use crate::watch::Totals;

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
}

impl Quantity {
    /// All, with their names and axis labels.
    pub const ALL: [(Self, &'static str, &'static str); 16] = [
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
        matches!(self, Self::Angle | Self::Rate | Self::Effort)
    }
}

/// A quantity of the whole world; for speed the largest of all links.
pub(crate) fn total(quantity: Quantity, simulation: &Simulation, totals: &Totals) -> f64 {
    let world = &simulation.world;
    match quantity {
        Quantity::Penetration => world.report().penetration,
        Quantity::Energy => world.energy().total(),
        Quantity::MadeEnergy => totals.ledger.made(),
        Quantity::Contacts => world.report().contacts as f64,
        Quantity::Force => world.contact_reports().iter().map(|c| c.force.dot(c.normal).abs()).sum(),
        Quantity::Residual => world.report().residual(),
        Quantity::JointGap => world.report().joint_error,
        Quantity::Tension => {
            let wires = simulation.wires.iter().filter_map(|wire| world.wire(wire.id));
            wires.map(|wire| wire.nodes().iter().map(|node| node.tension).fold(0.0, f64::max)).fold(0.0, f64::max)
        }
        Quantity::Speed => simulation.links.iter().map(|l| simulation.link_velocity(l).0.length()).fold(0.0, f64::max),
        _ => 0.0,
    }
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
