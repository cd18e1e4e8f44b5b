//! User edits: bodies with non-finite values are quarantined, so that they do not affect others.

use super::StepReport;
use crate::base::Arena;
use crate::dynamics::rigid::RigidMotion;
use crate::joints::{AxisParameters, Joint};
use crate::model::{Bodies, BodyKind, BodyState, State};
use glam::{DQuat, DVec3};

/// Stops every body whose forces or state are not finite, or that is driven by a joint with a parameter that is no number.
pub(super) fn quarantine(bodies: &Bodies, joints: &Arena<Joint>, state: &mut State, report: &mut StepReport) {
    for (id, _) in bodies.iter() {
        let body = &mut state.bodies[id.slot()];
        if !(body.force.is_finite() && body.torque.is_finite() && body.motion.is_finite()) {
            let last = body.motion;
            stop(body, last);
            report.quarantined.push(id);
        }
    }
    for (_, joint) in joints.iter().filter(|(_, j)| j.definition.parameters.iter().any(has_nan)) {
        for id in joint.definition.bodies.into_iter().flatten() {
            let body = &mut state.bodies[id.slot()];
            if body.is_enabled && bodies.get(id).is_some_and(|b| b.kind == BodyKind::Dynamic) {
                let last = body.motion;
                stop(body, last);
                report.quarantined.push(id);
            }
        }
    }
}

fn has_nan(p: &AxisParameters) -> bool {
    let drive = [p.motor.velocity, p.motor.max_force, p.motor.fudge_factor, p.effort_limit, p.velocity_limit];
    let passive = [p.lower, p.upper, p.bounce, p.friction, p.damping, p.stiffness, p.spring_reference, p.rate_limit];
    // Without branches: this is asked of every axis in every step.
    let is_nan = |numbers: &[f64]| numbers.iter().fold(false, |found, number| found | number.is_nan());
    is_nan(&drive) | is_nan(&passive) || p.drive.is_some_and(|drive| drive.has_nan())
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
