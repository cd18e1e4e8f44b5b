//! How an orientation follows an angular velocity.

use glam::{DQuat, DVec3};

/// The guide's finite rotation modes (6.6). A free body under the midpoint rule of
/// [`super::gyroscopic::Gyroscopic`] turns by its own rule, exact for steady spins in every mode.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum FiniteRotation {
    /// Mode 0, infinitesimal: `q + (h/2) ω q`, normalised, an angle of `2 atan(|ω| h / 2)` a step.
    #[default]
    Off,
    /// Mode 1: the exact turn by `ω h`.
    On,
    /// Mode 1 with an axis: exact about this axis (unit, world), infinitesimal for the rest.
    Axis(DVec3),
}

/// Rotation by the vector `angle` through Cayley's map: the direction is exact, the angle is `2 atan(|angle| / 2)`.
#[must_use]
pub fn cayley(angle: DVec3) -> DQuat {
    let half = 0.5 * angle;
    let scale = 1.0 / (1.0 + half.length_squared()).sqrt();
    DQuat::from_xyzw(half.x * scale, half.y * scale, half.z * scale, scale)
}

/// Rotation by the vector `angle`, exactly.
#[must_use]
pub fn exponential(angle: DVec3) -> DQuat {
    let square = 0.25 * angle.length_squared();
    // sin(x)/x by its series where the quotient loses digits.
    let (ratio, cosine) = if square < 1e-8 {
        (0.5 * (1.0 - square / 6.0), 1.0 - 0.5 * square + square * square / 24.0)
    } else {
        let half = square.sqrt();
        (0.5 * libm::sin(half) / half, libm::cos(half))
    };
    DQuat::from_xyzw(angle.x * ratio, angle.y * ratio, angle.z * ratio, cosine)
}

/// How far two rotations turn a point at a unit distance apart, at most: `|θ| = 2 asin √(1 − cos²(θ/2))` by the dot product `cos(θ/2)` of
/// the quaternions, with the chord `2 sin(θ/2)`.
pub(crate) fn chord(cosine: f64) -> f64 {
    2.0 * (1.0 - cosine * cosine).max(0.0).sqrt()
}

/// Orientation after turning with the angular velocity `omega` (world) for a step.
#[inline]
#[must_use]
pub fn turn(mode: FiniteRotation, rotation: DQuat, omega: DVec3, step: f64) -> DQuat {
    let angle = step * omega;
    let turned = match mode {
        FiniteRotation::Off => cayley(angle) * rotation,
        FiniteRotation::On => exponential(angle) * rotation,
        FiniteRotation::Axis(axis) => {
            let about = axis * axis.dot(angle);
            cayley(angle - about) * (exponential(about) * rotation)
        }
    };
    turned.normalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_give_the_guides_angles() {
        let w = DVec3::new(0.0, 0.0, 10.0);
        let angle = |mode| 2.0 * turn(mode, DQuat::IDENTITY, w, 0.01).z.asin();
        assert!((angle(FiniteRotation::Off) - 0.0999168).abs() < 1e-7);
        assert!((angle(FiniteRotation::On) - 0.1).abs() < 1e-15);
        assert!((angle(FiniteRotation::Axis(DVec3::Z)) - 0.1).abs() < 1e-15);
    }

    #[test]
    fn the_series_of_the_exponential_meets_the_formula() {
        let a = exponential(DVec3::new(1.9999e-4, 0.0, 0.0));
        let half: f64 = 0.99995e-4;
        assert!((a.x - half.sin()).abs() < 1e-20 && (a.w - half.cos()).abs() < 1e-16);
    }
}
