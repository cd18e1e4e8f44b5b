//! Hinge-2: the guide's steered wheel. Axis 0 (steering, suspension) in the first body, axis 1 (wheel) in the second.
//! The point is held across axis 0; along it by the suspension, a row with its own ERP and CFM.

use super::kind::{self, Kind};
use super::{Joint, JointContext, JointPose, JointRow, hold, parts, universal};
use crate::math::{V3, plane_space};

/// The kind's entry.
pub(super) const KIND: Kind = Kind {
    axes: |_| 2,
    prepare: |definition, _| kind::two_bodies(definition),
    check: kind::with_angle,
    rows,
    visit: |joint, pose, _, visit| kind::each(universal::motions(joint, pose), visit),
    gap: |_, pose| kind::across(pose, pose.axis(0, 0)),
    shift: |frames, _, [x, y, _]| frames.cross(x, y),
    ..Kind::PLAIN
};

pub(super) fn rows(joint: &Joint, pose: &JointPose, context: &JointContext, rows: &mut Vec<JointRow>) {
    let (erp, cfm) = joint.softness(context);
    let axis = V3::from(pose.axis(0, 0));
    let (p, q) = plane_space(axis);
    let (arm1, arm2, d) = (V3::from(pose.arm(0)), V3::from(pose.arm(1)), V3::from(pose.separation()));
    // Axis 0 turns with the first body, so that it is the first body's arm that reaches to the other anchor.
    let along = |t: V3| parts::along_first(t, arm1, arm2, d);
    rows.extend([p, q].into_iter().map(|t| hold(along(t), erp, cfm, context.step)));
    let suspension_erp = joint.definition.suspension_erp.unwrap_or(erp);
    let suspension_cfm = joint.definition.suspension_cfm.unwrap_or(cfm);
    rows.push(hold(along(axis), suspension_erp, suspension_cfm, context.step));
    rows.push(universal::angle_between(joint, pose, context));
}
