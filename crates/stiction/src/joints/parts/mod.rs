//! Pieces that joints are made of; each gives the Jacobian of its rows and their position error.

mod angular;
mod linear;

pub use angular::{alignment, lock, spin};
pub use linear::{along, along_first, between, point};

use crate::math::V3;

/// Jacobian and error of one row between two bodies: `u = l·(v₁ − v₂) + a₁·ω₁ + a₂·ω₂`, `ġ = u`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartRow {
    /// Linear part of the first body; the second body has its negative.
    pub linear: V3,
    /// Angular part of the first body.
    pub angular_first: V3,
    /// Angular part of the second body.
    pub angular_second: V3,
    /// Position error g \[m or rad\].
    pub error: f64,
}

impl PartRow {
    /// One that acts on nothing.
    pub(crate) fn none() -> Self {
        Self::angular(V3::zero(), 0.0)
    }

    /// The same row with first and second body exchanged.
    #[must_use]
    pub fn exchanged(self) -> Self {
        Self {
            linear: -self.linear,
            angular_first: self.angular_second,
            angular_second: self.angular_first,
            error: self.error,
        }
    }

    /// A row of relative angular velocity about `axis`.
    #[inline(always)]
    fn angular(axis: V3, error: f64) -> Self {
        Self { linear: V3::zero(), angular_first: axis, angular_second: -axis, error }
    }
}
