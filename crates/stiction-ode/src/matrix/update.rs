//! Factors `L D Lᵀ` of a matrix of which a row and column change or go.

use std::ffi::c_int;

use super::{count, extent, numbers, numbers_mut};
use crate::report::require;
use crate::types::dReal;

/// The factors of `A + σ w wᵀ` from those of A, with the reciprocals of D, from row and column `first` on; w is used up.
///
/// Gill, Golub, Murray, Saunders: Methods for modifying matrix factorizations (1974), method C1.
fn rank_one(l: &mut [dReal], d: &mut [dReal], w: &mut [dReal], sigma: dReal, first: usize, skip: usize) {
    let mut sigma = sigma;
    for j in first..d.len() {
        let p = w[j];
        // D' = D + σ p², in reciprocals.
        let shrink = 1.0 + sigma * p * p * d[j];
        let beta = sigma * p * d[j] / shrink;
        sigma /= shrink;
        d[j] /= shrink;
        for r in j + 1..d.len() {
            let below = &mut l[r * skip + j];
            w[r] -= p * *below;
            *below += beta * w[r];
        }
    }
}

/// Adds a first row and column: `A + a e₀ᵀ + e₀ aᵀ` with `a₀` once. The first column of L and the first of d stay as they are.
///
/// With `b = a`, but half of it first, the sum is `½ (b + e₀)(b + e₀)ᵀ − ½ (b − e₀)(b − e₀)ᵀ`.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dLDLTAddTL(l: *mut dReal, d: *mut dReal, a: *const dReal, n: c_int, skip: c_int) {
    let given = !l.is_null() && !d.is_null() && !a.is_null();
    require!(n > 0 && skip >= n && given, "Bad argument(s) in dLDLTAddTL()");
    let (n, skip) = (count(n), count(skip));
    let (l, d) = (numbers_mut(l, extent(n, n, skip)), numbers_mut(d, n));
    let kept: Vec<dReal> = (0..n).map(|i| l[i * skip]).collect();
    let first = d[0];
    let mut b = numbers(a, n).to_vec();
    b[0] *= 0.5;
    for (sign, sigma) in [(1.0, 0.5), (-1.0, -0.5)] {
        let mut w = b.clone();
        w[0] += sign;
        rank_one(l, d, &mut w, sigma, 0, skip);
    }
    for (i, value) in kept.into_iter().enumerate() {
        l[i * skip] = value;
    }
    d[0] = first;
}

/// Takes row and column r out of the matrix that is factored.
///
/// What stands below right of them gains `D_r l lᵀ` with l the column of L that goes, so that A itself is not needed.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dLDLTRemove(
    a: *mut *mut dReal,
    permutation: *const c_int,
    l: *mut dReal,
    d: *mut dReal,
    n1: c_int,
    n2: c_int,
    r: c_int,
    skip: c_int,
) {
    let given = !a.is_null() && !permutation.is_null() && !l.is_null() && !d.is_null();
    let sizes = n1 > 0 && n2 > 0 && n1 >= n2 && (0..n2).contains(&r) && skip >= n1;
    require!(given && sizes, "Bad argument(s) in dLDLTRemove()");
    let (n, r, skip) = (count(n2), count(r), count(skip));
    let (l, d) = (numbers_mut(l, extent(n, n, skip)), numbers_mut(d, n));
    let mut w: Vec<dReal> = (0..n).map(|i| if i > r { l[i * skip + r] } else { 0.0 }).collect();
    rank_one(l, d, &mut w, 1.0 / d[r], r + 1, skip);
    remove_row_column(l, n, skip, r);
    d.copy_within(r + 1.., r);
}

/// Moves the elements beyond row and column r onto them.
fn remove_row_column(a: &mut [dReal], n: usize, skip: usize, r: usize) {
    for i in 0..n {
        if i == r {
            continue;
        }
        let to = if i > r { i - 1 } else { i };
        a.copy_within(i * skip..i * skip + r, to * skip);
        a.copy_within(i * skip + r + 1..i * skip + n, to * skip + r);
    }
}

/// Takes row and column r out of a matrix; the last row and column stay as they are.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dRemoveRowCol(a: *mut dReal, n: c_int, skip: c_int, r: c_int) {
    let sizes = n > 0 && skip >= n && (0..n).contains(&r);
    require!(sizes && !a.is_null(), "Bad argument(s) in dRemoveRowCol()");
    let (n, skip) = (count(n), count(skip));
    remove_row_column(numbers_mut(a, extent(n, n, skip)), n, skip, count(r));
}
