//! Machines: bodies that joints connect, whatever the coordinates they move in. Everything fixed is one.

use super::context::Model;
use super::islands::NONE;
use crate::joints::JointKind;
use crate::model::{BodyId, BodyKind};

/// The machine of what does not move by forces, and of what fixed joints hold to it.
pub(super) const FIXED: u32 = NONE;

/// Machines of a world.
#[derive(Clone, Debug, Default)]
pub(crate) struct Machines {
    /// Machine of each body slot: the lowest slot in it.
    of_body: Vec<u32>,
    /// Changes of the bodies and joints that they were found for.
    stamp: Option<[u64; 2]>,
}

impl Machines {
    /// Finds the machines anew where bodies or joints have changed.
    pub(super) fn refresh(&mut self, model: &Model) {
        let Model { bodies, joints, topology, .. } = *model;
        let stamp = [topology, bodies.iter().map(|(_, body)| body.changes).sum()];
        if self.stamp == Some(stamp) {
            return;
        }
        self.stamp = Some(stamp);
        let moves = |slot: usize| bodies.at(slot).is_some_and(|body| body.kind == BodyKind::Dynamic);
        let first = |slot: usize| if moves(slot) { slot as u32 } else { FIXED };
        self.of_body.clear();
        self.of_body.extend((0..bodies.slots()).map(first));
        // First what is fixed to the world, so that two machines on one such body stay two.
        for (_, joint) in joints.iter().filter(|(_, joint)| joint.definition.kind == JointKind::Fixed) {
            let [a, b] = joint.definition.bodies.map(|body| self.root(body));
            self.unite(a, b);
        }
        for (_, joint) in joints.iter() {
            let [first, second] = joint.definition.bodies;
            // A gearbox has a third body.
            for other in [second, joint.definition.reference] {
                let (a, b) = (self.root(first), self.root(other));
                if a != FIXED && b != FIXED {
                    self.unite(a, b);
                }
            }
        }
        for slot in 0..self.of_body.len() {
            self.of_body[slot] = self.root_of(self.of_body[slot]);
        }
    }

    /// Machine of a body.
    pub(super) fn find(&self, slot: Option<u32>) -> u32 {
        slot.map_or(FIXED, |slot| self.of_body[slot as usize])
    }

    fn root(&self, body: Option<BodyId>) -> u32 {
        body.map_or(FIXED, |id| self.root_of(id.slot() as u32))
    }

    fn root_of(&self, mut slot: u32) -> u32 {
        while slot != FIXED && self.of_body[slot as usize] != slot {
            slot = self.of_body[slot as usize];
        }
        slot
    }

    /// The lower root becomes the root of both; what is held by something fixed is fixed.
    fn unite(&mut self, a: u32, b: u32) {
        let (low, high) = (a.min(b), a.max(b));
        match (low, high) {
            (FIXED, _) => {}
            (low, FIXED) => self.of_body[low as usize] = FIXED,
            (low, high) => self.of_body[high as usize] = low,
        }
    }
}
