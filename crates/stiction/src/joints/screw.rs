//! Screw: a hinge that advances along its axis as it turns, `x = pitch θ / 2π`.

use std::f64::consts::TAU;

use super::{FreeMotion, Joint, JointContext, JointPose, JointRow, hinge, hold, parts, slider};

pub(super) fn rows(joint: &Joint, pitch: f64, pose: &JointPose, context: &JointContext, rows: &mut Vec<JointRow>) {
    let (erp, cfm) = joint.softness(context);
    let aligned = parts::alignment(pose.axis(0, 0).into(), pose.axis(1, 0).into());
    rows.extend(aligned.into_iter().map(|part| hold(part, erp, cfm, context.step)));
    slider::across(joint, pose, context, rows);
    let slide = slider::motion(joint, pose).part;
    let turn = hinge::motion(joint, pose).part;
    let lead = pitch / TAU;
    let coupling = parts::PartRow {
        linear: slide.linear,
        angular_first: slide.angular_first - turn.angular_first.scale(lead),
        angular_second: slide.angular_second - turn.angular_second.scale(lead),
        error: slide.error - lead * context.positions[0],
    };
    rows.push(hold(coupling, erp, cfm, context.step));
}

/// The angle; the displacement follows.
pub(super) fn motion(joint: &Joint, pose: &JointPose) -> FreeMotion {
    hinge::motion(joint, pose)
}
