//! Spatial vectors and inertias in world axes, all taken at one point O of space.
//!
//! Featherstone, *Rigid Body Dynamics Algorithms* (2008), chapter 2, with one frame for every body: motions of a body
//! and its parent subtract, inertias of bodies that are rigidly joined add, and no recursion transforms anything.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use glam::{DMat3, DVec3};

use crate::shape::MassProperties;

/// A motion: angular part, then the linear part of the body's point that coincides with O \[rad/s, m/s\] (or their
/// derivatives at fixed O).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MotionVector(pub [f64; 6]);

/// A force: moment about O, then force \[N m, N\].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ForceVector(pub [f64; 6]);

#[inline(always)]
fn pack(angular: DVec3, linear: DVec3) -> [f64; 6] {
    [angular.x, angular.y, angular.z, linear.x, linear.y, linear.z]
}

macro_rules! vector_space {
    ($type:ident) => {
        impl $type {
            /// No motion, no force.
            pub const ZERO: Self = Self([0.0; 6]);
            /// Of an angular and a linear part.
            #[inline(always)]
            #[must_use]
            pub fn new(angular: DVec3, linear: DVec3) -> Self {
                Self(pack(angular, linear))
            }
            /// The first three components.
            #[inline(always)]
            #[must_use]
            pub fn angular(&self) -> DVec3 {
                DVec3::new(self.0[0], self.0[1], self.0[2])
            }
            /// The last three components.
            #[inline(always)]
            #[must_use]
            pub fn linear(&self) -> DVec3 {
                DVec3::new(self.0[3], self.0[4], self.0[5])
            }
            /// All six numbers are finite.
            #[must_use]
            pub fn is_finite(&self) -> bool {
                self.0.iter().all(|x| x.is_finite())
            }
        }
        impl Add for $type {
            type Output = Self;
            #[inline(always)]
            fn add(self, o: Self) -> Self {
                Self(std::array::from_fn(|i| self.0[i] + o.0[i]))
            }
        }
        impl Sub for $type {
            type Output = Self;
            #[inline(always)]
            fn sub(self, o: Self) -> Self {
                Self(std::array::from_fn(|i| self.0[i] - o.0[i]))
            }
        }
        impl Neg for $type {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                Self(self.0.map(|x| -x))
            }
        }
        impl Mul<f64> for $type {
            type Output = Self;
            #[inline(always)]
            fn mul(self, s: f64) -> Self {
                Self(self.0.map(|x| x * s))
            }
        }
        impl AddAssign for $type {
            #[inline(always)]
            fn add_assign(&mut self, o: Self) {
                *self = *self + o;
            }
        }
        impl SubAssign for $type {
            #[inline(always)]
            fn sub_assign(&mut self, o: Self) {
                *self = *self - o;
            }
        }
    };
}
vector_space!(MotionVector);
vector_space!(ForceVector);

impl MotionVector {
    /// Of the angular velocity and the velocity of the body's point at `offset` from O.
    #[inline]
    #[must_use]
    pub fn at(offset: DVec3, angular: DVec3, velocity: DVec3) -> Self {
        Self::new(angular, velocity + offset.cross(angular))
    }

    /// Velocity of the body's point at `offset` from O \[m/s\].
    #[inline(always)]
    #[must_use]
    pub fn point(&self, offset: DVec3) -> DVec3 {
        self.linear() + self.angular().cross(offset)
    }

    /// Power of a force on this motion.
    #[inline(always)]
    #[must_use]
    pub fn dot(&self, force: &ForceVector) -> f64 {
        dot(&self.0, &force.0)
    }

    /// `V ×`: rate of a motion vector that moves with a body of twist `self`.
    #[inline(always)]
    #[must_use]
    pub fn cross(&self, carried: &Self) -> Self {
        let (w, v) = (self.angular(), self.linear());
        let (a, l) = (carried.angular(), carried.linear());
        Self::new(w.cross(a), w.cross(l) + v.cross(a))
    }

    /// `V ×*`: rate of a force vector that moves with a body of twist `self`.
    #[inline(always)]
    #[must_use]
    pub fn cross_force(&self, carried: &ForceVector) -> ForceVector {
        let (w, v) = (self.angular(), self.linear());
        let (n, f) = (carried.angular(), carried.linear());
        ForceVector::new(w.cross(n) + v.cross(f), w.cross(f))
    }
}

impl ForceVector {
    /// Of a force that acts at `offset` from O, and a moment.
    #[inline]
    #[must_use]
    pub fn at(offset: DVec3, moment: DVec3, force: DVec3) -> Self {
        Self::new(moment + offset.cross(force), force)
    }

    /// Moment about the point at `offset` from O \[N m\].
    #[inline]
    #[must_use]
    pub fn moment_about(&self, offset: DVec3) -> DVec3 {
        self.angular() - offset.cross(self.linear())
    }
}

/// Two interleaved sums: half the latency of one, and a pair of lanes for the compiler.
#[inline(always)]
pub(super) fn dot(a: &[f64; 6], b: &[f64; 6]) -> f64 {
    let p: [f64; 6] = std::array::from_fn(|i| a[i] * b[i]);
    ((p[0] + p[2]) + p[4]) + ((p[1] + p[3]) + p[5])
}

/// Inertia about the centre of mass as `λ 1 − a aᵀ − b bᵀ` with the largest moment λ: two vectors turn with the body
/// for less than a matrix does from both sides.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct RotationalInertia {
    largest: f64,
    deficit: [DVec3; 2],
}

impl RotationalInertia {
    /// With the principal axes `e_i` and moments `λ_i`: `a = √(λ − λ_1) e_1`, and b alike.
    pub fn new(mass: &MassProperties) -> Self {
        let (moments, axes) = mass.principal();
        let largest = moments.max_element();
        let vectors = [0, 1, 2].map(|i| axes * DVec3::AXES[i] * (largest - moments[i]).max(0.0).sqrt());
        let [a, b, c] = vectors;
        // One of the three is zero.
        let deficit = if moments.x == largest {
            [b, c]
        } else if moments.y == largest {
            [a, c]
        } else {
            [a, b]
        };
        Self { largest, deficit }
    }
}

/// Inertia of a body or of several that are rigidly joined, taken at O.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SpatialInertia {
    /// Mass \[kg\].
    pub mass: f64,
    /// Mass times the offset of the centre of mass from O \[kg m\].
    pub first_moment: DVec3,
    /// Rotational inertia about O in world axes: xx, xy, xz, yy, yz, zz \[kg m²\].
    pub rotational: [f64; 6],
}

impl SpatialInertia {
    /// Of a mass whose centre is at `offset` from O, with the inertia `local` about that centre in axes that
    /// `rotation` takes to the world: `R I Rᵀ + m (|r|² 1 − r rᵀ)`.
    #[inline(always)]
    #[must_use]
    pub(super) fn new(mass: f64, offset: DVec3, local: &RotationalInertia, rotation: &DMat3) -> Self {
        let [a, b] = local.deficit.map(|d| *rotation * d);
        let (r, h) = (offset, mass * offset);
        let round = local.largest + (h.x * r.x + h.y * r.y + h.z * r.z);
        let product = |i: usize, j: usize| (a[i] * a[j] + b[i] * b[j]) + h[i] * r[j];
        Self {
            mass,
            first_moment: h,
            rotational: [
                round - product(0, 0),
                -product(0, 1),
                -product(0, 2),
                round - product(1, 1),
                -product(1, 2),
                round - product(2, 2),
            ],
        }
    }

    /// Momentum of a twist, or force of an acceleration: `(J ω + h × v, m v − h × ω)`.
    #[inline(always)]
    #[must_use]
    pub fn apply(&self, motion: &MotionVector) -> ForceVector {
        let (w, v) = (motion.angular(), motion.linear());
        let [xx, xy, xz, yy, yz, zz] = self.rotational;
        let turned =
            DVec3::new(xx * w.x + xy * w.y + xz * w.z, xy * w.x + yy * w.y + yz * w.z, xz * w.x + yz * w.y + zz * w.z);
        let h = self.first_moment;
        ForceVector::new(turned + h.cross(v), self.mass * v - h.cross(w))
    }

    /// The twist that has a momentum; `None` where the inertia about some axis through the centre of mass is zero.
    #[must_use]
    pub fn solve(&self, momentum: &ForceVector) -> Option<MotionVector> {
        let center = self.first_moment / self.mass;
        let [xx, xy, xz, yy, yz, zz] = self.rotational;
        let round = self.first_moment.dot(center);
        let product = |i: usize, j: usize| self.first_moment[i] * center[j];
        let (a, b, c) = (xx - round + product(0, 0), yy - round + product(1, 1), zz - round + product(2, 2));
        let (d, e, f) = (xy + product(0, 1), xz + product(0, 2), yz + product(1, 2));
        let inertia = DMat3::from_cols(DVec3::new(a, d, e), DVec3::new(d, b, f), DVec3::new(e, f, c));
        let omega = inertia.inverse() * momentum.moment_about(center);
        let twist = MotionVector::at(center, omega, momentum.linear() / self.mass);
        twist.is_finite().then_some(twist)
    }
}

impl AddAssign for SpatialInertia {
    fn add_assign(&mut self, o: Self) {
        self.mass += o.mass;
        self.first_moment += o.first_moment;
        for (a, b) in self.rotational.iter_mut().zip(o.rotational) {
            *a += b;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn momentum_of_a_turned_body_is_that_of_mechanics() {
        let rotation = DMat3::from_quat(glam::DQuat::from_xyzw(0.3, -0.5, 0.1, 0.8).normalize());
        let local =
            DMat3::from_cols(DVec3::new(0.4, 0.02, 0.01), DVec3::new(0.02, 0.5, -0.03), DVec3::new(0.01, -0.03, 0.3));
        let (mass, r) = (2.5, DVec3::new(0.4, -1.2, 0.7));
        let (omega, velocity) = (DVec3::new(1.0, -0.4, 0.3), DVec3::new(-0.2, 0.8, 0.5));
        let twist = MotionVector::at(r, omega, velocity);
        assert!((twist.point(r) - velocity).length() < 1e-15);
        let properties = MassProperties { mass, center_of_mass: DVec3::ZERO, inertia: local };
        let momentum = SpatialInertia::new(mass, r, &RotationalInertia::new(&properties), &rotation).apply(&twist);
        let spin = rotation * local * rotation.transpose() * omega;
        assert!((momentum.linear() - mass * velocity).length() < 1e-14);
        assert!((momentum.moment_about(r) - spin).length() < 1e-14);
    }

    #[test]
    fn power_does_not_depend_on_what_carries_both() {
        // d/dt (m · f) = 0 for both carried by the same body.
        let carrier = MotionVector([0.3, -1.0, 2.0, 0.5, 0.2, -0.7]);
        let motion = MotionVector([1.0, 0.4, -0.3, 0.9, -2.0, 0.6]);
        let force = ForceVector([0.2, 0.7, 1.1, -0.4, 0.3, 0.8]);
        let rate = carrier.cross(&motion).dot(&force) + motion.dot(&carrier.cross_force(&force));
        assert!(rate.abs() < 1e-14, "{rate}");
    }
}
