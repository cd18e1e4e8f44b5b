//! Capsule: all points within a radius of a segment of the z axis.

use glam::DVec3;

use super::{Surface, chord::Chord};

/// A cylinder along local z with a half ball on each end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule {
    /// Radius \[m\].
    pub radius: f64,
    /// Half of the cylindrical part's length \[m\].
    pub half_length: f64,
}

impl Capsule {
    pub(crate) fn support(&self, direction: DVec3) -> DVec3 {
        direction.normalize_or(DVec3::X) * self.radius + DVec3::Z * self.half_length.copysign(direction.z)
    }

    pub(crate) fn volume(&self) -> f64 {
        std::f64::consts::PI * self.radius * self.radius * (2.0 * self.half_length + 4.0 / 3.0 * self.radius)
    }

    pub(crate) fn surface(&self, point: DVec3) -> Surface {
        let off = point - DVec3::Z * point.z.clamp(-self.half_length, self.half_length);
        Surface { distance: off.length() - self.radius, normal: off.normalize_or(DVec3::X) }
    }

    pub(crate) fn chord(&self, origin: DVec3, direction: DVec3) -> Option<Chord> {
        let end = DVec3::Z * self.half_length;
        let middle = Chord::tube(self.radius, origin, direction)
            .and_then(|c| c.intersection(Chord::half_space(DVec3::Z, self.half_length, origin, direction)?))
            .and_then(|c| c.intersection(Chord::half_space(-DVec3::Z, self.half_length, origin, direction)?));
        let ends = [end, -end].map(|center| Chord::ball(center, self.radius, origin, direction));
        [middle, ends[0], ends[1]].into_iter().flatten().reduce(Chord::union)
    }
}
