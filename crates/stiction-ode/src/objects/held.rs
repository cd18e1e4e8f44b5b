//! Disabled bodies at the rim of what `dWorldStepFast1` enables: held for the step, as bodies that nothing moves.

use super::body::{BodyId, flag};
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
pub(crate) struct Rim(Vec<Held>);

impl Rim {
    /// Nothing moves the body until it is released.
    ///
    /// # Safety
    /// The body exists.
    pub(crate) unsafe fn hold(&mut self, body: BodyId) {
        // SAFETY: the caller's promise.
        let b = unsafe { &mut *body };
        self.0.push(Held {
            body,
            inverse_mass: b.inverse_mass,
            inverse_inertia: b.inverse_inertia,
            velocities: [b.linear_velocity, b.angular_velocity],
        });
        b.flags |= flag::HELD;
        b.inverse_mass = 0.0;
        b.inverse_inertia = [0.0; 12];
        b.linear_velocity = [0.0; 4];
        b.angular_velocity = [0.0; 4];
    }

    /// Lets the bodies go.
    ///
    /// # Safety
    /// None has been destroyed since it was held.
    pub(crate) unsafe fn release(&mut self) {
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
