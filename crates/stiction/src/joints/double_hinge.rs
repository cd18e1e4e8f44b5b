//! Double hinge: a double ball whose bodies turn about one common direction, axis 0: a massless rod with a hinge at each
//! end. Along the axis the anchors keep their heights.

use super::kind::Kind;
use super::{Joint, JointContext, JointPose, JointRow, double_ball, hold, parts};

/// The kind's entry.
pub(super) const KIND: Kind = Kind {
    axes: |_| 1,
    check: double_ball::check,
    rows,
    gap: |joint, pose| (pose.separation().length() - double_ball::distance(joint)).abs().max(rise(joint, pose).abs()),
    ties_bodies: true,
    ..Kind::PLAIN
};

fn rows(joint: &Joint, pose: &JointPose, context: &JointContext, rows: &mut Vec<JointRow>) {
    let soft = joint.softness(context);
    double_ball::rows(joint, pose, context, rows);
    let aligned = parts::alignment(pose.axis(0, 0).into(), pose.axis(1, 0).into());
    rows.extend(aligned.into_iter().map(|part| hold(part, soft, context.step)));
    let axis = pose.axis(1, 0).into();
    let mut height = parts::along(axis, pose.arm(0).into(), pose.arm(1).into(), pose.separation().into());
    height.error = rise(joint, pose);
    rows.push(hold(height, soft, context.step));
}

/// How far the first anchor has left its height along the axis \[m\].
fn rise(joint: &Joint, pose: &JointPose) -> f64 {
    pose.axis(1, 0).dot(pose.separation()) - joint.frames.axes[1][0].dot(joint.frames.separation)
}
