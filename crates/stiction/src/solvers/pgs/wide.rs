//! Four lanes in one register of an x86-64 processor with AVX2.
//!
//! The operations are those of [`crate::math::F64x4`], bit for bit: products and sums stay apart, and minimum and
//! maximum give the second operand where they are not decided. The compiler makes registers of plain arrays in some
//! places only, which costs a factor of three.
#![allow(unsafe_code, reason = "vector instructions; a `Four` exists only inside functions compiled for AVX2")]

use std::arch::x86_64::*;

use super::record::{Bundle, six, six_lanes};
use crate::math::{F64x4, Four};

impl Bundle for Four {
    six_lanes!();
    type Store = F64x4;
    #[inline(always)]
    fn load(from: &F64x4) -> Self {
        Self::from_memory(&from.0)
    }
    #[inline(always)]
    fn store(self, to: &mut F64x4) {
        self.to_memory(&mut to.0);
    }
    #[inline(always)]
    fn gather(z: &[f64], at: &[u32; 4]) -> [Self; 6] {
        let s = [six(z, at[0]), six(z, at[1]), six(z, at[2]), six(z, at[3])];
        // SAFETY: the invariant of the type.
        unsafe {
            let (a0, b0) = (two(s[0], s[2], 0), two(s[1], s[3], 0));
            let (a2, b2) = (two(s[0], s[2], 2), two(s[1], s[3], 2));
            let (a4, b4) = (two(s[0], s[2], 4), two(s[1], s[3], 4));
            [
                Self(_mm256_unpacklo_pd(a0, b0)),
                Self(_mm256_unpackhi_pd(a0, b0)),
                Self(_mm256_unpacklo_pd(a2, b2)),
                Self(_mm256_unpackhi_pd(a2, b2)),
                Self(_mm256_unpacklo_pd(a4, b4)),
                Self(_mm256_unpackhi_pd(a4, b4)),
            ]
        }
    }
    #[inline(always)]
    fn scatter(v: &[Self; 6], z: &mut [f64], at: &[u32; 4]) {
        // SAFETY: the invariant of the type.
        unsafe {
            let (a0, b0) = (_mm256_unpacklo_pd(v[0].0, v[1].0), _mm256_unpackhi_pd(v[0].0, v[1].0));
            let (a2, b2) = (_mm256_unpacklo_pd(v[2].0, v[3].0), _mm256_unpackhi_pd(v[2].0, v[3].0));
            let (a4, b4) = (_mm256_unpacklo_pd(v[4].0, v[5].0), _mm256_unpackhi_pd(v[4].0, v[5].0));
            put(
                z,
                at[3],
                _mm256_extractf128_pd::<1>(b0),
                _mm256_extractf128_pd::<1>(b2),
                _mm256_extractf128_pd::<1>(b4),
            );
            put(
                z,
                at[2],
                _mm256_extractf128_pd::<1>(a0),
                _mm256_extractf128_pd::<1>(a2),
                _mm256_extractf128_pd::<1>(a4),
            );
            put(z, at[1], _mm256_castpd256_pd128(b0), _mm256_castpd256_pd128(b2), _mm256_castpd256_pd128(b4));
            put(z, at[0], _mm256_castpd256_pd128(a0), _mm256_castpd256_pd128(a2), _mm256_castpd256_pd128(a4));
        }
    }
}

/// Numbers k and k + 1 of two bodies side by side; k at most 4.
///
/// # Safety
/// AVX2 is there.
#[inline(always)]
unsafe fn two(low: &[f64; 6], high: &[f64; 6], k: usize) -> __m256d {
    // SAFETY: the caller's promise; the numbers lie within the six.
    unsafe { _mm256_set_m128d(_mm_loadu_pd(high[k..k + 2].as_ptr()), _mm_loadu_pd(low[k..k + 2].as_ptr())) }
}

/// Six numbers to `z[at]` and on.
///
/// # Safety
/// AVX2 is there.
#[inline(always)]
unsafe fn put(z: &mut [f64], at: u32, a: __m128d, b: __m128d, c: __m128d) {
    if let Some(to) = z[at as usize..].first_chunk_mut::<6>() {
        let to = to.as_mut_ptr();
        // SAFETY: the caller's promise; the numbers lie within the six.
        unsafe {
            _mm_storeu_pd(to, a);
            _mm_storeu_pd(to.add(2), b);
            _mm_storeu_pd(to.add(4), c);
        }
    }
}
