//! The line of a wire at the present poses of its bodies.

use glam::DVec3;

use super::super::forest::Forest;
use super::super::parts::Parts;
use super::super::views::BodyView;
use super::ahead::Ahead;
use crate::model::{BodyState, NodePlace, Wire, WireNode, clamped_direction};

/// A wire and where its nodes are.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    pub(super) wire: &'a Wire,
    pub(super) nodes: &'a [WireNode],
    pub(super) bodies: &'a [BodyState],
    /// Where the nodes will be, in place of where they are.
    pub(super) ahead: Option<&'a Ahead>,
}

impl Line<'_> {
    /// Place of a node \[m\].
    pub(super) fn position(&self, node: usize) -> DVec3 {
        match self.ahead {
            Some(ahead) => ahead.places[node],
            None => self.wire.position(&self.nodes[node], self.bodies),
        }
    }

    /// The direction that the body of an end holds, if it is clamped there.
    pub(super) fn held(&self, node: usize) -> Option<DVec3> {
        let NodePlace::Anchor(anchor) = self.nodes[node].place else { return None };
        let held = clamped_direction(&self.wire.anchors[anchor as usize], self.bodies)?;
        Some(self.ahead.map_or(held, |ahead| ahead.held[usize::from(node > 0)]))
    }

    /// Direction and length of the segment after a node.
    pub(super) fn segment(&self, node: usize) -> (DVec3, f64) {
        let chord = self.position(node + 1) - self.position(node);
        let length = chord.length();
        if length > f64::MIN_POSITIVE { (chord / length, length) } else { (DVec3::Z, 0.0) }
    }

    /// How much longer the segment after a node is than at rest \[m\].
    pub(super) fn stretch(&self, node: usize) -> f64 {
        self.segment(node).1 - self.nodes[node].length
    }

    /// Rate at which the segment after a node grows longer in a step because its ends move across it, `(√(L² + h² v²) − L) / h`
    /// \[m/s\].
    pub(super) fn curvature(&self, node: usize, step: f64) -> f64 {
        let (direction, length) = self.segment(node);
        let velocity = |node: usize| self.wire.velocity(&self.nodes[node], self.bodies);
        let across = step * reject(velocity(node + 1) - velocity(node), direction).length();
        let square = across * across;
        if square == 0.0 { 0.0 } else { square / (length + (length * length + square).sqrt()) / step }
    }

    /// Rest length of the segment after a node as its springs have it \[m\].
    pub(super) fn rest_length(&self, node: usize) -> f64 {
        self.nodes[node].length.max(SHORTEST * self.wire.spacing())
    }

    /// Length by which a segment's turning is reckoned \[m\].
    pub(super) fn lever(&self, node: usize) -> f64 {
        self.segment(node).1.max(0.1 * self.rest_length(node))
    }

    /// Adds a velocity of a node along a direction to a row.
    pub(super) fn add(&self, parts: &mut Parts, views: &[BodyView], forest: &Forest, node: usize, along: DVec3) {
        let (slot, arm) = self.wire.arm(&self.nodes[node], self.bodies);
        parts.add(views, forest, slot, along, arm.cross(along));
    }

    /// The node is an eye.
    pub(super) fn is_eye(&self, node: usize) -> bool {
        self.wire.is_eye(&self.nodes[node])
    }

    /// The segment after a node bears no pressure: it has no stiffness against bending, or the wire flows at one of its ends.
    pub(super) fn only_pulls(&self, node: usize) -> bool {
        self.wire.definition.material.bend.youngs_modulus == 0.0
            || self.is_eye(node)
            || self.is_eye(node + 1)
            || (node == 0 && self.wire.has_winch())
    }

    /// End of the span of segments from a node on: the next node that is no eye.
    pub(super) fn span_end(&self, node: usize) -> usize {
        let mut end = node + 1;
        while end + 1 < self.nodes.len() && self.is_eye(end) {
            end += 1;
        }
        end
    }
}

/// Shortest rest length that springs reckon with, in distances of nodes.
const SHORTEST: f64 = 1e-3;

/// Two unit vectors across a direction.
pub(super) fn across(direction: DVec3) -> [DVec3; 2] {
    let axis = if direction.z.abs() < 0.9 { DVec3::Z } else { DVec3::X };
    let first = axis.cross(direction).normalize_or(DVec3::X);
    [first, direction.cross(first).normalize_or(DVec3::Y)]
}

/// A vector without its part along a unit vector.
pub(super) fn reject(vector: DVec3, unit: DVec3) -> DVec3 {
    vector - unit * vector.dot(unit)
}
