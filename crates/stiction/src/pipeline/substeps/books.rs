//! Balance of energy of the sub-steps, by island: what its bodies have after a step and nothing known gave them was made, what
//! they lack was lost.
//!
//! A contact force F stores F Δx as the overlap grows by Δx, which the bias releases as the shapes separate. A linear spring stores
//! `k x²/2`. Overlaps store no more than the motion of the island lost in the step: the rest of F Δx of a blow, whose force is the mean
//! of a step, is nowhere, and nothing can be released from it.

use glam::DVec3;

use super::super::context::Model;
use super::super::{StepReport, Workspace};
use super::bodies::SubstepBodies;
use super::manifolds::{Manifolds, Origin, Patch};
use super::trees::SubstepTrees;
use crate::constraint::{RowKind, RowSource};
use crate::material::NormalLaw;
use crate::model::{MOST_POINTS, State};
use crate::solvers::soft::{Bundle, GIVEN, Record, SPECIAL_RECORDS, Skin};

/// What a body had at the start of the step.
#[derive(Clone, Copy, Debug)]
struct Start {
    energy: f64,
    impulse: DVec3,
    angular_impulse: DVec3,
    velocity: DVec3,
    omega: DVec3,
}

/// Memory of the balance.
#[derive(Clone, Debug, Default)]
pub(super) struct Books {
    is_kept: bool,
    starts: Vec<Start>,
    /// By island: what its bodies and rotors gained, without what forces and surfaces that move did.
    gained: Vec<f64>,
    /// By island: energy that overlaps took up and released, and whether it has shapes that were placed into each other.
    taken_up: Vec<f64>,
    released: Vec<f64>,
    has_placed: Vec<bool>,
    /// By point: the change of what its overlap stores.
    changes: Vec<f64>,
    /// By island: the contact with the largest load.
    loaded: Vec<(f64, u32)>,
}

impl Books {
    /// Energy before anything moves.
    pub(super) fn begin(
        &mut self,
        (model, step): (&Model, f64),
        (bodies, trees): (&SubstepBodies, &SubstepTrees),
        state: &State,
    ) {
        self.is_kept = model.parameters.audit;
        self.starts.clear();
        if !self.is_kept {
            return;
        }
        self.starts.extend((0..bodies.moving).map(|place| {
            let own = &state.bodies[bodies.slots[place] as usize];
            Start {
                energy: energy(model, state, bodies.slots[place]),
                impulse: step * own.force,
                angular_impulse: step * own.torque,
                velocity: own.motion.velocity,
                omega: own.motion.omega,
            }
        }));
        for list in [&mut self.gained, &mut self.taken_up, &mut self.released] {
            list.clear();
            list.resize(bodies.islands(), 0.0);
        }
        for (place, energy) in trees.energies_of_rotors(model, state) {
            self.gained[bodies.island_of([place; 2])] -= energy;
        }
        self.has_placed.clear();
        self.has_placed.resize(bodies.islands(), false);
        self.loaded.clear();
        self.loaded.resize(bodies.islands(), (0.0, u32::MAX));
    }

    /// Takes out what prescribed bodies and running surfaces did.
    pub(super) fn note_drives<const W: usize>(
        &mut self,
        bundles: &[Bundle<W>],
        manifolds: &Manifolds,
        bodies: &SubstepBodies,
        report: &mut StepReport,
    ) {
        if !self.is_kept {
            return;
        }
        for bundle in bundles {
            for (lane, number) in bundle.manifolds.iter().enumerate() {
                let Some(patch) = manifolds.patches.get(*number as usize) else { continue };
                let rows = bundle.total.iter().enumerate();
                let drive: f64 = rows.map(|(row, total)| -total[lane] * bundle.prescribed(row, lane)).sum();
                self.gained[bodies.island_of(patch.bodies)] -= drive;
                report.energy.forces += drive;
            }
        }
    }

    /// Books the change of each island.
    pub(super) fn finish(
        &mut self,
        (step, part): (f64, f64),
        (model, bodies, trees): (&Model, &SubstepBodies, &SubstepTrees),
        manifolds: &Manifolds,
        state: &State,
        work: &mut Workspace,
        report: &mut StepReport,
    ) {
        if !self.is_kept {
            return;
        }
        for (place, start) in self.starts.iter().enumerate() {
            let slot = bodies.slots[place];
            let now = &state.bodies[slot as usize].motion;
            let (v, omega) = (start.velocity + now.velocity, start.omega + now.omega);
            let forces = 0.5 * (start.impulse.dot(v) + start.angular_impulse.dot(omega));
            self.gained[bodies.island_of([place as u32; 2])] += energy(model, state, slot) - start.energy - forces;
        }
        for (place, energy) in trees.energies_of_rotors(model, state) {
            self.gained[bodies.island_of([place; 2])] += energy;
        }
        for axis in trees.works(state) {
            let island = bodies.island_of([axis.place; 2]);
            // Motors give, and springs keep; friction and dampers lose.
            self.gained[island] += axis.stored - axis.work + axis.loss;
            report.energy.motors += axis.work;
            report.energy.joint_loss += axis.loss;
            report.note_spring(model.joints.handle_at(axis.joint as usize), axis.taken);
        }
        self.note_overlaps((step, part), bodies, manifolds, state, work);
        self.bound_storage(bodies, manifolds, work);
        self.report(report);
    }

    /// Books what overlaps would take up by their forces, and what they release of what they have.
    fn note_overlaps(
        &mut self,
        (step, part): (f64, f64),
        bodies: &SubstepBodies,
        manifolds: &Manifolds,
        state: &State,
        work: &mut Workspace,
    ) {
        self.changes.clear();
        let others = work.contacts.len() as u32;
        for patch in &manifolds.patches {
            let (records, special) =
                (manifolds.records_of(patch), &manifolds.special[SPECIAL_RECORDS * patch.special as usize..]);
            let island = bodies.island_of(patch.bodies);
            for k in 0..patch.count as usize {
                let after = overlap(state, bodies, patch, records, k);
                let (force, before, stored, is_placed, law, index) = match patch.origin {
                    Origin::Kept(number) => {
                        let head = &work.patches.heads[number as usize];
                        let before = patch.depths[k].max(0.0);
                        let place = others + MOST_POINTS as u32 * number + k as u32;
                        (records[GIVEN].0[k] / step, before, head.stored[k], head.is_placed, None, place)
                    }
                    Origin::Contacts(list) => {
                        let contact = &work.contacts[list[k] as usize];
                        let law = work.law_of(contact).surface.normal;
                        let force = contact.force.dot(contact.normal);
                        let before = contact.depth.max(0.0);
                        (force, before, contact.stored, contact.is_placed, Some(law), list[k])
                    }
                };
                let spring =
                    spring_of(patch, special, k, part).filter(|_| !matches!(law, Some(NormalLaw::Compliant { .. })));
                let taken_up = spring.map_or(force * (after - before), |energy| energy(after) - energy(before));
                let change = taken_up.max(-stored);
                self.changes.push(change);
                self.taken_up[island] += change.max(0.0);
                self.released[island] -= change.min(0.0);
                self.has_placed[island] |= is_placed;
                if step * force > self.loaded[island].0 {
                    self.loaded[island] = (step * force, index);
                }
            }
        }
    }

    /// Stores in the overlaps of an island what they take up, and no more than it lost.
    fn bound_storage(&mut self, bodies: &SubstepBodies, manifolds: &Manifolds, work: &mut Workspace) {
        let share = |own: &Self, island: usize| {
            let lost = (own.released[island] - own.gained[island]).max(0.0);
            if own.taken_up[island] > lost { lost / own.taken_up[island] } else { 1.0 }
        };
        let mut next = 0;
        for patch in &manifolds.patches {
            let share = share(self, bodies.island_of(patch.bodies));
            for k in 0..patch.count as usize {
                let change = self.changes[next];
                next += 1;
                let stored = match patch.origin {
                    Origin::Kept(number) => &mut work.patches.heads[number as usize].stored[k],
                    Origin::Contacts(list) => &mut work.contacts[list[k] as usize].stored,
                };
                *stored += if change > 0.0 { share * change } else { change };
            }
        }
        for island in 0..self.gained.len() {
            self.taken_up[island] *= share(self, island);
        }
    }

    /// Puts the sums of the islands into the report.
    fn report(&self, report: &mut StepReport) {
        let mut most = report.made_most.map_or(0.0, |(_, _, amount)| amount);
        for island in 0..self.gained.len() {
            let stored = self.taken_up[island] - self.released[island];
            let made = self.gained[island] + stored;
            let balance = &mut report.energy;
            balance.stored += stored;
            if made <= 0.0 {
                balance.contact_loss -= made;
            } else if self.has_placed[island] {
                balance.placed += made;
            } else {
                balance.made_push_out += made;
                if made > most && self.loaded[island].1 != u32::MAX {
                    most = made;
                    report.made_most = Some((RowSource::Contact(self.loaded[island].1), RowKind::Normal, made));
                }
            }
        }
    }
}

/// Energy of the linear spring of a point by its overlap, where it has one.
fn spring_of(patch: &Patch, special: &[Record], k: usize, part: f64) -> Option<impl Fn(f64) -> f64> {
    let (compliance, rate, rest) = (special[2].0[k], special[2].0[4 + k], special[1].0[7]);
    // `Γ = 1 / (h (h k + c))`, and the rate of the error is `k / (h k + c)`.
    let stiffness = rate / (compliance * part);
    (patch.is_special && compliance > 0.0 && stiffness.is_finite())
        .then_some(move |overlap: f64| 0.5 * stiffness * (overlap - rest).max(0.0).powi(2))
}

/// Overlap of a point after the step \[m\].
fn overlap(state: &State, bodies: &SubstepBodies, patch: &Patch, records: &[Record], k: usize) -> f64 {
    let record = &records[1 + k];
    let place = |side: usize, local: &[f64]| {
        let local = DVec3::new(local[0], local[1], local[2]);
        let (center, axes) = bodies.pose_after(state, patch.bodies[side]);
        center + axes * local
    };
    let gap = place(1, &record.0[3..6]) - place(0, &record.0[..3]);
    // In the middle of the step as well as after it: what turns moves it by a part of the overlap.
    let normal = match patch.origin {
        Origin::Kept(_) => bodies.middle(patch.bodies[0] as usize).axes * DVec3::from_slice(&records[0].0[..3]),
        Origin::Contacts(_) => patch.normal,
    };
    (Skin::read(records).radius - gap.dot(normal)).max(0.0)
}

/// Kinetic and gravitational energy of a body \[J\].
fn energy(model: &Model, state: &State, slot: u32) -> f64 {
    let Some(body) = model.bodies.at(slot as usize) else { return 0.0 };
    let m = &state.bodies[slot as usize].motion;
    let spin = (m.rotation * body.mass.axes).conjugate() * m.omega;
    let kinetic = 0.5 * (body.mass.mass * m.velocity.length_squared() + spin.dot(body.mass.moments * spin));
    let height = if body.gravity { model.parameters.gravity.dot(m.position) } else { 0.0 };
    kinetic - body.mass.mass * height
}
