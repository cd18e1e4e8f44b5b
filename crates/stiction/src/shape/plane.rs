//! Half-space.

use glam::DVec3;

use super::{Aabb, Surface, chord::Chord};
use crate::math::Pose;

/// The half-space `normal·p <= offset` in the local frame; solid and infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// Outward unit normal.
    pub normal: DVec3,
    /// Distance of the surface from the origin along the normal \[m\].
    pub offset: f64,
}

impl Plane {
    /// World normal and offset of the surface at a pose.
    #[must_use]
    pub fn at(&self, pose: &Pose) -> (DVec3, f64) {
        let normal = pose.direction(self.normal);
        (normal, self.offset + normal.dot(pose.position))
    }

    /// Infinite, save for the bounded side of a surface across a world axis.
    pub(crate) fn aabb(&self, pose: &Pose) -> Aabb {
        let (normal, offset) = self.at(pose);
        let mut aabb = Aabb::INFINITE;
        for axis in 0..3 {
            if normal[axis] == 1.0 {
                aabb.max[axis] = offset;
            } else if normal[axis] == -1.0 {
                aabb.min[axis] = -offset;
            }
        }
        aabb
    }

    pub(crate) fn surface(&self, point: DVec3) -> Surface {
        Surface { distance: self.normal.dot(point) - self.offset, normal: self.normal }
    }

    pub(crate) fn chord(&self, origin: DVec3, direction: DVec3) -> Option<Chord> {
        Chord::half_space(self.normal, self.offset, origin, direction)
    }
}
