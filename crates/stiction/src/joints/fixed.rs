//! Fixed: everything is held.

use super::kind::Kind;
use super::{Joint, JointContext, JointPose, JointRow, ball, hold, parts};
use crate::dynamics::tree::Mobility;

/// The kind's entry.
pub(super) const KIND: Kind = Kind {
    rows,
    gap: |_, pose| pose.separation().length(),
    mobility: Some(|_, _| (Mobility::Fixed, [0; 3])),
    ..Kind::PLAIN
};

pub(super) fn rows(joint: &Joint, pose: &JointPose, context: &JointContext, rows: &mut Vec<JointRow>) {
    ball::rows(joint, pose, context, rows);
    let soft = joint.softness(context);
    rows.extend(parts::lock(pose.orientation_error().into()).into_iter().map(|part| hold(part, soft, context.step)));
}
