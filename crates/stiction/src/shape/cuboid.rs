//! Box with faces across the local axes.

use glam::DVec3;

use super::{Surface, chord::Chord};

/// A box about the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cuboid {
    /// Half of each side length \[m\].
    pub half_extents: DVec3,
}

impl Cuboid {
    /// Corner `index`: bits 0, 1, 2 choose the positive side of x, y, z \[m\].
    #[must_use]
    pub fn corner(&self, index: usize) -> DVec3 {
        let side = |bit: usize| if index & bit != 0 { 1.0 } else { -1.0 };
        self.half_extents * DVec3::new(side(1), side(2), side(4))
    }

    /// Corner indices of the face across `axis` on its positive or negative side, counter-clockwise from outside.
    #[must_use]
    pub const fn face_corners(axis: usize, positive: bool) -> [usize; 4] {
        let (bit, u, v) = (1 << axis, 1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
        if positive { [bit, bit | u, bit | u | v, bit | v] } else { [0, v, u | v, u] }
    }

    pub(crate) fn support(&self, direction: DVec3) -> DVec3 {
        DVec3::new(
            self.half_extents.x.copysign(direction.x),
            self.half_extents.y.copysign(direction.y),
            self.half_extents.z.copysign(direction.z),
        )
    }

    pub(crate) fn volume(&self) -> f64 {
        8.0 * self.half_extents.x * self.half_extents.y * self.half_extents.z
    }

    pub(crate) fn surface(&self, point: DVec3) -> Surface {
        let excess = point.abs() - self.half_extents;
        let outside = excess.max(DVec3::ZERO);
        let distance = outside.length();
        if distance > 0.0 {
            let normal =
                DVec3::new(outside.x.copysign(point.x), outside.y.copysign(point.y), outside.z.copysign(point.z));
            return Surface { distance, normal: normal / distance };
        }
        // Inside: the nearest face.
        let axis = if excess.x >= excess.y && excess.x >= excess.z {
            0
        } else if excess.y >= excess.z {
            1
        } else {
            2
        };
        Surface { distance: excess[axis], normal: DVec3::AXES[axis] * 1.0f64.copysign(point[axis]) }
    }

    pub(crate) fn chord(&self, origin: DVec3, direction: DVec3) -> Option<Chord> {
        let mut chord = Chord::LINE;
        for axis in 0..3 {
            for normal in [DVec3::AXES[axis], -DVec3::AXES[axis]] {
                let part = Chord::half_space(normal, self.half_extents[axis], origin, direction)?;
                chord = chord.intersection(part)?;
            }
        }
        Some(chord)
    }
}
