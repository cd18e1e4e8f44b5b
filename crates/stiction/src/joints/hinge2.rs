//! Hinge-2: the guide's steered wheel. Axis 0 (steering, suspension) in the first body, axis 1 (wheel) in the second.
//! The point is held across axis 0; along it by the suspension, a row with its own ERP and CFM.

use super::kind::{self, Kind};
use super::{Joint, JointContext, JointDefinition, JointPose, JointRow, hold, parts, universal};
use crate::contact::compliance::{Softness, erp_cfm};
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
    // Where the suspension is rigid.
    mobility: Some(universal::mobility),
    ties_bodies: true,
    ..Kind::PLAIN
};

pub(super) fn rows(joint: &Joint, pose: &JointPose, context: &JointContext, rows: &mut Vec<JointRow>) {
    let soft = joint.softness(context);
    let axis = V3::from(pose.axis(0, 0));
    let (p, q) = plane_space(axis);
    let (arm1, arm2, d) = (V3::from(pose.arm(0)), V3::from(pose.arm(1)), V3::from(pose.separation()));
    // Axis 0 turns with the first body, so that it is the first body's arm that reaches to the other anchor.
    let along = |t: V3| parts::along_first(t, arm1, arm2, d);
    rows.extend([p, q].into_iter().map(|t| hold(along(t), soft, context.step)));
    rows.push(hold(along(axis), suspension(joint, context, soft), context.step));
    rows.push(universal::angle_between(joint, pose, context));
}

/// Softness of the suspension: that of the other rows where it has none of its own.
fn suspension(joint: &Joint, context: &JointContext, others: Softness) -> Softness {
    let JointDefinition { suspension_erp, suspension_cfm, erp, cfm, .. } = joint.definition;
    if suspension_erp.is_none() && suspension_cfm.is_none() {
        return others;
    }
    let erp = suspension_erp.or(erp).unwrap_or(context.erp);
    erp_cfm(erp, suspension_cfm.or(cfm).unwrap_or(context.cfm), context.step)
}
