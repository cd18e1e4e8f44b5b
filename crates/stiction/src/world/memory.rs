//! How much memory a world takes.

use std::mem::size_of;

use super::World;
use crate::joints::Joint;
use crate::model::{Body, Geom};
use crate::pipeline::bytes;

/// Memory of a world \[B\], without what shapes and the lists inside bodies and wires hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryUse {
    /// Bodies: properties, state, and what a step keeps of each.
    pub bodies: usize,
    /// Shapes, their poses and bounds.
    pub shapes: usize,
    /// Joints and their state.
    pub joints: usize,
    /// Contacts: points and patches of this step and the last one, and what solves them.
    pub contacts: usize,
}

impl World {
    /// Memory that the world takes now, with what its steps have made and keep for the next ones.
    #[must_use]
    pub fn memory(&self) -> MemoryUse {
        let state = &self.state;
        let [of_bodies, of_shapes, of_contacts] = self.work.memory();
        MemoryUse {
            bodies: self.bodies.slots() * size_of::<Option<Body>>() + bytes(&state.bodies) + of_bodies,
            shapes: self.geoms.slots() * size_of::<Option<Geom>>() + of_shapes,
            joints: self.joints.slots() * size_of::<Option<Joint>>() + bytes(&state.joints),
            contacts: state.patches.bytes() + state.contacts.bytes() + of_contacts,
        }
    }
}
