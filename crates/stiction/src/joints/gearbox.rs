//! Gearbox: the angles of two bodies relative to a third go together, `θ₁ + ratio θ₂ = 0`.

use glam::{DQuat, DVec3};

use super::kind::{self, Kind};
use super::{AxisMotion, Joint, JointContext, JointKind, JointPose, JointRow, hold, parts};

/// The kind's entry.
pub(super) const KIND: Kind = Kind {
    axes: |_| 2,
    check: |definition| kind::finite("pitch, ratio or distance", ratio(&definition.kind)),
    rows,
    visit: |_, pose, _, visit| kind::each(motions(pose), visit),
    follows_positions: true,
    has_reference: true,
    shift: |frames, _, positions| {
        for (axis, body) in [(0, 1), (1, 0)] {
            let turn = DQuat::from_axis_angle(frames.reference_axes[axis], -positions[axis]);
            frames.reference_relative[body] = turn * frames.reference_relative[body];
        }
    },
    ..Kind::PLAIN
};

fn ratio(kind: &JointKind) -> f64 {
    if let JointKind::Gearbox { ratio } = kind { *ratio } else { 0.0 }
}

/// θ₁ is the first body's angle about axis 1, θ₂ the second body's about axis 0; axes are carried by the reference body.
/// SDFormat: first body child, second body parent: `θ_child = −ratio θ_parent`.
fn rows(joint: &Joint, pose: &JointPose, context: &JointContext, rows: &mut Vec<JointRow>) {
    let ratio = ratio(&joint.definition.kind);
    let soft = joint.softness(context);
    let (child_axis, parent_axis) = (pose.reference_axis(1), pose.reference_axis(0));
    let part = parts::spin(child_axis.into(), context.positions[1] + ratio * context.positions[0]);
    let mut row = hold(part, soft, context.step);
    row.angular = [child_axis, ratio * parent_axis, -child_axis - ratio * parent_axis];
    row.linear = DVec3::ZERO;
    rows.push(row);
}

/// Angles of the second body about axis 0 and of the first about axis 1, relative to the reference body, which takes
/// the reaction.
fn motions(pose: &JointPose) -> [Option<AxisMotion>; 3] {
    let none = DVec3::ZERO;
    let motion = |axis: usize, body: usize| {
        let direction = pose.reference_axis(axis);
        let [first, second] = if body == 0 { [direction, none] } else { [none, direction] };
        let part = parts::PartRow {
            linear: none.into(),
            angular_first: first.into(),
            angular_second: second.into(),
            error: pose.reference_angle(body, axis),
        };
        Some(AxisMotion { part, is_angle: true, has_position: true })
    };
    [motion(0, 1), motion(1, 0), None]
}
