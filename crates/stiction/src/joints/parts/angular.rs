//! Rows of orientations.

use super::PartRow;
use crate::math::{V3, plane_space};

/// Two axes, one in each body, stay parallel: two rows about directions across the second body's axis.
///
/// The error is the vector `a₂ × a₁` that would turn `a₂` onto `a₁`: `d/dt (a₂ × a₁)·t ≈ t·(ω₁ − ω₂)`.
#[inline(always)]
pub fn alignment(axis_first: V3, axis_second: V3) -> [PartRow; 2] {
    let (p, q) = plane_space(axis_second);
    let error = axis_second.cross(axis_first);
    [PartRow::angular(p, p.dot(error)), PartRow::angular(q, q.dot(error))]
}

/// The bodies keep their relative orientation: three rows about the world's axes; `error` is the rotation vector
/// (twice the vector part of the quaternion) of the first body against where the second wants it, in the world.
#[inline(always)]
pub fn lock(error: V3) -> [PartRow; 3] {
    [
        PartRow::angular(V3::new(1.0, 0.0, 0.0), error.x),
        PartRow::angular(V3::new(0.0, 1.0, 0.0), error.y),
        PartRow::angular(V3::new(0.0, 0.0, 1.0), error.z),
    ]
}

/// Relative rotation about an axis.
#[inline(always)]
pub fn spin(axis: V3, error: f64) -> PartRow {
    PartRow::angular(axis, error)
}
