//! Screw: a hinge that advances along its axis as it turns, `x = pitch θ / 2π`.

use std::f64::consts::TAU;

use super::kind::{self, Kind};
use super::{Joint, JointContext, JointKind, JointPose, JointRow, hinge, hold, parts, slider};
use crate::dynamics::tree::Mobility;

/// The kind's entry.
pub(super) const KIND: Kind = Kind {
    axes: |_| 1,
    check: |definition| kind::finite("pitch, ratio or distance", pitch(&definition.kind)),
    rows,
    visit: |joint, pose, _, visit| visit(0, &hinge::motion(joint, pose)),
    gap: |_, pose| kind::across(pose, pose.axis(1, 0)),
    mobility: Some(|joint, axes| {
        (Mobility::Screw { axis: axes.on_parent(0), pitch: pitch(&joint.definition.kind) }, [0; 3])
    }),
    follows_positions: true,
    shift: |frames, kind, [x, ..]| {
        let JointKind::Screw { pitch } = *kind else { return };
        frames.turn(0, x);
        frames.slide(frames.axes[1][0], pitch * x / std::f64::consts::TAU);
    },
    ..Kind::PLAIN
};

/// Advance per turn \[m\].
fn pitch(kind: &JointKind) -> f64 {
    if let JointKind::Screw { pitch } = kind { *pitch } else { 0.0 }
}

fn rows(joint: &Joint, pose: &JointPose, context: &JointContext, rows: &mut Vec<JointRow>) {
    let soft = joint.softness(context);
    let aligned = parts::alignment(pose.axis(0, 0).into(), pose.axis(1, 0).into());
    rows.extend(aligned.into_iter().map(|part| hold(part, soft, context.step)));
    slider::across(joint, pose, context, rows);
    let slide = slider::motion(joint, pose).part;
    let turn = hinge::motion(joint, pose).part;
    let lead = pitch(&joint.definition.kind) / TAU;
    let coupling = parts::PartRow {
        linear: slide.linear,
        angular_first: slide.angular_first - turn.angular_first.scale(lead),
        angular_second: slide.angular_second - turn.angular_second.scale(lead),
        error: slide.error - lead * context.positions[0],
    };
    rows.push(hold(coupling, soft, context.step));
}
