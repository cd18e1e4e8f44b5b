//! Islands of bodies that are connected by joints and contacts. An island sleeps or moves as a whole: an enabled body wakes the
//! sleeping ones it is connected to.

use std::ops::Range;

use glam::DVec3;

use super::context::Model;
use super::detect::{ContactInput, Manifold};
use super::pairs::is_moving_kinematic;
use super::patches::body_of;
use super::waking::wake_within;
use crate::base::Arena;
use crate::joints::Joint;
use crate::model::{Bodies, BodyKind, Coordinates, JointId, PatchCache, State, Wire, WireState};

/// Islands of a step: by body slot, by joint slot, by contact. `NONE` takes part in no island.
#[derive(Clone, Debug, Default)]
pub(crate) struct Islands {
    /// Island of each body.
    pub(crate) of_body: Vec<u32>,
    /// Bodies in the order of islands, then of slots.
    pub(crate) bodies: Vec<u32>,
    /// Joints in the order of islands, then of slots.
    pub(crate) joints: Vec<u32>,
    /// Contacts in the order of islands, then of pairs.
    pub(crate) contacts: Vec<u32>,
    /// Wires in the order of islands, then of slots.
    pub(crate) wires: Vec<u32>,
    /// Ends of the lists for each island.
    pub(crate) ends: Vec<[u32; LISTS]>,
    /// Patches in the order of islands, then of pairs, and their ends.
    pub(crate) patches: Vec<u32>,
    pub(crate) patch_ends: Vec<u32>,
    /// Memory for a list of contacts.
    spare: Vec<u32>,
    parent: Vec<u32>,
    starts: Vec<[u32; LISTS]>,
}

/// Lists of an island: bodies, joints, contacts, wires.
pub(super) const LISTS: usize = 4;

/// No island.
pub(crate) const NONE: u32 = u32::MAX;

impl Islands {
    fn root(&mut self, mut i: u32) -> u32 {
        while self.parent[i as usize] != i {
            let grandparent = self.parent[self.parent[i as usize] as usize];
            self.parent[i as usize] = grandparent;
            i = grandparent;
        }
        i
    }

    /// Joints of consecutive islands.
    pub(super) fn joints_of(&self, islands: Range<usize>) -> &[u32] {
        let start = |island: usize| self.start(island)[1] as usize;
        &self.joints[start(islands.start)..start(islands.end)]
    }

    /// The island has contacts.
    pub(super) fn has_contacts(&self, island: usize) -> bool {
        self.start(island)[2] < self.start(island + 1)[2]
    }

    /// Patches of an island.
    pub(super) fn patches_of(&self, island: usize) -> &[u32] {
        let start = if island == 0 { 0 } else { self.patch_ends[island - 1] };
        &self.patches[start as usize..self.patch_ends[island] as usize]
    }

    /// Adds contacts to islands: numbers of an island and of a contact, in the order of islands.
    pub(super) fn add_contacts(&mut self, added: &[(u32, u32)]) {
        let mut list = std::mem::take(&mut self.spare);
        list.clear();
        let (mut added, mut next) = (added.iter().peekable(), 0);
        for (island, end) in self.ends.iter_mut().enumerate() {
            list.extend_from_slice(&self.contacts[next..end[2] as usize]);
            next = end[2] as usize;
            while let Some((_, contact)) = added.next_if(|(of, _)| *of as usize == island) {
                list.push(*contact);
            }
            end[2] = list.len() as u32;
        }
        self.spare = std::mem::replace(&mut self.contacts, list);
    }

    /// Takes contacts out of the lists.
    pub(super) fn retain_contacts(&mut self, keep: impl FnMut(u32) -> bool) {
        retain(&mut self.contacts, &mut self.ends, 2, keep);
    }

    /// Takes joints out of the lists.
    pub(super) fn retain_joints(&mut self, keep: impl FnMut(u32) -> bool) {
        retain(&mut self.joints, &mut self.ends, 1, keep);
    }

    /// Where an island begins in the lists; that of the number after the last one is their end.
    pub(super) fn start(&self, island: usize) -> [u32; LISTS] {
        if island == 0 { [0; LISTS] } else { self.ends[island - 1] }
    }

    /// Wires of consecutive islands.
    pub(super) fn wires_of(&self, islands: Range<usize>) -> &[u32] {
        let start = |island: usize| self.start(island)[3] as usize;
        &self.wires[start(islands.start)..start(islands.end)]
    }

    /// An island has something that rows come from.
    pub(super) fn has_rows(&self, island: usize) -> bool {
        let (start, end) = (self.start(island), self.ends[island]);
        start[1..] != end[1..]
    }

    /// The smaller root becomes the root of both, so that an island is named by its first body.
    fn unite(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        let (small, large) = (a.min(b), a.max(b));
        self.parent[large as usize] = small;
    }
}

/// Finds islands, wakes bodies connected to enabled ones, and sorts bodies, joints and contacts by island.
pub(super) fn find(
    model: &Model,
    state: &mut State,
    (contacts, patches): (&[ContactInput], &PatchCache),
    manifolds: &[Manifold],
    islands: &mut Islands,
) {
    let Model { parameters, bodies, joints, mimics, wires, .. } = *model;
    let slots = bodies.slots();
    // Links of a tree move as one: they wake together.
    let is_bounded = parameters.auto_enable_depth != u32::MAX && parameters.coordinates == Coordinates::Maximal;
    if is_bounded {
        wake_by_kinematic(bodies, joints, state, (contacts, patches), manifolds);
        wake_wires(bodies, wires, state);
        wake_within(parameters.auto_enable_depth, bodies, joints, state, (contacts, patches));
    }
    let is_awake: &dyn Fn(usize) -> bool = if is_bounded { &|slot| state.bodies[slot].is_enabled } else { &|_| true };
    let joins = |slot: usize| {
        bodies.at(slot).is_some_and(|b| match b.kind {
            BodyKind::Dynamic => is_awake(slot),
            BodyKind::Kinematic => parameters.kinematic_joins_islands,
        })
    };
    islands.parent.clear();
    islands.parent.extend(0..slots as u32);
    for (_, joint) in joints.iter() {
        let ends = joint_bodies(joint);
        unite_all(islands, &ends, joins);
    }
    for mimic in mimics {
        let first = |id: JointId| {
            let ends = joints.get(id).map_or([None; 3], joint_bodies);
            ends.into_iter().flatten().find(|slot| joins(*slot as usize))
        };
        unite_all(islands, &[first(mimic.follower.0), first(mimic.leader.0), None], joins);
    }
    for (contact, _) in firsts(contacts, manifolds) {
        unite_all(islands, &[contact.bodies[0], contact.bodies[1], None], joins);
    }
    for head in &patches.heads {
        let [a, b] = head.bodies.map(body_of);
        unite_all(islands, &[a, b, None], joins);
    }
    for (id, wire) in wires.iter() {
        let mut first = None;
        for slot in wire.body_slots(&state.wires[id.slot()]).filter(|slot| joins(*slot as usize)) {
            match first {
                None => first = Some(slot),
                Some(first) => islands.unite(first, slot),
            }
        }
    }
    if !is_bounded {
        wake_by_kinematic(bodies, joints, state, (contacts, patches), manifolds);
        wake_wires(bodies, wires, state);
    }
    number(bodies, state, islands);
    sort(islands, slots, joints, (contacts, manifolds), wires, &state.wires);
    sort_patches(islands, patches);
}

/// Counting sort of patches by island.
fn sort_patches(islands: &mut Islands, patches: &PatchCache) {
    let Islands { of_body, ends, patches: list, patch_ends, .. } = islands;
    patch_ends.clear();
    patch_ends.resize(ends.len(), 0);
    list.clear();
    if patches.len() == 0 {
        return;
    }
    let island_of = |bodies: [u32; 2]| {
        let own = bodies.into_iter().filter_map(body_of).map(|slot| of_body[slot as usize]);
        own.into_iter().find(|island| *island != NONE)
    };
    let all = || patches.heads.iter().enumerate().filter_map(|(number, head)| Some((number, island_of(head.bodies)?)));
    for (_, island) in all() {
        patch_ends[island as usize] += 1;
    }
    let mut total = 0;
    for end in patch_ends.iter_mut() {
        total += std::mem::replace(end, total);
    }
    list.resize(total as usize, 0);
    // Each start moves on to its end.
    for (number, island) in all() {
        let next = &mut patch_ends[island as usize];
        list[*next as usize] = number as u32;
        *next += 1;
    }
}

/// A kinematic body that moves wakes what it touches or holds.
fn wake_by_kinematic(
    bodies: &Bodies,
    joints: &Arena<Joint>,
    state: &mut State,
    (contacts, patches): (&[ContactInput], &PatchCache),
    manifolds: &[Manifold],
) {
    let mut wake = |ends: [Option<u32>; 2]| {
        for (mover, other) in [(ends[0], ends[1]), (ends[1], ends[0])] {
            if let (Some(mover), Some(other)) = (mover, other)
                && is_moving_kinematic(bodies, state, mover)
                && bodies.at(other as usize).is_some_and(|b| b.kind == BodyKind::Dynamic)
            {
                state.bodies[other as usize].is_enabled = true;
            }
        }
    };
    firsts(contacts, manifolds).for_each(|(contact, _)| wake(contact.bodies));
    patches.heads.iter().for_each(|head| wake(head.bodies.map(body_of)));
    for (_, joint) in joints.iter() {
        let [a, b, _] = joint_bodies(joint);
        wake([a, b]);
    }
}

/// A kinematic body that moves wakes the wires that it holds.
fn wake_wires(bodies: &Bodies, wires: &Arena<Wire>, state: &mut State) {
    for (id, wire) in wires.iter() {
        let State { wires, bodies: states, .. } = state;
        let own = &wires[id.slot()];
        let is_moved = wire.body_slots(own).any(|slot| {
            let motion = &states[slot as usize].motion;
            bodies.at(slot as usize).is_some_and(|b| b.kind == BodyKind::Kinematic)
                && (motion.velocity != DVec3::ZERO || motion.omega != DVec3::ZERO)
        });
        if is_moved {
            wire.body_slots(own).for_each(|slot| {
                if bodies.at(slot as usize).is_some_and(|b| b.kind == BodyKind::Dynamic) {
                    states[slot as usize].is_enabled = true;
                }
            });
        }
    }
}

pub(super) fn joint_bodies(joint: &Joint) -> [Option<u32>; 3] {
    let [a, b] = joint.definition.bodies;
    [a, b, joint.definition.reference].map(|id| id.map(|id| id.slot() as u32))
}

fn unite_all(islands: &mut Islands, ends: &[Option<u32>; 3], joins: impl Fn(usize) -> bool) {
    let mut first = None;
    for slot in ends.iter().flatten().filter(|slot| joins(**slot as usize)) {
        match first {
            None => first = Some(*slot),
            Some(first) => islands.unite(first, *slot),
        }
    }
}

/// Numbers the islands that have an enabled body, by their first body, and wakes all bodies in them.
fn number(bodies: &Bodies, state: &mut State, islands: &mut Islands) {
    let slots = bodies.slots();
    islands.of_body.clear();
    islands.of_body.resize(slots, NONE);
    islands.starts.clear();
    // An island is awake if any of its dynamic bodies is.
    for (id, body) in bodies.iter() {
        if body.kind == BodyKind::Dynamic && state.bodies[id.slot()].is_enabled {
            let root = islands.root(id.slot() as u32) as usize;
            islands.of_body[root] = 0;
        }
    }
    let mut count = 0;
    for slot in 0..slots {
        if islands.parent[slot] == slot as u32 && islands.of_body[slot] != NONE {
            islands.of_body[slot] = count;
            count += 1;
        }
    }
    for (id, body) in bodies.iter() {
        let root = islands.root(id.slot() as u32) as usize;
        islands.of_body[id.slot()] = islands.of_body[root];
        let state = &mut state.bodies[id.slot()];
        if islands.of_body[root] != NONE && body.kind == BodyKind::Dynamic && !state.is_enabled {
            state.is_enabled = true;
        }
        if body.kind == BodyKind::Kinematic {
            islands.of_body[id.slot()] = NONE;
        }
    }
    islands.starts.resize(count as usize + 1, [0; LISTS]);
}

/// The first contact of each manifold that acts, and the range of its contacts: all of them are between the same bodies.
fn firsts<'a>(
    contacts: &'a [ContactInput],
    manifolds: &'a [Manifold],
) -> impl Iterator<Item = (&'a ContactInput, [u32; 2])> {
    let filled = manifolds.iter().filter(|manifold| manifold.points[0] < manifold.points[1]);
    filled.map(|manifold| (&contacts[manifold.points[0] as usize], manifold.points)).filter(|(c, _)| !c.is_sensor)
}

/// Counting sort of bodies, joints, contacts and wires by island: stable, so that the order within is that of slots and pairs.
fn sort(
    islands: &mut Islands,
    slots: usize,
    joints: &Arena<Joint>,
    (contacts, manifolds): (&[ContactInput], &[Manifold]),
    wires: &Arena<Wire>,
    wire_states: &[WireState],
) {
    let of_body = &islands.of_body;
    let island_of = |ends: [Option<u32>; 3]| {
        ends.into_iter().flatten().map(|slot| of_body[slot as usize]).find(|i| *i != NONE).unwrap_or(NONE)
    };
    let of_joint = |slot: usize| joints.at(slot).map_or(NONE, |j| island_of(joint_bodies(j)));
    let of_contact = |c: &ContactInput| island_of([c.bodies[0], c.bodies[1], None]);

    let of_wire = |slot: usize| {
        let mut of_bodies = wires.at(slot).into_iter().flat_map(|wire| wire.body_slots(&wire_states[slot]));
        of_bodies.find_map(|body| Some(of_body[body as usize]).filter(|i| *i != NONE)).unwrap_or(NONE)
    };

    let starts = &mut islands.starts;
    let mut count = |island: u32, list: usize, number: u32| {
        if island != NONE {
            starts[island as usize + 1][list] += number;
        }
    };
    (0..slots).for_each(|s| count(of_body[s], 0, 1));
    (0..joints.slots()).for_each(|s| count(of_joint(s), 1, 1));
    firsts(contacts, manifolds).for_each(|(c, [start, end])| count(of_contact(c), 2, end - start));
    (0..wires.slots()).for_each(|s| count(of_wire(s), 3, 1));
    for i in 1..starts.len() {
        for list in 0..LISTS {
            starts[i][list] += starts[i - 1][list];
        }
    }
    islands.ends.clear();
    islands.ends.extend_from_slice(&starts[1..]);
    let total = starts.last().copied().unwrap_or([0; LISTS]);
    let lists = [&mut islands.bodies, &mut islands.joints, &mut islands.contacts, &mut islands.wires];
    for (list, total) in lists.into_iter().zip(total) {
        list.clear();
        list.resize(total as usize, 0);
    }
    for s in 0..slots {
        place(&mut islands.bodies, starts, of_body[s], 0, s as u32);
    }
    for s in 0..joints.slots() {
        place(&mut islands.joints, starts, of_joint(s), 1, s as u32);
    }
    for (contact, [start, end]) in firsts(contacts, manifolds) {
        let island = of_contact(contact);
        (start..end).for_each(|i| place(&mut islands.contacts, starts, island, 2, i));
    }
    for s in 0..wires.slots() {
        place(&mut islands.wires, starts, of_wire(s), 3, s as u32);
    }
}

/// Takes items out of one of the lists.
fn retain(items: &mut Vec<u32>, ends: &mut [[u32; LISTS]], list: usize, mut keep: impl FnMut(u32) -> bool) {
    let (mut next, mut kept) = (0, 0);
    for end in ends {
        for i in next..end[list] as usize {
            if keep(items[i]) {
                items[kept] = items[i];
                kept += 1;
            }
        }
        next = end[list] as usize;
        end[list] = kept as u32;
    }
    items.truncate(kept);
}

fn place(list: &mut [u32], starts: &mut [[u32; LISTS]], island: u32, kind: usize, item: u32) {
    if island != NONE {
        let next = &mut starts[island as usize][kind];
        list[*next as usize] = item;
        *next += 1;
    }
}
