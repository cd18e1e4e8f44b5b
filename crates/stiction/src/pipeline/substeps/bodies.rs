//! Bodies of sub-steps: poses of the middle of the step, whitened velocities, and back.

use glam::{DMat3, DQuat, DVec3};

use super::super::StepReport;
use super::super::bytes;
use super::super::context::Model;
use super::super::edits::stop;
use super::super::forest::Forest;
use super::super::frames::Frames;
use super::super::integrate::{bounded, damp};
use super::super::middle;
use super::trees::is_welded;
use super::{Frame, record, three};
use crate::dynamics::gyroscopic::{Gyroscopic, free_spin};
use crate::dynamics::rigid::RigidMotion;
use crate::dynamics::rotation::{FiniteRotation, turn};
use crate::model::{Body, BodyKind, State};
use crate::solvers::soft::{BODY_RECORDS, MOTION_RECORDS, PassBodies, Record, Whitened, Width};

/// No place.
const NONE: u32 = u32::MAX;

/// Roots of the mass and the moments of a body, and their inverses.
#[derive(Clone, Copy, Debug)]
struct Roots {
    mass: f64,
    moments: DVec3,
    inverse_mass: f64,
    inverse_moments: DVec3,
    /// All moments are the same.
    is_round: bool,
}

impl Roots {
    const NONE: Self =
        Self { mass: 0.0, moments: DVec3::ZERO, inverse_mass: 0.0, inverse_moments: DVec3::ZERO, is_round: true };

    fn of(body: &Body) -> Self {
        let (mass, i) = (body.mass.mass.sqrt(), body.mass.moments);
        let moments = DVec3::new(i.x.sqrt(), i.y.sqrt(), i.z.sqrt());
        let is_round = i.x == i.y && i.y == i.z;
        Self { mass, moments, inverse_mass: 1.0 / mass, inverse_moments: 1.0 / moments, is_round }
    }
}

/// Bodies of the islands, and those that they touch and that nothing moves. Arrays are by place.
#[derive(Clone, Debug, Default)]
pub(super) struct SubstepBodies {
    /// Slots of the bodies that move, then of the others; `NONE` is the static environment.
    pub(super) slots: Vec<u32>,
    /// Bodies that move.
    pub(super) moving: usize,
    /// Islands of the bodies that move: ends.
    island_ends: Vec<u32>,
    /// Island of each of them.
    islands: Vec<u32>,
    /// Place of each slot.
    places: Vec<u32>,
    environment: u32,
    /// Rotation from the principal axes to the frame of the body.
    principal: Vec<DQuat>,
    /// Rotation of the principal axes at the start of the step.
    pub(super) axes: Vec<DMat3>,
    /// The same in the middle of its impulses.
    pub(super) middle: Vec<DMat3>,
    /// Centre of mass at the start.
    pub(super) centers: Vec<DVec3>,
    /// Centre of mass in the middle.
    pub(super) middle_centers: Vec<DVec3>,
    pub(super) records: Vec<Record>,
    pub(super) leads: Vec<Record>,
    /// Whitened velocities.
    pub(super) z: Vec<Record>,
    /// Those before the impulses of the sub-step.
    held: Vec<Record>,
    /// Velocities that forces give in a sub-step.
    pub(super) pulls: Vec<Record>,
    /// Whitened displacements from the pose of the rows.
    pub(super) moved: Vec<Record>,
    /// Angular velocity in principal axes at the start, of bodies that turn and are not round.
    spins: Vec<(u32, DVec3)>,
    gyroscopic: Gyroscopic,
    /// By slot, and the edits of the model that they follow.
    roots: Vec<Roots>,
    known: Option<[u64; 2]>,
    /// Motions of the bodies while they are settled.
    motions: Vec<[Record; MOTION_RECORDS]>,
}

/// Velocities of a body; nothing moves one that sleeps.
fn velocities_of(model: &Model, state: &State, slot: u32, is_moved: bool) -> (DVec3, DVec3) {
    let own = &state.bodies[slot as usize];
    let is_dynamic = model.bodies.at(slot as usize).is_some_and(|body| body.kind == BodyKind::Dynamic);
    let is_still = !is_moved && (is_dynamic || !own.is_enabled);
    if is_still { (DVec3::ZERO, DVec3::ZERO) } else { (own.motion.velocity, own.motion.omega) }
}

impl SubstepBodies {
    /// Memory of the lists \[B\].
    pub(super) fn bytes(&self) -> usize {
        let records = [&self.records, &self.leads, &self.z, &self.held, &self.pulls, &self.moved]
            .map(bytes)
            .iter()
            .sum::<usize>();
        let frames = bytes(&self.axes) + bytes(&self.middle) + bytes(&self.centers) + bytes(&self.middle_centers);
        records + frames + bytes(&self.motions) + bytes(&self.principal) + bytes(&self.slots) + bytes(&self.places)
    }

    /// Reads what does not change from step to step, where the model has been edited.
    pub(super) fn follow(&mut self, model: &Model) {
        let revisions = Some([model.topology, model.revision]);
        if self.known != revisions {
            self.known = revisions;
            self.roots.clear();
            let all = 0..model.bodies.slots();
            self.roots.extend(all.map(|slot| model.bodies.at(slot).map_or(Roots::NONE, Roots::of)));
        }
    }

    pub(super) fn clear(&mut self) {
        for slot in self.slots.drain(..).filter(|slot| *slot != NONE) {
            if let Some(place) = self.places.get_mut(slot as usize) {
                *place = NONE;
            }
        }
        self.island_ends.clear();
    }

    /// Takes the bodies of an island.
    pub(super) fn take_island(&mut self, slots: &[u32]) {
        self.slots.extend_from_slice(slots);
        self.island_ends.push(self.slots.len() as u32);
    }

    /// Number of islands.
    pub(super) fn islands(&self) -> usize {
        self.island_ends.len()
    }

    /// The island of one of two bodies that moves.
    pub(super) fn island_of(&self, places: [u32; 2]) -> usize {
        places.iter().find_map(|place| self.islands.get(*place as usize)).map_or(0, |island| *island as usize)
    }

    /// Centre of mass and principal axes of a body, with the poses of a state that the step has moved.
    pub(super) fn pose_after(&self, state: &State, place: u32) -> (DVec3, DMat3) {
        let place = place as usize;
        match self.slots.get(place).filter(|slot| **slot != NONE) {
            Some(slot) => {
                let m = &state.bodies[*slot as usize].motion;
                (m.position, DMat3::from_quat(m.rotation * self.principal[place]))
            }
            None => (DVec3::ZERO, DMat3::IDENTITY),
        }
    }

    /// Something moves the body at a place.
    pub(super) fn moves(&self, place: u32) -> bool {
        (place as usize) < self.moving && self.records[BODY_RECORDS * place as usize].0[3] > 0.0
    }

    /// Place of a body that is there.
    pub(super) fn place_of(&self, slot: u32) -> u32 {
        self.places[slot as usize]
    }

    /// Number of bodies, with those that nothing moves.
    pub(super) fn count(&self) -> usize {
        self.slots.len()
    }

    /// Poses of the bodies that move.
    pub(super) fn read(&mut self, model: &Model, frame: &Frame, state: &State, (frames, forest): (&Frames, &Forest)) {
        self.moving = self.slots.len();
        self.environment = NONE;
        self.islands.clear();
        for (island, end) in self.island_ends.iter().enumerate() {
            self.islands.resize(*end as usize, island as u32);
        }
        self.principal.clear();
        self.places.resize(model.bodies.slots(), NONE);
        for list in [&mut self.axes, &mut self.middle] {
            list.clear();
        }
        for list in [&mut self.centers, &mut self.middle_centers] {
            list.clear();
        }
        self.records.clear();
        self.leads.clear();
        for place in 0..self.moving {
            let slot = self.slots[place];
            self.places[slot as usize] = place as u32;
            self.push(model, frame, (state, frames), slot);
            if is_welded(forest, slot) {
                self.records[BODY_RECORDS * place].0[3..7].fill(0.0);
                self.leads[place] = Record::default();
            }
        }
    }

    /// Place of a body, or of the static environment.
    pub(super) fn place(&mut self, model: &Model, frame: &Frame, moved: (&State, &Frames), slot: Option<u32>) -> u32 {
        let known = slot.map_or(self.environment, |slot| self.places[slot as usize]);
        if known != NONE {
            return known;
        }
        let place = self.slots.len() as u32;
        self.slots.push(slot.unwrap_or(NONE));
        match slot {
            Some(slot) => {
                self.places[slot as usize] = place;
                self.push(model, frame, moved, slot);
            }
            None => {
                self.environment = place;
                self.push_record(DVec3::ZERO, DMat3::IDENTITY, DMat3::IDENTITY, 0.0, DVec3::ZERO);
                self.leads.push(Record::default());
                self.principal.push(DQuat::IDENTITY);
            }
        }
        place
    }

    fn push(&mut self, model: &Model, frame: &Frame, (state, frames): (&State, &Frames), slot: u32) {
        let Some(body) = model.bodies.at(slot as usize) else { return };
        // Prescribed bodies have moved already: frames are those of the contacts.
        let (start, middle) = (frames.start(slot), frames.middle(slot));
        let is_moved = (self.places[slot as usize] as usize) < self.moving;
        let (velocity, omega) = velocities_of(model, state, slot, is_moved);
        let roots = if is_moved { self.roots[slot as usize] } else { Roots::NONE };
        let (inverse_root_mass, inverse_root) = (roots.inverse_mass, roots.inverse_moments);
        self.push_record(middle.center, start.axes, middle.axes, inverse_root_mass, inverse_root);
        self.principal.push(body.mass.axes);
        let place = self.centers.len() - 1;
        self.centers[place] = start.center;
        let half = 0.5 * frame.step;
        let turns = middle::turns(frame.step, omega);
        self.leads.push(record(half * velocity, if turns { half * omega } else { DVec3::ZERO }));
    }

    fn push_record(&mut self, center: DVec3, axes: DMat3, middle: DMat3, inverse_root_mass: f64, inverse_root: DVec3) {
        let ([x, y, z], [i, j, k]) = (three(center), three(inverse_root));
        let [c0, c1, c2] = [middle.x_axis, middle.y_axis, middle.z_axis].map(three);
        self.records.push(Record([x, y, z, inverse_root_mass, i, j, k, c0[0]]));
        self.records.push(Record([c0[1], c0[2], c1[0], c1[1], c1[2], c2[0], c2[1], c2[2]]));
        self.axes.push(axes);
        self.middle.push(middle);
        self.centers.push(center);
        self.middle_centers.push(center);
    }

    /// Velocities in whitened coordinates, and what forces give them. One more body than there are is that of empty lanes.
    pub(super) fn whiten(&mut self, model: &Model, frame: &Frame, state: &State) {
        let count = self.slots.len() + 1;
        self.push_record(DVec3::ZERO, DMat3::IDENTITY, DMat3::IDENTITY, 0.0, DVec3::ZERO);
        self.leads.push(Record::default());
        debug_assert_eq!(self.records.len(), BODY_RECORDS * count);
        for list in [&mut self.z, &mut self.held, &mut self.pulls, &mut self.moved] {
            list.clear();
            list.resize(count, Record::default());
        }
        self.spins.clear();
        self.gyroscopic = model.parameters.gyroscopic;
        for place in 0..self.moving {
            let slot = self.slots[place] as usize;
            let Some(body) = model.bodies.at(slot).filter(|_| self.moves(place as u32)) else { continue };
            let own = &state.bodies[slot];
            let Roots { mass: root_mass, moments: root, is_round, inverse_mass, inverse_moments } = self.roots[slot];
            let spin = self.axes[place].transpose() * own.motion.omega;
            self.z[place] = record(root_mass * own.motion.velocity, root * spin);
            let ahead = ahead(frame, own.motion.omega);
            for e in 0..6 {
                self.moved[place].0[e] = -if e < 3 { frame.center } else { ahead } * self.z[place].0[e];
            }
            let gravity = if body.gravity { model.parameters.gravity } else { DVec3::ZERO };
            let force = frame.part * (root_mass * gravity + own.force * inverse_mass);
            let torque = if own.torque == DVec3::ZERO {
                DVec3::ZERO
            } else {
                frame.part * (self.middle[place].transpose() * own.torque * inverse_moments)
            };
            self.pulls[place] = record(force, torque);
            if !is_round && middle::turns(frame.step, own.motion.omega) {
                self.spins.push((place as u32, spin));
            }
            self.held[place] = self.z[place];
        }
    }

    /// After the old impulses: the gyroscopic torque in equal parts, that of the middle velocity with half of what the contacts
    /// gave in the last step; then the first pull.
    pub(super) fn pull(&mut self, frame: &Frame) {
        for (place, spin) in &self.spins {
            let place = *place as usize;
            let inverse = &self.records[BODY_RECORDS * place].0;
            let inverse_root = DVec3::new(inverse[4], inverse[5], inverse[6]);
            let moments = 1.0 / (inverse_root * inverse_root);
            let given: [f64; 3] = std::array::from_fn(|e| self.z[place].0[3 + e] - self.held[place].0[3 + e]);
            let given = DVec3::from_array(given) * inverse_root * f64::from(frame.substeps);
            let middle = *spin + 0.5 * given;
            let change = free_spin(self.gyroscopic, moments, middle, DVec3::ZERO, frame.step).after - middle;
            let change = three(change / inverse_root / f64::from(frame.substeps));
            for e in 0..3 {
                self.pulls[place].0[3 + e] += change[e];
            }
        }
        for place in 0..self.moving {
            let (z, held, pull) = (&mut self.z[place].0, &mut self.held[place].0, &self.pulls[place].0);
            for e in 0..8 {
                z[e] += pull[e];
                held[e] += pull[e];
            }
        }
    }

    /// The velocities are those after impacts.
    pub(super) fn hit(&mut self) {
        self.held.clone_from(&self.z);
    }

    /// What a pass reads and writes.
    pub(super) fn in_pass(&mut self) -> PassBodies<'_> {
        PassBodies { z: &mut self.z, moved: &self.moved, held: &mut self.held, pulls: &self.pulls }
    }

    /// Impulses of the sub-step on a body.
    pub(super) fn given(&self, place: usize) -> Record {
        Record(std::array::from_fn(|e| self.z[place].0[e] - self.held[place].0[e]))
    }

    /// The next sub-step starts from a share of them.
    pub(super) fn leave(&mut self, place: usize, share: f64) {
        let given = self.given(place).0;
        for e in 0..8 {
            self.held[place].0[e] = self.z[place].0[e] - share * given[e];
        }
    }

    /// The next sub-step: a pull, and the impulses of the last one.
    pub(super) fn start_again<L: Width<W>, const W: usize>(&mut self) {
        let count = self.moving;
        L::start_again(&mut self.z[..count], &mut self.held[..count], &self.pulls[..count]);
    }

    /// Positions follow the velocities.
    pub(super) fn drift<L: Width<W>, const W: usize>(&mut self, part: f64) {
        let count = self.moving;
        L::drift(&mut self.moved[..count], &self.z[..count], part);
    }

    /// Velocities and poses back from whitened coordinates; empties the force accumulators.
    pub(super) fn settle<L: Width<W>, const W: usize>(
        &mut self,
        model: &Model,
        frame: &Frame,
        state: &mut State,
        report: &mut StepReport,
    ) {
        // All are written before the first is read in lanes: a load of what has just been stored in parts waits for it.
        let mut motions = std::mem::take(&mut self.motions);
        motions.clear();
        motions.extend((0..self.moving.next_multiple_of(W)).map(|place| self.motion(frame, state, place)));
        let from = Whitened { bodies: &self.records, z: &self.z, moved: &self.moved, center: frame.center };
        let nobody = self.slots.len();
        for (number, motions) in motions.chunks_exact_mut(W).enumerate() {
            let places: [usize; W] = std::array::from_fn(|lane| W * number + lane);
            let places = places.map(|n| if n < self.moving { n } else { nobody } as u32);
            L::settle(motions.as_flattened_mut(), &from, &places);
        }
        for (place, motion) in motions[..self.moving].iter().enumerate() {
            let slot = self.slots[place] as usize;
            let (Some(body), Some(id)) = (model.bodies.at(slot), model.bodies.handle_at(slot)) else { continue };
            let now = &mut state.bodies[slot];
            let last = now.motion;
            let m = &mut now.motion;
            if is_plain(body) {
                let [[x, y, z, i, j, k, w, _], [u, v, t, p, q, r, ..]] = [motion[0].0, motion[1].0];
                (m.position, m.rotation) = (DVec3::new(x, y, z), DQuat::from_xyzw(i, j, k, w));
                (m.velocity, m.omega) = (DVec3::new(u, v, t), DVec3::new(p, q, r));
            } else {
                self.settle_one(body, frame, place, m);
            }
            report.momentum_in_substeps += body.mass.mass * m.velocity;
            now.force = DVec3::ZERO;
            now.torque = DVec3::ZERO;
            if !RigidMotion::is_finite(m) {
                stop(now, last);
                report.quarantined.push(id);
            }
        }
        self.motions = motions;
    }

    /// The motion of a body before the step, as records.
    fn motion(&self, frame: &Frame, state: &State, place: usize) -> [Record; MOTION_RECORDS] {
        let Some(slot) = self.slots[..self.moving].get(place) else { return [Record::default(); MOTION_RECORDS] };
        let RigidMotion { position, rotation, velocity, omega } = &state.bodies[*slot as usize].motion;
        let ([x, y, z], [i, j, k, w]) = (three(*position), rotation.to_array());
        let [a, b, c, d] = self.principal[place].to_array();
        [
            Record([x, y, z, i, j, k, w, 0.0]),
            record(*velocity, *omega),
            Record([a, b, c, d, ahead(frame, *omega), 0.0, 0.0, 0.0]),
        ]
    }

    /// A body that is damped, bounded, or turns by a rule of its own.
    fn settle_one(&self, body: &Body, frame: &Frame, place: usize, m: &mut RigidMotion) {
        let last = *m;
        let (z, moved) = (&self.z[place].0, &self.moved[place].0);
        let scales = &self.records[BODY_RECORDS * place].0;
        let (s, scale) = (scales[3], DVec3::new(scales[4], scales[5], scales[6]));
        // From the pose of the rows back to that of the start.
        let way = s * DVec3::new(moved[0], moved[1], moved[2]) + frame.center * last.velocity;
        let own_turn = scale * DVec3::new(moved[3], moved[4], moved[5])
            + ahead(frame, last.omega) * (self.axes[place].transpose() * last.omega);
        m.position += way;
        let turned = bounded(body, self.middle[place] * own_turn / frame.step);
        m.rotation = turn(body.finite_rotation, m.rotation, turned, frame.step);
        m.velocity = s * DVec3::new(z[0], z[1], z[2]);
        let spin = scale * DVec3::new(z[3], z[4], z[5]);
        m.omega = bounded(body, m.rotation * (body.mass.axes * spin));
        damp(body, m);
    }
}

/// Time by which the axes of rows are ahead of those of the start: none of what hardly turns \[s\].
fn ahead(frame: &Frame, omega: DVec3) -> f64 {
    if middle::turns(frame.step, omega) { frame.center } else { 0.0 }
}

/// A body turns by the default rule, and nothing damps or bounds its velocities.
fn is_plain(body: &Body) -> bool {
    let damping = &body.damping;
    body.finite_rotation == FiniteRotation::Off
        && body.max_angular_speed == f64::INFINITY
        && damping.linear == 0.0
        && damping.angular == 0.0
}
