//! Devices of Choreonoid's AGX plug-in that act on the motion, as data: wires, belt tracks, joints that break, joints that
//! lock two frames once they are near.

use stiction::math::DVec3;
use stiction::world::WinchControl;

use crate::description::Setting;
use crate::diagnostic::Location;

/// A device on a link.
#[derive(Clone, Debug, PartialEq)]
pub struct DeviceDescription {
    /// Name; empty if the file gives none.
    pub name: String,
    /// Index of the link that has it; beyond all links for one of a world or a model, whose name is in full.
    pub link: usize,
    /// What it is.
    pub kind: DeviceKind,
    /// Where it stands.
    pub location: Location,
}

/// A link that a device names.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkReference {
    /// Name in the body.
    pub name: String,
    /// Index of the link.
    pub link: Option<usize>,
    /// Where the name stands.
    pub location: Location,
}

/// Kinds of devices.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum DeviceKind {
    /// `AGXWireDevice`.
    Wire(Box<WireDescription>),
    /// `AGXVehicleContinuousTrackDevice`.
    Track(Box<TrackDescription>),
    /// `AGXBreakableJointDevice`.
    BreakableJoint(Box<BreakableJointDescription>),
    /// `AGXMagneticJointDevice`.
    MagneticJoint(Box<MagneticJointDescription>),
}

impl DeviceKind {
    /// The word of the file.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Wire(_) => "AGXWireDevice",
            Self::Track(_) => "AGXVehicleContinuousTrackDevice",
            Self::BreakableJoint(_) => "AGXBreakableJointDevice",
            Self::MagneticJoint(_) => "AGXMagneticJointDevice",
        }
    }

    /// Every link that it names.
    pub(crate) fn references_mut(&mut self) -> Vec<&mut LinkReference> {
        match self {
            Self::Wire(wire) => {
                let winch = wire.winch.iter_mut().filter_map(|winch| winch.link.as_mut());
                winch.chain(wire.nodes.iter_mut().filter_map(|node| node.link.as_mut())).collect()
            }
            Self::Track(track) => {
                let [sprockets, idlers, rollers, guides] =
                    [&mut track.sprockets, &mut track.idlers, &mut track.rollers, &mut track.guides];
                sprockets.iter_mut().chain(idlers).chain(rollers).chain(guides).collect()
            }
            Self::BreakableJoint(joint) => joint.links.iter_mut().collect(),
            Self::MagneticJoint(joint) => joint.links.iter_mut().collect(),
        }
    }
}

/// A wire.
#[derive(Clone, Debug, PartialEq)]
pub struct WireDescription {
    /// Radius \[m\].
    pub radius: Setting<f64>,
    /// Nodes per length at most \[1/m\].
    pub resolution: Setting<f64>,
    /// It touches bodies.
    pub collides: Setting<bool>,
    /// It touches itself and other wires.
    pub self_collides: Setting<bool>,
    /// Its material; `Default` where the file names none.
    pub material: Setting<String>,
    /// The material is one of the table. One of SDFormat that names none has the engine's default.
    pub is_of_table: bool,
    /// In place of the material's value \[kg/m³\].
    pub density: Option<Setting<f64>>,
    /// Coefficient along the wire in eyes, in place of the engine's default.
    pub friction: Option<Setting<f64>>,
    /// In place of the material's value \[Pa\].
    pub youngs_modulus_stretch: Option<Setting<f64>>,
    /// In place of the material's value \[s\].
    pub spook_damping_stretch: Option<Setting<f64>>,
    /// In place of the material's value \[Pa\].
    pub youngs_modulus_bend: Option<Setting<f64>>,
    /// In place of the material's value \[s\].
    pub spook_damping_bend: Option<Setting<f64>>,
    /// Where it begins, if it does so at a winch.
    pub winch: Option<WinchDescription>,
    /// Its route, from the winch on.
    pub nodes: Vec<WireNodeDescription>,
}

/// The winch of a wire.
#[derive(Clone, Debug, PartialEq)]
pub struct WinchDescription {
    /// The link that carries it; the world without one.
    pub link: Option<LinkReference>,
    /// Where the wire leaves it, in the frame of the link \[m\].
    pub position: DVec3,
    /// Direction in which the wire leaves it, in the frame of the link.
    pub normal: DVec3,
    /// Length on the drum at the start \[m\].
    pub pulled_in_length: Setting<f64>,
    /// Forces \[N\]: pay-out is held up to the first, haul-in with the second.
    pub force_range: Setting<[f64; 2]>,
    /// Force that it holds beside while it stands \[N\].
    pub brake: f64,
    /// What it does; it holds without one.
    pub control: Option<WinchControl>,
}

/// How a wire holds on to a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireNodeKind {
    /// Not at all: a point of the route at the start.
    Free,
    /// By a ball joint.
    Fixed,
    /// With its direction held by bend and twist.
    Link,
    /// Runs through (`<eye>` of SDFormat).
    Eye,
}

/// A node of a wire's route.
#[derive(Clone, Debug, PartialEq)]
pub struct WireNodeDescription {
    /// How it holds.
    pub kind: WireNodeKind,
    /// The link of its position; the world without one.
    pub link: Option<LinkReference>,
    /// Position in the frame of the link, or in the world \[m\].
    pub position: DVec3,
    /// Of a node that holds the direction \[N m/rad\].
    pub twist_stiffness: Option<Setting<f64>>,
    /// Of a node that holds the direction \[N m/rad\].
    pub bend_stiffness: Option<Setting<f64>>,
    /// AGX's `superBendReplacedWithBend`.
    pub super_bend_replaced_with_bend: Option<Setting<bool>>,
    /// Where it stands.
    pub location: Location,
}

/// A belt of hinged plates around wheels.
#[derive(Clone, Debug, PartialEq)]
pub struct TrackDescription {
    /// Wheels that drive it.
    pub sprockets: Vec<LinkReference>,
    /// Wheels at its other end.
    pub idlers: Vec<LinkReference>,
    /// Wheels between them.
    pub rollers: Vec<LinkReference>,
    /// Links that guide it.
    pub guides: Vec<LinkReference>,
    /// Direction up in the frame of the device's link.
    pub up_axis: DVec3,
    /// Number of plates.
    pub nodes: Setting<u32>,
    /// Thickness of a plate \[m\].
    pub node_thickness: Setting<f64>,
    /// Width of a plate \[m\].
    pub node_width: Setting<f64>,
    /// Share by which plates stand closer than their length \[m\].
    pub node_distance_tension: Setting<f64>,
    /// Thickness of a thicker plate \[m\].
    pub thicker_thickness: Setting<f64>,
    /// Every how many plates one is thicker; 0 for none.
    pub thicker_every: Setting<u32>,
    /// Compliance of its hinges \[m/N\].
    pub hinge_compliance: Setting<f64>,
    /// Damping time of its hinges \[s\].
    pub hinge_spook_damping: Setting<f64>,
    /// Least normal force of the friction in its hinges \[N\].
    pub min_stabilizing_normal_force: Setting<f64>,
    /// Coefficient of that friction.
    pub stabilizing_friction: Setting<f64>,
    /// Material of the plates; `Default` where the file names none.
    pub material: Setting<String>,
    /// Contact reduction of its plates, 0 to 3.
    pub contact_reduction: Setting<u32>,
    /// How plates merge with wheels and with each other: numbers by their keys in snake_case, switches as 0 and 1.
    pub merging: Vec<(&'static str, Setting<f64>)>,
}

/// What a joint of a device holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceJointType {
    /// All but the turn about its axis.
    Revolute,
    /// All but the shift along its axis.
    Prismatic,
    /// All.
    Fixed,
}

/// When a joint breaks.
#[derive(Clone, Debug, PartialEq)]
pub enum BreakLimit {
    /// Its force \[N\] stays above the limit for a time \[s\].
    Force {
        /// Limit \[N\].
        limit: Setting<f64>,
        /// How long \[s\].
        period: Setting<f64>,
    },
    /// The impulse of a step exceeds the limit \[N s\].
    Impulse(Setting<f64>),
}

/// A joint that breaks.
#[derive(Clone, Debug, PartialEq)]
pub struct BreakableJointDescription {
    /// The two links.
    pub links: Vec<LinkReference>,
    /// What it holds.
    pub joint_type: DeviceJointType,
    /// Where it is, in the frame of the first link \[m\].
    pub position: DVec3,
    /// Its axis in the frame of the first link.
    pub axis: DVec3,
    /// When it breaks.
    pub limit: BreakLimit,
    /// Force that does not count \[N\].
    pub offset_force: Setting<f64>,
    /// Directions that count; zero for all.
    pub valid_axis: DVec3,
    /// Only forces along the direction count, not those against it.
    pub is_signed: Setting<bool>,
    /// Compliance of its rows \[m/N\].
    pub compliance: Setting<f64>,
    /// Damping time of its rows \[s\].
    pub spook_damping: Setting<f64>,
}

/// A joint that locks two frames once they are near.
#[derive(Clone, Debug, PartialEq)]
pub struct MagneticJointDescription {
    /// The two links.
    pub links: Vec<LinkReference>,
    /// Origin of each frame in its link \[m\].
    pub positions: [DVec3; 2],
    /// Axis of each frame in its link; they face each other.
    pub axes: [DVec3; 2],
    /// Distance at which they lock \[m\].
    pub valid_distance: Setting<f64>,
    /// Angle between the axes at which they lock \[rad\].
    pub valid_angle: Setting<f64>,
    /// Compliance of its rows \[m/N\].
    pub compliance: Setting<f64>,
    /// Damping time of its rows \[s\].
    pub spook_damping: Setting<f64>,
}
