//! How far `dWorldStepFast1` enables bodies (guide, chapter 8.4): enabled bodies enable those within so many bodies of them;
//! the disabled ones at the rim are held for the step, as bodies that nothing moves.

use super::islands::takes_part;
use crate::objects::body::{BodyId, flag};
use crate::objects::world::WorldId;
use crate::types::{dMatrix3, dReal, dVector3};

/// A body at the rim, and what it is to have again after the step.
struct Held {
    body: BodyId,
    inverse_mass: dReal,
    inverse_inertia: dMatrix3,
    velocities: [dVector3; 2],
}

/// Bodies that are held.
#[derive(Default)]
pub(super) struct Rim(Vec<Held>);

/// Lets the bodies go when it is dropped, however the step ends.
pub(super) struct Release(pub *mut Rim);

/// Enables bodies within `depth` of enabled ones and holds the disabled ones beside those.
unsafe fn hold(world: WorldId, depth: u32, rim: &mut Vec<Held>) {
    let mut ring = Vec::new();
    let mut body = (*world).first_body;
    while let Some(b) = body.as_mut() {
        if b.flags & flag::DISABLED == 0 {
            ring.push(body);
        }
        body = b.next;
    }
    for _ in 0..depth {
        let next = disabled_beside(&ring);
        if next.is_empty() {
            break;
        }
        for &body in &next {
            (*body).flags &= !flag::DISABLED;
        }
        ring = next;
    }
    let mut enabled = Vec::new();
    let mut body = (*world).first_body;
    while let Some(b) = body.as_mut() {
        if b.flags & flag::DISABLED == 0 {
            enabled.push(body);
        }
        body = b.next;
    }
    let hold = |body: BodyId| {
        let b = &mut *body;
        let held = Held {
            body,
            inverse_mass: b.inverse_mass,
            inverse_inertia: b.inverse_inertia,
            velocities: [b.linear_velocity, b.angular_velocity],
        };
        b.flags |= flag::HELD;
        b.inverse_mass = 0.0;
        b.inverse_inertia = [0.0; 12];
        b.linear_velocity = [0.0; 4];
        b.angular_velocity = [0.0; 4];
        held
    };
    rim.extend(disabled_beside(&enabled).into_iter().map(hold));
}

impl Drop for Release {
    fn drop(&mut self) {
        // SAFETY: the world, and its bodies, are not destroyed during a step.
        unsafe { (*self.0).release() };
    }
}

impl Rim {
    pub(super) unsafe fn hold(&mut self, world: WorldId, depth: u32) {
        hold(world, depth, &mut self.0);
    }

    /// Lets the bodies go.
    ///
    /// # Safety
    /// None has been destroyed since it was held.
    pub(super) unsafe fn release(&mut self) {
        for held in self.0.drain(..) {
            // SAFETY: the caller's promise.
            let body = unsafe { &mut *held.body };
            body.flags &= !flag::HELD;
            // Unless the program has set another mass meanwhile.
            if body.inverse_mass == 0.0 {
                body.inverse_mass = held.inverse_mass;
                body.inverse_inertia = held.inverse_inertia;
            }
            [body.linear_velocity, body.angular_velocity] = held.velocities;
        }
    }
}

/// Disabled bodies that a joint connects to one of these, each once.
unsafe fn disabled_beside(bodies: &[BodyId]) -> Vec<BodyId> {
    let mut found = Vec::new();
    for &body in bodies {
        let mut node = (*body).first_joint;
        while let Some(n) = node.as_ref() {
            if let Some(other) = n.body.as_ref()
                && other.flags & flag::DISABLED != 0
                && takes_part(&*n.joint)
            {
                found.push(n.body);
            }
            node = n.next;
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
