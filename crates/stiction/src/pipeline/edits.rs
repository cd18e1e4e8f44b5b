//! What the user changed: numbers that are not finite must not reach the rows of other bodies.

use super::StepReport;
use crate::dynamics::rigid::Motion;
use crate::world::{Bodies, BodyState, State};
use glam::{DQuat, DVec3};

/// Stops every body whose forces or state are not finite.
pub(super) fn quarantine(bodies: &Bodies, state: &mut State, report: &mut StepReport) {
    for (id, _) in bodies.iter() {
        let body = &mut state.bodies[id.slot()];
        if !(body.force.is_finite() && body.torque.is_finite() && body.motion.is_finite()) {
            let last = body.motion;
            stop(body, last);
            report.quarantined.push(id);
        }
    }
}

/// Puts a body back to a state, at rest, asleep and without forces. What is not finite in that state becomes zero.
pub(super) fn stop(body: &mut BodyState, last: Motion) {
    let finite = |v: DVec3| if v.is_finite() { v } else { DVec3::ZERO };
    let rotation = if last.rotation.is_finite() { last.rotation } else { DQuat::IDENTITY };
    body.motion = Motion { position: finite(last.position), rotation, velocity: DVec3::ZERO, omega: DVec3::ZERO };
    body.force = DVec3::ZERO;
    body.torque = DVec3::ZERO;
    body.is_enabled = false;
}
