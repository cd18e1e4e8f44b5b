//! The first-order form `ẏ = f(t, y)` with `y = (q, v)`, and the sums of slopes that make steps.

use super::System;
use super::nodes::Nodes;

/// A system as `ẏ = f(t, y)`, with its evaluations counted.
pub(super) struct FirstOrder<'a, S: ?Sized> {
    pub system: &'a mut S,
    pub position_count: usize,
    pub evaluations: u64,
    /// Of the steps.
    pub nodes: Nodes,
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

    /// `y` is a node of the trial.
    #[inline]
    pub fn note(&mut self, t: f64, weight: f64, y: &[f64]) {
        let (q, v) = y.split_at(self.position_count);
        self.nodes.push(t, weight, q, v);
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

/// Bit of the sign.
const SIGN: u64 = 1 << 63;

/// Largest magnitude; infinite where a number is not finite.
#[inline]
pub(super) fn largest(values: &[f64]) -> f64 {
    // Bits of magnitudes are ordered as the numbers are, and NaN is above infinity; `f64::max` would pass over it.
    // Four at a time, as each maximum waits for the last.
    let (chunks, rest) = values.as_chunks::<4>();
    let mut most = [0; 4];
    for chunk in chunks {
        for (most, x) in most.iter_mut().zip(chunk) {
            *most = (x.to_bits() & !SIGN).max(*most);
        }
    }
    let most = rest.iter().map(|x| x.to_bits() & !SIGN).chain(most).fold(0, u64::max);
    if most <= f64::INFINITY.to_bits() { f64::from_bits(most) } else { f64::INFINITY }
}

/// `out = y + h Σⱼ bⱼ kⱼ` over the terms `(bⱼ, kⱼ)`.
#[inline]
pub(super) fn add_slopes<const J: usize>(out: &mut [f64], y: &[f64], h: f64, terms: [(f64, &[f64]); J]) {
    let (chunks_of_y, rest_of_y) = y[..out.len()].as_chunks::<CHUNK>();
    let (chunks, rest) = out.as_chunks_mut::<CHUNK>();
    for (c, (out, y)) in chunks.iter_mut().zip(chunks_of_y).enumerate() {
        let sum = chunk_of_sum(terms, c);
        *out = std::array::from_fn(|i| y[i] + h * sum[i]);
    }
    let start = CHUNK * chunks.len();
    for (i, (out, y)) in rest.iter_mut().zip(rest_of_y).enumerate() {
        *out = y + h * sum(terms, start + i);
    }
}

/// `out = h Σⱼ bⱼ kⱼ` over the terms `(bⱼ, kⱼ)`.
#[inline]
pub(super) fn sum_slopes<const J: usize>(out: &mut [f64], h: f64, terms: [(f64, &[f64]); J]) {
    let (chunks, rest) = out.as_chunks_mut::<CHUNK>();
    for (c, out) in chunks.iter_mut().enumerate() {
        *out = chunk_of_sum(terms, c).map(|sum| h * sum);
    }
    let start = CHUNK * chunks.len();
    for (i, out) in rest.iter_mut().enumerate() {
        *out = h * sum(terms, start + i);
    }
}

/// Numbers that are summed at a time: two registers, without the prologue of a loop of unknown length.
const CHUNK: usize = 4;

/// A chunk of `Σⱼ bⱼ kⱼ`.
#[inline]
fn chunk_of_sum<const J: usize>(terms: [(f64, &[f64]); J], c: usize) -> [f64; CHUNK] {
    let chunks = terms.map(|(_, slope)| &slope.as_chunks::<CHUNK>().0[c]);
    std::array::from_fn(|i| (1..J).fold(terms[0].0 * chunks[0][i], |sum, j| sum + terms[j].0 * chunks[j][i]))
}

/// One number of `Σⱼ bⱼ kⱼ`.
#[inline]
fn sum<const J: usize>(terms: [(f64, &[f64]); J], i: usize) -> f64 {
    (1..J).fold(terms[0].0 * terms[0].1[i], |sum, j| sum + terms[j].0 * terms[j].1[i])
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
        assert_eq!(largest(&[1.0, -7.0, f64::NAN, 2.0, 1.0]), f64::INFINITY);
        assert_eq!(largest(&[1.0, -7.0, 3.0, 2.0, 1.0]), 7.0);
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
