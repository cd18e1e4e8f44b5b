//! Fixed: everything is held.

use super::{Joint, JointContext, JointPose, JointRow, ball, hold, parts};

pub(super) fn rows(joint: &Joint, pose: &JointPose, context: &JointContext, rows: &mut Vec<JointRow>) {
    ball::rows(joint, pose, context, rows);
    let (erp, cfm) = joint.softness(context);
    rows.extend(
        parts::lock(pose.orientation_error().into()).into_iter().map(|part| hold(part, erp, cfm, context.step)),
    );
}
