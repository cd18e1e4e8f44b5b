//! Cylinder along the z axis with flat caps.

use glam::DVec3;

use super::{Surface, chord::Chord};

/// A cylinder along local z about the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cylinder {
    /// Radius \[m\].
    pub radius: f64,
    /// Half of the length \[m\].
    pub half_length: f64,
}

impl Cylinder {
    pub(crate) fn support(&self, direction: DVec3) -> DVec3 {
        let radial = direction.with_z(0.0).normalize_or(DVec3::X);
        radial * self.radius + DVec3::Z * self.half_length.copysign(direction.z)
    }

    pub(crate) fn volume(&self) -> f64 {
        std::f64::consts::PI * self.radius * self.radius * 2.0 * self.half_length
    }

    pub(crate) fn surface(&self, point: DVec3) -> Surface {
        let flat = point.with_z(0.0);
        let radial = flat.normalize_or(DVec3::X);
        let axial = DVec3::Z * 1.0f64.copysign(point.z);
        let side = flat.length() - self.radius;
        let cap = point.z.abs() - self.half_length;
        if side > 0.0 && cap > 0.0 {
            let distance = (side * side + cap * cap).sqrt();
            return Surface { distance, normal: (radial * side + axial * cap) / distance };
        }
        if side > cap { Surface { distance: side, normal: radial } } else { Surface { distance: cap, normal: axial } }
    }

    pub(crate) fn chord(&self, origin: DVec3, direction: DVec3) -> Option<Chord> {
        Chord::tube(self.radius, origin, direction)?
            .intersection(Chord::half_space(DVec3::Z, self.half_length, origin, direction)?)?
            .intersection(Chord::half_space(-DVec3::Z, self.half_length, origin, direction)?)
    }
}
