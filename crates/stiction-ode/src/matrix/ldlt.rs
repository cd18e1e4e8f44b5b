//! `A = L D Lᵀ` with ones on the diagonal of L. Of D the reciprocals are kept.

use std::ffi::c_int;

use super::{count, dot, extent, numbers, numbers_mut};
use crate::report::require;
use crate::types::dReal;

/// Writes L below the diagonal of A and `1/D` to d.
///
/// # Safety
/// A has n rows, `skip` apart, and d n elements.
pub(crate) unsafe fn factor(a: *mut dReal, d: *mut dReal, n: usize, skip: usize) {
    // SAFETY: the caller's promise.
    let (a, d) = unsafe { (numbers_mut(a, extent(n, n, skip)), numbers_mut(d, n)) };
    let mut scaled = vec![0.0; n];
    for i in 0..n {
        // Row i of L D by forward substitution, then of L.
        for j in 0..i {
            scaled[j] = a[i * skip + j] - dot(&scaled[..j], &a[j * skip..j * skip + j]);
        }
        let mut pivot = a[i * skip + i];
        for j in 0..i {
            let l = scaled[j] * d[j];
            pivot -= l * scaled[j];
            a[i * skip + j] = l;
        }
        d[i] = 1.0 / pivot;
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
