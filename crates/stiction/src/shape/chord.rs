//! The part of a line inside a convex solid, from which every ray cast is read.

use glam::DVec3;

use super::RayHit;

/// Interval of the line parameter inside a solid, with the outward normals at its ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chord {
    pub enter: f64,
    pub enter_normal: DVec3,
    pub exit: f64,
    pub exit_normal: DVec3,
}

impl Chord {
    /// The whole line.
    pub const LINE: Self =
        Self { enter: f64::NEG_INFINITY, enter_normal: DVec3::ZERO, exit: f64::INFINITY, exit_normal: DVec3::ZERO };

    /// The half-space `n·x <= d`.
    pub(crate) fn half_space(normal: DVec3, offset: f64, origin: DVec3, direction: DVec3) -> Option<Self> {
        let rate = normal.dot(direction);
        let gap = offset - normal.dot(origin);
        if rate == 0.0 {
            return (gap >= 0.0).then_some(Self::LINE);
        }
        let t = gap / rate;
        Some(if rate > 0.0 {
            Self { exit: t, exit_normal: normal, ..Self::LINE }
        } else {
            Self { enter: t, enter_normal: normal, ..Self::LINE }
        })
    }

    /// The ball `|x - c| <= r`; for other quadrics scale the line first.
    pub fn ball(center: DVec3, radius: f64, origin: DVec3, direction: DVec3) -> Option<Self> {
        let a = direction.length_squared();
        let s = center - origin;
        let middle = s.dot(direction) / a;
        // Distance of the centre from the line by the foot point: no cancellation far away.
        let off = s - direction * middle;
        let rest = radius * radius - off.length_squared();
        if rest < 0.0 {
            return None;
        }
        let half = (rest / a).sqrt();
        let (enter, exit) = (middle - half, middle + half);
        Some(Self {
            enter,
            enter_normal: (direction * enter - s).normalize_or_zero(),
            exit,
            exit_normal: (direction * exit - s).normalize_or_zero(),
        })
    }

    /// The endless cylinder `x² + y² <= r²`.
    pub(crate) fn tube(radius: f64, origin: DVec3, direction: DVec3) -> Option<Self> {
        let (flat_origin, flat) = (origin.with_z(0.0), direction.with_z(0.0));
        if flat.length_squared() < 1e-30 {
            return (flat_origin.length_squared() <= radius * radius).then_some(Self::LINE);
        }
        Self::ball(DVec3::ZERO, radius, flat_origin, flat)
    }

    /// The part inside both solids.
    pub(crate) fn intersection(self, other: Self) -> Option<Self> {
        let (enter, enter_normal) =
            if other.enter > self.enter { (other.enter, other.enter_normal) } else { (self.enter, self.enter_normal) };
        let (exit, exit_normal) =
            if other.exit < self.exit { (other.exit, other.exit_normal) } else { (self.exit, self.exit_normal) };
        (enter <= exit).then_some(Self { enter, enter_normal, exit, exit_normal })
    }

    /// The least interval that contains both; exact where the union of the solids is convex.
    pub(crate) fn union(self, other: Self) -> Self {
        let (enter, enter_normal) =
            if other.enter < self.enter { (other.enter, other.enter_normal) } else { (self.enter, self.enter_normal) };
        let (exit, exit_normal) =
            if other.exit > self.exit { (other.exit, other.exit_normal) } else { (self.exit, self.exit_normal) };
        Self { enter, enter_normal, exit, exit_normal }
    }

    /// First surface point at or after the start; from inside the exit, with its normal turned back.
    pub(crate) fn first_hit(&self, max_distance: f64) -> Option<RayHit> {
        let hit = if self.enter >= 0.0 {
            RayHit { distance: self.enter, normal: self.enter_normal }
        } else if self.exit >= 0.0 {
            RayHit { distance: self.exit, normal: -self.exit_normal }
        } else {
            return None;
        };
        (hit.distance <= max_distance).then_some(hit)
    }
}
