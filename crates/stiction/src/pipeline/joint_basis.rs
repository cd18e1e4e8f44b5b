//! An orthogonal basis for the rows that hold a joint.
//!
//! The rows of one joint pull at each other: with a lever arm of ten metres and a small inertia their block `A = Yᵀ Y`
//! has a condition of thousands, and row by row a sweep hardly moves. Gram-Schmidt in the whitened coordinates,
//! `Y'ᵢ = Yᵢ − Σₖ lᵢₖ Y'ₖ`, `lᵢₖ = Yᵢ·Y'ₖ / Y'ₖ·Y'ₖ`, makes the block diagonal: a visit of its rows in order solves the joint
//! exactly, whatever the solver. The same combinations of Jacobians and right sides describe the same joint.

use crate::joints::{JointRow, MAX_ROWS};

/// What is left of a row after the others, relative to it, below which it says nothing new.
const REDUNDANT: f64 = 1e-12;

/// Softness, relative to the row's own inverse mass, above which the rows are not mixed: a soft joint is soft along the
/// rows as they were given.
const SOFT: f64 = 1e-6;

/// Share of a row's square that the first round must leave, so that rounding has not spoiled what is left.
const ENOUGH: f64 = 0.01;

/// Makes the first `count` rows orthogonal, unless they are soft or bounded; returns whether they are. `y` are their whitened Jacobians, six numbers a body. The plain Jacobians of
/// the rows follow only where somebody reads them.
pub(super) fn orthogonalize<const WIDTH: usize>(
    rows: &mut [JointRow],
    y: &mut [[f64; WIDTH]],
    count: usize,
    with_jacobians: bool,
) -> bool {
    let is_apart = |row: &JointRow, y| row.compliance > SOFT * dot(y, y) || row.bounds[1].is_finite();
    if rows[..count].iter().zip(&*y).any(|(row, y)| is_apart(row, y)) {
        return false;
    }
    let mut squares = [0.0; MAX_ROWS];
    for i in 0..count {
        let before = dot(&y[i], &y[i]);
        let mut left = before;
        // A second round takes away what rounding of the first left, where the first took most of the row.
        for _ in 0..2 {
            let last = left;
            for k in (0..i).filter(|k| squares[*k] > 0.0) {
                let factor = dot(&y[i], &y[k]) / squares[k];
                subtract(rows, y, i, k, factor, with_jacobians);
            }
            left = dot(&y[i], &y[i]);
            if left > ENOUGH * last {
                break;
            }
        }
        if left <= REDUNDANT * before {
            y[i] = [0.0; WIDTH];
            left = 0.0;
        }
        squares[i] = left;
    }
    true
}

/// Scalar product, in six sums side by side.
fn dot<const WIDTH: usize>(a: &[f64; WIDTH], b: &[f64; WIDTH]) -> f64 {
    let mut s = [0.0; 6];
    for (a, b) in a.chunks_exact(6).zip(b.chunks_exact(6)) {
        for c in 0..6 {
            s[c] += a[c] * b[c];
        }
    }
    (s[0] + s[1]) + (s[2] + s[3]) + (s[4] + s[5])
}

/// Row i minus a multiple of row k, which comes before it.
fn subtract<const WIDTH: usize>(
    rows: &mut [JointRow],
    y: &mut [[f64; WIDTH]],
    i: usize,
    k: usize,
    factor: f64,
    with_jacobians: bool,
) {
    let (y_before, y_from) = y.split_at_mut(i);
    for (y, other) in y_from[0].iter_mut().zip(&y_before[k]) {
        *y -= factor * other;
    }
    let (before, from) = rows.split_at_mut(i);
    let (row, other) = (&mut from[0], &before[k]);
    if with_jacobians {
        row.linear -= factor * other.linear;
        for body in 0..3 {
            row.angular[body] -= factor * other.angular[body];
        }
    }
    row.target -= factor * other.target;
    row.velocity_target -= factor * other.velocity_target;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::RowKind;
    use glam::DVec3;

    const WIDTH: usize = 18;

    fn row(target: f64) -> JointRow {
        JointRow {
            linear: DVec3::ZERO,
            angular: [DVec3::ZERO; 3],
            target,
            velocity_target: target,
            compliance: 0.0,
            bounds: [f64::NEG_INFINITY, f64::INFINITY],
            is_drive: false,
            kind: RowKind::Joint,
            axis: None,
            error: 0.0,
            kept: 0.0,
        }
    }

    #[test]
    fn any_velocity_that_satisfies_the_rows_satisfies_the_new_ones() {
        let mut y = [[0.0; WIDTH]; 4];
        for (i, y) in y.iter_mut().enumerate() {
            for (c, y) in y.iter_mut().enumerate() {
                *y = ((3 * i + 5 * c) as f64).sin();
            }
        }
        // The last row repeats the sum of the first two.
        y[3] = std::array::from_fn(|c| y[0][c] + y[1][c]);
        let z: [f64; WIDTH] = std::array::from_fn(|c| (c as f64).cos());
        let u = |y: &[f64; WIDTH]| y.iter().zip(z).map(|(y, z)| y * z).sum::<f64>();
        let mut rows: Vec<_> = y.iter().map(|y| row(u(y))).collect();
        assert!(orthogonalize(&mut rows, &mut y, 4, true));
        for i in 0..3 {
            assert!((u(&y[i]) - rows[i].target).abs() < 1e-13);
            for k in 0..i {
                assert!(y[i].iter().zip(&y[k]).map(|(a, b)| a * b).sum::<f64>().abs() < 1e-13);
            }
        }
        assert_eq!(y[3], [0.0; WIDTH]);
    }
}
