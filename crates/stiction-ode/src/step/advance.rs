//! Bodies take their new velocities and move.

use glam::{DQuat, DVec3};
use stiction::collision::impact::Stop;

use super::islands::Islands;
use super::prepare::{Accumulators, StepBody, exchange};
use super::swept;
use crate::geom::body_moved;
use crate::objects::body::{Body, BodyId, flag};
use crate::report::{INTERNAL, debug};
use crate::types::{dReal, put, put_matrix, put_quaternion, quaternion, vector};

/// Moves the bodies island by island, in their order, so that an island has not begun its step when a callback of one before
/// does not return. Where there are callbacks, `forces` has the forces and torques of the step, and the bodies still have what
/// the program gave.
///
/// As in ODE, `dWorldStep` gives each body its velocity when it moves it; in `dWorldQuickStep` all of an island have theirs
/// before one moves, and while the callback runs the torque accumulator holds the torque times the step.
///
/// A body with a stop keeps that share of its way; there are none or one for each body.
pub(super) unsafe fn bodies(
    islands: &Islands,
    bodies: &[StepBody],
    forces: &mut Accumulators,
    stops: &[Stop],
    h: f64,
    is_quick: bool,
) {
    for island in &islands.islands {
        let range = island.bodies.clone();
        let ids = &islands.bodies[range.clone()];
        if let Some(forces) = forces.get_mut(range.clone()) {
            exchange(ids, forces);
        }
        if is_quick {
            for (&id, step) in ids.iter().zip(&bodies[range.clone()]) {
                take_velocity(&mut *id, step);
                (*id).torque = put(vector(&(*id).torque) * h);
            }
        }
        for (index, &id) in range.zip(ids) {
            let step = &bodies[index];
            if !is_quick {
                take_velocity(&mut *id, step);
            }
            if (*id).flags & flag::HELD == 0 {
                advance(id, step, stops.get(index).filter(|stop| stop.fraction < 1.0), h);
                (*id).force = [0.0; 4];
                (*id).torque = [0.0; 4];
            }
        }
    }
}

fn take_velocity(body: &mut Body, step: &StepBody) {
    if step.linear.is_finite() && step.angular.is_finite() {
        body.linear_velocity = put(step.linear);
        body.angular_velocity = put(step.angular);
    } else {
        body.linear_velocity = [0.0; 4];
        body.angular_velocity = [0.0; 4];
        debug(INTERNAL, "a body has got a velocity that is no finite number; it stops where it is");
    }
}

/// Where velocities take a body, as ODE has it; the angular velocity is first cut to the body's bound.
pub(super) fn target(body: &Body, linear: DVec3, angular: &mut DVec3, h: f64) -> (DVec3, DQuat) {
    if body.flags & flag::MAX_ANGULAR_SPEED != 0 {
        let limit = f64::from(body.max_angular_speed);
        if angular.length_squared() > limit * limit {
            *angular *= limit / angular.length();
        }
    }
    (vector(&body.position) + linear * h, rotated(body, *angular, h).normalize())
}

unsafe fn advance(id: BodyId, step: &StepBody, stop: Option<&Stop>, h: f64) {
    let body = &mut *id;
    let mut spin = vector(&body.angular_velocity);
    let given = spin;
    let (mut position, mut rotation) =
        step.end.unwrap_or_else(|| target(body, vector(&body.linear_velocity), &mut spin, h));
    if spin != given {
        body.angular_velocity = put(spin);
    }
    if let Some(stop) = stop {
        (position, rotation) = swept::stop(body, step, stop, (position, rotation), h);
    }
    if position.is_finite() {
        body.position = put(position);
    }
    if rotation.is_finite() {
        body.quaternion = put_quaternion(rotation);
        body.rotation = put_matrix(crate::rotation::matrix_of(rotation));
    }
    body_moved(id);
    if let Some(callback) = (*id).moved_callback {
        callback(id);
    }
    // The callback has seen the velocities before damping.
    let body = &mut *id;
    let damped = |velocity: &mut [dReal; 4], scale: dReal, threshold: dReal| {
        let v = vector(velocity);
        if v.length_squared() > f64::from(threshold) {
            *velocity = put(v * (1.0 - f64::from(scale)));
        }
    };
    let damping = body.damping;
    if body.flags & flag::LINEAR_DAMPING != 0 {
        damped(&mut body.linear_velocity, damping.linear_scale, damping.linear_threshold);
    }
    if body.flags & flag::ANGULAR_DAMPING != 0 {
        damped(&mut body.angular_velocity, damping.angular_scale, damping.angular_threshold);
    }
}

/// The rotation after a step: `q + h/2 (0, ω) q`, or the exact turn, or the exact turn about the body's axis and the rest as
/// before.
fn rotated(body: &Body, spin: DVec3, h: f64) -> DQuat {
    let q = quaternion(&body.quaternion);
    if body.flags & flag::FINITE_ROTATION == 0 {
        return q + DQuat::from_xyzw(spin.x, spin.y, spin.z, 0.0) * q * (0.5 * h);
    }
    if body.flags & flag::FINITE_ROTATION_AXIS == 0 {
        return turn(spin, spin.length(), h) * q;
    }
    let axis = vector(&body.finite_rotation_axis);
    let along = axis.dot(spin);
    let q = turn(axis * along, along, h) * q;
    let rest = spin - axis * along;
    // ODE has halved the step by now, so that the rest of the rotation goes half as far as it should.
    q + DQuat::from_xyzw(rest.x, rest.y, rest.z, 0.0) * q * (0.25 * h)
}

/// Exact turn by a spin of a given rate.
fn turn(spin: DVec3, rate: f64, h: f64) -> DQuat {
    let half = 0.5 * h;
    let angle = rate * half;
    // sin(x)/x by its series where the quotient loses digits.
    let ratio = if angle.abs() < 1e-4 { 1.0 - angle * angle / 6.0 } else { libm::sin(angle) / angle };
    let v = spin * (ratio * half);
    DQuat::from_xyzw(v.x, v.y, v.z, libm::cos(angle))
}
