//! Numbers that may be one `f64` or several side by side.
//!
//! Sweeps are written once, generic over [`Lane`], with `select` in place of branches: the same body of code serves one
//! constraint or a bundle of them, with the same bits, since lanes never mix. The vectors [`V3`] of joint parts and contacts are
//! generic over it too.

use std::ops::{Add, Div, Mul, Neg, Sub};

use glam::DVec3;

/// A scalar, or several scalars that take the same path.
pub trait Lane:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// Result of a comparison, one truth value a lane.
    type Mask: Copy;
    /// The same number in every lane.
    fn splat(value: f64) -> Self;
    /// Square root of each lane.
    fn sqrt(self) -> Self;
    /// Smaller of each pair.
    fn min(self, other: Self) -> Self;
    /// Larger of each pair.
    fn max(self, other: Self) -> Self;
    /// `self > other`, lane by lane.
    fn greater(self, other: Self) -> Self::Mask;
    /// `if_true` where the mask holds, `if_false` elsewhere.
    fn select(mask: Self::Mask, if_true: Self, if_false: Self) -> Self;
    /// Magnitude of each lane.
    fn abs(self) -> Self {
        self.max(-self)
    }
}

impl Lane for f64 {
    type Mask = bool;
    #[inline(always)]
    fn splat(value: f64) -> Self {
        value
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        if self < other { self } else { other }
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        if self > other { self } else { other }
    }
    #[inline(always)]
    fn greater(self, other: Self) -> bool {
        self > other
    }
    #[inline(always)]
    fn select(mask: bool, if_true: Self, if_false: Self) -> Self {
        if mask { if_true } else { if_false }
    }
}

/// Four numbers side by side.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(32))]
pub(crate) struct F64x4(pub [f64; 4]);

macro_rules! lanewise {
    ($trait:ident, $method:ident, $op:tt) => {
        impl $trait for F64x4 {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(std::array::from_fn(|i| self.0[i] $op other.0[i]))
            }
        }
    };
}
lanewise!(Add, add, +);
lanewise!(Sub, sub, -);
lanewise!(Mul, mul, *);
lanewise!(Div, div, /);

impl Neg for F64x4 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0.map(|x| -x))
    }
}

impl Lane for F64x4 {
    type Mask = [bool; 4];
    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self([value; 4])
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.map(f64::sqrt))
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| Lane::min(self.0[i], other.0[i])))
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| Lane::max(self.0[i], other.0[i])))
    }
    #[inline(always)]
    fn greater(self, other: Self) -> [bool; 4] {
        std::array::from_fn(|i| self.0[i] > other.0[i])
    }
    #[inline(always)]
    fn select(mask: [bool; 4], if_true: Self, if_false: Self) -> Self {
        Self(std::array::from_fn(|i| if mask[i] { if_true.0[i] } else { if_false.0[i] }))
    }
}

/// A vector of lanes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct V3<L> {
    /// First component.
    pub x: L,
    /// Second component.
    pub y: L,
    /// Third component.
    pub z: L,
}

impl<L: Lane> V3<L> {
    /// A vector of three components.
    #[inline(always)]
    pub const fn new(x: L, y: L, z: L) -> Self {
        Self { x, y, z }
    }
    /// No length.
    #[inline(always)]
    #[must_use]
    pub fn zero() -> Self {
        Self::new(L::splat(0.0), L::splat(0.0), L::splat(0.0))
    }
    /// Scalar product.
    #[inline(always)]
    #[must_use]
    pub fn dot(self, o: Self) -> L {
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
    pub fn scale(self, s: L) -> Self {
        Self::new(self.x * s, self.y * s, self.z * s)
    }
}

impl<L: Lane> Add for V3<L> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self::new(self.x + o.x, self.y + o.y, self.z + o.z)
    }
}
impl<L: Lane> Sub for V3<L> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self::new(self.x - o.x, self.y - o.y, self.z - o.z)
    }
}
impl<L: Lane> Neg for V3<L> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y, -self.z)
    }
}

impl From<DVec3> for V3<f64> {
    #[inline(always)]
    fn from(v: DVec3) -> Self {
        Self::new(v.x, v.y, v.z)
    }
}
impl From<V3<f64>> for DVec3 {
    #[inline(always)]
    fn from(v: V3<f64>) -> Self {
        Self::new(v.x, v.y, v.z)
    }
}

/// Two unit vectors that make a right-handed frame with the unit normal `n`: ODE's plane space.
/// For `n = +z` they are `−y` and `+x`.
#[inline(always)]
pub fn plane_space<L: Lane>(n: V3<L>) -> (V3<L>, V3<L>) {
    let zero = L::splat(0.0);
    let steep = n.z.abs().greater(L::splat(std::f64::consts::FRAC_1_SQRT_2));
    // Divide by the longer of the two candidate lengths, which is at least 1/√2.
    let a = L::select(steep, n.y * n.y + n.z * n.z, n.x * n.x + n.y * n.y);
    let k = L::splat(1.0) / a.sqrt();
    let p_steep = V3::new(zero, -n.z * k, n.y * k);
    let q_steep = V3::new(a * k, -n.x * p_steep.z, n.x * p_steep.y);
    let p_flat = V3::new(-n.y * k, n.x * k, zero);
    let q_flat = V3::new(-n.z * p_flat.y, n.z * p_flat.x, a * k);
    let pick = |s: V3<L>, f: V3<L>| {
        V3::new(L::select(steep, s.x, f.x), L::select(steep, s.y, f.y), L::select(steep, s.z, f.z))
    };
    (pick(p_steep, p_flat), pick(q_steep, q_flat))
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

    #[test]
    fn four_lanes_give_the_bits_of_one() {
        let normals = [DVec3::Z, DVec3::new(0.6, -0.8, 0.0), DVec3::new(0.48, 0.6, 0.64), DVec3::new(-0.1, 0.2, -0.9)];
        let pack = |f: fn(&DVec3) -> f64| F64x4(std::array::from_fn(|i| f(&normals[i])));
        let (p, q) = plane_space(V3::new(pack(|n| n.x), pack(|n| n.y), pack(|n| n.z)));
        for (i, n) in normals.iter().enumerate() {
            let (p1, q1) = plane_space(V3::from(*n));
            assert_eq!([p.x.0[i], p.y.0[i], p.z.0[i]].map(f64::to_bits), [p1.x, p1.y, p1.z].map(f64::to_bits));
            assert_eq!([q.x.0[i], q.y.0[i], q.z.0[i]].map(f64::to_bits), [q1.x, q1.y, q1.z].map(f64::to_bits));
        }
    }
}
