//! Linear motor: motors and stops along up to three axes, holding nothing.
//!
//! A motion is the displacement of the first body's anchor from the second's, along an axis that stands in the world or
//! turns with a body; forces act at the anchors.

use super::{AxisFrame, FreeMotion, Joint, JointPose, parts};
use crate::math::V3;

pub(super) fn motions(
    joint: &Joint,
    count: usize,
    frames: [AxisFrame; 3],
    pose: &JointPose,
) -> [Option<FreeMotion>; 3] {
    let (arm1, arm2, d) = (V3::from(pose.arm(0)), V3::from(pose.arm(1)), V3::from(pose.separation()));
    std::array::from_fn(|axis| {
        let part = match frames[axis] {
            AxisFrame::World => parts::between(joint.definition.axes[axis].into(), arm1, arm2, d),
            AxisFrame::First => parts::along_first(pose.axis(0, axis).into(), arm1, arm2, d),
            AxisFrame::Second => parts::along(pose.axis(1, axis).into(), arm1, arm2, d),
        };
        (axis < count).then_some(FreeMotion { part, is_angle: false, has_position: true })
    })
}
