//! A free body as a clique of six coordinates.

use glam::{DMat3, DQuat, DVec3};

use crate::math::Pose;
use crate::shape::MassProperties;

/// State of motion of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidMotion {
    /// Centre of mass in the world \[m\].
    pub position: DVec3,
    /// Rotation of the body frame.
    pub rotation: DQuat,
    /// Velocity of the centre of mass \[m/s\].
    pub velocity: DVec3,
    /// Angular velocity in the world \[rad/s\].
    pub omega: DVec3,
}

impl RigidMotion {
    /// All thirteen numbers are finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.position.is_finite() && self.rotation.is_finite() && self.velocity.is_finite() && self.omega.is_finite()
    }

    /// Pose of the body frame, in which the centre of mass is at `center` \[m\].
    #[must_use]
    pub fn frame(&self, center: DVec3) -> Pose {
        let position = if center == DVec3::ZERO { self.position } else { self.position - self.rotation * center };
        Pose::new(position, self.rotation)
    }

    /// Velocity of the body's material point at a place in the world \[m/s\].
    #[must_use]
    pub fn point_velocity(&self, point: DVec3) -> DVec3 {
        self.velocity + self.omega.cross(point - self.position)
    }
}

/// Mass of a body: mass, and inertia about the centre of mass on its principal axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BodyMass {
    /// Mass \[kg\].
    pub mass: f64,
    /// Centre of mass in the body frame \[m\].
    pub center: DVec3,
    /// Principal moments \[kg m²\].
    pub moments: DVec3,
    /// Rotation from the principal axes to the body frame.
    pub axes: DQuat,
}

impl BodyMass {
    /// Inertia about the centre of mass in the body frame \[kg m²\].
    #[must_use]
    pub fn inertia(&self) -> DMat3 {
        let r = DMat3::from_quat(self.axes);
        r * DMat3::from_diagonal(self.moments) * r.transpose()
    }

    /// Whitening of this mass at an orientation of the body: `L` of `M = LᵀL`.
    #[inline(always)]
    #[must_use]
    pub fn whitening(&self, rotation: DQuat) -> Whitening {
        let to_world = if self.axes == DQuat::IDENTITY {
            DMat3::from_quat(rotation)
        } else {
            DMat3::from_quat(rotation * self.axes)
        };
        Whitening::new(self.mass, self.moments, to_world)
    }
}

/// `L⁻ᵀ` of a body: `1/√m`, and `diag(1/√I) (R P)ᵀ`, so that `Y = L⁻ᵀ Jᵀ`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Whitening {
    /// `1/√m` \[kg^-½\].
    pub inverse_root_mass: f64,
    /// `diag(1/√I) (R P)ᵀ`.
    pub angular: DMat3,
    /// `√I` on the principal axes.
    pub root_moments: DVec3,
}

impl Whitening {
    #[inline(always)]
    fn new(mass: f64, moments: DVec3, to_world: DMat3) -> Self {
        let root_moments = DVec3::new(moments.x.sqrt(), moments.y.sqrt(), moments.z.sqrt());
        let t = to_world.transpose();
        let s = 1.0 / root_moments;
        let angular = DMat3::from_cols(t.x_axis * s, t.y_axis * s, t.z_axis * s);
        Self { inverse_root_mass: 1.0 / mass.sqrt(), angular, root_moments }
    }

    /// That of an inertia about the centre of mass, world axes \[kg m²\].
    #[must_use]
    pub fn of_inertia(mass: f64, inertia: DMat3) -> Self {
        let (moments, axes) = MassProperties { mass, center_of_mass: DVec3::ZERO, inertia }.principal();
        Self::new(mass, moments, DMat3::from_quat(axes))
    }

    /// `Y` of a Jacobian block.
    #[inline(always)]
    #[must_use]
    pub fn whiten(&self, linear: DVec3, angular: DVec3) -> [f64; 6] {
        let l = linear * self.inverse_root_mass;
        let a = self.angular * angular;
        [l.x, l.y, l.z, a.x, a.y, a.z]
    }

    /// `z = L v`.
    #[inline]
    #[must_use]
    pub fn z(&self, velocity: DVec3, omega: DVec3) -> [f64; 6] {
        let l = velocity / self.inverse_root_mass;
        // √I (RP)ᵀ ω = I · (diag(1/√I) (RP)ᵀ ω)
        let a = self.root_moments * self.root_moments * (self.angular * omega);
        [l.x, l.y, l.z, a.x, a.y, a.z]
    }

    /// Inertia about the centre of mass, world axes \[kg m²\].
    #[must_use]
    pub fn inertia(&self) -> DMat3 {
        // diag(1/√I) (RP)ᵀ, so that RP √I = its transpose times I.
        let moments = self.root_moments * self.root_moments;
        let half = self.angular.transpose() * DMat3::from_diagonal(moments);
        half * half.transpose()
    }

    /// `v = L⁻¹ z`: velocity of the centre of mass and angular velocity in the world.
    #[inline]
    #[must_use]
    pub fn velocity(&self, z: &[f64]) -> (DVec3, DVec3) {
        let linear = DVec3::new(z[0], z[1], z[2]) * self.inverse_root_mass;
        let angular = self.angular.transpose() * DVec3::new(z[3], z[4], z[5]);
        (linear, angular)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whitened_products_are_those_of_the_mass_matrix() {
        let mass = BodyMass {
            mass: 2.0,
            center: DVec3::ZERO,
            moments: DVec3::new(0.3, 0.5, 0.7),
            axes: DQuat::from_rotation_x(0.4),
        };
        let rotation = DQuat::from_rotation_z(1.1) * DQuat::from_rotation_y(-0.3);
        let w = mass.whitening(rotation);
        let (jl, ja) = (DVec3::new(0.1, 0.9, -0.4), DVec3::new(0.7, -0.2, 0.5));
        let y = w.whiten(jl, ja);
        let r = DMat3::from_quat(rotation);
        let inertia = r * mass.inertia() * r.transpose();
        let expected = jl.length_squared() / 2.0 + ja.dot(inertia.inverse() * ja);
        assert!((y.iter().map(|y| y * y).sum::<f64>() - expected).abs() < 1e-14);
        let (v, omega) = (DVec3::new(1.0, -2.0, 3.0), DVec3::new(0.5, 0.1, -0.7));
        let z = w.z(v, omega);
        let u: f64 = y.iter().zip(z).map(|(y, z)| y * z).sum();
        assert!((u - jl.dot(v) - ja.dot(omega)).abs() < 1e-14);
        let (v2, omega2) = w.velocity(&z);
        assert!((v2 - v).length() < 1e-14 && (omega2 - omega).length() < 1e-14);
    }
}
