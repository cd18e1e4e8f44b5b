//! Ball: three rows that hold a point.

use super::kind::Kind;
use super::{Joint, JointContext, JointDefinition, JointPose, JointRow, JointSpook, hold, parts};
use crate::contact::compliance::{Softness, erp_cfm};
use crate::dynamics::tree::Mobility;

/// The kind's entry.
pub(super) const KIND: Kind = Kind {
    rows,
    gap: |_, pose| pose.separation().length(),
    mobility: Some(|_, _| (Mobility::Ball, [0, 1, 2])),
    ..Kind::PLAIN
};

pub(super) fn rows(joint: &Joint, pose: &JointPose, context: &JointContext, rows: &mut Vec<JointRow>) {
    let soft = joint.softness(context);
    let parts = parts::point(pose.arm(0).into(), pose.arm(1).into(), pose.separation().into());
    rows.extend(parts.into_iter().map(|part| hold(part, soft, context.step)));
}

impl Joint {
    /// Softness of the holding rows.
    pub(super) fn softness(&self, context: &JointContext) -> Softness {
        match self.spook(context) {
            Some(law) => law.softness(context.step),
            None => {
                let JointDefinition { erp, cfm, .. } = self.definition;
                erp_cfm(erp.unwrap_or(context.erp), cfm.unwrap_or(context.cfm), context.step)
            }
        }
    }

    /// SPOOK's law of the holding rows: the joint's, or the world's for a joint that is not soft otherwise.
    pub(crate) fn spook(&self, context: &JointContext) -> Option<JointSpook> {
        self.definition.spook.or(context.spook.filter(|_| !self.definition.is_soft()))
    }
}
