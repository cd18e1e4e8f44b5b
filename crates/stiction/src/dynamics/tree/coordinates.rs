//! Positions as a manifold: `q̇ = N(q) v`, and steps along a velocity.

use glam::{DQuat, DVec3};

use super::structure::{Joint, Tree};
use crate::dynamics::rotation::exponential;
use crate::math::rotation::quaternion_rate;

impl Tree {
    /// Positions at zero: identity quaternions, all else 0.
    pub fn zero_positions(&self, q: &mut [f64]) {
        q.fill(0.0);
        for link in &self.links {
            if let Some((_, [w, ..])) = quaternion_mut(&link.joint, &mut q[link.position_range()]) {
                *w = 1.0;
            }
        }
    }

    /// `q̇ = N(q) v`. For a quaternion p of an orientation in axes in which ω is given, `ṗ = ½ (0, ω) p`; p need not be
    /// of unit length (the rate keeps whatever length it has).
    pub fn position_rates(&self, q: &[f64], v: &[f64], rates: &mut [f64]) {
        assert!(q.len() == self.position_count && rates.len() == q.len() && v.len() == self.dof_count());
        for link in &self.links {
            let (q, v) = (&q[link.position_range()], &v[link.dof_range()]);
            let rates = &mut rates[link.position_range()];
            match (&link.joint, rates) {
                (Joint::Ball { .. }, rates) => {
                    write(rates, quaternion_rate(read(q), DVec3::from_slice(v)));
                }
                (Joint::Free, rates) => {
                    rates[..3].copy_from_slice(&v[..3]);
                    write(&mut rates[3..], quaternion_rate(read(&q[3..]), DVec3::from_slice(&v[3..])));
                }
                (_, rates) => rates.copy_from_slice(v),
            }
        }
    }

    /// `v = N⁺(q) q̇`: the velocities of given rates; of a quaternion's the part that turns it, `ω = 2 vec(ṗ p⁻¹)`.
    pub(crate) fn velocity_of_rates(&self, q: &[f64], rates: &[f64], v: &mut [f64]) {
        assert!(q.len() == self.position_count && rates.len() == q.len() && v.len() == self.dof_count());
        let turn = |p: DQuat, rate: DQuat| {
            let quotient = rate * p.conjugate();
            (2.0 / p.length_squared() * quotient.xyz()).to_array()
        };
        for link in &self.links {
            let (q, rates) = (&q[link.position_range()], &rates[link.position_range()]);
            let v = &mut v[link.dof_range()];
            match link.joint {
                Joint::Ball { .. } => v.copy_from_slice(&turn(read(q), read(rates))),
                Joint::Free => {
                    v[..3].copy_from_slice(&rates[..3]);
                    v[3..].copy_from_slice(&turn(read(&q[3..]), read(&rates[3..])));
                }
                _ => v.copy_from_slice(rates),
            }
        }
    }

    /// `q ⊕ h v` in place: `q + h N(q) v`, quaternions brought back to unit length, which makes their turn Cayley's, by
    /// `2 atan(h |ω| / 2)`.
    pub fn advance(&self, q: &mut [f64], v: &[f64], step: f64) {
        assert!(q.len() == self.position_count && v.len() == self.dof_count());
        for link in &self.links {
            let (q, v) = (&mut q[link.position_range()], &v[link.dof_range()]);
            let turned = match &link.joint {
                Joint::Ball { .. } => 0,
                Joint::Free => 3,
                _ => v.len(),
            };
            for (q, v) in q.iter_mut().zip(&v[..turned]) {
                *q += step * v;
            }
            if let Some(omega) = v.get(turned..turned + 3) {
                let p = read(&q[turned..]);
                write(&mut q[turned..], (p + quaternion_rate(p, step * DVec3::from_slice(omega))).normalize());
            }
        }
    }

    /// `q ⊕ h v` in place with exact turns: a steady turn of a ball or a free link is met to rounding.
    pub(crate) fn advance_exactly(&self, q: &mut [f64], v: &[f64], step: f64) {
        assert!(q.len() == self.position_count && v.len() == self.dof_count());
        for link in &self.links {
            let (q, v) = (&mut q[link.position_range()], &v[link.dof_range()]);
            let turned = if quaternion_mut(&link.joint, q).is_some() { v.len() - 3 } else { v.len() };
            for (q, v) in q.iter_mut().zip(&v[..turned]) {
                *q += step * v;
            }
            if let Some(omega) = v.get(turned..turned + 3) {
                let p = exponential(step * DVec3::from_slice(omega)) * read(&q[turned..]);
                write(&mut q[turned..], p.normalize());
            }
        }
    }

    /// Brings quaternions to unit length; one without a direction becomes the identity.
    pub fn normalize_positions(&self, q: &mut [f64]) {
        assert_eq!(q.len(), self.position_count, "positions");
        for link in &self.links {
            if let Some((_, p)) = quaternion_mut(&link.joint, &mut q[link.position_range()]) {
                let quaternion = read(p);
                let length = quaternion.length();
                let unit = if length > 0.0 && length.is_finite() { quaternion / length } else { DQuat::IDENTITY };
                write(p, unit);
            }
        }
    }
}

/// The positions before the quaternion, and the quaternion.
fn quaternion_mut<'a>(joint: &Joint, q: &'a mut [f64]) -> Option<(&'a mut [f64], &'a mut [f64])> {
    match joint {
        Joint::Ball { .. } => Some(q.split_at_mut(0)),
        Joint::Free => Some(q.split_at_mut(3)),
        _ => None,
    }
}

pub(super) fn read(wxyz: &[f64]) -> DQuat {
    DQuat::from_xyzw(wxyz[1], wxyz[2], wxyz[3], wxyz[0])
}

pub(super) fn write(wxyz: &mut [f64], p: DQuat) {
    wxyz.copy_from_slice(&[p.w, p.x, p.y, p.z]);
}
