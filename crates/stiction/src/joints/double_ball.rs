//! Double ball: two anchors, one in each body, stay at a distance: a massless rod with a ball at each end.

use glam::DVec3;

use super::{Joint, JointContext, JointPose, JointRow, hold, parts};

/// `g = |p₁ − p₂| − l`: `ġ = d·(ṗ₁ − ṗ₂)`, d from the second anchor to the first.
pub(super) fn rows(joint: &Joint, distance: f64, pose: &JointPose, context: &JointContext, rows: &mut Vec<JointRow>) {
    let (erp, cfm) = joint.softness(context);
    // Anchors that coincide have no direction; the one where the joint was made leads out of it.
    let at_start = pose.rotations[1] * joint.frames.separation;
    let separation = pose.separation();
    let direction = separation.try_normalize().or_else(|| at_start.try_normalize()).unwrap_or(DVec3::Z);
    let mut part = parts::between(direction.into(), pose.arm(0).into(), pose.arm(1).into(), separation.into());
    part.error -= distance;
    rows.push(hold(part, erp, cfm, context.step));
}
