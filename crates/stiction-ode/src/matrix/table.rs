//! Matrices printed, filled at random and compared (`ode/misc.h`).

use std::ffi::{c_char, c_int};

use super::{count, extent, numbers, numbers_mut, padded};
use crate::random;
use crate::report::require;
use crate::stream::{File, fprintf, fputc};
use crate::types::dReal;

/// Prints an n × m matrix, each element by the program's format of one number, each row on a line.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dPrintMatrix(a: *const dReal, n: c_int, m: c_int, format: *const c_char, file: *mut File) {
    let given = !a.is_null() && !format.is_null() && !file.is_null();
    require!(n >= 0 && m >= 0 && given, "Bad argument(s) in dPrintMatrix()");
    let (n, m) = (count(n), count(m));
    let elements = numbers(a, extent(n, m, padded(m)));
    for row in 0..n {
        for &element in &elements[row * padded(m)..][..m] {
            fprintf(file, format, f64::from(element));
        }
        fputc(c_int::from(b'\n'), file);
    }
}

/// n random numbers between −range and range.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dMakeRandomVector(a: *mut dReal, n: c_int, range: dReal) {
    dMakeRandomMatrix(a, n, 1, range);
}

/// An n × m matrix of random numbers between −range and range.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dMakeRandomMatrix(a: *mut dReal, n: c_int, m: c_int, range: dReal) {
    require!(n >= 0 && m >= 0 && !a.is_null(), "Bad argument(s) in dMakeRandomMatrix()");
    let (n, m) = (count(n), count(m));
    let elements = numbers_mut(a, extent(n, m, padded(m)));
    for row in 0..n {
        for element in &mut elements[row * padded(m)..][..m] {
            *element = (random::real() * 2.0 - 1.0) * range;
        }
    }
}

/// Zeros above the diagonal of an n × n matrix.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dClearUpperTriangle(a: *mut dReal, n: c_int) {
    require!(n >= 0 && !a.is_null(), "Bad argument(s) in dClearUpperTriangle()");
    let n = count(n);
    let elements = numbers_mut(a, extent(n, n, padded(n)));
    for row in 0..n {
        elements[row * padded(n)..][row + 1..n].fill(0.0);
    }
}

/// Largest difference of elements, of which row i has `columns(i)`.
unsafe fn difference(
    a: *const dReal,
    b: *const dReal,
    (n, m): (usize, usize),
    columns: impl Fn(usize) -> usize,
) -> dReal {
    let skip = padded(m);
    let (a, b) = (numbers(a, extent(n, m, skip)), numbers(b, extent(n, m, skip)));
    let mut largest = 0.0;
    for row in 0..n {
        let span = row * skip..row * skip + columns(row);
        for (x, y) in a[span.clone()].iter().zip(&b[span]) {
            largest = dReal::max(largest, (x - y).abs());
        }
    }
    largest
}

/// Largest difference of two n × m matrices.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dMaxDifference(a: *const dReal, b: *const dReal, n: c_int, m: c_int) -> dReal {
    require!(n >= 0 && m >= 0 && !a.is_null() && !b.is_null(), "Bad argument(s) in dMaxDifference()", 0.0);
    difference(a, b, (count(n), count(m)), |_| count(m))
}

/// Largest difference on and below the diagonals of two n × n matrices.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dMaxDifferenceLowerTriangle(a: *const dReal, b: *const dReal, n: c_int) -> dReal {
    require!(n >= 0 && !a.is_null() && !b.is_null(), "Bad argument(s) in dMaxDifferenceLowerTriangle()", 0.0);
    difference(a, b, (count(n), count(n)), |row| row + 1)
}
