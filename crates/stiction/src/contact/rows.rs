//! A contact point as Jacobian rows, one body of code for one contact or a bundle.

use crate::math::{Lane, V3};

/// Jacobian of one row of a contact between two bodies; velocities of the centres of mass and angular velocities in
/// the world. The linear part of the second body is the negative of the first's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ContactJacobian<L> {
    /// Direction: linear part of the first body.
    pub linear: V3<L>,
    /// Angular part of the first body, `r₁ × d`.
    pub angular_first: V3<L>,
    /// Angular part of the second body, `−r₂ × d`.
    pub angular_second: V3<L>,
}

/// Row of the relative velocity of the bodies' points at the contact along `direction`, for lever arms from the centres
/// of mass.
#[inline(always)]
pub(crate) fn contact_row<L: Lane>(direction: V3<L>, arm_first: V3<L>, arm_second: V3<L>) -> ContactJacobian<L> {
    ContactJacobian {
        linear: direction,
        angular_first: arm_first.cross(direction),
        angular_second: direction.cross(arm_second),
    }
}

/// Target and cap of a contact's normal row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NormalTarget<L> {
    /// b \[m/s\].
    pub target: L,
    /// Largest velocity that correction may leave \[m/s\].
    pub cap: L,
}

/// `b` of a normal row from depth, layer, correction share α and surface velocity:
/// a touching contact removes α of the depth beyond the layer, a gap closes at most in one step (α = 1).
#[inline(always)]
pub(crate) fn normal_target<L: Lane>(
    depth: L,
    layer: L,
    correction: L,
    motion: L,
    max_velocity: L,
    step: L,
) -> NormalTarget<L> {
    let zero = L::splat(0.0);
    let touching = (depth - layer).max(zero) * correction / step;
    let closing = depth / step;
    let drift = L::select(zero.greater(depth), closing, touching);
    NormalTarget { target: drift + motion, cap: max_velocity.max(motion) }
}
