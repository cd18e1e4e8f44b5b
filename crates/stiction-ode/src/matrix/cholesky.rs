//! `A = L Lᵀ` of positive definite matrices.

use std::ffi::c_int;

use super::{count, dot, extent, numbers, numbers_mut, padded};
use crate::report::require;
use crate::types::dReal;

/// Writes L over the lower triangle; false where a pivot is not above zero.
fn factor(a: &mut [dReal], n: usize, skip: usize) -> bool {
    for i in 0..n {
        for j in 0..=i {
            let rest = a[i * skip + j] - dot(&a[i * skip..i * skip + j], &a[j * skip..j * skip + j]);
            if i == j {
                if rest.is_nan() || rest <= 0.0 {
                    return false;
                }
                a[i * skip + i] = rest.sqrt();
            } else {
                a[i * skip + j] = rest / a[j * skip + j];
            }
        }
    }
    true
}

/// Solves `L Lᵀ x = b` in place.
fn solve(l: &[dReal], b: &mut [dReal], n: usize, skip: usize) {
    for i in 0..n {
        b[i] = (b[i] - dot(&l[i * skip..i * skip + i], &b[..i])) / l[i * skip + i];
    }
    for i in (0..n).rev() {
        let below: dReal = (i + 1..n).map(|k| l[k * skip + i] * b[k]).sum();
        b[i] = (b[i] - below) / l[i * skip + i];
    }
}

/// Writes L over the lower triangle of A; 0 where A is not positive definite.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dFactorCholesky(a: *mut dReal, n: c_int) -> c_int {
    require!(n > 0 && !a.is_null(), "Bad argument(s) in dFactorCholesky()", 0);
    let (n, skip) = (count(n), padded(count(n)));
    factor(numbers_mut(a, extent(n, n, skip)), n, skip).into()
}

/// Solves `L Lᵀ x = b` in place.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dSolveCholesky(l: *const dReal, b: *mut dReal, n: c_int) {
    require!(n > 0 && !l.is_null() && !b.is_null(), "Bad argument(s) in dSolveCholesky()");
    let (n, skip) = (count(n), padded(count(n)));
    solve(numbers(l, extent(n, n, skip)), numbers_mut(b, n), n, skip);
}

/// Writes the inverse of A; 0 where A is not positive definite.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dInvertPDMatrix(a: *const dReal, inverse: *mut dReal, n: c_int) -> c_int {
    require!(n > 0 && !a.is_null() && !inverse.is_null(), "Bad argument(s) in dInvertPDMatrix()", 0);
    let (n, skip) = (count(n), padded(count(n)));
    let mut l = numbers(a, extent(n, n, skip)).to_vec();
    if !factor(&mut l, n, skip) {
        return 0;
    }
    let inverse = numbers_mut(inverse, extent(n, n, skip));
    let mut column = vec![0.0; n];
    for j in 0..n {
        column.fill(0.0);
        column[j] = 1.0;
        solve(&l, &mut column, n, skip);
        for i in 0..n {
            inverse[i * skip + j] = column[i];
        }
    }
    1
}

/// Whether `xᵀ A x > 0` for every x but zero.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dIsPositiveDefinite(a: *const dReal, n: c_int) -> c_int {
    require!(n > 0 && !a.is_null(), "Bad argument(s) in dIsPositiveDefinite()", 0);
    let (n, skip) = (count(n), padded(count(n)));
    factor(&mut numbers(a, extent(n, n, skip)).to_vec(), n, skip).into()
}
