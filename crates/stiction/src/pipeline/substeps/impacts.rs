//! Contacts that close fast in a step.

use glam::DVec3;

use super::super::patches::{body_of, points};
use super::taken::Touches;
use crate::model::State;

/// How much deeper than they are contacts may close in a step without being an impact \[m\].
const DEEPER: f64 = 1e-3;

/// Whether no contact can be an impact in a step in which no place of a body moves by more than a way \[m\]: two bodies close by twice that at
/// most. Points of a contact across a gap lie outside the shapes, and move a little farther as bodies turn.
pub(in super::super) fn are_impossible(way: f64) -> bool {
    2.0 * way <= 0.9 * DEEPER
}

/// Some contact of an island closes by so much that it is an impact.
pub(super) fn any(state: &State, touching: [&[u32]; 2], touches: &Touches) -> bool {
    touching[0].iter().any(|contact| {
        let contact = &touches.contacts[*contact as usize];
        let [a, b] = contact.bodies.map(|slot| velocity(state, slot, contact.position));
        is_impact(touches.step, contact.depth, contact.normal.dot(b - a))
    }) || touching[1].iter().any(|patch| of_patch(state, touches, *patch as usize))
}

/// Some point of a patch does.
fn of_patch(state: &State, touches: &Touches, number: usize) -> bool {
    let (head, records) = (&touches.patches.heads[number], touches.patches.records_of(number));
    let [into, from] = head.bodies;
    let points = points(touches.frames.start(from), touches.frames.start(into), head, records);
    points[..head.count as usize].iter().any(|point| {
        let [a, b] = [into, from].map(|slot| velocity(state, body_of(slot), point.position));
        is_impact(touches.step, point.depth, point.normal.dot(b - a))
    })
}

/// What is open by a gap closes it first.
fn is_impact(step: f64, depth: f64, approach: f64) -> bool {
    step * approach + depth.min(0.0) > DEEPER
}

/// Velocity of a body at a place.
fn velocity(state: &State, slot: Option<u32>, place: DVec3) -> DVec3 {
    slot.map_or(DVec3::ZERO, |slot| state.bodies[slot as usize].motion.point_velocity(place))
}
