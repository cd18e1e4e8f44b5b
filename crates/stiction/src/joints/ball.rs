//! Ball: three rows that hold a point.

use super::kind::Kind;
use super::{Joint, JointContext, JointPose, JointRow, hold, parts};
use crate::dynamics::tree::Mobility;

/// The kind's entry.
pub(super) const KIND: Kind = Kind {
    rows,
    gap: |_, pose| pose.separation().length(),
    mobility: Some(|_, _| (Mobility::Ball, [0, 1, 2])),
    ..Kind::PLAIN
};

pub(super) fn rows(joint: &Joint, pose: &JointPose, context: &JointContext, rows: &mut Vec<JointRow>) {
    let (erp, cfm) = joint.softness(context);
    let parts = parts::point(pose.arm(0).into(), pose.arm(1).into(), pose.separation().into());
    rows.extend(parts.into_iter().map(|part| hold(part, erp, cfm, context.step)));
}

impl Joint {
    /// ERP and CFM of the holding rows.
    pub(super) fn softness(&self, context: &JointContext) -> (f64, f64) {
        (self.definition.erp.unwrap_or(context.erp), self.definition.cfm.unwrap_or(context.cfm))
    }
}
