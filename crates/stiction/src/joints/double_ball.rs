//! Double ball: two anchors, one in each body, stay at a distance: a massless rod with a ball at each end.

use glam::DVec3;

use super::kind::{self, Kind};
use super::{Joint, JointContext, JointPose, JointRow, hold, parts};
use super::{JointDefinition, JointError, JointKind};

/// The kind's entry.
pub(super) const KIND: Kind = Kind {
    check,
    rows,
    gap: |joint, pose| (pose.separation().length() - distance(joint)).abs(),
    ties_bodies: true,
    ..Kind::PLAIN
};

/// The distance that is given, of this kind or a double hinge.
fn given(kind: &JointKind) -> Option<f64> {
    match kind {
        JointKind::DoubleBall { distance } | JointKind::DoubleHinge { distance } => *distance,
        _ => None,
    }
}

/// A distance that is given is more than zero.
pub(super) fn check(definition: &mut JointDefinition) -> Result<(), JointError> {
    given(&definition.kind).map_or(Ok(()), |distance| kind::positive("ratio, radius or distance", distance))
}

/// The distance that two anchors keep: the given one, or that where the joint was made \[m\].
pub(super) fn distance(joint: &Joint) -> f64 {
    given(&joint.definition.kind).unwrap_or_else(|| joint.frames.separation.length())
}

/// `g = |p₁ − p₂| − l`: `ġ = d·(ṗ₁ − ṗ₂)`, d from the second anchor to the first.
pub(super) fn rows(joint: &Joint, pose: &JointPose, context: &JointContext, rows: &mut Vec<JointRow>) {
    let soft = joint.softness(context);
    // Anchors that coincide have no direction; the one where the joint was made leads out of it.
    let at_start = pose.rotations[1] * joint.frames.separation;
    let separation = pose.separation();
    let direction = separation.try_normalize().or_else(|| at_start.try_normalize()).unwrap_or(DVec3::Z);
    let mut part = parts::between(direction.into(), pose.arm(0).into(), pose.arm(1).into(), separation.into());
    part.error -= distance(joint);
    rows.push(hold(part, soft, context.step));
}
