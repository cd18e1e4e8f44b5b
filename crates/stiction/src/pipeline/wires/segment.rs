//! Contacts along a segment: what acts on it is shared by its two ends by the lever rule.

use glam::DVec3;

use crate::model::{BodyState, Geom};

/// A segment of a wire that touches something.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segment {
    /// Slot of the body of its second end; the first one's is the contact's own.
    pub(crate) second: Option<u32>,
    /// From the centre of mass of this body to the end \[m\].
    pub(crate) arm: DVec3,
    /// Where its first end is \[m\].
    from: DVec3,
    /// From there to the second \[m\].
    chord: DVec3,
}

/// Part of the radius next to a node within which a contact is the node's own.
const OWN: f64 = 0.5;

impl Segment {
    /// The segment whose shape this is.
    pub(crate) fn of(geom: &Geom, bodies: &[BodyState]) -> Option<Self> {
        let end = geom.segment?;
        let from = bodies[geom.body?.slot()].motion.position;
        Some(Self { second: end.body.map(|body| body.slot() as u32), arm: end.arm, from, chord: end.chord })
    }

    /// Share of the second end in what acts at a point.
    pub(crate) fn share(&self, point: DVec3) -> f64 {
        ((point - self.from).dot(self.chord) / self.chord.length_squared()).clamp(0.0, 1.0)
    }

    /// The point is between the nodes, which have shapes of their own.
    pub(crate) fn is_between(&self, point: DVec3, radius: f64) -> bool {
        let length = self.chord.length();
        let along = length * self.share(point);
        along > OWN * radius && along < length - OWN * radius
    }

    /// Direction of the wire.
    pub(crate) fn direction(&self) -> DVec3 {
        self.chord.normalize_or(DVec3::X)
    }

    /// Velocity of a point of it \[m/s\].
    pub(crate) fn velocity(&self, point: DVec3, first: DVec3, bodies: &[BodyState]) -> DVec3 {
        let share = self.share(point);
        let second = self.second.map_or(DVec3::ZERO, |slot| {
            let motion = &bodies[slot as usize].motion;
            motion.velocity + motion.omega.cross(self.arm)
        });
        first.lerp(second, share)
    }
}
