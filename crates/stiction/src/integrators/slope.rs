//! The first-order form `ẏ = f(t, y)` with `y = (q, v)`, and the sums of slopes that make steps.

use super::System;

/// A system as `ẏ = f(t, y)`, with its evaluations counted.
pub(super) struct FirstOrder<'a, S: ?Sized> {
    pub system: &'a mut S,
    pub position_count: usize,
    pub evaluations: u64,
}

impl<S: System + ?Sized> FirstOrder<'_, S> {
    /// `f(t, y)`.
    #[inline]
    pub fn slope(&mut self, t: f64, y: &[f64], slope: &mut [f64]) {
        let (q, v) = y.split_at(self.position_count);
        let (rates, accelerations) = slope.split_at_mut(self.position_count);
        self.system.position_rates(q, v, rates);
        self.accelerations(t, q, v, accelerations);
    }

    /// `a(t, q, v)`.
    #[inline]
    pub fn accelerations(&mut self, t: f64, q: &[f64], v: &[f64], accelerations: &mut [f64]) {
        self.evaluations += 1;
        self.system.accelerations(t, q, v, accelerations);
    }

    /// Unit quaternions in `y`.
    #[inline]
    pub fn normalize(&self, y: &mut [f64]) {
        self.system.normalize(&mut y[..self.position_count]);
    }

    /// Size of a change of `y`: `max(|N⁺(q) δq|, |δv|)`, all weights 1. `in_velocities` is memory for `N⁺ δq`.
    #[inline]
    pub fn size(&self, y: &[f64], change: &[f64], in_velocities: &mut [f64]) -> f64 {
        let (change_of_q, change_of_v) = change.split_at(self.position_count);
        self.system.position_change(&y[..self.position_count], change_of_q, in_velocities);
        largest(in_velocities).max(largest(change_of_v))
    }
}

/// Largest magnitude; infinite where a number is not finite.
#[inline]
pub(super) fn largest(values: &[f64]) -> f64 {
    // Not `f64::max`, which passes over NaN.
    values.iter().fold(0.0, |most: f64, x| {
        let x = x.abs();
        if x <= most {
            most
        } else if x.is_nan() {
            f64::INFINITY
        } else {
            x
        }
    })
}

/// `out = y + h Σⱼ bⱼ kⱼ` over the terms `(bⱼ, kⱼ)`.
#[inline]
pub(super) fn add_slopes<const J: usize>(out: &mut [f64], y: &[f64], h: f64, terms: [(f64, &[f64]); J]) {
    // Slices of one known length let the loop run without checks.
    let n = out.len();
    let y = &y[..n];
    let slopes = terms.map(|(_, slope)| &slope[..n]);
    for i in 0..n {
        let mut sum = terms[0].0 * slopes[0][i];
        for j in 1..J {
            sum += terms[j].0 * slopes[j][i];
        }
        out[i] = y[i] + h * sum;
    }
}

/// `out = h Σⱼ bⱼ kⱼ` over the terms `(bⱼ, kⱼ)`.
#[inline]
pub(super) fn sum_slopes<const J: usize>(out: &mut [f64], h: f64, terms: [(f64, &[f64]); J]) {
    let n = out.len();
    let slopes = terms.map(|(_, slope)| &slope[..n]);
    for i in 0..n {
        let mut sum = terms[0].0 * slopes[0][i];
        for j in 1..J {
            sum += terms[j].0 * slopes[j][i];
        }
        out[i] = h * sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_number_hides_behind_another() {
        assert_eq!(largest(&[1.0, -3.0, 2.0]), 3.0);
        assert_eq!(largest(&[f64::NAN, 1.0]), f64::INFINITY);
        assert_eq!(largest(&[1.0, f64::NAN, 2.0]), f64::INFINITY);
        assert_eq!(largest(&[1.0, f64::NEG_INFINITY]), f64::INFINITY);
        assert_eq!(largest(&[]), 0.0);
    }

    #[test]
    fn slopes_add_up() {
        let mut out = [0.0; 2];
        add_slopes(&mut out, &[1.0, 2.0], 0.5, [(2.0, &[1.0, 1.0]), (1.0, &[0.0, 4.0])]);
        assert_eq!(out, [2.0, 5.0]);
        sum_slopes(&mut out, 0.5, [(2.0, &[1.0, 1.0]), (1.0, &[0.0, 4.0])]);
        assert_eq!(out, [1.0, 3.0]);
    }
}
