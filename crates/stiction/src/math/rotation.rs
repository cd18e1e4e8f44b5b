//! Rotation functions: the guide's chapter 9.

use std::f64::consts::TAU;

use glam::{DMat3, DQuat, DVec3};

/// Rotation by `angle` \[rad\] about `axis`, right-handed; `None` if the axis has no direction.
#[must_use]
pub fn from_axis_angle(axis: DVec3, angle: f64) -> Option<DQuat> {
    let axis = axis.try_normalize()?;
    let (sine, cosine) = (libm::sin(0.5 * angle), libm::cos(0.5 * angle));
    Some(DQuat::from_xyzw(axis.x * sine, axis.y * sine, axis.z * sine, cosine))
}

/// Rotation by three angles \[rad\] about the fixed axes x, y, z in this order: `R = Rz(psi) Ry(theta) Rx(phi)`.
/// (ODE's `dRFromEulerAngles` makes the transpose of this matrix.)
#[must_use]
pub fn from_euler_angles(phi: f64, theta: f64, psi: f64) -> DQuat {
    super::Pose::from_xyz_rpy(DVec3::ZERO, DVec3::new(phi, theta, psi)).rotation
}

/// Rotation whose x axis is `x` and whose y axis lies in the plane of `x` and `y`, on the side of `y`; `None` if the two
/// span no plane.
#[must_use]
pub fn from_two_axes(x: DVec3, y: DVec3) -> Option<DQuat> {
    let x = x.try_normalize()?;
    let y = y.try_normalize()?;
    let y = (y - x * x.dot(y)).try_normalize()?;
    Some(DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y))).normalize())
}

/// A rotation whose z axis is `z`, the rest as it comes; `None` if the axis has no direction.
#[must_use]
pub fn from_z_axis(z: DVec3) -> Option<DQuat> {
    let z = z.try_normalize()?;
    let (p, q) = super::plane_space(super::V3::from(z));
    Some(DQuat::from_mat3(&DMat3::from_cols(p.into(), q.into(), z)).normalize())
}

/// Time derivative of an orientation under an angular velocity in the world \[rad/s\]: `q̇ = ½ (0, ω) q`.
/// Not a unit quaternion.
#[must_use]
pub fn quaternion_rate(rotation: DQuat, omega: DVec3) -> DQuat {
    DQuat::from_xyzw(0.5 * omega.x, 0.5 * omega.y, 0.5 * omega.z, 0.0) * rotation
}

/// The shorter turn from one rotation to another: angle times axis \[rad\].
pub(crate) fn shorter_turn(from: DQuat, to: DQuat) -> DVec3 {
    let q = to * from.conjugate();
    let q = if q.w < 0.0 { -q } else { q };
    let sine = q.xyz().length();
    if sine == 0.0 { DVec3::ZERO } else { q.xyz() * (2.0 * libm::atan2(sine, q.w) / sine) }
}

/// Of the turns from one rotation to another, which whole turns tell apart, the one that is nearest to what is expected: angle times axis \[rad\].
pub(crate) fn nearest_turn(from: DQuat, to: DQuat, expected: DVec3) -> DVec3 {
    let shorter = shorter_turn(from, to);
    let angle = shorter.length();
    if angle == 0.0 {
        return shorter;
    }
    let axis = shorter / angle;
    axis * (angle + TAU * ((expected.dot(axis) - angle) / TAU).round())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_go_where_they_are_told() {
        let (x, y) = (DVec3::new(1.0, 2.0, 2.0), DVec3::new(0.0, 1.0, 5.0));
        let q = from_two_axes(x, y).unwrap();
        assert!((q * DVec3::X - x.normalize()).length() < 1e-15);
        assert!((q * DVec3::Z).dot(y).abs() < 1e-14 && (q * DVec3::Y).dot(y) > 0.0);
        let z = DVec3::new(-0.3, 0.4, -2.0);
        assert!((from_z_axis(z).unwrap() * DVec3::Z - z.normalize()).length() < 1e-15);
        assert_eq!(from_two_axes(x, 2.0 * x), None);
        assert_eq!(from_axis_angle(DVec3::ZERO, 1.0), None);
    }

    #[test]
    fn the_rate_is_the_difference_quotient() {
        let (q, omega, h) = (from_euler_angles(0.3, -0.2, 1.0), DVec3::new(0.5, -1.0, 2.0), 1e-6);
        let later = from_axis_angle(omega, h * omega.length()).unwrap() * q;
        let rate = (later - q) / h;
        assert!((rate - quaternion_rate(q, omega)).length() < 1e-5);
    }

    #[test]
    fn euler_angles_turn_about_fixed_axes() {
        let q = from_euler_angles(0.4, 0.5, 0.6);
        let about = |axis, angle| from_axis_angle(axis, angle).unwrap();
        let expected = about(DVec3::Z, 0.6) * about(DVec3::Y, 0.5) * about(DVec3::X, 0.4);
        assert!((q - expected).length() < 1e-15);
    }
}
