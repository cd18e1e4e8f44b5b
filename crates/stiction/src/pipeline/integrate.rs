//! New velocities and positions from the solution.

use glam::DVec3;

use super::edits::stop;
use super::islands::NONE;
use super::{StepReport, Workspace};
use crate::dynamics::gyroscopic::Gyroscopic;
use crate::dynamics::rotation::{cayley, turn};
use crate::model::{Bodies, Body, BodyKind, FreeMotionRule, State, WorldParameters};

/// Moves every awake body; empties the force accumulators.
pub(super) fn advance(
    parameters: &WorldParameters,
    step: f64,
    bodies: &Bodies,
    state: &mut State,
    work: &Workspace,
    report: &mut StepReport,
) {
    for (id, body) in bodies.iter().filter(|_| !work.views.is_empty()) {
        let slot = id.slot();
        let view = &work.views[slot];
        let now = &mut state.bodies[slot];
        let last = now.motion;
        let motion = &mut now.motion;
        match (&view.whitening, view.clique) {
            // Trees move as a whole, after what carries them.
            (None, _) => {
                if body.kind != BodyKind::Kinematic || !now.is_enabled {
                    continue;
                }
                motion.omega = bounded(body, motion.omega);
                motion.position += step * motion.velocity;
                motion.rotation = turn(body.finite_rotation, motion.rotation, motion.omega, step);
            }
            (Some(whitening), clique) if view.moves_by_origin => {
                (motion.velocity, motion.omega) = if clique == NONE {
                    (view.free_velocity, motion.rotation * (body.mass.axes * view.spin.after))
                } else {
                    let start = work.cliques.start(clique);
                    whitening.velocity(&work.velocities.z[start..start + 6])
                };
                motion.omega = bounded(body, motion.omega);
                move_by_origin(body, motion, step);
            }
            (Some(_), NONE) => {
                // No rows: the free motion, which keeps energy and momentum of the rotation.
                motion.velocity = view.free_velocity;
                let v = match parameters.free_motion {
                    FreeMotionRule::SemiImplicit | FreeMotionRule::LinkOrigin => motion.velocity,
                    FreeMotionRule::SecondOrder => 0.5 * (last.velocity + motion.velocity),
                };
                motion.position += step * v;
                let axes = body.mass.axes;
                let is_bounded = view.spin.after.length_squared() <= body.max_angular_speed * body.max_angular_speed;
                if matches!(parameters.gyroscopic, Gyroscopic::Midpoint | Gyroscopic::Explicit) && is_bounded {
                    let half_turn = cayley(axes * view.spin.turn);
                    motion.rotation = (motion.rotation * half_turn).normalize();
                    motion.omega = motion.rotation * (axes * view.spin.after);
                } else {
                    motion.omega = bounded(body, motion.rotation * (axes * view.spin.after));
                    motion.rotation = turn(body.finite_rotation, motion.rotation, motion.omega, step);
                }
            }
            (Some(whitening), clique) => {
                let start = work.cliques.start(clique);
                let z = &work.velocities.z[start..start + 6];
                (motion.velocity, motion.omega) = whitening.velocity(z);
                let (v, omega) = if work.velocities.is_split {
                    whitening.velocity(&work.velocities.z_position[start..start + 6])
                } else {
                    (motion.velocity, motion.omega)
                };
                motion.omega = bounded(body, motion.omega);
                motion.position += step * v;
                motion.rotation = turn(body.finite_rotation, motion.rotation, bounded(body, omega), step);
            }
        }
        damp(body, motion);
        now.force = DVec3::ZERO;
        now.torque = DVec3::ZERO;
        if !now.motion.is_finite() {
            stop(now, last);
            report.quarantined.push(id);
        }
    }
}

/// The origin of the body frame moves on a straight line, and the centre of mass turns about it.
fn move_by_origin(body: &Body, motion: &mut crate::dynamics::rigid::RigidMotion, step: f64) {
    let arm = motion.rotation * body.mass.center;
    let origin_velocity = motion.velocity - motion.omega.cross(arm);
    let origin = motion.position - arm + step * origin_velocity;
    motion.rotation = turn(body.finite_rotation, motion.rotation, motion.omega, step);
    let arm = motion.rotation * body.mass.center;
    motion.position = origin + arm;
    motion.velocity = origin_velocity + motion.omega.cross(arm);
}

/// An angular velocity within the body's bound.
pub(super) fn bounded(body: &Body, omega: DVec3) -> DVec3 {
    let most = body.max_angular_speed;
    if omega.length_squared() > most * most { omega.normalize() * most } else { omega }
}

/// The share of the velocities lost above their thresholds.
pub(super) fn damp(body: &Body, motion: &mut crate::dynamics::rigid::RigidMotion) {
    let damping = &body.damping;
    if motion.velocity.length_squared() > damping.linear_threshold * damping.linear_threshold {
        motion.velocity *= 1.0 - damping.linear;
    }
    if motion.omega.length_squared() > damping.angular_threshold * damping.angular_threshold {
        motion.omega *= 1.0 - damping.angular;
    }
}
