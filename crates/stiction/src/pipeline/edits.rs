//! User edits: bodies with non-finite values are quarantined, so that they do not affect others.

use super::context::Model;
use super::{StepReport, Workspace};
use crate::dynamics::rigid::RigidMotion;
use crate::joints::AxisParameters;
use crate::model::{BodyKind, BodyState, JointId, State};
use glam::{DQuat, DVec3};

/// Joints with a NaN parameter.
#[derive(Clone, Debug, Default)]
pub(crate) struct JointsWithNan {
    /// What they were looked for in: changes of joints, and of their parameters.
    known: Option<[u64; 2]>,
    joints: Vec<JointId>,
}

impl JointsWithNan {
    /// Looks for them where something has changed.
    fn follow(&mut self, model: &Model) {
        let source = Some([model.topology, model.laws]);
        if self.known != source {
            self.known = source;
            let all = model.joints.iter().filter(|(_, joint)| joint.definition.parameters.iter().any(has_nan));
            self.joints.clear();
            self.joints.extend(all.map(|(id, _)| id));
        }
    }
}

/// Stops every body whose forces or state are not finite, or that is driven by a joint with a NaN parameter.
pub(super) fn quarantine(model: &Model, state: &mut State, work: &mut Workspace, report: &mut StepReport) {
    let Model { bodies, joints, .. } = *model;
    for (id, _) in bodies.iter() {
        let body = &mut state.bodies[id.slot()];
        if !(body.force.is_finite() && body.torque.is_finite() && body.motion.is_finite()) {
            let last = body.motion;
            stop(body, last);
            report.quarantined.push(id);
        }
    }
    work.joints_with_nan.follow(model);
    for joint in work.joints_with_nan.joints.iter().filter_map(|id| joints.get(*id)) {
        for id in joint.definition.bodies.into_iter().flatten() {
            let body = &mut state.bodies[id.slot()];
            if body.is_enabled && bodies.get(id).is_some_and(|b| b.kind == BodyKind::Dynamic) {
                let last = body.motion;
                stop(body, last);
                report.quarantined.push(id);
            }
        }
    }
    if !report.quarantined.is_empty() {
        work.known_joints.forget();
    }
}

fn has_nan(p: &AxisParameters) -> bool {
    let drive = [p.motor.velocity, p.motor.max_force, p.motor.fudge_factor, p.effort_limit, p.velocity_limit];
    let passive = [p.lower, p.upper, p.bounce, p.friction, p.damping, p.stiffness, p.spring_reference, p.rate_limit];
    drive.iter().chain(&passive).any(|number| number.is_nan()) || p.drive.is_some_and(|drive| drive.has_nan())
}

/// Puts a body back to a state, at rest, asleep and without forces. What is not finite in that state becomes zero.
pub(super) fn stop(body: &mut BodyState, last: RigidMotion) {
    let finite = |v: DVec3| if v.is_finite() { v } else { DVec3::ZERO };
    let rotation = if last.rotation.is_finite() { last.rotation } else { DQuat::IDENTITY };
    body.motion = RigidMotion { position: finite(last.position), rotation, velocity: DVec3::ZERO, omega: DVec3::ZERO };
    body.force = DVec3::ZERO;
    body.torque = DVec3::ZERO;
    body.is_enabled = false;
}
