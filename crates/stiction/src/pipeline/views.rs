//! Data of each body that constraint rows need.

use glam::DVec3;

use super::context::Model;
use super::forest::Forest;
use super::islands::{Islands, NONE};
use crate::dynamics::gyroscopic::{Gyroscopic, RESOLVED, Spin, free_spin};
use crate::dynamics::rigid::Whitening;
use crate::math::Pose;
use crate::model::{Bodies, Body, BodyId, BodyKind, FreeMotionRule, State};

/// A body in a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyView {
    /// Factor of its mass; `None` for bodies that rows do not move (kinematic, asleep), and for links of trees.
    pub(crate) whitening: Option<Whitening>,
    /// Its motion is prescribed.
    pub(crate) is_prescribed: bool,
    /// Clique in the problem; `NONE` if no row touches it.
    pub(crate) clique: u32,
    /// Centre of mass \[m\].
    pub(crate) center: DVec3,
    /// Velocity before the step.
    pub(crate) velocity: DVec3,
    /// Angular velocity before the step, world axes.
    pub(crate) omega: DVec3,
    /// Velocity after forces, before impulses.
    pub(crate) free_velocity: DVec3,
    /// Impulse of the torque on it \[N m s\].
    pub(crate) twist_impulse: DVec3,
    /// Free rotation, principal axes.
    pub(crate) spin: Spin,
    /// The factor is of another inertia than that of the body: its angular velocity after forces, before impulses, world axes.
    pub(crate) rescaled: Option<DVec3>,
    /// Its origin moves on a straight line, not its centre of mass.
    pub(crate) moves_by_origin: bool,
}

/// Poses of the body frames, by slot.
pub(super) fn poses(bodies: &Bodies, state: &State, poses: &mut Vec<Pose>) {
    poses.clear();
    poses.resize(bodies.slots(), Pose::IDENTITY);
    for (id, body) in bodies.iter() {
        let m = &state.bodies[id.slot()].motion;
        poses[id.slot()] = m.frame(body.mass.center);
    }
}

/// No body is in the views yet.
pub(super) fn absent(bodies: &Bodies, views: &mut Vec<BodyView>) {
    views.clear();
    let absent = BodyView {
        whitening: None,
        is_prescribed: false,
        clique: NONE,
        center: DVec3::ZERO,
        velocity: DVec3::ZERO,
        omega: DVec3::ZERO,
        free_velocity: DVec3::ZERO,
        twist_impulse: DVec3::ZERO,
        spin: Spin { after: DVec3::ZERO, turn: DVec3::ZERO },
        rescaled: None,
        moves_by_origin: false,
    };
    views.resize(bodies.slots(), absent);
}

/// Turn in a step from which on explicit rules gain what anyone would see \[rad\]: a third of a percent in 60 000 steps. A block
/// that rocks on its contact turns by less, and moves as in Drake.
const GAINS: f64 = 1e-3;

/// Motion of every body that is not moved in sub-steps, without constraints: `v_f = v + h (g + f/m)`, and the free rotation.
pub(super) fn free_motion(
    model: &Model,
    step: f64,
    state: &State,
    islands: &Islands,
    forest: &Forest,
    views: &mut Vec<BodyView>,
) {
    let Model { parameters, bodies, joints, wires, .. } = *model;
    let is_moved_elsewhere =
        |(id, body): (BodyId, &Body)| body.kind == BodyKind::Dynamic && islands.of_body[id.slot()] == NONE;
    if joints.slots() == 0 && wires.slots() == 0 && bodies.iter().all(is_moved_elsewhere) {
        // Nobody asks for them: sub-steps have views of their own.
        views.clear();
        return;
    }
    absent(bodies, views);
    for (id, body) in bodies.iter() {
        let slot = id.slot();
        let body_state = &state.bodies[slot];
        let m = &body_state.motion;
        let view = &mut views[slot];
        view.center = m.position;
        view.velocity = m.velocity;
        view.omega = m.omega;
        view.is_prescribed = body.kind == BodyKind::Kinematic;
        if body.kind == BodyKind::Dynamic && !body_state.is_enabled {
            // It stands still in this step, though its velocities are kept for when it is woken.
            (view.velocity, view.omega) = (DVec3::ZERO, DVec3::ZERO);
        }
        if body.kind == BodyKind::Kinematic || islands.of_body[slot] == NONE {
            view.free_velocity = view.velocity;
            continue;
        }
        if forest.of_body[slot].is_some() {
            continue;
        }
        let whitening = body.mass.whitening(m.rotation);
        view.whitening = Some(whitening);
        let gravity = if body.gravity { parameters.gravity } else { DVec3::ZERO };
        view.free_velocity = m.velocity + step * (gravity + body_state.force / body.mass.mass);
        // In a larger turn the force of the old state would feed the motion without bound.
        // What nothing touches keeps its energy and momentum: Drake's explicit rules, which gain, are for what has contacts. Under a
        // torque it keeps to one rule, fast or slow: a float that went from one to the other on each swing would rock less.
        let is_alone = body.joints.is_empty()
            && !islands.has_contacts(islands.of_body[slot] as usize)
            && (step * m.omega.length() > GAINS || body_state.torque != DVec3::ZERO);
        view.moves_by_origin =
            parameters.free_motion == FreeMotionRule::LinkOrigin && !is_alone && step * m.omega.length() <= RESOLVED;
        if view.moves_by_origin {
            // In coordinates of the origin the centre's turn about it is a force of the old state.
            let arm = m.rotation * body.mass.center;
            view.free_velocity -= step * m.omega.cross(m.omega.cross(arm));
        }
        view.twist_impulse = step * body_state.torque;
        let to_principal = (m.rotation * body.mass.axes).conjugate();
        let (omega, torque) = (to_principal * m.omega, to_principal * body_state.torque);
        let with_torque = if body.joints.is_empty() { torque } else { DVec3::ZERO };
        let gyroscopic = match parameters.gyroscopic {
            Gyroscopic::Explicit if is_alone => Gyroscopic::Midpoint,
            rule => rule,
        };
        view.spin = free_spin(gyroscopic, body.mass.moments, omega, with_torque, step);
        if with_torque != torque {
            // Joints take up most of a torque, as where a motor carries a load: the gyroscopic term is that of the velocity at the
            // start. With the velocity to which the torque alone would bring the body, a balanced arm would drift.
            let change = step * torque / body.mass.moments;
            view.spin.after += change;
            view.spin.turn += 0.5 * step * change;
        }
    }
}
