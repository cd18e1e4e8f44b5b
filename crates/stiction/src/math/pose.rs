//! A rigid transform.

use glam::{DMat3, DQuat, DVec3};

/// The pose `X_AB` of a frame B in a frame A: rotation, then translation, `p_A = R p_B + t`.
///
/// Quaternions are unit; in text they are written `w, x, y, z`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Position of B's origin in A \[m\].
    pub position: DVec3,
    /// Rotation that takes vectors from B to A.
    pub rotation: DQuat,
}

impl Pose {
    /// The frames coincide.
    pub const IDENTITY: Self = Self { position: DVec3::ZERO, rotation: DQuat::IDENTITY };

    /// A pose of the two parts; `rotation` must be of unit length.
    #[must_use]
    pub const fn new(position: DVec3, rotation: DQuat) -> Self {
        Self { position, rotation }
    }

    /// Translation only.
    #[must_use]
    pub const fn from_position(position: DVec3) -> Self {
        Self { position, rotation: DQuat::IDENTITY }
    }

    /// Rotation only.
    #[must_use]
    pub const fn from_rotation(rotation: DQuat) -> Self {
        Self { position: DVec3::ZERO, rotation }
    }

    /// Position and roll, pitch, yaw \[rad\] about the fixed axes x, y, z in this order
    /// (SDFormat and URDF): `R = Rz(yaw) Ry(pitch) Rx(roll)`.
    #[must_use]
    pub fn from_xyz_rpy(xyz: DVec3, rpy: DVec3) -> Self {
        let (sr, cr) = sin_cos(0.5 * rpy.x);
        let (sp, cp) = sin_cos(0.5 * rpy.y);
        let (sy, cy) = sin_cos(0.5 * rpy.z);
        let rotation = DQuat::from_xyzw(
            sr * cp * cy - cr * sp * sy,
            cr * sp * cy + sr * cp * sy,
            cr * cp * sy - sr * sp * cy,
            cr * cp * cy + sr * sp * sy,
        );
        Self { position: xyz, rotation: rotation.normalize() }
    }

    /// `X_AC = X_AB X_BC`.
    #[must_use]
    #[inline]
    pub fn compose(&self, inner: &Self) -> Self {
        // A frame that is only shifted, as most shapes in their bodies are.
        if inner.rotation == DQuat::IDENTITY {
            return Self { position: self.point(inner.position), rotation: self.rotation };
        }
        Self { position: self.point(inner.position), rotation: (self.rotation * inner.rotation).normalize() }
    }

    /// `X_BA`.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.conjugate();
        Self { position: rotation * -self.position, rotation }
    }

    /// The point given in B, in A.
    #[must_use]
    pub fn point(&self, p: DVec3) -> DVec3 {
        self.rotation * p + self.position
    }

    /// The point given in A, in B.
    #[must_use]
    pub fn inverse_point(&self, p: DVec3) -> DVec3 {
        self.rotation.conjugate() * (p - self.position)
    }

    /// The direction given in B, in A.
    #[must_use]
    pub fn direction(&self, d: DVec3) -> DVec3 {
        self.rotation * d
    }

    /// The direction given in A, in B.
    #[must_use]
    pub fn inverse_direction(&self, d: DVec3) -> DVec3 {
        self.rotation.conjugate() * d
    }

    /// `R` as a matrix.
    #[must_use]
    pub fn matrix(&self) -> DMat3 {
        DMat3::from_quat(self.rotation)
    }

    /// Roll, pitch, yaw \[rad\] of the rotation, pitch in \[−π/2, π/2\].
    #[must_use]
    pub fn rpy(&self) -> DVec3 {
        let q = self.rotation;
        let sin_pitch = (2.0 * (q.w * q.y - q.z * q.x)).clamp(-1.0, 1.0);
        let roll = libm::atan2(2.0 * (q.w * q.x + q.y * q.z), 1.0 - 2.0 * (q.x * q.x + q.y * q.y));
        let yaw = libm::atan2(2.0 * (q.w * q.z + q.x * q.y), 1.0 - 2.0 * (q.y * q.y + q.z * q.z));
        DVec3::new(roll, libm::asin(sin_pitch), yaw)
    }

    /// All seven numbers are finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.position.is_finite() && self.rotation.is_finite()
    }
}

fn sin_cos(x: f64) -> (f64, f64) {
    (libm::sin(x), libm::cos(x))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compose_and_inverse_agree() {
        let a = Pose::from_xyz_rpy(DVec3::new(1.0, -2.0, 0.5), DVec3::new(0.3, -0.7, 2.0));
        let b = Pose::from_xyz_rpy(DVec3::new(-0.4, 0.1, 3.0), DVec3::new(-1.1, 0.2, 0.9));
        let p = DVec3::new(0.7, 0.8, -0.9);
        assert!((a.compose(&b).point(p) - a.point(b.point(p))).length() < 1e-14);
        assert!((a.inverse_point(a.point(p)) - p).length() < 1e-14);
        assert!((a.inverse().point(p) - a.inverse_point(p)).length() < 1e-14);
    }

    #[test]
    fn roll_pitch_yaw_read_back() {
        let rpy = DVec3::new(0.3, -0.7, 2.0);
        let pose = Pose::from_xyz_rpy(DVec3::ZERO, rpy);
        assert!((pose.rpy() - rpy).length() < 1e-14);
        // Rz Ry Rx: the x axis of the body ends at (cos yaw cos pitch, sin yaw cos pitch, -sin pitch).
        let x = pose.direction(DVec3::X);
        let expected = DVec3::new(2.0f64.cos() * 0.7f64.cos(), 2.0f64.sin() * 0.7f64.cos(), 0.7f64.sin());
        assert!((x - expected).length() < 1e-14);
    }
}
