//! Dense matrices (`ode/matrix.h`, `ode/misc.h`): row by row, each row as long as [`padded`] says.

mod cholesky;
pub(crate) mod ldlt;
mod product;
mod table;
mod update;

use std::ffi::c_int;

pub(crate) use product::scale_vector;

use crate::types::dReal;

/// Length of a row of n elements (`dPAD`): a multiple of four, but for rows of one or none.
pub(crate) const fn padded(n: usize) -> usize {
    if n > 1 { n.next_multiple_of(4) } else { n }
}

/// A count that is not below zero.
fn count(n: c_int) -> usize {
    n.max(0) as usize
}

/// Elements of a matrix: its last row ends with the last element.
fn extent(rows: usize, columns: usize, skip: usize) -> usize {
    if rows == 0 || columns == 0 { 0 } else { (rows - 1) * skip + columns }
}

/// # Safety
/// There are so many numbers at `a`, unless there are none.
unsafe fn numbers<'a>(a: *const dReal, count: usize) -> &'a [dReal] {
    // SAFETY: the caller's promise.
    if count == 0 { &[] } else { unsafe { std::slice::from_raw_parts(a, count) } }
}

/// # Safety
/// There are so many numbers at `a`, unless there are none, and nothing else refers to them.
unsafe fn numbers_mut<'a>(a: *mut dReal, count: usize) -> &'a mut [dReal] {
    // SAFETY: the caller's promise.
    if count == 0 { &mut [] } else { unsafe { std::slice::from_raw_parts_mut(a, count) } }
}

/// `aᵀ b`.
fn dot(a: &[dReal], b: &[dReal]) -> dReal {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}
