//! Ball about the origin.

use glam::DVec3;

use super::{Surface, chord::Chord};

/// A ball about the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    /// Radius \[m\].
    pub radius: f64,
}

impl Sphere {
    pub(crate) fn support(&self, direction: DVec3) -> DVec3 {
        direction.normalize_or(DVec3::X) * self.radius
    }

    pub(crate) fn volume(&self) -> f64 {
        4.0 / 3.0 * std::f64::consts::PI * self.radius.powi(3)
    }

    pub(crate) fn surface(&self, point: DVec3) -> Surface {
        let length = point.length();
        let normal = if length > 0.0 && length.is_finite() { point / length } else { DVec3::X };
        Surface { distance: length - self.radius, normal }
    }

    pub(crate) fn chord(&self, origin: DVec3, direction: DVec3) -> Option<Chord> {
        Chord::ball(DVec3::ZERO, self.radius, origin, direction)
    }
}
