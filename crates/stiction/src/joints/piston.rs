//! Piston: a displacement along axis 0, carried by the second body, and an angle about it (a cylindrical joint).

use super::kind::{self, Kind};
use super::{AxisMotion, Joint, JointContext, JointPose, JointRow, hinge, hold, parts, slider};
use crate::dynamics::tree::Mobility;

/// The kind's entry.
pub(super) const KIND: Kind = Kind {
    axes: |_| 1,
    rows,
    visit: |joint, pose, _, visit| kind::each(motions(joint, pose), visit),
    gap: |_, pose| kind::across(pose, pose.axis(1, 0)),
    shift: |frames, _, [x, y, _]| {
        frames.slide(frames.axes[1][0], x);
        frames.turn(0, y);
    },
    mobility: Some(|_, axes| {
        (Mobility::PrismaticRevolute { slide: axes.on_parent(0), axis: axes.on_parent(0) }, [0, 1, 0])
    }),
    ..Kind::PLAIN
};

pub(super) fn rows(joint: &Joint, pose: &JointPose, context: &JointContext, rows: &mut Vec<JointRow>) {
    let soft = joint.softness(context);
    let aligned = parts::alignment(pose.axis(0, 0).into(), pose.axis(1, 0).into());
    rows.extend(aligned.into_iter().map(|part| hold(part, soft, context.step)));
    slider::across(joint, pose, context, rows);
}

pub(super) fn motions(joint: &Joint, pose: &JointPose) -> [Option<AxisMotion>; 3] {
    [Some(slider::motion(joint, pose)), Some(hinge::motion(joint, pose)), None]
}
