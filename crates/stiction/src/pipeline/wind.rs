//! Wind on bodies: `F = m k (w − v)`, Gazebo's approximation of drag, with the rate `k` of the body, the velocity `w` of the
//! wind and the velocity `v` of the centre of mass.

use glam::DVec3;

use crate::model::{Bodies, Body, BodyKind, State, WorldParameters};

/// The force at a velocity of the centre of mass, with the rate of the body where that is at most `most` \[1/s\].
pub(super) fn force(parameters: &WorldParameters, body: &Body, most: f64, velocity: DVec3) -> DVec3 {
    body.mass.mass * body.wind_rate.min(most) * (parameters.wind - velocity)
}

/// Adds the force of a step to the bodies that feel it. A body has the velocity of the wind after one step at the soonest,
/// so that no rate is too large for the step.
pub(super) fn blow(parameters: &WorldParameters, step: f64, bodies: &Bodies, state: &mut State) {
    for (id, body) in bodies.iter().filter(|(_, body)| body.wind_rate > 0.0 && body.kind == BodyKind::Dynamic) {
        let body_state = &mut state.bodies[id.slot()];
        if body_state.is_enabled {
            body_state.force += force(parameters, body, 1.0 / step, body_state.motion.velocity);
        }
    }
}
