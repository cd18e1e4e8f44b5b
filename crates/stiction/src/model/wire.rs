//! A wire as lumped nodes.
//!
//! A *node* is a place of the wire: a lump of mass, which is a body that does not turn, or an *anchor*, a point of another
//! body that the wire is tied to or runs through (an eye). Between anchors that are no eyes the wire has mass `ρ A l / 2`
//! at both ends of each segment; what falls on an anchor is left to its body.

use glam::DVec3;

use super::{BodyId, BodyState, GeomId, WinchControl, WireDefinition};
use crate::math::Pose;

/// What an anchor does to the wire.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum AnchorKind {
    Fixed,
    /// Holds the direction into the wire, in the frame of the body.
    Clamped(DVec3),
    Eye,
    Winch,
}

/// A point of a body, or of the world, on a wire's route.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Anchor {
    pub(crate) body: Option<BodyId>,
    /// From the centre of mass, in the body's axes; in the world \[m\].
    pub(crate) point: DVec3,
    pub(crate) kind: AnchorKind,
}

/// A wire: what is constant during a step.
#[derive(Clone, Debug)]
pub struct Wire {
    pub(crate) definition: WireDefinition,
    pub(crate) anchors: Vec<Anchor>,
    /// Bodies of nodes that are there or may come.
    pub(crate) pool: Vec<BodyId>,
    /// Their shapes.
    pub(crate) geoms: Vec<GeomId>,
    /// Shapes of segments, in the order of the wire.
    pub(crate) segments: Vec<GeomId>,
}

/// Where a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodePlace {
    /// A lump of mass: its number among the wire's bodies.
    Lumped(u32),
    /// A point of a body or of the world: its number in the route.
    Anchor(u32),
}

/// A node of a wire, and the segment from it to the next one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WireNode {
    /// Where it is.
    pub place: NodePlace,
    /// Mass of a lump \[kg\].
    pub mass: f64,
    /// Rest length of the segment \[m\].
    pub length: f64,
    /// Tension of the segment in the last step; negative is pressure \[N\].
    pub tension: f64,
    /// Mean of the tension over some ten steps \[N\].
    pub mean_tension: f64,
    /// Speed at which wire came through the node into the segment in the last step \[m/s\].
    pub flow: f64,
    /// Stretch of the segment \[m\].
    pub stretch: f64,
    /// Bend at the node: difference of the directions of its segments.
    pub bend: DVec3,
    /// Energy of the springs of the segment and of the bend at the node \[J\].
    pub energy: f64,
    /// Its springs swing faster than the step follows: of the segment, and of the bend.
    pub is_stiff: [bool; 2],
    /// Moment of the bend in the last step \[N m\].
    pub moment: f64,
    /// Impulses of its rows in the last step.
    pub impulses: [f64; NODE_ROWS],
}

/// Most rows of a node: stretch or friction, two of bending, two of transverse motion, two of turning.
pub(crate) const NODE_ROWS: usize = 7;

impl WireNode {
    pub(crate) const fn new(place: NodePlace, length: f64) -> Self {
        Self {
            place,
            mass: 0.0,
            length,
            tension: 0.0,
            mean_tension: 0.0,
            flow: 0.0,
            stretch: 0.0,
            bend: DVec3::ZERO,
            energy: 0.0,
            is_stiff: [false; 2],
            moment: 0.0,
            impulses: [0.0; NODE_ROWS],
        }
    }
}

/// State of one wire, by slot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WireState {
    /// Its nodes in order.
    pub nodes: Vec<WireNode>,
    /// Wire on the drum of its winch \[m\].
    pub stored: f64,
    /// What its winch is asked for.
    pub control: Option<WinchControl>,
    /// Range of force of its winch, and its brake \[N\].
    pub winch_forces: [f64; 3],
    /// Energy of its springs \[J\].
    pub elastic: f64,
    /// What its rows made in the last step, with the change of the springs' energy; negative is lost \[J\].
    pub made: f64,
    /// What its springs hold after the last step beyond what the velocities said before it \[J\].
    pub late: f64,
    /// Work of its winch in the last step \[J\].
    pub winch_work: f64,
    /// Energy that nodes brought or took where they came, went or moved through eyes before this step \[J\].
    pub exchanged: f64,
    /// Energy of the mass that lumps got from anchors, less that of the mass that fell on them, since the wire was made \[J\].
    pub brought: f64,
}

impl Wire {
    /// Cross section A \[m²\].
    pub(crate) fn area(&self) -> f64 {
        std::f64::consts::PI * self.definition.radius * self.definition.radius
    }

    /// `E A` \[N\].
    pub(crate) fn stretch_stiffness(&self) -> f64 {
        self.definition.material.stretch.youngs_modulus * self.area()
    }

    /// `E I` \[N m²\].
    pub(crate) fn bend_stiffness(&self) -> f64 {
        let radius = self.definition.radius;
        self.definition.material.bend.youngs_modulus * self.area() * radius * radius / 4.0
    }

    /// ρ A \[kg/m\].
    pub(crate) fn line_density(&self) -> f64 {
        self.definition.material.density * self.area()
    }

    /// Distance of nodes at the finest \[m\].
    pub(crate) fn spacing(&self) -> f64 {
        1.0 / self.definition.resolution
    }

    /// The node is an eye.
    pub(crate) fn is_eye(&self, node: &WireNode) -> bool {
        matches!(node.place, NodePlace::Anchor(a) if self.anchors[a as usize].kind == AnchorKind::Eye)
    }

    /// The wire comes from a winch.
    pub(crate) fn has_winch(&self) -> bool {
        self.anchors.first().is_some_and(|anchor| anchor.kind == AnchorKind::Winch)
    }

    /// The body of a node, and the node from its centre of mass \[m\]; of the world, the node itself.
    pub(crate) fn arm(&self, node: &WireNode, bodies: &[BodyState]) -> (Option<u32>, DVec3) {
        match node.place {
            NodePlace::Lumped(n) => (Some(self.pool[n as usize].slot() as u32), DVec3::ZERO),
            NodePlace::Anchor(a) => {
                let anchor = &self.anchors[a as usize];
                match anchor.body {
                    Some(body) => (Some(body.slot() as u32), bodies[body.slot()].motion.rotation * anchor.point),
                    None => (None, anchor.point),
                }
            }
        }
    }

    /// Where a node is \[m\].
    pub(crate) fn position(&self, node: &WireNode, bodies: &[BodyState]) -> DVec3 {
        match self.arm(node, bodies) {
            (Some(slot), arm) => bodies[slot as usize].motion.position + arm,
            (None, at) => at,
        }
    }

    /// Velocity of a node \[m/s\].
    pub(crate) fn velocity(&self, node: &WireNode, bodies: &[BodyState]) -> DVec3 {
        match self.arm(node, bodies) {
            (Some(slot), arm) => {
                let motion = &bodies[slot as usize].motion;
                motion.velocity + motion.omega.cross(arm)
            }
            (None, _) => DVec3::ZERO,
        }
    }

    /// Slots of the bodies that the wire connects, in order.
    pub(crate) fn body_slots<'a>(&'a self, state: &'a WireState) -> impl Iterator<Item = u32> + 'a {
        state.nodes.iter().filter_map(|node| match node.place {
            NodePlace::Lumped(n) => Some(self.pool[n as usize].slot() as u32),
            NodePlace::Anchor(a) => self.anchors[a as usize].body.map(|body| body.slot() as u32),
        })
    }
}

/// The anchor of a point of a route, with the body's pose and centre of mass in the world.
pub(crate) fn anchor_at(body: Option<BodyId>, pose: Option<(DVec3, Pose)>, at: DVec3, kind: AnchorKind) -> Anchor {
    let (point, kind) = match pose {
        Some((center, pose)) => {
            let back = pose.rotation.conjugate();
            let kind = match kind {
                AnchorKind::Clamped(direction) => AnchorKind::Clamped(back * direction),
                other => other,
            };
            (back * (at - center), kind)
        }
        None => (at, kind),
    };
    Anchor { body, point, kind }
}

/// The wire's direction that a clamped anchor holds, in the world.
pub(crate) fn clamped_direction(anchor: &Anchor, bodies: &[BodyState]) -> Option<DVec3> {
    let AnchorKind::Clamped(direction) = anchor.kind else { return None };
    Some(anchor.body.map_or(direction, |body| bodies[body.slot()].motion.rotation * direction))
}
