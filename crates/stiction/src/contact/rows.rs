//! A contact point as Jacobian rows.

use crate::math::V3;

/// Jacobian of one row of a contact between two bodies; velocities of the centres of mass and angular velocities in
/// the world. The linear part of the second body is the negative of the first's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ContactJacobian {
    /// Direction: linear part of the first body.
    pub linear: V3,
    /// Angular part of the first body, `r₁ × d`.
    pub angular_first: V3,
    /// Angular part of the second body, `−r₂ × d`.
    pub angular_second: V3,
}

/// Row of the relative velocity of the bodies' points at the contact along `direction`, for lever arms from the centres
/// of mass.
#[inline(always)]
pub(crate) fn contact_row(direction: V3, arm_first: V3, arm_second: V3) -> ContactJacobian {
    ContactJacobian {
        linear: direction,
        angular_first: arm_first.cross(direction),
        angular_second: direction.cross(arm_second),
    }
}

/// Target and cap of a contact's normal row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NormalTarget {
    /// b \[m/s\].
    pub target: f64,
    /// Largest velocity that correction may leave \[m/s\].
    pub cap: f64,
}

/// `b` of a normal row from depth, layer, correction share α and surface velocity:
/// a touching contact removes α of the depth beyond the layer, a gap closes at most in one step (α = 1).
#[inline(always)]
pub(crate) fn normal_target(
    depth: f64,
    layer: f64,
    correction: f64,
    motion: f64,
    max_velocity: f64,
    step: f64,
) -> NormalTarget {
    let beyond = depth - layer;
    let touching = if beyond > 0.0 { beyond } else { 0.0 } * correction / step;
    let drift = if depth < 0.0 { depth / step } else { touching };
    NormalTarget { target: drift + motion, cap: if max_velocity > motion { max_velocity } else { motion } }
}
