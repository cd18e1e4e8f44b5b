//! Axis-aligned bounding boxes.

use glam::DVec3;

/// An axis-aligned box in world axes; bounds may be infinite. Empty when `min > max` on an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// Least corner \[m\].
    pub min: DVec3,
    /// Greatest corner \[m\].
    pub max: DVec3,
}

impl Aabb {
    /// Contains nothing; the neutral element of [`Aabb::merged`].
    pub const EMPTY: Self = Self { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };

    /// All of space.
    pub const INFINITE: Self = Self { min: DVec3::NEG_INFINITY, max: DVec3::INFINITY };

    /// The box of the two corners.
    #[must_use]
    pub const fn new(min: DVec3, max: DVec3) -> Self {
        Self { min, max }
    }

    /// The box about a centre.
    #[must_use]
    pub fn from_center(center: DVec3, half_extents: DVec3) -> Self {
        Self { min: center - half_extents, max: center + half_extents }
    }

    /// The least box that contains both.
    #[must_use]
    pub fn merged(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// The boxes share a point; touching counts.
    #[inline]
    #[must_use]
    pub fn intersects(&self, other: &Self) -> bool {
        // One branch instead of six that nobody can foretell.
        (self.min.x <= other.max.x)
            & (other.min.x <= self.max.x)
            & (self.min.y <= other.max.y)
            & (other.min.y <= self.max.y)
            & (self.min.z <= other.max.z)
            & (other.min.z <= self.max.z)
    }

    /// A point lies inside or on the border.
    pub(crate) fn holds(&self, point: DVec3) -> bool {
        self.min.cmple(point).all() && self.max.cmpge(point).all()
    }

    /// `other` lies wholly inside.
    #[inline]
    #[must_use]
    pub fn contains(&self, other: &Self) -> bool {
        self.min.cmple(other.min).all() && self.max.cmpge(other.max).all()
    }

    /// The box contains a point.
    #[inline]
    #[must_use]
    pub fn contains_point(&self, point: DVec3) -> bool {
        let is_above = (self.min.x <= point.x) & (self.min.y <= point.y) & (self.min.z <= point.z);
        is_above & (point.x <= self.max.x) & (point.y <= self.max.y) & (point.z <= self.max.z)
    }

    /// The least box, in the axes of A, of this one in the axes of B at `pose` in A. Bounds may be infinite.
    #[must_use]
    pub(crate) fn turned(&self, pose: &crate::math::Pose) -> Self {
        self.turned_by(&pose.matrix().transpose(), pose.position)
    }

    /// The same with the transposed matrix of the rotation, and the position.
    #[inline]
    pub(crate) fn turned_by(&self, rows: &glam::DMat3, position: DVec3) -> Self {
        if self.is_empty() {
            return Self::EMPTY;
        }
        let mut turned = Self::new(position, position);
        for axis in 0..3 {
            let row = rows.col(axis);
            // A side that is square on adds nothing, even if it is infinite.
            for k in (0..3).filter(|&k| row[k] != 0.0) {
                let ends = [row[k] * self.min[k], row[k] * self.max[k]];
                turned.min[axis] += ends[0].min(ends[1]);
                turned.max[axis] += ends[0].max(ends[1]);
            }
        }
        turned
    }

    /// Grown by `margin` \[m\] on every side.
    #[must_use]
    pub fn expanded(&self, margin: f64) -> Self {
        Self { min: self.min - DVec3::splat(margin), max: self.max + DVec3::splat(margin) }
    }

    /// Midpoint \[m\].
    #[must_use]
    pub fn center(&self) -> DVec3 {
        0.5 * (self.min + self.max)
    }

    /// Side lengths \[m\].
    #[must_use]
    pub fn size(&self) -> DVec3 {
        self.max - self.min
    }

    /// Has no point (NaN bounds count as empty).
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !(self.min.x <= self.max.x && self.min.y <= self.max.y && self.min.z <= self.max.z)
    }

    /// All bounds are finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.min.is_finite() && self.max.is_finite()
    }
}
