//! Lanes of 1, 4 or 8 numbers.
//!
//! Operations are element-wise, lanes never mix and there is no fused multiply-add: a kernel written over [`Lanes`] gives the same
//! bits for every width. Records of eight numbers are loaded and stored by transposition.
#![allow(
    unsafe_code,
    reason = "vector instructions: the types exist only inside functions compiled for their processor features"
)]

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

use crate::math::Lane;
#[cfg(target_arch = "x86_64")]
pub(crate) use crate::math::{Eight, Four};

/// Eight numbers: the velocity of a body, or a part of something larger.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Record(pub(crate) [f64; 8]);

impl Record {
    /// Numbers of a record.
    pub(crate) const WIDTH: u32 = 8;

    /// Its numbers, `W` at a time.
    #[inline(always)]
    pub(super) fn parts<const W: usize>(&self) -> &[[f64; W]] {
        self.0.as_chunks().0
    }

    /// The same to write.
    #[inline(always)]
    pub(super) fn parts_mut<const W: usize>(&mut self) -> &mut [[f64; W]] {
        self.0.as_chunks_mut().0
    }
}

/// Records as the numbers that they are.
pub(crate) fn numbers_of(records: &mut [Record]) -> &mut [f64] {
    // SAFETY: a record is eight numbers without anything between them, and the slice is borrowed for as long.
    unsafe { std::slice::from_raw_parts_mut(records.as_mut_ptr().cast(), 8 * records.len()) }
}

/// `W` numbers that take the same path.
pub(crate) trait Lanes<const W: usize>: Lane {
    fn load(from: &[f64; W]) -> Self;
    fn store(self, to: &mut [f64; W]);
    fn sqrt(self) -> Self;
    /// Lane by lane `self > 0 ? a : b`.
    fn if_positive(self, a: Self, b: Self) -> Self;
    fn any_positive(self) -> bool;
    /// The records at these places, transposed: number k of all of them in lane vector k.
    #[inline(always)]
    fn gather(records: &[Record], at: &[u32; W]) -> [Self; 8] {
        // SAFETY: the records are those of the slice.
        unsafe { Self::gather_from(records.as_ptr(), records.len(), at) }
    }
    #[inline(always)]
    fn scatter(values: &[Self; 8], records: &mut [Record], at: &[u32; W]) {
        // SAFETY: the records are those of the slice.
        unsafe { Self::scatter_into(values, records.as_mut_ptr(), records.len(), at) }
    }
    /// As [`gather`](Self::gather), from so many records.
    ///
    /// # Safety
    /// There are so many, and nobody writes those at the places meanwhile.
    unsafe fn gather_from(records: *const Record, count: usize, at: &[u32; W]) -> [Self; 8];
    /// As [`scatter`](Self::scatter), into so many records.
    ///
    /// # Safety
    /// There are so many, and nobody else uses those at the places meanwhile.
    unsafe fn scatter_into(values: &[Self; 8], records: *mut Record, count: usize, at: &[u32; W]);
}

impl Lanes<1> for f64 {
    #[inline(always)]
    fn load(from: &[f64; 1]) -> Self {
        from[0]
    }
    #[inline(always)]
    fn store(self, to: &mut [f64; 1]) {
        to[0] = self;
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self::sqrt(self)
    }
    #[inline(always)]
    fn if_positive(self, a: Self, b: Self) -> Self {
        if self > 0.0 { a } else { b }
    }
    #[inline(always)]
    fn any_positive(self) -> bool {
        self > 0.0
    }
    #[inline(always)]
    unsafe fn gather_from(records: *const Record, count: usize, at: &[u32; 1]) -> [Self; 8] {
        assert_within(count, at);
        // SAFETY: that of the function; the place is within the records.
        unsafe { (*records.add(at[0] as usize)).0 }
    }
    #[inline(always)]
    unsafe fn scatter_into(values: &[Self; 8], records: *mut Record, count: usize, at: &[u32; 1]) {
        assert_within(count, at);
        // SAFETY: that of the function; the place is within the records.
        unsafe { (*records.add(at[0] as usize)).0 = *values }
    }
}

#[cfg(target_arch = "x86_64")]
impl Lanes<4> for Four {
    #[inline(always)]
    fn load(from: &[f64; 4]) -> Self {
        Self::from_memory(from)
    }
    #[inline(always)]
    fn store(self, to: &mut [f64; 4]) {
        self.to_memory(to);
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: the invariant of the type.
        Self(unsafe { _mm256_sqrt_pd(self.0) })
    }
    #[inline(always)]
    fn if_positive(self, a: Self, b: Self) -> Self {
        // SAFETY: the invariant of the type.
        Self(unsafe { _mm256_blendv_pd(b.0, a.0, _mm256_cmp_pd::<_CMP_GT_OQ>(self.0, _mm256_setzero_pd())) })
    }
    #[inline(always)]
    fn any_positive(self) -> bool {
        // SAFETY: the invariant of the type.
        unsafe { _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_GT_OQ>(self.0, _mm256_setzero_pd())) != 0 }
    }
    #[inline(always)]
    unsafe fn gather_from(records: *const Record, count: usize, at: &[u32; 4]) -> [Self; 8] {
        assert_within(count, at);
        let (mut low, mut high) = ([Self::splat(0.0).0; 4], [Self::splat(0.0).0; 4]);
        // SAFETY: the invariant of the type, and that of the function; the places are within the records.
        unsafe {
            let base = records.cast::<f64>();
            for lane in 0..4 {
                let from = base.add(8 * at[lane] as usize);
                low[lane] = _mm256_loadu_pd(from);
                high[lane] = _mm256_loadu_pd(from.add(4));
            }
            (low, high) = (transposed_four(low), transposed_four(high));
        }
        Self::columns(low, high)
    }
    #[inline(always)]
    unsafe fn scatter_into(values: &[Self; 8], records: *mut Record, count: usize, at: &[u32; 4]) {
        assert_within(count, at);
        // SAFETY: the invariant of the type, and that of the function; the places are within the records.
        unsafe {
            let low = transposed_four([values[0].0, values[1].0, values[2].0, values[3].0]);
            let high = transposed_four([values[4].0, values[5].0, values[6].0, values[7].0]);
            let base = records.cast::<f64>();
            for lane in 0..4 {
                let to = base.add(8 * at[lane] as usize);
                _mm256_storeu_pd(to, low[lane]);
                _mm256_storeu_pd(to.add(4), high[lane]);
            }
        }
    }
}

/// Rows to columns.
///
/// # Safety
/// The processor has AVX2.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn transposed_four(r: [__m256d; 4]) -> [__m256d; 4] {
    // SAFETY: that of the function.
    unsafe {
        let (a, b) = (_mm256_unpacklo_pd(r[0], r[1]), _mm256_unpackhi_pd(r[0], r[1]));
        let (c, d) = (_mm256_unpacklo_pd(r[2], r[3]), _mm256_unpackhi_pd(r[2], r[3]));
        [
            _mm256_permute2f128_pd::<0x20>(a, c),
            _mm256_permute2f128_pd::<0x20>(b, d),
            _mm256_permute2f128_pd::<0x31>(a, c),
            _mm256_permute2f128_pd::<0x31>(b, d),
        ]
    }
}

#[cfg(target_arch = "x86_64")]
impl Lanes<8> for Eight {
    #[inline(always)]
    fn load(from: &[f64; 8]) -> Self {
        Self::from_memory(from)
    }
    #[inline(always)]
    fn store(self, to: &mut [f64; 8]) {
        self.to_memory(to);
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: the invariant of the type.
        Self(unsafe { _mm512_sqrt_pd(self.0) })
    }
    #[inline(always)]
    fn if_positive(self, a: Self, b: Self) -> Self {
        // SAFETY: the invariant of the type.
        Self(unsafe { _mm512_mask_blend_pd(_mm512_cmp_pd_mask::<_CMP_GT_OQ>(self.0, _mm512_setzero_pd()), b.0, a.0) })
    }
    #[inline(always)]
    fn any_positive(self) -> bool {
        // SAFETY: the invariant of the type.
        unsafe { _mm512_cmp_pd_mask::<_CMP_GT_OQ>(self.0, _mm512_setzero_pd()) != 0 }
    }
    #[inline(always)]
    unsafe fn gather_from(records: *const Record, count: usize, at: &[u32; 8]) -> [Self; 8] {
        assert_eight_within(count, at);
        // SAFETY: the invariant of the type, and that of the function; the places are within the records.
        let (low, high) = unsafe { (columns_of_halves(records, at, 0), columns_of_halves(records, at, 4)) };
        Self::columns(low, high)
    }
    #[inline(always)]
    unsafe fn scatter_into(values: &[Self; 8], records: *mut Record, count: usize, at: &[u32; 8]) {
        assert_eight_within(count, at);
        let [a, b, c, d, e, f, g, h] = *values;
        // SAFETY: the invariant of the type, and that of the function; the places are within the records.
        unsafe {
            halves_of_columns([a.0, b.0, c.0, d.0], records, at, 0);
            halves_of_columns([e.0, f.0, g.0, h.0], records, at, 4);
        }
    }
}

/// All places are within the records: one test for all.
#[inline(always)]
fn assert_within<const W: usize>(count: usize, at: &[u32; W]) {
    let mut most = 0;
    for place in at {
        most = most.max(*place);
    }
    assert!((most as usize) < count, "a place beyond the records");
}

/// The same of eight places, in a few instructions.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn assert_eight_within(count: usize, at: &[u32; 8]) {
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    // SAFETY: called where the processor has AVX-512 F; the pointer is that of eight places, and only these are compared.
    let within = unsafe {
        let at = _mm512_castsi256_si512(_mm256_loadu_si256(at.as_ptr().cast()));
        _mm512_cmplt_epu32_mask(at, _mm512_set1_epi32(count.cast_signed()))
    };
    assert!(within as u8 == u8::MAX, "a place beyond the records");
}

/// Four numbers of each record, from the first or the fifth on, as columns. Halves of two records are loaded into one register, so that
/// a third of the shuffles of a transposition is left out.
///
/// # Safety
/// The processor has AVX-512 F and DQ, the places are within the records, which nobody else writes meanwhile, and `first` is 0 or 4.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn columns_of_halves(records: *const Record, at: &[u32; 8], first: usize) -> [__m512d; 4] {
    // SAFETY: that of the function.
    unsafe {
        let base = records.cast::<f64>().add(first);
        let mut halves = [_mm256_setzero_pd(); 8];
        for lane in 0..8 {
            halves[lane] = _mm256_loadu_pd(base.add(8 * at[lane] as usize));
        }
        let [r0, r1, r2, r3, r4, r5, r6, r7] = halves;
        let (a, b) = (both(r0, r2), both(r1, r3));
        let (c, d) = (both(r4, r6), both(r5, r7));
        let (even, odd) = (_mm512_unpacklo_pd(a, b), _mm512_unpackhi_pd(a, b));
        let (even_2, odd_2) = (_mm512_unpacklo_pd(c, d), _mm512_unpackhi_pd(c, d));
        [
            _mm512_shuffle_f64x2::<0x88>(even, even_2),
            _mm512_shuffle_f64x2::<0x88>(odd, odd_2),
            _mm512_shuffle_f64x2::<0xDD>(even, even_2),
            _mm512_shuffle_f64x2::<0xDD>(odd, odd_2),
        ]
    }
}

/// The way back: stores four columns as the first or the second half of each record.
///
/// # Safety
/// As [`columns_of_halves`], and nobody else reads the records meanwhile.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn halves_of_columns(c: [__m512d; 4], records: *mut Record, at: &[u32; 8], first: usize) {
    // SAFETY: that of the function.
    unsafe {
        let base = records.cast::<f64>().add(first);
        let (low, high) = (_mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13), _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15));
        let (even, even_2) = (_mm512_unpacklo_pd(c[0], c[1]), _mm512_unpacklo_pd(c[2], c[3]));
        let (odd, odd_2) = (_mm512_unpackhi_pd(c[0], c[1]), _mm512_unpackhi_pd(c[2], c[3]));
        let pairs = [
            _mm512_permutex2var_pd(even, low, even_2),
            _mm512_permutex2var_pd(odd, low, odd_2),
            _mm512_permutex2var_pd(even, high, even_2),
            _mm512_permutex2var_pd(odd, high, odd_2),
        ];
        for row in 0..4 {
            _mm256_storeu_pd(base.add(8 * at[row] as usize), _mm512_castpd512_pd256(pairs[row]));
            _mm256_storeu_pd(base.add(8 * at[4 + row] as usize), _mm512_extractf64x4_pd::<1>(pairs[row]));
        }
    }
}

/// Two halves of a register.
///
/// # Safety
/// The processor has AVX-512 F.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn both(low: __m256d, high: __m256d) -> __m512d {
    // SAFETY: that of the function.
    unsafe { _mm512_insertf64x4::<1>(_mm512_castpd256_pd512(low), high) }
}

/// Three lane vectors.
pub(crate) type L3<L> = [L; 3];

#[inline(always)]
pub(crate) fn dot<L: Lane>(a: L3<L>, b: L3<L>) -> L {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
#[inline(always)]
pub(crate) fn cross<L: Lane>(a: L3<L>, b: L3<L>) -> L3<L> {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
#[inline(always)]
pub(crate) fn plus<L: Lane>(a: L3<L>, b: L3<L>) -> L3<L> {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}
#[inline(always)]
pub(crate) fn minus<L: Lane>(a: L3<L>, b: L3<L>) -> L3<L> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}
/// Number by number.
#[inline(always)]
pub(crate) fn scaled<L: Lane>(v: L3<L>, by: L3<L>) -> L3<L> {
    [v[0] * by[0], v[1] * by[1], v[2] * by[2]]
}
#[inline(always)]
pub(crate) fn times<L: Lane>(a: L3<L>, s: L) -> L3<L> {
    [a[0] * s, a[1] * s, a[2] * s]
}
