//! Worlds in which everything sleeps: a step leaves them as they are.

use super::context::Model;
use crate::base::Arena;
use crate::model::{Contact, State, TimeAdvancement};
use glam::DVec3;

/// Nothing is awake, and there is nothing that acts on what sleeps or asks for its energy.
pub(super) fn all(model: &Model, user_contacts: &Arena<Contact>, state: &State) -> bool {
    let parameters = model.parameters;
    let is_still = parameters.time == TimeAdvancement::Discrete
        && !parameters.audit
        && parameters.wind == DVec3::ZERO
        && state.steps > 0
        && model.joints.iter().next().is_none()
        && model.wires.iter().next().is_none()
        && user_contacts.iter().next().is_none();
    let is_awake = |slot: usize| state.bodies[slot].is_enabled && model.bodies.at(slot).is_some();
    is_still && !(0..model.bodies.slots()).any(is_awake)
}
