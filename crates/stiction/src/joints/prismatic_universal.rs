//! Prismatic and universal: the angles of a universal joint about axis 0 (first body) and axis 1 (second body), and a
//! displacement along axis 2, carried by the first body.

use super::kind::{self, Kind, TreeAxes};
use super::{AxisMotion, Joint, JointContext, JointPose, JointRow, prismatic_rotoide, universal};
use crate::dynamics::tree::Mobility;

/// The kind's entry.
pub(super) const KIND: Kind = Kind {
    axes: |_| 3,
    check: kind::with_angle,
    rows,
    visit: |joint, pose, _, visit| kind::each(motions(joint, pose), visit),
    gap: |_, pose| kind::across(pose, pose.axis(0, 2)),
    shift: |frames, _, [x, y, z]| {
        frames.slide(frames.now(2), z);
        frames.cross(x, y);
    },
    mobility: Some(mobility),
    ..Kind::PLAIN
};

/// Axis 0 and the direction are carried by the first body, axis 1 by the second.
fn mobility(_: &Joint, axes: &TreeAxes) -> (Mobility, [u8; 3]) {
    match axes.child {
        0 => {
            let turns = [axes.on_parent(1), axes.on_child(0)];
            (Mobility::UniversalPrismatic { axes: turns, slide: axes.on_child(2) }, [1, 0, 2])
        }
        _ => {
            let turns = [axes.on_parent(0), axes.on_child(1)];
            (Mobility::PrismaticUniversal { slide: axes.on_parent(2), axes: turns }, [1, 2, 0])
        }
    }
}

pub(super) fn rows(joint: &Joint, pose: &JointPose, context: &JointContext, rows: &mut Vec<JointRow>) {
    rows.push(universal::angle_between(joint, pose, context));
    prismatic_rotoide::on_line(joint, 2, pose, context, rows);
}

pub(super) fn motions(joint: &Joint, pose: &JointPose) -> [Option<AxisMotion>; 3] {
    let [first, second, _] = universal::motions(joint, pose);
    [first, second, Some(prismatic_rotoide::displacement(2, pose))]
}
