//! Bodies of sub-steps: poses of the middle of the step, whitened velocities, and back.

use std::ops::Range;

use glam::{DMat3, DQuat, DVec3};

use super::super::StepReport;
use super::super::bytes;
use super::super::context::Model;
use super::super::edits::stop;
use super::super::forest::Forest;
use super::super::frames::{Frame as BodyFrame, Frames};
use super::super::integrate::{bounded, damp};
use super::super::middle;
use super::parallel::{read_in_parallel, settle_in_parallel};
use super::trees::is_welded;
use super::{Frame, record, three};
use crate::base::ThreadPool;
use crate::dynamics::gyroscopic::Gyroscopic;
use crate::dynamics::rigid::RigidMotion;
use crate::dynamics::rotation::{FiniteRotation, turn};
use crate::model::{Body, BodyKind, BodyState, State};
use crate::solvers::soft::{BODY_RECORDS, MOTION_RECORDS, Record, Whitened, Width};

/// No place.
const NONE: u32 = u32::MAX;

/// What sub-steps need of a body and does not change from step to step.
#[derive(Clone, Copy, Debug)]
struct Constants {
    mass: f64,
    /// Roots of the mass and the moments, and their inverses.
    root_mass: f64,
    root_moments: DVec3,
    inverse_root_mass: f64,
    inverse_root_moments: DVec3,
    /// Rotation from the principal axes to the frame of the body.
    principal: DQuat,
    /// Acceleration by gravity \[m/s²\].
    gravity: DVec3,
    /// All moments are the same.
    is_round: bool,
    /// It turns by the default rule, and nothing damps or bounds its velocities.
    is_plain: bool,
}

impl Constants {
    const NONE: Self = Self {
        mass: 0.0,
        root_mass: 0.0,
        root_moments: DVec3::ZERO,
        inverse_root_mass: 0.0,
        inverse_root_moments: DVec3::ZERO,
        principal: DQuat::IDENTITY,
        gravity: DVec3::ZERO,
        is_round: true,
        is_plain: true,
    };

    fn read(body: &Body, gravity: DVec3) -> Self {
        let (root_mass, i) = (body.mass.mass.sqrt(), body.mass.moments);
        let root_moments = DVec3::new(i.x.sqrt(), i.y.sqrt(), i.z.sqrt());
        let damping = &body.damping;
        Self {
            mass: body.mass.mass,
            root_mass,
            root_moments,
            inverse_root_mass: 1.0 / root_mass,
            inverse_root_moments: 1.0 / root_moments,
            principal: body.mass.axes,
            gravity: if body.gravity { gravity } else { DVec3::ZERO },
            is_round: i.x == i.y && i.y == i.z,
            is_plain: body.finite_rotation == FiniteRotation::Off
                && body.max_angular_speed == f64::INFINITY
                && damping.linear == 0.0
                && damping.angular == 0.0,
        }
    }
}

/// What a pass reads and writes.
pub(super) struct InPass<'a> {
    pub(super) z: &'a mut [Record],
    pub(super) held: &'a mut [Record],
    pub(super) moved: &'a [Record],
    pub(super) pulls: &'a [Record],
}

/// Number in the record of the velocities of a body that is positive where it has been stopped, as it was not finite.
const HAS_STOPPED: usize = 6;

/// Bodies of the islands, and those that they touch and that nothing moves. Arrays are by place.
#[derive(Clone, Debug, Default)]
pub(super) struct SubstepBodies {
    /// Slots of the bodies that move, then of the others; `NONE` is the static environment.
    pub(super) slots: Vec<u32>,
    /// Bodies that move.
    pub(super) moving: usize,
    /// Islands of the bodies that move: ends.
    island_ends: Vec<u32>,
    /// Those with a body that is light to turn, in rising order.
    light_islands: Vec<u32>,
    /// By island: it is solved in contact space.
    pub(super) in_contact_space: Vec<bool>,
    /// Island of each of the bodies that move.
    pub(super) islands: Vec<u32>,
    /// Place of each slot.
    places: Vec<u32>,
    environment: u32,
    /// Poses of the middle of the step.
    pub(super) records: Vec<Record>,
    /// Ways in half a step, and whether one of them counts.
    pub(super) leads: Vec<Record>,
    pub(super) any_leads: bool,
    /// Whitened velocities.
    pub(super) z: Vec<Record>,
    /// Those before the impulses of the sub-step.
    pub(super) held: Vec<Record>,
    /// Velocities that forces give in a sub-step.
    pub(super) pulls: Vec<Record>,
    /// Whitened displacements from the pose of the rows.
    pub(super) moved: Vec<Record>,
    /// Angular velocity in principal axes at the start, of bodies that turn and are not round; NaN of others.
    pub(super) spins: Vec<DVec3>,
    /// Those of them that turn far in the step.
    pub(super) fast: Vec<u32>,
    pub(super) gyroscopic: Gyroscopic,
    /// By slot, and what they follow from.
    constants: Vec<Constants>,
    known: Option<([u64; 2], DVec3)>,
    /// Motions of the bodies while they are settled.
    motions: Vec<[Record; MOTION_RECORDS]>,
}

impl SubstepBodies {
    /// Memory of the lists \[B\].
    pub(super) fn bytes(&self) -> usize {
        let records = [&self.records, &self.leads, &self.z, &self.held, &self.pulls, &self.moved]
            .into_iter()
            .map(bytes)
            .sum::<usize>();
        records + bytes(&self.constants) + bytes(&self.motions) + bytes(&self.slots) + bytes(&self.places)
    }

    /// Reads what does not change from step to step, where the model has been edited.
    pub(super) fn follow(&mut self, model: &Model) {
        let gravity = model.parameters.gravity;
        let source = Some(([model.topology, model.revision], gravity));
        if self.known != source {
            self.known = source;
            self.constants.clear();
            let all = 0..model.bodies.slots();
            let of_slot = |slot| model.bodies.at(slot).map_or(Constants::NONE, |body| Constants::read(body, gravity));
            self.constants.extend(all.map(of_slot));
        }
        self.gyroscopic = model.parameters.gyroscopic;
        self.places.resize(model.bodies.slots(), NONE);
    }

    pub(super) fn clear(&mut self) {
        for slot in self.slots.drain(..).filter(|slot| *slot != NONE) {
            if let Some(place) = self.places.get_mut(slot as usize) {
                *place = NONE;
            }
        }
        self.island_ends.clear();
        self.light_islands.clear();
    }

    /// Takes the bodies of an island.
    pub(super) fn take_island(&mut self, slots: &[u32], is_light: bool) {
        if is_light {
            self.light_islands.push(self.island_ends.len() as u32);
        }
        self.slots.extend_from_slice(slots);
        self.island_ends.push(self.slots.len() as u32);
    }

    /// Islands with a body that is light to turn.
    pub(super) fn light_islands(&self) -> &[u32] {
        &self.light_islands
    }

    /// Number of islands.
    pub(super) fn islands(&self) -> usize {
        self.island_ends.len()
    }

    /// Places of the bodies of an island.
    pub(super) fn places_of(&self, island: usize) -> Range<usize> {
        let start = if island == 0 { 0 } else { self.island_ends[island - 1] as usize };
        start..self.island_ends[island] as usize
    }

    /// `|z|²` of an island, twice its kinetic energy.
    pub(super) fn square<L: Width<W>, const W: usize>(&self, island: usize) -> f64 {
        L::square(&self.z[self.places_of(island)])
    }

    /// The same before the impulses of the sub-step.
    pub(super) fn square_before<L: Width<W>, const W: usize>(&self, island: usize) -> f64 {
        L::square(&self.held[self.places_of(island)])
    }

    /// The island of one of two bodies that moves.
    pub(super) fn island_of(&self, places: [u32; 2]) -> usize {
        places.iter().find_map(|place| self.islands.get(*place as usize)).map_or(0, |island| *island as usize)
    }

    /// The island of one of two bodies is solved in contact space.
    pub(super) fn is_in_contact_space(&self, places: [u32; 2]) -> bool {
        self.in_contact_space.get(self.island_of(places)) == Some(&true)
    }

    /// Centre of mass and principal axes of a body, with the poses of a state that the step has moved.
    pub(super) fn pose_after(&self, state: &State, place: u32) -> (DVec3, DMat3) {
        match self.slots.get(place as usize).filter(|slot| **slot != NONE) {
            Some(slot) => {
                let m = &state.bodies[*slot as usize].motion;
                (m.position, DMat3::from_quat(m.rotation * self.constants[*slot as usize].principal))
            }
            None => (DVec3::ZERO, DMat3::IDENTITY),
        }
    }

    /// Centre of mass and principal axes of a body in the middle of the step.
    pub(super) fn middle(&self, place: usize) -> BodyFrame {
        let [first, second] = [&self.records[BODY_RECORDS * place].0, &self.records[BODY_RECORDS * place + 1].0];
        let axes = [first[7], second[0], second[1], second[2], second[3], second[4], second[5], second[6], second[7]];
        BodyFrame { center: DVec3::new(first[0], first[1], first[2]), axes: DMat3::from_cols_array(&axes) }
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

    /// Poses of the bodies that move, their velocities in whitened coordinates, and what forces give them.
    pub(super) fn read(&mut self, pool: &mut ThreadPool, frame: &Frame, state: &State, of: (&Frames, &Forest)) {
        self.moving = self.slots.len();
        self.environment = NONE;
        self.islands.clear();
        for (island, end) in self.island_ends.iter().enumerate() {
            self.islands.resize(*end as usize, island as u32);
        }
        let count = self.moving;
        self.records.resize(BODY_RECORDS * count, Record::default());
        for list in [&mut self.leads, &mut self.z, &mut self.pulls, &mut self.moved] {
            list.resize(count, Record::default());
        }
        self.spins.resize(count, DVec3::NAN);
        for (place, slot) in self.slots.iter().enumerate() {
            self.places[*slot as usize] = place as u32;
        }
        let own = BodyLists {
            records: &mut self.records,
            leads: &mut self.leads,
            z: &mut self.z,
            pulls: &mut self.pulls,
            moved: &mut self.moved,
            spins: &mut self.spins,
        };
        self.any_leads = read_in_parallel(pool, own, |first, own| {
            let slots = self.slots[first..].iter().zip(0..own.z.len());
            slots.fold(false, |turns, (slot, place)| {
                let constants = &self.constants[*slot as usize];
                own.read(place, (constants, *slot), frame, state, of) || turns
            })
        });
    }

    /// A body that nothing moves.
    fn stand(&mut self, place: usize, pose: &BodyFrame) {
        let poses = pose_records(pose, 0.0, DVec3::ZERO);
        self.records[BODY_RECORDS * place..][..BODY_RECORDS].copy_from_slice(&poses);
        for list in [&mut self.leads, &mut self.z, &mut self.pulls, &mut self.moved] {
            list[place] = Record::default();
        }
    }

    /// Place of a body, or of the static environment.
    pub(super) fn place(&mut self, model: &Model, frame: &Frame, moved: (&State, &Frames), slot: Option<u32>) -> u32 {
        let known = slot.map_or(self.environment, |slot| self.places[slot as usize]);
        if known == NONE { self.add(model, frame, moved, slot) } else { known }
    }

    /// Adds a body that the sub-steps do not move, or the static environment.
    fn add(&mut self, model: &Model, frame: &Frame, (state, frames): (&State, &Frames), slot: Option<u32>) -> u32 {
        let place = self.add_standing(slot.map_or(&BodyFrame::WORLD, |slot| frames.middle(slot)));
        self.slots.push(slot.unwrap_or(NONE));
        match slot {
            Some(slot) => {
                self.places[slot as usize] = place;
                // Prescribed bodies have moved already: frames are those of the contacts. Nothing moves one that sleeps.
                let own = &state.bodies[slot as usize];
                let body = model.bodies.at(slot as usize);
                if own.is_enabled && !body.is_some_and(|body| body.kind == BodyKind::Dynamic) {
                    let (velocity, omega) = (own.motion.velocity, own.motion.omega);
                    self.leads[place as usize] = lead(frame, velocity, omega);
                    self.any_leads |= velocity != DVec3::ZERO || omega != DVec3::ZERO;
                }
            }
            None => self.environment = place,
        }
        place
    }

    fn add_standing(&mut self, pose: &BodyFrame) -> u32 {
        let place = self.leads.len();
        self.records.resize(BODY_RECORDS * (place + 1), Record::default());
        for list in [&mut self.leads, &mut self.z, &mut self.pulls, &mut self.moved] {
            list.resize(place + 1, Record::default());
        }
        self.stand(place, pose);
        place as u32
    }

    /// After all bodies: those of empty lanes.
    pub(super) fn complete(&mut self) {
        for nobody in self.nobodies() {
            let place = self.add_standing(&BodyFrame::WORLD);
            debug_assert_eq!(place, nobody);
        }
    }

    /// Places of empty lanes: of bundles of which one body moves, and of those of which both do. Threads that share a colour write
    /// different ones.
    pub(super) fn nobodies(&self) -> [u32; 2] {
        [self.slots.len() as u32, self.slots.len() as u32 + 1]
    }

    /// The velocities are those after impacts.
    pub(super) fn hit(&mut self) {
        self.held.clone_from(&self.z);
    }

    /// What a pass reads and writes.
    pub(super) fn in_pass(&mut self) -> InPass<'_> {
        InPass { z: &mut self.z, held: &mut self.held, moved: &self.moved, pulls: &self.pulls }
    }

    /// Displacements, to be written, and the velocities that they follow.
    pub(super) fn in_motion(&mut self) -> (&mut [Record], &[Record]) {
        (&mut self.moved, &self.z)
    }

    /// Impulse that forces give a body in a sub-step \[N s\].
    pub(super) fn impulse_of_forces(&self, place: usize) -> f64 {
        let [x, y, z, ..] = self.pulls[place].0;
        let inverse_root_mass = self.records[BODY_RECORDS * place].0[3];
        if inverse_root_mass > 0.0 { DVec3::new(x, y, z).length() / inverse_root_mass } else { 0.0 }
    }

    /// Impulses of the sub-step on a body.
    pub(super) fn given(&self, place: usize) -> Record {
        Record(std::array::from_fn(|e| self.z[place].0[e] - self.held[place].0[e]))
    }

    /// Of an island, with velocities h before its impulses and their effect g: `h·g` and `|g|²`.
    pub(super) fn work_of_impulses(&self, island: usize) -> (f64, f64) {
        self.places_of(island).fold((0.0, 0.0), |(mut work, mut square), place| {
            for (held, given) in self.held[place].0.iter().zip(self.given(place).0) {
                work += held * given;
                square += given * given;
            }
            (work, square)
        })
    }

    /// An island is left with what forces give.
    pub(super) fn remove_impulses(&mut self, island: usize) {
        let places = self.places_of(island);
        self.z[places.clone()].copy_from_slice(&self.held[places]);
    }

    /// The next sub-step starts from a share of them.
    pub(super) fn leave(&mut self, place: usize, share: f64) {
        let given = self.given(place).0;
        for e in 0..8 {
            self.held[place].0[e] = self.z[place].0[e] - share * given[e];
        }
    }

    /// Velocities and poses back from whitened coordinates; empties the force accumulators.
    pub(super) fn settle<L: Width<W>, const W: usize>(
        &mut self,
        pool: &mut ThreadPool,
        model: &Model,
        frame: &Frame,
        state: &mut State,
        report: &mut StepReport,
    ) {
        let mut motions = std::mem::take(&mut self.motions);
        motions.resize(self.moving.next_multiple_of(W), [Record::default(); MOTION_RECORDS]);
        settle_in_parallel::<L, W>(pool, self, (model, frame), &mut state.bodies, &mut motions);
        for (place, motion) in motions[..self.moving].iter().enumerate() {
            let slot = self.slots[place] as usize;
            let [u, v, w, ..] = motion[1].0;
            report.momentum_in_substeps += self.constants[slot].mass * DVec3::new(u, v, w);
            if motion[1].0[HAS_STOPPED] > 0.0 {
                report.quarantined.extend(model.bodies.handle_at(slot));
            }
        }
        self.motions = motions;
    }

    /// The motions of some bodies, before the step and then after it, and what follows for them.
    ///
    /// All are read before the first is written in lanes: a load of what has just been stored in parts waits for it.
    pub(super) fn settle_part<'a, L: Width<W>, const W: usize>(
        &self,
        (model, frame): (&Model, &Frame),
        first: usize,
        motions: &mut [[Record; MOTION_RECORDS]],
        mut body: impl FnMut(usize) -> &'a mut BodyState,
    ) {
        for (number, motion) in motions.iter_mut().enumerate() {
            if let Some(slot) = self.slots[..self.moving].get(first + number) {
                *motion = self.motion(frame, *slot, &body(*slot as usize).motion);
            }
        }
        let from = Whitened { bodies: &self.records, z: &self.z, moved: &self.moved, center: frame.center };
        let [nobody, _] = self.nobodies();
        for (number, motions) in motions.chunks_exact_mut(W).enumerate() {
            let places: [usize; W] = std::array::from_fn(|lane| first + W * number + lane);
            let places = places.map(|n| if n < self.moving { n as u32 } else { nobody });
            L::settle(motions.as_flattened_mut(), &from, &places);
        }
        for (number, motion) in motions.iter_mut().enumerate() {
            let place = first + number;
            let Some(slot) = self.slots[..self.moving].get(place).map(|slot| *slot as usize) else { continue };
            let now = body(slot);
            let last = now.motion;
            let m = &mut now.motion;
            if self.constants[slot].is_plain {
                let [[x, y, z, i, j, k, w, _], [u, v, t, p, q, r, ..]] = [motion[0].0, motion[1].0];
                (m.position, m.rotation) = (DVec3::new(x, y, z), DQuat::from_xyzw(i, j, k, w));
                (m.velocity, m.omega) = (DVec3::new(u, v, t), DVec3::new(p, q, r));
            } else if let Some(body) = model.bodies.at(slot) {
                self.settle_one(body, frame, place, m);
                motion[1] = record(m.velocity, m.omega);
            }
            now.force = DVec3::ZERO;
            now.torque = DVec3::ZERO;
            // The square of a huge turn is infinite, and what is divided by it zero.
            if !RigidMotion::is_finite(m) || m.rotation.length_squared() < 0.5 {
                stop(now, last);
                motion[1] = record(now.motion.velocity, now.motion.omega);
                motion[1].0[HAS_STOPPED] = 1.0;
            }
        }
    }

    /// The motion of a body before the step, as records.
    fn motion(&self, frame: &Frame, slot: u32, motion: &RigidMotion) -> [Record; MOTION_RECORDS] {
        let RigidMotion { position, rotation, velocity, omega } = motion;
        let ([x, y, z], [i, j, k, w]) = (three(*position), rotation.to_array());
        let [a, b, c, d] = self.constants[slot as usize].principal.to_array();
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
        let start = DMat3::from_quat(last.rotation * body.mass.axes);
        let own_turn = scale * DVec3::new(moved[3], moved[4], moved[5])
            + ahead(frame, last.omega) * (start.transpose() * last.omega);
        m.position += way;
        let turned = bounded(body, self.middle(place).axes * own_turn / frame.step);
        m.rotation = turn(body.finite_rotation, m.rotation, turned, frame.step);
        m.velocity = s * DVec3::new(z[0], z[1], z[2]);
        let spin = scale * DVec3::new(z[3], z[4], z[5]);
        m.omega = bounded(body, m.rotation * (body.mass.axes * spin));
        damp(body, m);
    }
}

/// Lists with an entry for each of some bodies that move.
pub(super) struct BodyLists<'a> {
    pub(super) records: &'a mut [Record],
    pub(super) leads: &'a mut [Record],
    pub(super) z: &'a mut [Record],
    pub(super) pulls: &'a mut [Record],
    pub(super) moved: &'a mut [Record],
    pub(super) spins: &'a mut [DVec3],
}

impl BodyLists<'_> {
    /// Reads a body; returns whether it turns.
    fn read(
        &mut self,
        place: usize,
        (constants, slot): (&Constants, u32),
        frame: &Frame,
        state: &State,
        (frames, forest): (&Frames, &Forest),
    ) -> bool {
        let (start, middle) = (frames.start(slot), frames.middle(slot));
        self.spins[place] = DVec3::NAN;
        let records = &mut self.records[BODY_RECORDS * place..][..BODY_RECORDS];
        if is_welded(forest, slot) {
            records.copy_from_slice(&pose_records(middle, 0.0, DVec3::ZERO));
            for list in [&mut self.leads, &mut self.z, &mut self.pulls, &mut self.moved] {
                list[place] = Record::default();
            }
            return false;
        }
        let Constants { root_mass, root_moments, inverse_root_mass, inverse_root_moments, gravity, is_round, .. } =
            *constants;
        let own = &state.bodies[slot as usize];
        let (velocity, omega) = (own.motion.velocity, own.motion.omega);
        records.copy_from_slice(&pose_records(middle, inverse_root_mass, inverse_root_moments));
        let turns = middle::turns(frame.step, omega);
        self.leads[place] = lead(frame, velocity, omega);
        let spin = start.axes.transpose() * omega;
        let (linear, angular) = (root_mass * velocity, root_moments * spin);
        self.z[place] = record(linear, angular);
        self.moved[place] = record(-frame.center * linear, -ahead(frame, omega) * angular);
        let force = frame.part * (root_mass * gravity + own.force * inverse_root_mass);
        let torque = if own.torque == DVec3::ZERO {
            DVec3::ZERO
        } else {
            frame.part * (middle.axes.transpose() * own.torque * inverse_root_moments)
        };
        self.pulls[place] = record(force, torque);
        if !is_round && turns {
            self.spins[place] = spin;
        }
        turns
    }
}

/// Way in half a step, and the vector of a turn that counts.
fn lead(frame: &Frame, velocity: DVec3, omega: DVec3) -> Record {
    let half = 0.5 * frame.step;
    record(half * velocity, if middle::turns(frame.step, omega) { half * omega } else { DVec3::ZERO })
}

/// Time by which the axes of rows are ahead of those of the start: none of what hardly turns \[s\].
fn ahead(frame: &Frame, omega: DVec3) -> f64 {
    if middle::turns(frame.step, omega) { frame.center } else { 0.0 }
}

/// Records of the pose of a body.
fn pose_records(pose: &BodyFrame, inverse_root_mass: f64, inverse_root_moments: DVec3) -> [Record; BODY_RECORDS] {
    let ([x, y, z], [i, j, k]) = (three(pose.center), three(inverse_root_moments));
    let [a, b, c, d, e, f, g, h, l] = pose.axes.to_cols_array();
    [Record([x, y, z, inverse_root_mass, i, j, k, a]), Record([b, c, d, e, f, g, h, l])]
}
