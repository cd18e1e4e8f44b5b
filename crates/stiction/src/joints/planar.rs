//! Planar: the displacement along axis 0 (the normal, carried by the second body) and two rotations are held; two
//! displacements along axes 1 and 2 and the angle about the normal are free.

use super::kind::{self, Kind};
use super::{AxisMotion, Joint, JointContext, JointPose, JointRow, hinge, hold, parts};
use super::{JointDefinition, JointError};
use crate::dynamics::tree::Mobility;
use crate::math::{V3, plane_space};

/// The kind's entry.
pub(super) const KIND: Kind = Kind {
    axes: |_| 1,
    check,
    rows,
    visit: |joint, pose, _, visit| kind::each(motions(joint, pose), visit),
    gap: |_, pose| pose.axis(1, 0).dot(pose.separation()).abs(),
    mobility: Some(|_, axes| (Mobility::Planar { axes: [axes.on_parent(1), axes.on_parent(2)] }, [0, 1, 2])),
    is_one_way: true,
    shift: |frames, _, [x, y, z]| {
        frames.slide(frames.axes[1][1], x);
        frames.slide(frames.axes[1][2], y);
        frames.turn(0, z);
    },
    ..Kind::PLAIN
};

/// Axis 1 across the normal, axis 2 across both.
fn check(definition: &mut JointDefinition) -> Result<(), JointError> {
    let [a, b, _] = definition.axes;
    let along = (b - a * a.dot(b)).try_normalize().unwrap_or_else(|| plane_space(V3::from(a)).0.into());
    definition.axes = [a, along, a.cross(along)];
    Ok(())
}

pub(super) fn rows(joint: &Joint, pose: &JointPose, context: &JointContext, rows: &mut Vec<JointRow>) {
    let soft = joint.softness(context);
    let height = displacement(pose, 0).part;
    let aligned = parts::alignment(pose.axis(0, 0).into(), pose.axis(1, 0).into());
    let [tilt, pitch] = aligned;
    rows.extend([height, tilt, pitch].map(|part| hold(part, soft, context.step)));
}

pub(super) fn motions(joint: &Joint, pose: &JointPose) -> [Option<AxisMotion>; 3] {
    [Some(displacement(pose, 1)), Some(displacement(pose, 2)), Some(hinge::motion(joint, pose))]
}

/// Along an axis of the second body.
fn displacement(pose: &JointPose, axis: usize) -> AxisMotion {
    let (arm1, arm2, d) = (pose.arm(0).into(), pose.arm(1).into(), pose.separation().into());
    AxisMotion { part: parts::along(pose.axis(1, axis).into(), arm1, arm2, d), is_angle: false, has_position: true }
}
