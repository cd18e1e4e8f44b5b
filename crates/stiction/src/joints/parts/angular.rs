//! Rows of orientations.

use super::PartRow;
use crate::math::{Lane, V3, plane_space};

/// Two axes, one in each body, stay parallel: two rows about directions across the second body's axis.
///
/// The error is the vector `a₂ × a₁` that would turn `a₂` onto `a₁`: `d/dt (a₂ × a₁)·t ≈ t·(ω₁ − ω₂)`.
#[inline(always)]
pub fn alignment<L: Lane>(axis_first: V3<L>, axis_second: V3<L>) -> [PartRow<L>; 2] {
    let (p, q) = plane_space(axis_second);
    let error = axis_second.cross(axis_first);
    [PartRow::angular(p, p.dot(error)), PartRow::angular(q, q.dot(error))]
}

/// The bodies keep their relative orientation: three rows about the world's axes; `error` is the rotation vector
/// (twice the vector part of the quaternion) of the first body against where the second wants it, in the world.
#[inline(always)]
pub fn lock<L: Lane>(error: V3<L>) -> [PartRow<L>; 3] {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    [
        PartRow::angular(V3::new(one, zero, zero), error.x),
        PartRow::angular(V3::new(zero, one, zero), error.y),
        PartRow::angular(V3::new(zero, zero, one), error.z),
    ]
}

/// Relative rotation about an axis.
#[inline(always)]
pub fn spin<L: Lane>(axis: V3<L>, error: L) -> PartRow<L> {
    PartRow::angular(axis, error)
}
