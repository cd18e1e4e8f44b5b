//! Vectors of three numbers, and a frame about one.

use std::ops::{Add, Neg, Sub};

use glam::DVec3;

/// A vector, as rows of joints and contacts are made of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct V3 {
    /// First component.
    pub x: f64,
    /// Second component.
    pub y: f64,
    /// Third component.
    pub z: f64,
}

impl V3 {
    /// A vector of three components.
    #[inline(always)]
    pub const fn new(x: f64, y: f64, z: f64) -> Self {
        Self { x, y, z }
    }
    /// No length.
    #[inline(always)]
    #[must_use]
    pub fn zero() -> Self {
        Self::new(0.0, 0.0, 0.0)
    }
    /// Scalar product.
    #[inline(always)]
    #[must_use]
    pub fn dot(self, o: Self) -> f64 {
        self.x * o.x + self.y * o.y + self.z * o.z
    }
    /// Vector product.
    #[inline(always)]
    #[must_use]
    pub fn cross(self, o: Self) -> Self {
        Self::new(self.y * o.z - self.z * o.y, self.z * o.x - self.x * o.z, self.x * o.y - self.y * o.x)
    }
    /// Times a scalar.
    #[inline(always)]
    #[must_use]
    pub fn scale(self, s: f64) -> Self {
        Self::new(self.x * s, self.y * s, self.z * s)
    }
}

impl Add for V3 {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self::new(self.x + o.x, self.y + o.y, self.z + o.z)
    }
}
impl Sub for V3 {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self::new(self.x - o.x, self.y - o.y, self.z - o.z)
    }
}
impl Neg for V3 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y, -self.z)
    }
}

impl From<DVec3> for V3 {
    #[inline(always)]
    fn from(v: DVec3) -> Self {
        Self::new(v.x, v.y, v.z)
    }
}
impl From<V3> for DVec3 {
    #[inline(always)]
    fn from(v: V3) -> Self {
        Self::new(v.x, v.y, v.z)
    }
}

/// Two unit vectors that make a right-handed frame with the unit normal `n`: ODE's plane space.
/// For `n = +z` they are `−y` and `+x`.
#[inline(always)]
pub fn plane_space(n: V3) -> (V3, V3) {
    let is_steep = n.z.abs() > std::f64::consts::FRAC_1_SQRT_2;
    // Divide by the longer of the two candidate lengths, which is at least 1/√2.
    let a = if is_steep { n.y * n.y + n.z * n.z } else { n.x * n.x + n.y * n.y };
    let k = 1.0 / a.sqrt();
    if is_steep {
        let p = V3::new(0.0, -n.z * k, n.y * k);
        (p, V3::new(a * k, -n.x * p.z, n.x * p.y))
    } else {
        let p = V3::new(-n.y * k, n.x * k, 0.0);
        (p, V3::new(-n.z * p.y, n.z * p.x, a * k))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plane_space_is_orthonormal_and_right_handed() {
        for n in [DVec3::Z, -DVec3::Z, DVec3::X, DVec3::new(0.6, -0.8, 0.0), DVec3::new(0.1, 0.7, -0.7).normalize()] {
            let (p, q) = plane_space(V3::from(n));
            let (p, q) = (DVec3::from(p), DVec3::from(q));
            assert!((p.cross(q) - n).length() < 1e-15, "{n}");
        }
        let (p, q) = plane_space(V3::from(DVec3::Z));
        assert_eq!((DVec3::from(p), DVec3::from(q)), (-DVec3::Y, DVec3::X));
    }
}
