//! Numbers of 32 digits: the unevaluated sum of two, after Dekker (1971) and Knuth.

use std::ops::{Add, Div, Mul, Neg, Sub};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wide {
    high: f64,
    low: f64,
}

/// `a + b`, and what rounding took.
fn two_sum(a: f64, b: f64) -> Wide {
    let high = a + b;
    let part = high - a;
    Wide { high, low: (a - (high - part)) + (b - part) }
}

/// `a b`, and what rounding took: halves of 26 bits multiply exactly.
fn two_product(a: f64, b: f64) -> Wide {
    let split = |x: f64| {
        let scaled = 134_217_729.0 * x;
        let high = scaled - (scaled - x);
        [high, x - high]
    };
    let ([a1, a2], [b1, b2]) = (split(a), split(b));
    let high = a * b;
    Wide { high, low: ((a1 * b1 - high) + a1 * b2 + a2 * b1) + a2 * b2 }
}

impl Wide {
    pub const ZERO: Self = Self { high: 0.0, low: 0.0 };

    /// Nearest number.
    pub fn round(self) -> f64 {
        self.high + self.low
    }

    /// One of Newton's steps from the root of the high part doubles its digits.
    pub fn sqrt(self) -> Self {
        let guess = wide(self.high.sqrt());
        (guess + self / guess) * wide(0.5)
    }
}

/// An exact number.
pub fn wide(x: f64) -> Wide {
    Wide { high: x, low: 0.0 }
}

/// A fraction, as 9.81 is 981/100.
pub fn ratio(a: i32, b: i32) -> Wide {
    wide(f64::from(a)) / wide(f64::from(b))
}

impl Neg for Wide {
    type Output = Self;
    fn neg(self) -> Self {
        Self { high: -self.high, low: -self.low }
    }
}

impl Add for Wide {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let (sum, low) = (two_sum(self.high, other.high), two_sum(self.low, other.low));
        let sum = two_sum(sum.high, sum.low + low.high);
        two_sum(sum.high, sum.low + low.low)
    }
}

impl Sub for Wide {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Wide {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let product = two_product(self.high, other.high);
        two_sum(product.high, product.low + (self.high * other.low + self.low * other.high))
    }
}

impl Div for Wide {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let first = self.high / other.high;
        let rest = self - other * wide(first);
        let second = rest.high / other.high;
        let rest = rest - other * wide(second);
        let quotient = two_sum(first, second);
        quotient + wide(rest.high / other.high)
    }
}

#[test]
fn thirty_digits_hold() {
    let third = ratio(1, 3);
    let error = third + third + third - wide(1.0);
    assert!(error.round().abs() < 1e-31, "{error:?}");
    let root = wide(2.0).sqrt();
    assert!((root * root - wide(2.0)).round().abs() < 1e-30);
}
