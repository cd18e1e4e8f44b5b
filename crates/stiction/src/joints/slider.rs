//! Slider: orientation and two directions are held; one displacement along axis 0 (carried by the second body) is free.

use super::kind::{self, Kind};
use super::{AxisMotion, Joint, JointContext, JointPose, JointRow, hold, parts};
use crate::dynamics::tree::Mobility;
use crate::math::{V3, plane_space};

/// The kind's entry.
pub(super) const KIND: Kind = Kind {
    axes: |_| 1,
    rows,
    visit: |joint, pose, _, visit| visit(0, &motion(joint, pose)),
    gap: |_, pose| kind::across(pose, pose.axis(1, 0)),
    mobility: Some(|_, axes| (Mobility::Prismatic { axis: axes.on_parent(0) }, [0; 3])),
    shift: |frames, _, [x, ..]| frames.slide(frames.axes[1][0], x),
    ..Kind::PLAIN
};

pub(super) fn rows(joint: &Joint, pose: &JointPose, context: &JointContext, rows: &mut Vec<JointRow>) {
    let soft = joint.softness(context);
    rows.extend(parts::lock(pose.orientation_error().into()).into_iter().map(|part| hold(part, soft, context.step)));
    across(joint, pose, context, rows);
}

/// The two rows that keep the anchors on the axis.
pub(super) fn across(joint: &Joint, pose: &JointPose, context: &JointContext, rows: &mut Vec<JointRow>) {
    let soft = joint.softness(context);
    let (p, q) = plane_space(V3::from(pose.axis(1, 0)));
    let (arm1, arm2, d) = (pose.arm(0).into(), pose.arm(1).into(), pose.separation().into());
    rows.extend([p, q].into_iter().map(|t| hold(parts::along(t, arm1, arm2, d), soft, context.step)));
}

pub(super) fn motion(_: &Joint, pose: &JointPose) -> AxisMotion {
    let part = parts::along(pose.axis(1, 0).into(), pose.arm(0).into(), pose.arm(1).into(), pose.separation().into());
    AxisMotion { part, is_angle: false, has_position: true }
}
