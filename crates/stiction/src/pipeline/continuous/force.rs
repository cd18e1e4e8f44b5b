//! Force of a contact at a state, of shapes and of the user's contacts alike.

use glam::DVec3;

use crate::contact::compliance::NormalForce;
use crate::contact::friction::{FrictionBound, Stribeck};
use crate::material::ContactSurface;

/// Slip speeds below this have no direction \[m/s\].
const NO_SLIP: f64 = 1e-14;
/// A coefficient without bound counts as this.
const STICKS: f64 = 10.0;

/// A contact at a state.
pub(super) struct ContactState<'a> {
    /// Law and friction.
    pub(super) surface: &'a ContactSurface,
    /// Unit normal, into the first body.
    pub(super) normal: DVec3,
    /// Friction directions.
    pub(super) tangents: [DVec3; 2],
    /// Penetration \[m\].
    pub(super) depth: f64,
    /// Velocity of the first body's point relative to the second's \[m/s\].
    pub(super) velocity: DVec3,
}

/// Power of a contact \[W\].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ContactPower {
    /// Of the spring of the normal law on the bodies; negative while it is filled.
    pub(super) elastic: f64,
    /// Of the normal force.
    pub(super) normal: f64,
    /// Of what moves by itself: surfaces, and bodies whose velocity is prescribed.
    pub(super) driven: f64,
    /// Lost by its dampers and by friction.
    pub(super) lost: f64,
}

impl ContactState<'_> {
    /// Power of the force on the first body, where the ends that move by themselves have the velocities `prescribed`.
    pub(super) fn power(&self, law: NormalForce, force: DVec3, prescribed: [DVec3; 2]) -> ContactPower {
        let normal = force.dot(self.normal);
        let parting = self.velocity.dot(self.normal) - self.surface.normal_motion;
        let (elastic, normal_power) = (law.force(self.depth, 0.0) * parting, normal * parting);
        let [along, across] = self.surface.motion;
        let surfaces =
            normal * self.surface.normal_motion + force.dot(self.tangents[0] * along + self.tangents[1] * across);
        let lost = elastic + surfaces - force.dot(self.velocity);
        ContactPower {
            elastic,
            normal: normal_power,
            driven: surfaces - force.dot(prescribed[0] - prescribed[1]),
            lost,
        }
    }

    /// Force on the first body \[N\]: the normal law; and `−μ(|vₜ|) fₙ vₜ / |vₜ|`, by the surface's Stribeck curve at
    /// the slip vₜ against the motion of the surface itself. Where it has
    /// none, friction is the bound of each direction times a curve that rises to 1 at `tolerance` \[m/s\].
    pub(super) fn force(&self, law: NormalForce, tolerance: f64) -> DVec3 {
        let speed = self.velocity.dot(self.normal);
        let normal = law.force(self.depth, speed - self.surface.normal_motion);
        let Some(stribeck) = self.surface.stribeck else {
            return self.normal * normal + self.bounded_friction(normal, tolerance);
        };
        let [along, across] = self.surface.motion;
        let slip = self.velocity - self.normal * speed - self.tangents[0] * along - self.tangents[1] * across;
        let slip_speed = slip.length();
        let mut force = self.normal * normal;
        if slip_speed >= NO_SLIP {
            force -= slip * (stribeck.coefficient(slip_speed) * normal / slip_speed);
        }
        force
    }

    /// Against the slip relative to the surface's own motion: of one bound together, of two each on its own.
    fn bounded_friction(&self, normal: f64, tolerance: f64) -> DVec3 {
        let curve = Stribeck { static_coefficient: 1.0, dynamic_coefficient: 1.0, tolerance, viscous: 0.0 };
        let most = self.surface.friction.map(|bound| match bound {
            // There is no step before in continuous time.
            FrictionBound::Coefficient(coefficient) | FrictionBound::LastNormal(coefficient) => {
                coefficient.min(STICKS) * normal
            }
            FrictionBound::Force(force) => force.min(STICKS * normal),
        });
        let slip = [0, 1].map(|k: usize| self.velocity.dot(self.tangents[k]) - self.surface.motion[k]);
        let against = |slip: f64, speed: f64, most: f64| {
            if speed < NO_SLIP { 0.0 } else { -most * curve.coefficient(speed) * slip / speed }
        };
        let together = libm::hypot(slip[0], slip[1]);
        let speeds = if most[0] == most[1] { [together; 2] } else { slip.map(f64::abs) };
        self.tangents[0] * against(slip[0], speeds[0], most[0])
            + self.tangents[1] * against(slip[1], speeds[1], most[1])
    }
}
