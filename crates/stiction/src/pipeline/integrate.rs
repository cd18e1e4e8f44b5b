//! New velocities and positions from the solution.

use glam::{DQuat, DVec3};

use super::edits::stop;
use super::islands::NONE;
use super::{StepReport, Workspace};
use crate::dynamics::gyroscopic::{Gyroscopic, free_spin};
use crate::dynamics::rigid::RigidMotion;
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
    for (id, body) in bodies.iter() {
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
                if view.spins_after {
                    spin(body, motion, omega - motion.omega, step);
                } else {
                    motion.rotation = turn(body.finite_rotation, motion.rotation, bounded(body, omega), step);
                    if body.joints.is_empty() {
                        motion.omega = carried(motion.omega, omega, last.rotation, motion.rotation);
                    }
                }
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
fn move_by_origin(body: &Body, motion: &mut RigidMotion, step: f64) {
    let arm = motion.rotation * body.mass.center;
    let origin_velocity = motion.velocity - motion.omega.cross(arm);
    let origin = motion.position - arm + step * origin_velocity;
    motion.rotation = turn(body.finite_rotation, motion.rotation, motion.omega, step);
    let arm = motion.rotation * body.mass.center;
    motion.position = origin + arm;
    motion.velocity = origin_velocity + motion.omega.cross(arm);
}

/// An angular velocity within the body's bound.
fn bounded(body: &Body, omega: DVec3) -> DVec3 {
    let most = body.max_angular_speed;
    if omega.length_squared() > most * most { omega.normalize() * most } else { omega }
}

/// Free rotation of a body from the angular velocity that impulses leave, and a correction of its orientation \[rad/s\], with which
/// the angular velocity turns.
fn spin(body: &Body, motion: &mut RigidMotion, correction: DVec3, step: f64) {
    let to_principal = (motion.rotation * body.mass.axes).conjugate();
    let omega = to_principal * motion.omega;
    let spin = free_spin(Gyroscopic::Midpoint, body.mass.moments, omega, DVec3::ZERO, step);
    motion.rotation = (motion.rotation * cayley(body.mass.axes * spin.turn)).normalize();
    if correction != DVec3::ZERO {
        motion.rotation = turn(body.finite_rotation, motion.rotation, correction, step);
    }
    motion.omega = motion.rotation * (body.mass.axes * spin.after);
}

/// The angular velocity `omega` of a body that was turned from one orientation to another with the velocity `turned`. A turn about
/// `omega` itself leaves it as it is. A correction of positions turns the body by more: if the angular velocity stayed in the world,
/// the body would spin about another axis of its own, with another energy (`h δ · (ω × I ω)` more for a correction δ). It turns
/// with the body instead, and its components and its energy stay.
fn carried(omega: DVec3, turned: DVec3, from: DQuat, to: DQuat) -> DVec3 {
    if turned == omega { omega } else { to * (from.conjugate() * omega) }
}

/// The share of the velocities lost above their thresholds.
fn damp(body: &Body, motion: &mut RigidMotion) {
    let damping = &body.damping;
    if motion.velocity.length_squared() > damping.linear_threshold * damping.linear_threshold {
        motion.velocity *= 1.0 - damping.linear;
    }
    if motion.omega.length_squared() > damping.angular_threshold * damping.angular_threshold {
        motion.omega *= 1.0 - damping.angular;
    }
}
