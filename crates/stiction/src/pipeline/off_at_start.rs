//! Joints that the file has off their stops, off their leaders, or apart: what closing them gives is of the file.

use super::context::Model;
use crate::base::Arena;
use crate::joints::{AxisParameters, Joint};
use crate::model::{Mimic, State, joint_pose};

/// What a joint is off by, below which it is closed \[m or rad\].
const CLOSED: f64 = 1e-6;

/// The same of a joint that was off at the start: it is to come to rest where it closes.
const AT_REST: f64 = 1e-10;

/// Before the first step: how far each joint is off.
pub(super) fn begin(model: &Model, state: &mut State) {
    let is_new = state.steps == 0;
    for (id, joint) in model.joints.iter().filter(|_| is_new) {
        let off = off_by(joint, id.slot(), model.mimics, model.joints, state);
        state.joints[id.slot()].placed = if off > CLOSED { off } else { 0.0 };
    }
}

/// Lets joints that are off come together at a bounded rate.
pub(crate) fn lead(mimics: &[Mimic], joints: &Arena<Joint>, state: &mut State) {
    for (id, joint) in joints.iter() {
        state.joints[id.slot()].is_led = off_by(joint, id.slot(), mimics, joints, state) > CLOSED;
    }
}

/// After a step: joints that have closed, or no longer close, are as all others.
pub(super) fn follow(model: &Model, state: &mut State) {
    for (id, joint) in model.joints.iter() {
        let placed = state.joints[id.slot()].placed;
        if placed > 0.0 {
            let off = off_by(joint, id.slot(), model.mimics, model.joints, state);
            let is_closing = off > AT_REST && off < placed;
            state.joints[id.slot()].placed = if is_closing { off } else { 0.0 };
            state.joints[id.slot()].is_led &= is_closing;
        }
    }
}

/// The most that a joint is beyond its stops, off its leader, or apart.
fn off_by(joint: &Joint, slot: usize, mimics: &[Mimic], joints: &Arena<Joint>, state: &State) -> f64 {
    let positions = state.joints[slot].positions;
    let beyond = |(p, q): (&AxisParameters, f64)| {
        if p.lower <= p.upper { (p.lower - q).max(q - p.upper).max(0.0) } else { 0.0 }
    };
    let of_stops = joint.definition.parameters.iter().zip(positions).map(beyond).fold(0.0, f64::max);
    let own = mimics.iter().filter(|mimic| mimic.follower.0.slot() == slot);
    let of_leaders = own.map(|mimic| follower_error(mimic, joints, state).abs()).fold(0.0, f64::max);
    of_stops.max(of_leaders).max(joint.gap(&joint_pose(joint, &state.bodies)))
}

fn follower_error(mimic: &Mimic, joints: &Arena<Joint>, state: &State) -> f64 {
    if joints.get(mimic.follower.0).is_none() || joints.get(mimic.leader.0).is_none() {
        return 0.0;
    }
    let position = |(id, axis): (crate::model::JointId, usize)| state.joints[id.slot()].positions[axis];
    mimic.error(position(mimic.follower), position(mimic.leader))
}
