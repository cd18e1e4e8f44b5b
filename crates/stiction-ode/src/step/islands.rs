//! Islands: bodies and the joints that connect them. Bodies are tried from the newest to the oldest, each island is searched
//! depth first, a body's joints from the one attached last to the first. The order is part of what `dWorldQuickStep` computes.

use std::ops::Range;

use super::prepare::StepBody;
use crate::objects::body::{BodyId, flag};
use crate::objects::joint::{self, Joint, JointId};
use crate::objects::world::WorldId;

/// Bodies and joints of one island.
#[derive(Clone, Debug)]
pub(super) struct Island {
    pub bodies: Range<usize>,
    pub joints: Range<usize>,
}

/// All islands of a step.
#[derive(Default)]
pub(super) struct Islands {
    pub bodies: Vec<BodyId>,
    pub joints: Vec<JointId>,
    pub islands: Vec<Island>,
    stack: Vec<BodyId>,
}

/// The joint takes part: it is enabled, and one of its bodies can move.
pub(super) unsafe fn takes_part(joint: &Joint) -> bool {
    joint.flags & joint::flag::DISABLED == 0
        && joint.nodes.iter().any(|node| node.body.as_ref().is_some_and(|body| body.inverse_mass > 0.0))
}

impl Islands {
    pub(super) fn clear(&mut self) {
        self.bodies.clear();
        self.joints.clear();
        self.islands.clear();
    }

    /// Adds an island.
    pub(super) unsafe fn append(&mut self, bodies: &[BodyId], joints: &[JointId]) {
        let (first_body, first_joint) = (self.bodies.len(), self.joints.len());
        for &body in bodies {
            (*body).index = self.bodies.len() as u32;
            self.bodies.push(body);
        }
        self.joints.extend_from_slice(joints);
        self.islands.push(Island { bodies: first_body..self.bodies.len(), joints: first_joint..self.joints.len() });
    }

    /// Finds the islands; a disabled body that a joint connects to an enabled one is enabled.
    pub(super) unsafe fn find(&mut self, world: WorldId) {
        self.clear();
        let mut body = (*world).first_body;
        while let Some(b) = body.as_mut() {
            b.tag = false;
            body = b.next;
        }
        let mut joint = (*world).first_joint;
        while let Some(j) = joint.as_mut() {
            j.tag = false;
            joint = j.next;
        }
        let mut start = (*world).first_body;
        while !start.is_null() {
            if !(*start).tag && (*start).flags & flag::DISABLED == 0 {
                self.grow(start);
            }
            start = (*start).next;
        }
    }

    /// Bodies of a stretch of islands.
    pub(super) fn bodies_of(&self, islands: &Range<usize>) -> Range<usize> {
        let of = &self.islands[islands.clone()];
        of.first().map_or(0, |first| first.bodies.start)..of.last().map_or(0, |last| last.bodies.end)
    }

    /// One body of the island moves.
    pub(super) fn has_one_body(&self, island: usize, bodies: &[StepBody]) -> bool {
        let range = self.islands[island].bodies.clone();
        range.len() <= 4 && bodies[range].iter().filter(|body| body.is_dynamic()).count() == 1
    }

    unsafe fn grow(&mut self, start: BodyId) {
        let (first_body, first_joint) = (self.bodies.len(), self.joints.len());
        (*start).tag = true;
        let mut body = start;
        loop {
            (*body).index = self.bodies.len() as u32;
            self.bodies.push(body);
            // A held body is the end of its island.
            let is_held = (*body).flags & flag::HELD != 0;
            let mut node = if is_held { std::ptr::null_mut() } else { (*body).first_joint };
            while !node.is_null() {
                let joint = (*node).joint;
                if !(*joint).tag {
                    (*joint).tag = true;
                    if takes_part(&*joint) {
                        self.joints.push(joint);
                        if let Some(other) = (*node).body.as_mut()
                            && !other.tag
                        {
                            other.tag = true;
                            if other.flags & flag::HELD == 0 {
                                other.flags &= !flag::DISABLED;
                            }
                            self.stack.push(other);
                        }
                    }
                }
                node = (*node).next;
            }
            match self.stack.pop() {
                Some(next) => body = next,
                None => break,
            }
        }
        self.islands.push(Island { bodies: first_body..self.bodies.len(), joints: first_joint..self.joints.len() });
    }
}
