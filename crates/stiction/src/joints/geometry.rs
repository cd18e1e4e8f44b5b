//! Where a joint sits in its bodies, and where that is now.

use glam::{DQuat, DVec3};

/// Anchors and axes in the frames of the two bodies (relative to the centre of mass, turned with the body); for the
/// static environment in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointFrames {
    /// Anchor in each body \[m\].
    pub anchors: [DVec3; 2],
    /// Axes as each body carries them: `axes[body][axis]`, unit.
    pub axes: [[DVec3; 3]; 2],
    /// Rotation of the first body relative to the second where the joint was made: `R₂ᵀ R₁`.
    pub relative: DQuat,
    /// `p₁ − p₂` where the joint was made, as the second body carries it \[m\].
    pub separation: DVec3,
    /// For a gearbox: the axes as the reference body carries them, and the rotations of the bodies relative to it.
    pub reference_axes: [DVec3; 3],
    /// `R_refᵀ R₁`, `R_refᵀ R₂` where the joint was made.
    pub reference_relative: [DQuat; 2],
}

impl JointFrames {
    /// Where the joint was made, in the frame of the second body.
    #[must_use]
    pub fn at_start(&self) -> JointPose<'_> {
        let first = self.anchors[1] + self.separation - self.relative * self.anchors[0];
        JointPose {
            frames: self,
            centers: [first, DVec3::ZERO],
            rotations: [self.relative, DQuat::IDENTITY],
            reference_rotation: self.reference_relative[1].conjugate(),
        }
    }
}

/// A joint's frames at the present poses of its bodies.
#[derive(Clone, Copy, Debug)]
pub struct JointPose<'a> {
    /// The frames in the bodies.
    pub frames: &'a JointFrames,
    /// Centres of mass \[m\]; the origin for the static environment.
    pub centers: [DVec3; 2],
    /// Rotations of the bodies; identity for the static environment.
    pub rotations: [DQuat; 2],
    /// Rotation of the reference body.
    pub reference_rotation: DQuat,
}

impl JointPose<'_> {
    /// Lever arm from a body's centre of mass to its anchor, world axes \[m\].
    #[must_use]
    pub fn arm(&self, body: usize) -> DVec3 {
        self.rotations[body] * self.frames.anchors[body]
    }

    /// A body's anchor in the world \[m\].
    #[must_use]
    pub fn anchor(&self, body: usize) -> DVec3 {
        self.centers[body] + self.arm(body)
    }

    /// `p₁ − p₂` \[m\].
    #[must_use]
    pub fn separation(&self) -> DVec3 {
        self.anchor(0) - self.anchor(1)
    }

    /// An axis as carried by a body, in the world.
    #[must_use]
    pub fn axis(&self, body: usize, axis: usize) -> DVec3 {
        self.rotations[body] * self.frames.axes[body][axis]
    }

    /// An axis as carried by the reference body, in the world.
    #[must_use]
    pub fn reference_axis(&self, axis: usize) -> DVec3 {
        self.reference_rotation * self.frames.reference_axes[axis]
    }

    /// Rotation of the first body against where the second wants it, as a vector in the world (twice the vector part
    /// of the quaternion, of the shorter way).
    #[must_use]
    pub fn orientation_error(&self) -> DVec3 {
        orientation_error(self.rotations, self.frames.relative)
    }

    /// Angle of the first body relative to the second about an axis of the second, in (−π, π\].
    #[must_use]
    pub fn angle_about(&self, axis: usize) -> f64 {
        let turn = self.rotations[1].conjugate() * self.rotations[0] * self.frames.relative.conjugate();
        twist(turn, self.frames.axes[1][axis])
    }

    /// Angle of a body relative to the reference body about an axis of the reference body, in (−π, π\].
    #[must_use]
    pub fn reference_angle(&self, body: usize, axis: usize) -> f64 {
        let turn = self.reference_rotation.conjugate()
            * self.rotations[body]
            * self.frames.reference_relative[body].conjugate();
        twist(turn, self.frames.reference_axes[axis])
    }
}

/// Rotation of the first of two bodies against where the second wants it, `R₂ relative`, as a vector in the world (twice the
/// vector part of the quaternion, of the shorter way).
#[must_use]
pub fn orientation_error(rotations: [DQuat; 2], relative: DQuat) -> DVec3 {
    let wanted = rotations[1] * relative;
    let error = rotations[0] * wanted.conjugate();
    let sign = if error.w < 0.0 { -2.0 } else { 2.0 };
    sign * DVec3::new(error.x, error.y, error.z)
}

/// Angle of a rotation about a unit axis, in (−π, π\].
fn twist(turn: DQuat, axis: DVec3) -> f64 {
    let sine = DVec3::new(turn.x, turn.y, turn.z).dot(axis);
    // Of q and −q take the one with w ≥ 0, so that the half angle stays within ±π/2.
    let (sine, cosine) = if turn.w < 0.0 { (-sine, -turn.w) } else { (sine, turn.w) };
    2.0 * libm::atan2(sine, cosine)
}

/// The angle equal to `angle` up to whole turns that is nearest to `last`.
#[must_use]
pub fn unwrap(angle: f64, last: f64) -> f64 {
    use std::f64::consts::TAU;
    angle + TAU * ((last - angle) / TAU).round()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unwrapping_follows_whole_turns() {
        let mut last = 0.0;
        for i in 0..1000 {
            let true_angle = 0.05 * f64::from(i);
            let wrapped = libm::atan2(true_angle.sin(), true_angle.cos());
            last = unwrap(wrapped, last);
            assert!((last - true_angle).abs() < 1e-12);
        }
    }

    #[test]
    fn twist_of_either_quaternion_is_the_same() {
        let q = DQuat::from_rotation_z(2.5);
        assert!((twist(q, DVec3::Z) - 2.5).abs() < 1e-15);
        assert!((twist(-q, DVec3::Z) - 2.5).abs() < 1e-15);
    }
}
