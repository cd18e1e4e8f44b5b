//! Contacts that the user makes, as forces: the point stays on both bodies where it was when the contact first acted, and the
//! depth follows them, `x = depth − n·(p₁ − p₂)`.
//!
//! A contact that is hard in discrete steps is here as stiff as the shapes' contacts (`contact.penetration_allowance`);
//! springs and compliant laws act as given. Friction is the bound of its direction times the Stribeck curve of the slip
//! speed; restitution is that of the law's dissipation, rolling friction has no effect.

use glam::DVec3;

use super::force::{ContactPower, ContactState};
use super::touch::{Place, Prescribed};
use crate::base::Arena;
use crate::contact::compliance::NormalForce;
use crate::material::ContactSurface;
use crate::math::Pose;
use crate::model::{Contact, ContactForce, ContactReport, WorldParameters};
use crate::pipeline::contact_rows::tangents;
use crate::pipeline::context::Model;
use crate::pipeline::forest::Forest;
use crate::pipeline::rules;

/// One contact in a step.
#[derive(Clone, Debug)]
struct UserTouch {
    slot: u32,
    places: [Place; 2],
    /// The point in the frames of the bodies.
    anchors: [DVec3; 2],
    normal: DVec3,
    depth: f64,
    law: NormalForce,
    is_per_mass: bool,
    surface: ContactSurface,
    tangents: [DVec3; 2],
    /// At the last evaluation.
    position: DVec3,
    present_depth: f64,
    force: DVec3,
    power: ContactPower,
    /// Impulse over the length of the step \[N\].
    mean: DVec3,
}

/// All of them; memory that is used again.
#[derive(Clone, Debug, Default)]
pub(super) struct UserTouches {
    list: Vec<UserTouch>,
    /// Evaluations tell the powers of contacts, for the books.
    pub(super) tells_powers: bool,
}

impl UserTouches {
    /// Takes the contacts of a step; `poses` are those of the bodies.
    pub(super) fn begin(&mut self, model: &Model, contacts: &mut Arena<Contact>, forest: &Forest, poses: &[Pose]) {
        self.list.clear();
        if contacts.iter().next().is_none() {
            return;
        }
        let rule = rules::compliant_rule(model.parameters, model.bodies);
        for slot in 0..contacts.slots() {
            let Some(contact) = contacts.at_mut(slot) else { continue };
            contact.force = ContactForce::default();
            let ends = contact.definition.bodies;
            if ends.iter().flatten().any(|id| model.bodies.get(*id).is_none()) {
                continue;
            }
            let at = contact.definition.position;
            let in_bodies = || ends.map(|id| id.map_or(at, |id| poses[id.slot()].inverse_point(at)));
            let anchors = *contact.anchors.get_or_insert_with(in_bodies);
            let surface = contact.definition.surface;
            let (law, is_per_mass) = rule.force(&surface.normal);
            self.list.push(UserTouch {
                slot: slot as u32,
                places: ends.map(|id| Place::of_body(id.map(|id| id.slot() as u32), forest)),
                anchors,
                normal: contact.definition.normal,
                depth: contact.definition.depth,
                law,
                is_per_mass,
                surface,
                tangents: tangents(&surface, contact.definition.normal).map(DVec3::from),
                position: at,
                present_depth: 0.0,
                force: DVec3::ZERO,
                power: ContactPower::default(),
                mean: DVec3::ZERO,
            });
        }
    }

    /// Forces at the present state of the trees, on the links.
    pub(super) fn push(&mut self, parameters: &WorldParameters, forest: &mut Forest, prescribed: &Prescribed) {
        let tolerance = parameters.compliant.stiction_tolerance;
        for touch in &mut self.list {
            let [first, second] = &touch.places;
            let points = [0, 1].map(|i: usize| touch.places[i].pose(forest, prescribed).point(touch.anchors[i]));
            // Against the environment it goes with the body.
            touch.position = match [first, second].map(Place::is_environment) {
                [false, true] => points[0],
                [true, false] => points[1],
                _ => 0.5 * (points[0] + points[1]),
            };
            touch.present_depth = touch.depth - touch.normal.dot(points[0] - points[1]);
            (touch.force, touch.power) = (DVec3::ZERO, ContactPower::default());
            if touch.present_depth <= 0.0 {
                continue;
            }
            let velocity = first.velocity(forest, prescribed, touch.position)
                - second.velocity(forest, prescribed, touch.position);
            let mut law = touch.law;
            if touch.is_per_mass {
                let inverse_mass =
                    touch.places.iter().map(|p| p.inverse_mass(forest, touch.position, touch.normal)).sum::<f64>();
                law = law.times(1.0 / inverse_mass);
            }
            let state = ContactState {
                surface: &touch.surface,
                normal: touch.normal,
                tangents: touch.tangents,
                depth: touch.present_depth,
                velocity,
            };
            touch.force = state.force(law, tolerance);
            if self.tells_powers {
                let ends = [first, second].map(|place| place.prescribed_velocity(prescribed, touch.position));
                touch.power = state.power(law, touch.force, ends);
            }
            first.push(forest, touch.position, touch.force);
            second.push(forest, touch.position, -touch.force);
        }
    }

    /// Adds the forces of the last evaluation with a share of the step.
    pub(super) fn add_to_means(&mut self, share: f64) {
        for touch in &mut self.list {
            touch.mean += share * touch.force;
        }
    }

    /// The user makes contacts.
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Powers at the last evaluation.
    pub(super) fn powers(&self) -> impl Iterator<Item = ContactPower> {
        self.list.iter().map(|touch| touch.power)
    }

    /// Reports to the user, after the contacts of shapes; returns the greatest depth \[m\].
    pub(super) fn report(&self, contacts: &mut Arena<Contact>, reports: &mut Vec<ContactReport>) -> f64 {
        let mut deepest = 0.0_f64;
        for touch in &self.list {
            let Some(contact) = contacts.at_mut(touch.slot as usize) else { continue };
            contact.force = ContactForce { force: touch.mean, torque: DVec3::ZERO };
            if touch.present_depth <= 0.0 && touch.mean == DVec3::ZERO {
                continue;
            }
            deepest = deepest.max(touch.present_depth);
            reports.push(ContactReport {
                geoms: None,
                bodies: contact.definition.bodies,
                position: touch.position,
                normal: touch.normal,
                depth: touch.present_depth,
                force: touch.mean,
                acts: true,
            });
        }
        deepest
    }
}
