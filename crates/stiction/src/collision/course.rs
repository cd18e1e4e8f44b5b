//! Motions that may turn by more than half a turn, which the poses at both ends do not tell.

use glam::{DQuat, DVec3};

use super::cast::Sweep;
use crate::math::Pose;
use crate::math::rotation::{nearest_turn, shorter_turn};
use crate::shape::{Aabb, Shape};

/// Difference of the turn between two poses from that of an angular velocity, up to which they are the same: as a part of the turn,
/// and in radians. Rules of integration differ by more where a body turns far in a step.
const SAME: [f64; 2] = [0.01, 1e-3];

/// A motion whose turn is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Course {
    /// Pose at the start.
    pub from: Pose,
    /// Pose at the end of the step, if nothing stops the shape.
    pub to: Pose,
    /// The point that moves on a straight line, in the shape's frame \[m\].
    pub center: DVec3,
    /// Angle times axis, in the world.
    pub turn: DVec3,
    /// Share of the turn that moves the shape as a set of points: the sine of the angle between the turn and the axis of symmetry of the shape, if that
    /// goes through the centre; otherwise 1. Rolling or spinning about that axis leaves the set where it is.
    pub swing: f64,
    /// The turn leads to the end. Otherwise the rule of integration turns by another angle than the angular velocity does.
    pub is_closed: bool,
}

impl From<Sweep> for Course {
    fn from(sweep: Sweep) -> Self {
        let Sweep { from, to, center } = sweep;
        Self { from, to, center, turn: shorter_turn(from.rotation, to.rotation), swing: 1.0, is_closed: true }
    }
}

impl Course {
    /// A step's motion from one pose to another with an angular velocity, of which `angle` is the product with the step (angle times
    /// axis, in the world).
    ///
    /// What touches at one point and spins about it is held by the solver as by that velocity: with another turn, the
    /// shorter way to the same pose or that of `q + h/2 ω q`, the point would go into the other shape.
    #[must_use]
    pub fn new(sweep: Sweep, angle: DVec3) -> Self {
        let known = Self::to_end(sweep, angle);
        let is_closed = (known.turn - angle).length() <= SAME[0] * angle.length() + SAME[1];
        if is_closed { known } else { Self { turn: angle, is_closed, ..known } }
    }

    /// The same of what nothing stops: of the turns that lead to the end, that which is nearest to the angular velocity's.
    #[must_use]
    pub fn to_end(sweep: Sweep, angle: DVec3) -> Self {
        let turn = nearest_turn(sweep.from.rotation, sweep.to.rotation, angle);
        Self { turn, ..Self::from(sweep) }
    }

    /// The same motion of a shape that may be round about an axis. A cone counts as if it were not: it rolls on its side about its tip.
    #[must_use]
    pub fn with_symmetry(self, shape: &Shape) -> Self {
        let axis = match shape {
            Shape::Sphere(_) if self.center == DVec3::ZERO => return Self { swing: 0.0, ..self },
            Shape::Cylinder(_) | Shape::Capsule(_) => DVec3::Z,
            _ => return self,
        };
        let angle = self.turn.length();
        if angle == 0.0 || self.center.cross(axis) != DVec3::ZERO {
            return self;
        }
        Self { swing: (self.turn.cross(self.from.rotation * axis).length() / angle).min(1.0), ..self }
    }

    /// Turn of the shape as a set of points \[rad\].
    pub(crate) fn swing_angle(&self) -> f64 {
        self.swing * self.turn.length()
    }

    /// The pose at a fraction of the motion.
    #[must_use]
    pub fn at(&self, fraction: f64) -> Pose {
        if fraction <= 0.0 {
            return self.from;
        }
        if fraction >= 1.0 && self.is_closed {
            return self.to;
        }
        let fraction = fraction.min(1.0);
        let center = self.from.point(self.center).lerp(self.to.point(self.center), fraction);
        let rotation = (rotation(fraction * self.turn) * self.from.rotation).normalize();
        Pose::new(center - rotation * self.center, rotation)
    }

    /// What is left of the motion after a fraction.
    #[must_use]
    pub fn rest(&self, fraction: f64) -> Self {
        Self { from: self.at(fraction), turn: (1.0 - fraction) * self.turn, ..*self }
    }

    /// The motion of a shape that is held at a pose in this one's frame.
    #[must_use]
    pub fn of_part(&self, pose: &Pose) -> Self {
        let [from, to] = [self.from, self.to].map(|own| own.compose(pose));
        Self { from, to, center: pose.inverse_point(self.center), swing: 1.0, ..*self }
    }

    /// Way of the centre \[m\].
    pub(super) fn way(&self) -> DVec3 {
        self.to.point(self.center) - self.from.point(self.center)
    }

    /// Farthest point of a box about the centre \[m\].
    fn radius(&self, bounds: &Aabb) -> f64 {
        (bounds.max - self.center).abs().max((bounds.min - self.center).abs()).length()
    }

    /// Most that points of a box move more than the centre \[m\].
    pub(super) fn spin(&self, bounds: &Aabb) -> f64 {
        let angle = self.swing_angle();
        if angle == 0.0 { 0.0 } else { angle * self.radius(bounds) }
    }

    /// Box of all that a shape's box touches on the way.
    #[must_use]
    pub fn bounds(&self, bounds: &Aabb) -> Aabb {
        let ends = bounds.turned(&self.from).merged(&bounds.turned(&self.at(1.0))).merged(&bounds.turned(&self.to));
        let angle = self.turn.length();
        if angle == 0.0 {
            return ends;
        }
        let radius = self.radius(bounds);
        if angle > std::f64::consts::PI {
            let [p, q] = [self.from, self.to].map(|pose| pose.point(self.center));
            return ends.merged(&Aabb::new(p.min(q), p.max(q)).expanded(radius));
        }
        // In between a turned box reaches beyond both ends by no more than the sagitta of its farthest point.
        ends.expanded(radius * (1.0 - libm::cos(0.5 * angle)))
    }
}

fn rotation(turn: DVec3) -> DQuat {
    let angle = turn.length();
    if angle == 0.0 {
        return DQuat::IDENTITY;
    }
    let (sine, cosine) = libm::sincos(0.5 * angle);
    let v = turn * (sine / angle);
    DQuat::from_xyzw(v.x, v.y, v.z, cosine)
}
