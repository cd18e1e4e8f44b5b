//! Linear motor: motors and stops along up to three axes, holding nothing.
//!
//! A motion is the displacement of the first body's anchor from the second's, along an axis that stands in the world or
//! turns with a body; forces act at the anchors.

use super::{AxisFrame, AxisMotion, Joint, JointPose, parts};
use crate::math::V3;
use glam::DVec3;

use super::kind::{self, Kind};
use super::{JointDefinition, JointError, JointKind};

/// The kind's entry.
pub(super) const KIND: Kind = Kind {
    axes: |kind| if let JointKind::LinearMotor { count, .. } = kind { *count } else { 0 },
    prepare,
    visit: |joint, pose, _, visit| kind::each(motions(joint, pose), visit),
    shift: |joint, kind, positions| {
        let JointKind::LinearMotor { count, frames } = *kind else { return };
        for axis in 0..count.min(3) {
            let direction = if frames[axis] == AxisFrame::First { joint.now(axis) } else { joint.axes[1][axis] };
            joint.slide(direction, positions[axis]);
        }
    },
    ..Kind::PLAIN
};

fn prepare(definition: &mut JointDefinition, _: DVec3) -> Result<(), JointError> {
    let count = (KIND.axes)(&definition.kind);
    if count <= 3 {
        return Ok(());
    }
    Err(JointError::Value { what: "number of axes", found: count as f64, expected: "at most 3" })
}

fn motions(joint: &Joint, pose: &JointPose) -> [Option<AxisMotion>; 3] {
    let JointKind::LinearMotor { count, frames } = joint.definition.kind else { return [None; 3] };
    let (arm1, arm2, d) = (V3::from(pose.arm(0)), V3::from(pose.arm(1)), V3::from(pose.separation()));
    std::array::from_fn(|axis| {
        let part = match frames[axis] {
            AxisFrame::World => parts::between(joint.definition.axes[axis].into(), arm1, arm2, d),
            AxisFrame::First => parts::along_first(pose.axis(0, axis).into(), arm1, arm2, d),
            AxisFrame::Second => parts::along(pose.axis(1, axis).into(), arm1, arm2, d),
        };
        (axis < count).then_some(AxisMotion { part, is_angle: false, has_position: true })
    })
}
