//! Angles of turns about axes, with ODE's signs.

use glam::{DQuat, DVec3};

/// Angle of the turn that is left of `conj(q₁) q₂` after the initial one is taken off, about an axis of the first body: the
/// first body relative to the second, in (−π, π\].
pub(crate) fn hinge_angle(relative: DQuat, initial: DQuat, axis: DVec3) -> f64 {
    angle_about(relative * initial.conjugate(), axis)
}

/// Minus the angle of a rotation about an axis, in \[−π, π). Of q and −q the one whose vector points along the axis counts, so
/// that the angle does not jump when the body has turned once.
pub(crate) fn angle_about(q: DQuat, axis: DVec3) -> f64 {
    use std::f64::consts::{PI, TAU};
    let v = DVec3::new(q.x, q.y, q.z);
    let cosine = if v.dot(axis) >= 0.0 { q.w } else { -q.w };
    let angle = 2.0 * libm::atan2(v.length(), cosine);
    -(if angle > PI { angle - TAU } else { angle })
}
