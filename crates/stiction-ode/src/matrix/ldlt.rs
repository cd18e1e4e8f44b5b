//! `A = L D Lᵀ` with ones on the diagonal of L. Of D the reciprocals are kept.

use std::ffi::c_int;
use std::mem::MaybeUninit;

use super::{count, dot, extent, numbers, numbers_mut};
use crate::report::require;
use crate::types::dReal;

/// Rows of L that a band of rows meets at once.
const COLUMNS: usize = 4;
/// From so many rows on, bands are faster than rows.
const SOME: usize = 8;
/// From so many rows on, bands of eight rows are faster than those of four.
const MANY: usize = 48;

/// Writes L below the diagonal of A and `1/D` to d.
///
/// # Safety
/// A has n rows, `skip` apart, and d n elements.
pub(crate) unsafe fn factor(a: *mut dReal, d: *mut dReal, n: usize, skip: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        unsafe fn factor_avx2(a: *mut dReal, d: *mut dReal, n: usize, skip: usize) {
            factor_any(a, d, n, skip);
        }
        if std::arch::is_x86_feature_detected!("avx2") {
            return factor_avx2(a, d, n, skip);
        }
    }
    factor_any(a, d, n, skip);
}

#[inline(always)]
unsafe fn factor_any(a: *mut dReal, d: *mut dReal, n: usize, skip: usize) {
    if n < SOME {
        factor_few(a, d, n, skip);
    } else if n < MANY {
        let mut columns = MaybeUninit::<[[dReal; 4]; MANY]>::uninit();
        factor_bands::<4>(a, d, n, skip, columns.as_mut_ptr().cast());
    } else {
        let mut columns = Vec::with_capacity(n);
        factor_bands::<8>(a, d, n, skip, columns.as_mut_ptr());
    }
}

/// Row by row; where L will stand, L D stands first.
#[inline(always)]
unsafe fn factor_few(a: *mut dReal, d: *mut dReal, n: usize, skip: usize) {
    for i in 0..n {
        let row = a.add(i * skip);
        for j in 1..i {
            let (mut x, l) = (*row.add(j), a.add(j * skip));
            for k in 0..j {
                x -= *row.add(k) * *l.add(k);
            }
            *row.add(j) = x;
        }
        let mut pivot = *row.add(i);
        for j in 0..i {
            let scaled = *row.add(j);
            let l = scaled * *d.add(j);
            pivot -= l * scaled;
            *row.add(j) = l;
        }
        *d.add(i) = 1.0 / pivot;
    }
}

/// `x − y s`, number by number.
#[inline(always)]
fn less<const R: usize>(x: [dReal; R], y: [dReal; R], s: dReal) -> [dReal; R] {
    let mut out = x;
    for r in 0..R {
        out[r] -= y[r] * s;
    }
    out
}

/// By bands of R rows: row i of L D is `(L D)_ij = A_ij − Σ_k (L D)_ik L_jk` over k < j; then L, and what is left on the
/// diagonal. The columns of a band of L D are written to `columns`, which has room for one for each row of A.
#[inline(always)]
unsafe fn factor_bands<const R: usize>(a: *mut dReal, d: *mut dReal, n: usize, skip: usize, columns: *mut [dReal; R]) {
    let row = |i: usize| a.add(i * skip);
    for first in (0..n).step_by(R) {
        let rows = R.min(n - first);
        let column_of_a = |j: usize| {
            let mut x = [0.0; R];
            for r in 0..rows {
                x[r] = *row(first + r).add(j);
            }
            x
        };
        // First is a multiple of the block.
        for block in (0..first).step_by(COLUMNS) {
            let l = [row(block), row(block + 1), row(block + 2), row(block + 3)];
            let (mut x0, mut x1) = (column_of_a(block), column_of_a(block + 1));
            let (mut x2, mut x3) = (column_of_a(block + 2), column_of_a(block + 3));
            for k in 0..block {
                let y = *columns.add(k);
                x0 = less(x0, y, *l[0].add(k));
                x1 = less(x1, y, *l[1].add(k));
                x2 = less(x2, y, *l[2].add(k));
                x3 = less(x3, y, *l[3].add(k));
            }
            x1 = less(x1, x0, *l[1].add(block));
            x2 = less(less(x2, x0, *l[2].add(block)), x1, *l[2].add(block + 1));
            x3 = less(less(less(x3, x0, *l[3].add(block)), x1, *l[3].add(block + 1)), x2, *l[3].add(block + 2));
            *columns.add(block) = x0;
            *columns.add(block + 1) = x1;
            *columns.add(block + 2) = x2;
            *columns.add(block + 3) = x3;
        }
        for k in 0..first {
            let (y, scale) = (*columns.add(k), *d.add(k));
            for r in 0..rows {
                *row(first + r).add(k) = y[r] * scale;
            }
        }
        // The triangle on the diagonal.
        for c in 0..rows {
            let l = row(first + c);
            let mut x = column_of_a(first + c);
            for k in 0..first {
                x = less(x, *columns.add(k), *l.add(k));
            }
            for k in first..first + c {
                let scaled = (*columns.add(k))[c];
                let factor = scaled * *d.add(k);
                *l.add(k) = factor;
                x = less(x, *columns.add(k), factor);
            }
            *columns.add(first + c) = x;
            *d.add(first + c) = 1.0 / x[c];
        }
    }
}

/// Solves `L x = b` in place.
///
/// # Safety
/// L has n rows, `skip` apart, and b n elements.
pub(crate) unsafe fn solve_straight(l: *const dReal, b: *mut dReal, n: usize, skip: usize) {
    // SAFETY: the caller's promise.
    let (l, b) = unsafe { (numbers(l, extent(n, n, skip)), numbers_mut(b, n)) };
    for i in 1..n {
        b[i] -= dot(&l[i * skip..i * skip + i], &b[..i]);
    }
}

/// Solves `Lᵀ x = b` in place.
///
/// # Safety
/// L has n rows, `skip` apart, and b n elements.
pub(crate) unsafe fn solve_transposed(l: *const dReal, b: *mut dReal, n: usize, skip: usize) {
    // SAFETY: the caller's promise.
    let (l, b) = unsafe { (numbers(l, extent(n, n, skip)), numbers_mut(b, n)) };
    for i in (1..n).rev() {
        let x = b[i];
        for (value, l) in b[..i].iter_mut().zip(&l[i * skip..]) {
            *value -= l * x;
        }
    }
}

/// Solves `L D Lᵀ x = b` in place.
///
/// # Safety
/// L has n rows, `skip` apart, d and b n elements.
pub(crate) unsafe fn solve(l: *const dReal, d: *const dReal, b: *mut dReal, n: usize, skip: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        solve_straight(l, b, n, skip);
        super::scale_vector(b, d, n);
        solve_transposed(l, b, n, skip);
    }
}

/// Writes L below the diagonal of A and the reciprocals of D to d.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dFactorLDLT(a: *mut dReal, d: *mut dReal, n: c_int, skip: c_int) {
    require!(n > 0 && skip >= n && !a.is_null() && !d.is_null(), "Bad argument(s) in dFactorLDLT()");
    factor(a, d, count(n), count(skip));
}

/// Solves `L x = b` in place.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dSolveL1(l: *const dReal, b: *mut dReal, n: c_int, skip: c_int) {
    require!(n > 0 && skip >= n && !l.is_null() && !b.is_null(), "Bad argument(s) in dSolveL1()");
    solve_straight(l, b, count(n), count(skip));
}

/// Solves `Lᵀ x = b` in place.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dSolveL1T(l: *const dReal, b: *mut dReal, n: c_int, skip: c_int) {
    require!(n > 0 && skip >= n && !l.is_null() && !b.is_null(), "Bad argument(s) in dSolveL1T()");
    solve_transposed(l, b, count(n), count(skip));
}

/// Solves `L D Lᵀ x = b` in place.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dSolveLDLT(l: *const dReal, d: *const dReal, b: *mut dReal, n: c_int, skip: c_int) {
    let given = !l.is_null() && !d.is_null() && !b.is_null();
    require!(n > 0 && skip >= n && given, "Bad argument(s) in dSolveLDLT()");
    solve(l, d, b, count(n), count(skip));
}
