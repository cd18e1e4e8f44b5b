//! Small systems with known motion.

use glam::{DQuat, DVec3};
use stiction::integrators::System;
use stiction::math::rotation::quaternion_rate;

/// `a(t, q, v)`, written to the last argument.
type Law<'a> = Box<dyn FnMut(f64, &[f64], &[f64], &mut [f64]) + 'a>;

/// `v̇ = a(t, q, v)` with `q̇ = v`, of `N` coordinates.
pub struct Plain<'a, const N: usize>(Law<'a>);

impl<'a, const N: usize> Plain<'a, N> {
    pub fn new(law: impl FnMut(f64, &[f64], &[f64], &mut [f64]) + 'a) -> Self {
        Self(Box::new(law))
    }
}

impl<const N: usize> System for Plain<'_, N> {
    fn position_count(&self) -> usize {
        N
    }

    fn velocity_count(&self) -> usize {
        N
    }

    fn accelerations(&mut self, t: f64, q: &[f64], v: &[f64], accelerations: &mut [f64]) {
        (self.0)(t, q, v, accelerations);
    }

    fn position_rates(&self, _: &[f64], v: &[f64], rates: &mut [f64]) {
        rates.copy_from_slice(v);
    }

    fn position_change(&self, _: &[f64], change: &[f64], out: &mut [f64]) {
        out.copy_from_slice(change);
    }

    fn normalize(&self, _: &mut [f64]) {}
}

/// A harmonic oscillator of 1 rad/s with a small damping and a drive that depends on time.
pub fn oscillator() -> Plain<'static, 1> {
    Plain::new(|t, q, v, a| a[0] = -q[0] - 0.1 * v[0] + t.sin())
}

/// A rigid body: centre of mass and quaternion `w, x, y, z`; velocity and angular velocity in the world.
pub struct RigidBody {
    /// Principal moments \[kg m²\].
    pub moments: DVec3,
    /// Gravity \[m/s²\].
    pub gravity: DVec3,
}

impl RigidBody {
    pub const REST: [f64; 7] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];

    pub fn rotation(q: &[f64]) -> DQuat {
        DQuat::from_xyzw(q[4], q[5], q[6], q[3])
    }
}

impl System for RigidBody {
    fn position_count(&self) -> usize {
        7
    }

    fn velocity_count(&self) -> usize {
        6
    }

    fn accelerations(&mut self, _: f64, q: &[f64], v: &[f64], accelerations: &mut [f64]) {
        let rotation = Self::rotation(q).normalize();
        let omega = rotation.inverse() * DVec3::from_slice(&v[3..]);
        let spin = rotation * (-omega.cross(self.moments * omega) / self.moments);
        self.gravity.write_to_slice(&mut accelerations[..3]);
        spin.write_to_slice(&mut accelerations[3..]);
    }

    fn position_rates(&self, q: &[f64], v: &[f64], rates: &mut [f64]) {
        let rate = quaternion_rate(Self::rotation(q), DVec3::from_slice(&v[3..]));
        rates[..3].copy_from_slice(&v[..3]);
        rates[3..].copy_from_slice(&[rate.w, rate.x, rate.y, rate.z]);
    }

    fn position_change(&self, q: &[f64], change: &[f64], out: &mut [f64]) {
        let turn = Self::rotation(change) * Self::rotation(q).conjugate();
        out[..3].copy_from_slice(&change[..3]);
        out[3..].copy_from_slice(&[2.0 * turn.x, 2.0 * turn.y, 2.0 * turn.z]);
    }

    fn normalize(&self, q: &mut [f64]) {
        let r = Self::rotation(q).normalize();
        q[3..].copy_from_slice(&[r.w, r.x, r.y, r.z]);
    }
}
