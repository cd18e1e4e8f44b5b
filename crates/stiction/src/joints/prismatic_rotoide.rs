//! Prismatic and rotoide: a displacement along axis 0, carried by the first body, and an angle about axis 1. The second
//! body's anchor moves on a line of the first body.

use super::kind::{self, Kind, TreeAxes};
use super::{AxisMotion, Joint, JointContext, JointPose, JointRow, hold, parts};
use crate::dynamics::tree::Mobility;
use crate::math::{V3, plane_space};

/// The kind's entry.
pub(super) const KIND: Kind = Kind {
    axes: |_| 2,
    rows,
    visit: |_, pose, _, visit| kind::each(motions(pose), visit),
    gap: |_, pose| kind::across(pose, pose.axis(0, 0)),
    shift: |frames, _, [x, y, _]| {
        frames.slide(frames.now(0), x);
        frames.turn(1, y);
    },
    mobility: Some(mobility),
    ..Kind::PLAIN
};

/// The first body carries the direction.
fn mobility(_: &Joint, axes: &TreeAxes) -> (Mobility, [u8; 3]) {
    match axes.child {
        0 => (Mobility::RevolutePrismatic { axis: axes.on_parent(1), slide: axes.on_child(0) }, [1, 0, 0]),
        _ => (Mobility::PrismaticRevolute { slide: axes.on_parent(0), axis: axes.on_parent(1) }, [0, 1, 0]),
    }
}

pub(super) fn rows(joint: &Joint, pose: &JointPose, context: &JointContext, rows: &mut Vec<JointRow>) {
    let soft = joint.softness(context);
    let aligned = parts::alignment(pose.axis(0, 1).into(), pose.axis(1, 1).into());
    rows.extend(aligned.into_iter().map(|part| hold(part, soft, context.step)));
    on_line(joint, 0, pose, context, rows);
}

/// The two rows that keep the second body's anchor on the line of an axis of the first body.
pub(super) fn on_line(joint: &Joint, axis: usize, pose: &JointPose, context: &JointContext, rows: &mut Vec<JointRow>) {
    let soft = joint.softness(context);
    let (p, q) = plane_space(V3::from(pose.axis(0, axis)));
    let (arm1, arm2, d) = (pose.arm(0).into(), pose.arm(1).into(), pose.separation().into());
    rows.extend([p, q].into_iter().map(|t| hold(parts::along_first(t, arm1, arm2, d), soft, context.step)));
}

/// Displacement of the first body along an axis that it carries.
pub(super) fn displacement(axis: usize, pose: &JointPose) -> AxisMotion {
    let (arm1, arm2, d) = (pose.arm(0).into(), pose.arm(1).into(), pose.separation().into());
    let part = parts::along_first(pose.axis(0, axis).into(), arm1, arm2, d);
    AxisMotion { part, is_angle: false, has_position: true }
}

fn motions(pose: &JointPose) -> [Option<AxisMotion>; 3] {
    let turn = parts::spin(pose.axis(1, 1).into(), pose.angle_about(1));
    let turn = AxisMotion { part: turn, is_angle: true, has_position: true };
    [Some(displacement(0, pose)), Some(turn), None]
}
