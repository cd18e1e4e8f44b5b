//! The graph of bodies and joints that trees grow on, and what each joint is in a tree.

use glam::{DQuat, DVec3};

use super::forest::Forest;
use crate::base::Arena;
use crate::dynamics::tree::Mobility;
use crate::joints::{Joint, TreeAxes};
use crate::math::Pose;
use crate::model::{Bodies, BodyKind};

/// A joint that a tree may have.
pub(super) struct Edge {
    /// Slot of the joint.
    pub(super) joint: u32,
    /// First and second body; `None` is the world.
    pub(super) ends: [Option<u32>; 2],
    /// The joint works with its first body as the child only.
    is_one_way: bool,
}

impl Edge {
    /// The body at this end can be the child.
    pub(super) fn carries(&self, end: usize) -> bool {
        end == 0 || !self.is_one_way
    }
}

/// Bodies and the joints between them that trees may have.
pub(super) struct Graph {
    /// In the order of slots.
    pub(super) edges: Vec<Edge>,
    /// Edges of each body, in the order of joints.
    pub(super) near: Vec<Vec<u32>>,
    dynamic: Vec<bool>,
    /// Bodies that a joint ties to others which trees cannot have. They are trees even alone, so that what closes the gaps of that joint moves them.
    tied: Vec<bool>,
}

impl Graph {
    /// With `without_soft`, joints that give way are no edges.
    pub(super) fn new(bodies: &Bodies, joints: &Arena<Joint>, without_soft: bool) -> Self {
        let mut graph = Self {
            edges: Vec::new(),
            near: vec![Vec::new(); bodies.slots()],
            dynamic: Vec::new(),
            tied: vec![false; bodies.slots()],
        };
        graph.dynamic =
            (0..bodies.slots()).map(|s| bodies.at(s).is_some_and(|b| b.kind == BodyKind::Dynamic)).collect();
        for (id, joint) in joints.iter().filter(|(_, joint)| !(without_soft && joint.definition.is_soft())) {
            // Without a mobility they are rows between links of trees.
            let kind = joint.kind();
            let ends = joint.definition.bodies.map(|b| b.map(|b| b.slot() as u32));
            if !joint.can_carry_links() {
                if kind.ties_bodies {
                    ends.into_iter().flatten().for_each(|slot| graph.tied[slot as usize] = true);
                }
                continue;
            }
            let index = graph.edges.len() as u32;
            for slot in ends.into_iter().flatten() {
                graph.near[slot as usize].push(index);
            }
            graph.edges.push(Edge { joint: id.slot() as u32, ends, is_one_way: kind.is_one_way });
        }
        graph
    }

    /// The body is a tree even without joints that trees may have. Fluid that moves with it is for bodies without trees.
    pub(super) fn is_tied(&self, slot: u32, bodies: &Bodies) -> bool {
        self.tied[slot as usize] && bodies.at(slot as usize).is_some_and(|body| body.added_inertia.is_none())
    }

    /// The body moves by forces.
    pub(super) fn is_dynamic(&self, body: Option<u32>) -> bool {
        body.is_some_and(|slot| self.dynamic[slot as usize])
    }

    /// The body of a floating component that nothing carries (the second body of its joints, as loaders have it), or the
    /// one it is found by.
    pub(super) fn root_of(&self, slot: u32, forest: &Forest) -> u32 {
        let mut component = vec![slot];
        let mut next = 0;
        while next < component.len() {
            for edge in self.near[component[next] as usize].iter().map(|e| &self.edges[*e as usize]) {
                for other in edge.ends.into_iter().flatten() {
                    if self.dynamic[other as usize] && forest.is_free(Some(other)) && !component.contains(&other) {
                        component.push(other);
                    }
                }
            }
            next += 1;
        }
        component.sort_unstable();
        let is_carried = |body: &u32| {
            self.near[*body as usize].iter().any(|e| {
                let edge = &self.edges[*e as usize];
                edge.ends[0] == Some(*body) && self.is_dynamic(edge.ends[1])
            })
        };
        component.iter().copied().find(|body| !is_carried(body)).unwrap_or(slot)
    }
}

/// Frames of a joint in parent and child: F has the axes of the parent, M coincides with it where the joint was made.
pub(super) fn frames(joint: &Joint, child: usize, centers: [DVec3; 2]) -> (Pose, Pose) {
    let anchor = |end: usize| joint.frames.anchors[end] + centers[end];
    let turned = if child == 0 { joint.frames.relative.conjugate() } else { joint.frames.relative };
    (Pose::new(anchor(1 - child), DQuat::IDENTITY), Pose::new(anchor(child), turned))
}

/// Motion of the child, with the signs of the joint (first body relative to second): its velocities are the joint's
/// rates. Also the dof of each axis.
pub(super) fn mobility(joint: &Joint, child: usize) -> (Mobility, [u8; 3]) {
    joint.kind().mobility.map_or((Mobility::Fixed, [0; 3]), |of| of(joint, &TreeAxes { joint, child }))
}
