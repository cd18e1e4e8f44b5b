//! Which islands move in sub-steps, and in how many.
//!
//! A light body under a heavy one needs more of them, and so does a tall stack, which buckles where its contacts give way. Both
//! are measured by the levels of an island: the smallest number of contacts between a body and the ground. With four sub-steps 30 boxes stand on
//! each other and ten boxes of 1 kg hold 10 kg; with seven 50 boxes stand, and with 40 the ten boxes hold 1000 kg.

use std::ops::Range;

use glam::DVec3;

use super::super::context::Model;
use super::super::detect::ContactInput;
use super::super::extents::Extents;
use super::super::flow::Template;
use super::super::forest::Forest;
use super::super::frames::Frames;
use super::super::islands::{Islands, NONE};
use super::super::patches::body_of;
use super::contact_space::MOST as MOST_BLOCKS;
use super::{impacts, trees};
use crate::model::{BodyKind, PatchCache, State};
use crate::solvers::soft::Skin;

/// Load of a body in its own weight up to which an island has the sub-steps of the parameters, and levels up to which it has.
const LOAD: f64 = 10.0;
const LEVELS: f64 = 24.0;
/// Power of the levels beyond with which sub-steps grow: by 2 for 60 levels. By the square root of a load: by 10 for one of 1000.
const LEVEL_GROWTH: f64 = 0.75;
/// The same load in an impact, of a body on another one of less than a share of its mass: it sinks in by its speed, and what parts them
/// lifts it again.
const LOAD_OF_IMPACT: f64 = 1.0;
const UNEQUAL: f64 = 2.0;
/// Lever of a body, by how far its shapes extend, below which no contact of it asks for more.
const LIGHT_LEVER: f64 = 0.8 * LOAD;
/// Factor of the sub-steps at most.
const MOST: f64 = 16.0;

/// An island that moves in sub-steps.
#[derive(Clone, Copy, Debug)]
struct TakenIsland {
    substeps: u32,
    /// Some contact turns a body far more easily than it pushes it.
    is_light: bool,
    /// Where its bodies, contacts and patches end in the lists.
    ends: [u32; 3],
}

/// Islands of a step that move in sub-steps.
#[derive(Clone, Debug, Default)]
pub(super) struct TakenIslands {
    islands: Vec<TakenIsland>,
    /// Slots of bodies, by island.
    slots: Vec<u32>,
    /// Contacts and patches in the order of islands and pairs.
    contacts: Vec<u32>,
    patches: Vec<u32>,
    /// Patches of islands that are not taken, each with the number of its island.
    pub(super) left: Vec<(u32, u32)>,
    /// Slots of the joints of all islands.
    pub(super) joints: Vec<u32>,
    levels: Levels,
    /// The number of sub-steps of some island depends on where its contacts are, or has more of them for an impact.
    depends_on_places: bool,
    /// That of some island holds until a contact closes fast: see [`impacts`].
    pub(super) depends_on_impacts: bool,
    /// The numbers of sub-steps that there are, in rising order.
    pub(super) counts: Vec<u32>,
}

impl TakenIslands {
    pub(super) fn clear(&mut self) {
        self.islands.clear();
        self.slots.clear();
        self.contacts.clear();
        self.patches.clear();
        self.left.clear();
        self.joints.clear();
        self.counts.clear();
        self.depends_on_places = false;
        self.depends_on_impacts = false;
    }

    /// They are the same as long as the same bodies touch and, where that matters, none of them hits another.
    pub(super) fn holds(&self) -> bool {
        self.left.is_empty() && !self.depends_on_places
    }

    /// Takes the islands with contacts, whose joints the trees carry and that wires have no part in, out of the lists; with loops, those that
    /// are solved in contact space.
    pub(super) fn take(
        &mut self,
        model: &Model,
        state: &State,
        touches: &Touches,
        (forest, templates): (&Forest, &[Option<Template>]),
        islands: &mut Islands,
    ) {
        for island in 0..islands.ends.len() {
            let (start, end) = (islands.start(island), islands.ends[island]);
            let patches = islands.patches_of(island);
            let joints = &islands.joints[start[1] as usize..end[1] as usize];
            let is_touched = start[2] != end[2] || !patches.is_empty();
            let bodies = &islands.bodies[start[0] as usize..end[0] as usize];
            let touching = [&islands.contacts[start[2] as usize..end[2] as usize], patches];
            let carried = (forest, templates);
            let fits = || {
                !trees::has_loops(carried, bodies)
                    || trees::blocks_of_axes(model, state, carried, bodies) + manifolds_of(touching, touches)
                        <= MOST_BLOCKS
            };
            let is_carried =
                is_touched && trees::carries_all(model, state, carried, joints) && (joints.is_empty() || fits());
            if start[3] != end[3] || !is_carried {
                self.left.extend(patches.iter().map(|patch| (island as u32, *patch)));
                continue;
            }
            self.joints.extend_from_slice(joints);
            let lever = lever_of_island(model, state, touching, touches);
            let known = (bodies, lever.unwrap_or(0.0));
            let substeps = self.levels.substeps((model, state), known, touching, touches);
            self.depends_on_places |= lever.is_some() || self.levels.is_hit;
            self.depends_on_impacts |= self.levels.is_unequal;
            self.contacts.extend_from_slice(touching[0]);
            self.patches.extend_from_slice(touching[1]);
            self.slots.extend_from_slice(bodies);
            // Neither rows nor free motion move them.
            bodies.iter().for_each(|slot| islands.of_body[*slot as usize] = NONE);
            let ends = [self.slots.len() as u32, self.contacts.len() as u32, self.patches.len() as u32];
            let is_light = lever.is_some_and(|lever| lever > LOAD);
            self.islands.push(TakenIsland { substeps, is_light, ends });
            if let Err(place) = self.counts.binary_search(&substeps) {
                self.counts.insert(place, substeps);
            }
        }
        let mut taken = self.contacts.iter().peekable();
        islands.retain_contacts(|contact| taken.next_if(|taken| **taken == contact).is_none());
        let mut taken = self.joints.iter().peekable();
        islands.retain_joints(|joint| taken.next_if(|taken| **taken == joint).is_none());
    }

    /// Slots of the bodies, the contacts and the patches of each island with a number of sub-steps, and whether a body of it is light to turn.
    pub(super) fn with(&self, substeps: u32) -> impl Iterator<Item = ([&[u32]; 3], bool)> {
        let start = |number: usize| if number == 0 { [0; 3] } else { self.islands[number - 1].ends };
        let own = self.islands.iter().enumerate().filter(move |(_, island)| island.substeps == substeps);
        own.map(move |(number, island)| {
            let range = |list: usize| -> Range<usize> { start(number)[list] as usize..island.ends[list] as usize };
            ([&self.slots[range(0)], &self.contacts[range(1)], &self.patches[range(2)]], island.is_light)
        })
    }
}

/// What touches in a step.
pub(super) struct Touches<'a> {
    pub(super) contacts: &'a [ContactInput],
    pub(super) patches: &'a PatchCache,
    pub(super) extents: &'a Extents,
    pub(super) frames: &'a Frames,
    /// Length of the step \[s\].
    pub(super) step: f64,
    /// Sub-steps that its length asks for, by those of the parameters.
    pub(super) by_length: f64,
}

/// Manifolds of an island.
fn manifolds_of([contacts, patches]: [&[u32]; 2], touches: &Touches) -> usize {
    let of_contacts = contacts.iter().map(|contact| touches.contacts[*contact as usize].manifold);
    let (count, _) = of_contacts.fold((0, NONE), |(count, last), own| (count + usize::from(own != last), own));
    count + patches.len()
}

/// Levels of the bodies of an island.
#[derive(Clone, Debug, Default)]
struct Levels {
    /// By slot: contacts from what nothing moves, at least; `NONE` where they lead to nothing.
    of: Vec<u32>,
    /// Bodies that touch, one entry a manifold; `NONE` is what nothing moves.
    pairs: Vec<[u32; 2]>,
    /// Mass of the bodies of each level.
    masses: Vec<f64>,
    /// A body is on a lighter one.
    is_unequal: bool,
    /// Besides, some contact of the island is an impact.
    is_hit: bool,
}

/// Visits of the contacts of an island at most, in both directions: levels are those of so many then.
const VISITS: usize = 8;

impl Levels {
    /// Sub-steps of an island.
    fn substeps(
        &mut self,
        (model, state): (&Model, &State),
        (slots, lever): (&[u32], f64),
        touching: [&[u32]; 2],
        touches: &Touches,
    ) -> u32 {
        let usual = model.parameters.substeps.max(1);
        let more = |factor: f64| {
            if factor <= 1.0 { usual } else { libm::ceil(f64::from(usual) * factor.min(MOST) - 0.01) as u32 }
        };
        (self.is_unequal, self.is_hit) = (false, false);
        if slots.len() < 2 {
            return more((lever / LOAD).sqrt().max(touches.by_length));
        }
        self.read((model, state), slots, touching, touches);
        for visit in 0..VISITS {
            let mut changes = false;
            for number in 0..self.pairs.len() {
                let number = if visit % 2 == 0 { number } else { self.pairs.len() - 1 - number };
                changes |= self.see(self.pairs[number]);
            }
            if !changes {
                break;
            }
        }
        let load = lever.max(self.load(model, slots));
        let levels = self.masses.len() as f64;
        let tall = if levels > LEVELS { libm::pow(levels / LEVELS, LEVEL_GROWTH) } else { 1.0 };
        self.is_hit = self.is_unequal && impacts::any(state, touching, touches);
        let heavy = (load / if self.is_hit { LOAD_OF_IMPACT } else { LOAD }).sqrt();
        more(f64::max(heavy, touches.by_length * tall))
    }

    /// Lists what touches.
    fn read(&mut self, (model, state): (&Model, &State), slots: &[u32], touching: [&[u32]; 2], touches: &Touches) {
        self.of.resize(model.bodies.slots(), NONE);
        slots.iter().for_each(|slot| self.of[*slot as usize] = NONE);
        let moves = |slot: &u32| mass(model, *slot) > 0.0 && state.bodies[*slot as usize].is_enabled;
        self.pairs.clear();
        let mut last = NONE;
        for contact in touching[0].iter().map(|contact| &touches.contacts[*contact as usize]) {
            if contact.manifold != last {
                last = contact.manifold;
                self.pairs.push(contact.bodies.map(|body| body.filter(moves).unwrap_or(NONE)));
            }
        }
        let bodies = touching[1].iter().map(|patch| touches.patches.heads[*patch as usize].bodies);
        self.pairs.extend(bodies.map(|bodies| bodies.map(|slot| body_of(slot).filter(moves).unwrap_or(NONE))));
    }

    /// One level follows from the other of a contact; whether that lowers one.
    fn see(&mut self, [a, b]: [u32; 2]) -> bool {
        if a == NONE && b == NONE {
            return false;
        }
        if a == NONE || b == NONE {
            return std::mem::replace(&mut self.of[a.min(b) as usize], 0) != 0;
        }
        let (a, b) = (a as usize, b as usize);
        let (low, high) = if self.of[a] <= self.of[b] { (a, b) } else { (b, a) };
        let next = self.of[low].saturating_add(1);
        let is_lower = next < self.of[high];
        self.of[high] = self.of[high].min(next);
        is_lower
    }

    /// The largest of what the bodies of a level have on them, by their mass, and of a body on a lighter one. What leans on a body of
    /// its own level rests on it as well.
    fn load(&mut self, model: &Model, slots: &[u32]) -> f64 {
        self.masses.clear();
        for slot in slots {
            let level = self.of[*slot as usize] as usize;
            if level < slots.len() {
                self.masses.resize(self.masses.len().max(level + 1), 0.0);
                self.masses[level] += mass(model, *slot);
            }
        }
        let (mut above, mut load) = (0.0, 1.0);
        for own in self.masses.iter().rev().filter(|own| **own > 0.0) {
            load = f64::max(load, above / own);
            above += own;
        }
        for [a, b] in &self.pairs {
            if *a == NONE || *b == NONE {
                continue;
            }
            let (first, second) = (mass(model, *a), mass(model, *b));
            let (heavy, light) = if first > second { (a, b) } else { (b, a) };
            let [upper, lower] = [heavy, light].map(|slot| self.of[*slot as usize]);
            if upper >= lower {
                let ratio = first.max(second) / first.min(second);
                self.is_unequal |= ratio > UNEQUAL;
                load = load.max(ratio);
            }
        }
        load
    }
}

/// Mass of a body that contacts move; 0 of others.
fn mass(model: &Model, slot: u32) -> f64 {
    let body = model.bodies.at(slot as usize).filter(|body| body.kind == BodyKind::Dynamic);
    body.map_or(0.0, |body| body.mass.mass)
}

/// How much easier a contact at an arm from its centre turns a body than it pushes it, `m r²/I` with the largest moment: at most 5 for
/// solids, more where a file gives too small an inertia.
fn lever(model: &Model, slot: u32, arm: f64) -> f64 {
    let body = model.bodies.at(slot as usize).filter(|body| body.kind == BodyKind::Dynamic);
    body.map_or(0.0, |body| body.mass.mass * arm * arm / body.mass.moments.max_element())
}

/// The largest of the first and the last contacts of an island; none where it asks for nothing wherever they are.
fn lever_of_island(model: &Model, state: &State, touching: [&[u32]; 2], touches: &Touches) -> Option<f64> {
    let ends = |list: &[u32]| [list.first().copied(), list.last().copied()].into_iter().flatten();
    let contacts = ends(touching[0]).map(|contact| lever_of(model, state, &touches.contacts[contact as usize]));
    let patches = ends(touching[1]).filter_map(|patch| lever_of_patch(model, touches, patch as usize));
    contacts.chain(patches).reduce(f64::max)
}

/// The larger one of the bodies of a contact.
fn lever_of(model: &Model, state: &State, contact: &ContactInput) -> f64 {
    let arm = |slot: u32| contact.position.distance(state.bodies[slot as usize].motion.position);
    let levers = contact.bodies.into_iter().flatten().map(|slot| lever(model, slot, arm(slot)));
    levers.fold(0.0, f64::max)
}

/// The same of a patch, of its first point; none where no shape of its bodies extends far enough for one that counts.
fn lever_of_patch(model: &Model, touches: &Touches, number: usize) -> Option<f64> {
    let head = &touches.patches.heads[number];
    let bodies = head.bodies.map(body_of);
    if bodies.into_iter().flatten().all(|slot| touches.extents.of(slot as usize).lever < LIGHT_LEVER) {
        return None;
    }
    let records = touches.patches.records_of(number);
    let [x, y, z, u, v, w, ..] = records[1].0;
    // Places are on the second body, then on the first.
    let ends = [(bodies[1], DVec3::new(x, y, z), 0.0), (bodies[0], DVec3::new(u, v, w), Skin::read(records).radius)];
    let levers = ends.into_iter().filter_map(|(slot, arm, skin)| Some(lever(model, slot?, arm.length() + skin)));
    Some(levers.fold(0.0, f64::max))
}
