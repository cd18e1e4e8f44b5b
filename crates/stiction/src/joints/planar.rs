//! Planar: the displacement along axis 0 (the normal, carried by the second body) and two rotations are held; two
//! displacements along axes 1 and 2 and the angle about the normal are free.

use super::{FreeMotion, Joint, JointContext, JointPose, JointRow, hinge, hold, parts};

pub(super) fn rows(joint: &Joint, pose: &JointPose, context: &JointContext, rows: &mut Vec<JointRow>) {
    let (erp, cfm) = joint.softness(context);
    let height = displacement(pose, 0).part;
    let aligned = parts::alignment(pose.axis(0, 0).into(), pose.axis(1, 0).into());
    let [tilt, pitch] = aligned;
    rows.extend([height, tilt, pitch].map(|part| hold(part, erp, cfm, context.step)));
}

pub(super) fn motions(joint: &Joint, pose: &JointPose) -> [Option<FreeMotion>; 3] {
    [Some(displacement(pose, 1)), Some(displacement(pose, 2)), Some(hinge::motion(joint, pose))]
}

/// Along an axis of the second body.
fn displacement(pose: &JointPose, axis: usize) -> FreeMotion {
    let (arm1, arm2, d) = (pose.arm(0).into(), pose.arm(1).into(), pose.separation().into());
    FreeMotion { part: parts::along(pose.axis(1, axis).into(), arm1, arm2, d), is_angle: false, has_position: true }
}
