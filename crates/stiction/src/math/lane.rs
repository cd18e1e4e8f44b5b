//! Numbers that may be one `f64` or several side by side.
//!
//! Sweeps are written once, generic over [`Lane`], without branches: the same body of code serves one
//! constraint or a bundle of them, with the same bits, since lanes never mix.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A scalar, or several scalars that take the same path.
pub(crate) trait Lane:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// The same number in every lane.
    fn splat(value: f64) -> Self;
    /// Smaller of each pair.
    fn min(self, other: Self) -> Self;
    /// Larger of each pair.
    fn max(self, other: Self) -> Self;
    /// Magnitude of each lane.
    #[inline(always)]
    fn abs(self) -> Self {
        self.max(-self)
    }
}

impl Lane for f64 {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        value
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        if self < other { self } else { other }
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        if self > other { self } else { other }
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
    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self([value; 4])
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| Lane::min(self.0[i], other.0[i])))
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| Lane::max(self.0[i], other.0[i])))
    }
}
