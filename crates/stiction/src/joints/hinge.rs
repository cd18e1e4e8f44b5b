//! Hinge: a point and an axis are held; one angle about axis 0 is free.

use super::kind::Kind;
use super::{AxisMotion, Joint, JointContext, JointPose, JointRow, ball, hold, parts};
use crate::dynamics::tree::Mobility;

/// The kind's entry.
pub(super) const KIND: Kind = Kind {
    axes: |_| 1,
    rows,
    visit: |joint, pose, _, visit| visit(0, &motion(joint, pose)),
    directions: Some(|pose, visit| visit(0, &turning(pose, 0.0))),
    gap: |_, pose| pose.separation().length(),
    mobility: Some(|_, axes| (Mobility::Revolute { axis: axes.on_parent(0) }, [0; 3])),
    shift: |frames, _, [x, ..]| frames.turn(0, x),
    ..Kind::PLAIN
};

pub(super) fn rows(joint: &Joint, pose: &JointPose, context: &JointContext, rows: &mut Vec<JointRow>) {
    ball::rows(joint, pose, context, rows);
    let soft = joint.softness(context);
    let parts = parts::alignment(pose.axis(0, 0).into(), pose.axis(1, 0).into());
    rows.extend(parts.into_iter().map(|part| hold(part, soft, context.step)));
}

pub(super) fn motion(_: &Joint, pose: &JointPose) -> AxisMotion {
    turning(pose, pose.angle_about(0))
}

/// The motion at an angle \[rad\].
fn turning(pose: &JointPose, angle: f64) -> AxisMotion {
    AxisMotion { part: parts::spin(pose.axis(1, 0).into(), angle), is_angle: true, has_position: true }
}
