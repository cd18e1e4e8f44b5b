//! Filling, scaling and multiplying.

use std::ffi::c_int;

use super::{count, dot, extent, numbers, numbers_mut, padded};
use crate::report::require;
use crate::types::dReal;

/// Sets n elements to zero.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dSetZero(a: *mut dReal, n: c_int) {
    dSetValue(a, n, 0.0);
}

/// Sets n elements to a value.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dSetValue(a: *mut dReal, n: c_int, value: dReal) {
    require!(n >= 0 && (n == 0 || !a.is_null()), "Bad argument(s) in dSetValue()");
    numbers_mut(a, count(n)).fill(value);
}

/// `aᵀ b`; zero where n is not above zero.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dDot(a: *const dReal, b: *const dReal, n: c_int) -> dReal {
    require!(n <= 0 || !a.is_null() && !b.is_null(), "Bad argument(s) in dDot()", 0.0);
    dot(numbers(a, count(n)), numbers(b, count(n)))
}

/// Multiplies the elements of a vector with those of another.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dScaleVector(a: *mut dReal, scale: *const dReal, n: c_int) {
    require!(n >= 0 && (n == 0 || !a.is_null() && !scale.is_null()), "Bad argument(s) in dScaleVector()");
    scale_vector(a, scale, count(n));
}

/// The old name of `dScaleVector`.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dVectorScale(a: *mut dReal, scale: *const dReal, n: c_int) {
    dScaleVector(a, scale, n);
}

/// # Safety
/// Both vectors have n elements.
pub(crate) unsafe fn scale_vector(a: *mut dReal, scale: *const dReal, n: usize) {
    // SAFETY: the caller's promise.
    for (x, s) in unsafe { numbers_mut(a, n).iter_mut().zip(numbers(scale, n)) } {
        *x *= s;
    }
}

/// How elements of the factors lie: where row i, and where column j starts, and how far the next element of each is.
struct Layout {
    row_start: usize,
    row_next: usize,
    column_start: usize,
    column_next: usize,
}

/// `A = B C`, p × r, sums of q products.
unsafe fn multiply(
    a: *mut dReal,
    (b, b_extent): (*const dReal, usize),
    (c, c_extent): (*const dReal, usize),
    (p, q, r): (usize, usize, usize),
    layout: &Layout,
) {
    let (b, c) = (numbers(b, b_extent), numbers(c, c_extent));
    let skip = padded(r);
    let a = numbers_mut(a, extent(p, r, skip));
    for i in 0..p {
        for j in 0..r {
            let (row, column) = (i * layout.row_start, j * layout.column_start);
            a[i * skip + j] = (0..q).map(|k| b[row + k * layout.row_next] * c[column + k * layout.column_next]).sum();
        }
    }
}

macro_rules! product {
    ($(#[doc = $doc:literal])+ $name:ident, |$p:ident, $q:ident, $r:ident| $b:expr, $c:expr, $layout:expr) => {
        $(#[doc = $doc])+
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $name(a: *mut dReal, b: *const dReal, c: *const dReal, p: c_int, q: c_int, r: c_int) {
            let sizes = p > 0 && q > 0 && r > 0;
            require!(sizes && !a.is_null() && !b.is_null() && !c.is_null(), "Bad argument(s) in a matrix product");
            let ($p, $q, $r) = (count(p), count(q), count(r));
            multiply(a, (b, $b), (c, $c), ($p, $q, $r), &$layout);
        }
    };
}

product! {
    /// `A = B C`: B p × q, C q × r.
    dMultiply0, |p, q, r| extent(p, q, padded(q)), extent(q, r, padded(r)),
    Layout { row_start: padded(q), row_next: 1, column_start: 1, column_next: padded(r) }
}

product! {
    /// `A = Bᵀ C`: B q × p, C q × r.
    dMultiply1, |p, q, r| extent(q, p, padded(p)), extent(q, r, padded(r)),
    Layout { row_start: 1, row_next: padded(p), column_start: 1, column_next: padded(r) }
}

product! {
    /// `A = B Cᵀ`: B p × q, C r × q.
    dMultiply2, |p, q, r| extent(p, q, padded(q)), extent(r, q, padded(q)),
    Layout { row_start: padded(q), row_next: 1, column_start: padded(q), column_next: 1 }
}
