//! Automatic sleeping (the guide's 6.7, with ODE 0.16's counts).

use super::context::Model;
use super::detect::ContactInput;
use super::patches::body_of;
use crate::model::{Bodies, BodyKind, PatchCache, State};
use glam::DVec3;

/// Puts bodies to sleep that were idle long enough, and lists them; they wake again with an island that has an awake body. Bodies without joint or contact never fall asleep: in mid-air a
/// body may be slow at the top of its flight.
pub(super) fn fall_asleep(
    model: &Model,
    step: f64,
    state: &mut State,
    (contacts, patches): (&[ContactInput], &PatchCache),
    touched: &mut Vec<bool>,
    idle: &mut Vec<u32>,
) {
    idle.clear();
    let Model { parameters, bodies, wires, .. } = *model;
    if !parameters.sleeping || !bodies.iter().any(|(_, b)| b.auto_disable.enabled) {
        return;
    }
    touched.clear();
    touched.resize(bodies.slots(), false);
    for slot in contacts.iter().flat_map(|c| c.bodies).flatten() {
        touched[slot as usize] = true;
    }
    for slot in patches.heads.iter().flat_map(|head| head.bodies).filter_map(body_of) {
        touched[slot as usize] = true;
    }
    for (id, wire) in wires.iter() {
        wire.body_slots(&state.wires[id.slot()]).for_each(|slot| touched[slot as usize] = true);
    }
    for (id, body) in bodies.iter() {
        let rule = &body.auto_disable;
        let state = &mut state.bodies[id.slot()];
        let held = touched[id.slot()] || !body.joints.is_empty();
        if !rule.enabled || !state.is_enabled || body.kind == BodyKind::Kinematic || rule.samples == 0 || !held {
            continue;
        }
        let count = rule.samples as usize;
        let now = (state.motion.velocity, state.motion.omega);
        if state.samples.len() < count {
            state.samples.push(now);
        } else {
            state.samples[state.sample_index % count] = now;
        }
        state.sample_index = (state.sample_index + 1) % count;
        let (mut v, mut w) = (DVec3::ZERO, DVec3::ZERO);
        for (linear, angular) in &state.samples {
            v += *linear;
            w += *angular;
        }
        let n = state.samples.len() as f64;
        let is_idle = state.samples.len() == count
            && (v / n).length_squared() <= rule.linear_threshold * rule.linear_threshold
            && (w / n).length_squared() <= rule.angular_threshold * rule.angular_threshold;
        if is_idle {
            state.idle_steps_left = state.idle_steps_left.saturating_sub(1);
            state.idle_time_left -= step;
        } else {
            state.idle_steps_left = rule.steps;
            state.idle_time_left = rule.time;
        }
        if state.idle_steps_left == 0 && state.idle_time_left <= 0.0 {
            state.is_enabled = false;
            idle.push(id.slot() as u32);
        }
    }
}

/// A dynamic body is asleep.
pub(crate) fn any_sleeps(bodies: &Bodies, state: &State) -> bool {
    bodies.iter().any(|(id, body)| body.kind == BodyKind::Dynamic && !state.bodies[id.slot()].is_enabled)
}

/// Stops the idle bodies that nothing has woken. ODE stops all of them, also what a moving body then wakes within the same
/// step: a mug in a slowly moving hand would be stopped in every step, and slip. What forces gave them in the step is held by what they rest on, and
/// is not left for the step that wakes them.
pub(super) fn stop_sleeping(state: &mut State, idle: &[u32]) {
    for slot in idle {
        let state = &mut state.bodies[*slot as usize];
        if !state.is_enabled {
            state.motion.velocity = DVec3::ZERO;
            state.motion.omega = DVec3::ZERO;
            state.force = DVec3::ZERO;
            state.torque = DVec3::ZERO;
        }
    }
}
