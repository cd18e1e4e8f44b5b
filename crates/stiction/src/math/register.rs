//! Four or eight numbers in a register of an x86-64 processor, with their arithmetic: products and sums stay apart, so that every lane
//! has the bits of plain numbers.
#![allow(
    unsafe_code,
    reason = "vector instructions: the types exist only inside functions compiled for their processor features"
)]

use std::arch::x86_64::*;
use std::ops::{Add, Div, Mul, Neg, Sub};

use super::Lane;

/// A register type with its arithmetic.
macro_rules! register {
    ($(#[$doc:meta])* $name:ident, $register:ty, $width:literal, $splat:ident, $load:ident, $store:ident,
     $add:ident, $sub:ident, $mul:ident, $div:ident, $min:ident, $max:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) struct $name(pub(crate) $register);
        register!(@operator $name, Add, add, $add);
        register!(@operator $name, Sub, sub, $sub);
        register!(@operator $name, Mul, mul, $mul);
        register!(@operator $name, Div, div, $div);
        impl Lane for $name {
            #[inline(always)]
            fn splat(value: f64) -> Self {
                // SAFETY: the invariant of the type.
                Self(unsafe { $splat(value) })
            }
            #[inline(always)]
            fn min(self, other: Self) -> Self {
                // SAFETY: the invariant of the type.
                Self(unsafe { $min(self.0, other.0) })
            }
            #[inline(always)]
            fn max(self, other: Self) -> Self {
                // SAFETY: the invariant of the type.
                Self(unsafe { $max(self.0, other.0) })
            }
        }
        impl $name {
            /// Two halves of a transposed list of records.
            #[inline(always)]
            pub(crate) fn columns(low: [$register; 4], high: [$register; 4]) -> [Self; 8] {
                let ([a, b, c, d], [e, f, g, h]) = (low, high);
                [Self(a), Self(b), Self(c), Self(d), Self(e), Self(f), Self(g), Self(h)]
            }
            #[inline(always)]
            pub(crate) fn from_memory(from: &[f64; $width]) -> Self {
                // SAFETY: the invariant of the type; the pointer is that of as many numbers as it has.
                Self(unsafe { $load(from.as_ptr()) })
            }
            #[inline(always)]
            pub(crate) fn to_memory(self, to: &mut [f64; $width]) {
                // SAFETY: the invariant of the type; the pointer is that of as many numbers as it has.
                unsafe { $store(to.as_mut_ptr(), self.0) }
            }
        }
    };
    (@operator $name:ident, $trait:ident, $method:ident, $instruction:ident) => {
        impl $trait for $name {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: the invariant of the type.
                Self(unsafe { $instruction(self.0, other.0) })
            }
        }
    };
}

register!(
    /// Four numbers in a register. Invariant: made and used only inside functions compiled for AVX2, which are called where the
    /// processor has it.
    Four, __m256d, 4, _mm256_set1_pd, _mm256_loadu_pd, _mm256_storeu_pd, _mm256_add_pd, _mm256_sub_pd, _mm256_mul_pd,
    _mm256_div_pd, _mm256_min_pd, _mm256_max_pd
);

register!(
    /// Eight numbers in a register. Invariant: as [`Four`], for AVX-512 F and DQ.
    Eight, __m512d, 8, _mm512_set1_pd, _mm512_loadu_pd, _mm512_storeu_pd, _mm512_add_pd, _mm512_sub_pd, _mm512_mul_pd,
    _mm512_div_pd, _mm512_min_pd, _mm512_max_pd
);

impl Neg for Four {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: the invariant of the type.
        Self(unsafe { _mm256_xor_pd(self.0, _mm256_set1_pd(-0.0)) })
    }
}

impl Neg for Eight {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: the invariant of the type.
        Self(unsafe { _mm512_xor_pd(self.0, _mm512_set1_pd(-0.0)) })
    }
}

impl Four {
    /// In each lane the number of the next one, in the last that of the first.
    #[inline(always)]
    pub(crate) fn next_lane(self) -> Self {
        // SAFETY: the invariant of the type.
        Self(unsafe { _mm256_permute4x64_pd::<0b00_11_10_01>(self.0) })
    }
    /// Lanes that are larger than those of another or as large, as bits.
    #[inline(always)]
    pub(crate) fn at_least(self, other: Self) -> u32 {
        // SAFETY: the invariant of the type.
        unsafe { _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_GE_OQ>(self.0, other.0)) as u32 }
    }
    /// Lanes that are larger than those of another, as bits.
    #[inline(always)]
    pub(crate) fn above(self, other: Self) -> u32 {
        // SAFETY: the invariant of the type.
        unsafe { _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_GT_OQ>(self.0, other.0)) as u32 }
    }
    #[inline(always)]
    pub(crate) fn to_array(self) -> [f64; 4] {
        let mut all = [0.0; 4];
        self.to_memory(&mut all);
        all
    }
}
