//! Two numbers side by side, for the six coordinates of one body.
//!
//! Loads and stores are whole pairs at the same places in every visit: a load that overlaps a store before it only in
//! part would have to wait for memory.
#![allow(unsafe_code, reason = "instructions that every x86-64 processor has; the bounds of pairs are checked")]

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

/// Two numbers; every x86-64 processor has registers for them.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(super) struct Two(__m128d);

#[cfg(target_arch = "x86_64")]
impl Two {
    #[inline(always)]
    pub(super) fn splat(x: f64) -> Self {
        // SAFETY: every x86-64 processor has SSE2.
        Self(unsafe { _mm_set1_pd(x) })
    }
    #[inline(always)]
    pub(super) fn load(from: &[f64; 2]) -> Self {
        // SAFETY: the pointer is that of two numbers.
        Self(unsafe { _mm_loadu_pd(from.as_ptr()) })
    }
    #[inline(always)]
    pub(super) fn store(self, to: &mut [f64; 2]) {
        // SAFETY: the pointer is that of two numbers.
        unsafe { _mm_storeu_pd(to.as_mut_ptr(), self.0) }
    }
    #[inline(always)]
    pub(super) fn plus(self, other: Self) -> Self {
        // SAFETY: every x86-64 processor has SSE2.
        Self(unsafe { _mm_add_pd(self.0, other.0) })
    }
    #[inline(always)]
    pub(super) fn times(self, other: Self) -> Self {
        // SAFETY: every x86-64 processor has SSE2.
        Self(unsafe { _mm_mul_pd(self.0, other.0) })
    }
    /// First plus second.
    #[inline(always)]
    pub(super) fn sum(self) -> f64 {
        // SAFETY: every x86-64 processor has SSE2.
        unsafe { _mm_cvtsd_f64(self.0) + _mm_cvtsd_f64(_mm_unpackhi_pd(self.0, self.0)) }
    }
}

/// Two numbers.
#[cfg(not(target_arch = "x86_64"))]
#[derive(Clone, Copy)]
pub(super) struct Two([f64; 2]);

#[cfg(not(target_arch = "x86_64"))]
impl Two {
    #[inline(always)]
    pub(super) fn splat(x: f64) -> Self {
        Self([x; 2])
    }
    #[inline(always)]
    pub(super) fn load(from: &[f64; 2]) -> Self {
        Self(*from)
    }
    #[inline(always)]
    pub(super) fn store(self, to: &mut [f64; 2]) {
        *to = self.0;
    }
    #[inline(always)]
    pub(super) fn plus(self, other: Self) -> Self {
        Self([self.0[0] + other.0[0], self.0[1] + other.0[1]])
    }
    #[inline(always)]
    pub(super) fn times(self, other: Self) -> Self {
        Self([self.0[0] * other.0[0], self.0[1] * other.0[1]])
    }
    /// First plus second.
    #[inline(always)]
    pub(super) fn sum(self) -> f64 {
        self.0[0] + self.0[1]
    }
}
