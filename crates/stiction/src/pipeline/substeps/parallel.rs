//! Sub-steps on several threads: bundles of a colour, and bodies between the passes, in parts that are the same in every pass.
//!
//! Bundles of a colour share no moving body, so that their order, and which thread takes which, changes no bit.
#![allow(unsafe_code, reason = "threads that share a colour, or a list of bodies, write disjoint parts of it")]

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use super::super::context::Model;
use super::Frame;
use super::bodies::{BodyLists, InPass, SubstepBodies};
use crate::base::{Shared, ThreadPool, part};
use crate::model::BodyState;
use crate::solvers::soft::{
    BODY_RECORDS, Bundle, MOTION_RECORDS, OwnPlaces, PassBodies, PassRule, Record, Sources, Width,
};

/// Weight of a colour from which on it is shared: to hand it to a thread and to see it done takes as long as a few bundles.
const LEAST_WEIGHT: usize = 60;

/// Bodies from which on they are shared between the passes.
const LEAST_BODIES: usize = 256;

/// Bundles by colour, and which part of each colour is whose.
#[derive(Clone, Debug, Default)]
pub(super) struct Colours {
    /// Threads that share them.
    threads: usize,
    colours: Vec<Colour>,
    /// Ends of the parts of each colour, as many as threads.
    ends: Vec<usize>,
    /// Sums of the weights of the bundles so far.
    weights: Vec<usize>,
}

#[derive(Clone, Copy, Debug)]
struct Colour {
    start: usize,
    end: usize,
    is_shared: bool,
}

impl Colours {
    /// Begins anew for so many threads.
    pub(super) fn clear(&mut self, threads: usize) {
        self.threads = threads;
        self.colours.clear();
        self.ends.clear();
        self.weights.clear();
        self.weights.push(0);
    }

    /// Number of bundles.
    pub(super) fn bundles(&self) -> usize {
        self.weights.len() - 1
    }

    /// Adds a bundle to the colour that is to be ended next, with the number of its bodies that move and of its points.
    pub(super) fn add(&mut self, sides: usize, points: usize) {
        let before = self.weights[self.bundles()];
        self.weights.push(before + 2 + sides * (2 + points));
    }

    /// Ends a colour. Threads share it unless its bundles share bodies.
    pub(super) fn end(&mut self, shares_bodies: bool) {
        let (start, end) = (self.colours.last().map_or(0, |colour| colour.end), self.bundles());
        let (first, last) = (self.weights[start], self.weights[end]);
        let is_shared = self.threads > 1 && !shares_bodies && last - first >= LEAST_WEIGHT;
        self.colours.push(Colour { start, end, is_shared });
        // As much work for each.
        self.ends.extend((1..=self.threads).map(|share| {
            let weight = first + (last - first) * share / self.threads;
            start + self.weights[start..=end].partition_point(|sum| *sum < weight)
        }));
    }

    /// The part of a colour that is a thread's.
    fn part(&self, colour: usize, thread: usize) -> Range<usize> {
        let ends = &self.ends[self.threads * colour..][..self.threads];
        let start = if thread == 0 { self.colours[colour].start } else { ends[thread - 1] };
        start..ends[thread]
    }

    /// Visits the bundles of one colour after the other.
    fn each<const W: usize>(
        &self,
        pool: &mut ThreadPool,
        bundles: &mut [Bundle<W>],
        visit: impl Fn(&mut [Bundle<W>]) + Sync,
    ) {
        for (number, colour) in self.colours.iter().enumerate() {
            if !colour.is_shared {
                visit(&mut bundles[colour.start..colour.end]);
                continue;
            }
            let shared = Shared::new(&mut *bundles);
            // SAFETY: the parts of a colour have no bundle in common.
            pool.share(&|thread| visit(unsafe { shared.part(self.part(number, thread)) }));
        }
    }

    /// Fills the bundles, and starts from the impulses of the last step.
    pub(super) fn prepare<L: Width<W>, const W: usize>(
        &self,
        pool: &mut ThreadPool,
        bundles: &mut [Bundle<W>],
        sources: &Sources,
        z: &mut [Record],
    ) {
        let z = Shared::new(z);
        // SAFETY: bundles of a colour share no moving body and no place of empty lanes: a thread has the places of its own alone.
        self.each(pool, bundles, |bundles| L::prepare(bundles, sources, &mut unsafe { OwnPlaces::from_shared(&z) }));
    }

    /// A pass over all bundles, or over those with open manifolds where it is partial: the others would stay as they are.
    pub(super) fn pass<L: Width<W>, const W: usize>(
        &self,
        pool: &mut ThreadPool,
        bundles: &mut [Bundle<W>],
        bodies: &mut SubstepBodies,
        rule: &PassRule,
        is_soft: bool,
    ) {
        let InPass { z, held, moved, pulls } = bodies.in_pass();
        let (z, held) = (Shared::new(z), Shared::new(held));
        self.each(pool, bundles, |bundles| {
            // SAFETY: as above; of the others nothing is written.
            let (z, held) = unsafe { (OwnPlaces::from_shared(&z), OwnPlaces::from_shared(&held)) };
            let mut bodies = PassBodies { z, moved, held, pulls };
            if !rule.is_partial {
                return L::pass(bundles, &mut bodies, rule, is_soft);
            }
            for bundle in bundles.iter_mut().filter(|bundle| bundle.is_open != [0.0; W]) {
                L::pass(std::slice::from_mut(bundle), &mut bodies, rule, is_soft);
            }
        });
    }

    /// Writes impulses into the records of manifolds: see [`Width::write`].
    pub(super) fn write<L: Width<W>, const W: usize>(
        &self,
        pool: &mut ThreadPool,
        bundles: &[Bundle<W>],
        records: &mut [Record],
        times: f64,
    ) -> (f64, bool) {
        if self.threads == 1 || self.weights[self.bundles()] < LEAST_WEIGHT {
            return L::write(bundles, &mut OwnPlaces::all(records), times);
        }
        let records = Shared::new(records);
        let mut results = [(f64::NEG_INFINITY, false); MOST_PARTS];
        let parts = self.threads.min(MOST_PARTS);
        let own = Shared::new(&mut results);
        pool.share(&|thread| {
            if thread < parts {
                let bundles = &bundles[part(bundles.len(), thread, parts)];
                // SAFETY: each manifold is in one bundle, and each result is of one thread.
                unsafe { *own.at(thread) = L::write(bundles, &mut OwnPlaces::from_shared(&records), times) };
            }
        });
        results.into_iter().fold((f64::NEG_INFINITY, false), |all, own| (all.0.max(own.0), all.1 | own.1))
    }
}

/// A pass over a few bundles, by their numbers, one after the other.
pub(super) fn pass_some<L: Width<W>, const W: usize>(
    numbers: &[u32],
    bundles: &mut [Bundle<W>],
    bodies: &mut SubstepBodies,
    rule: &PassRule,
    is_soft: bool,
) {
    let InPass { z, held, moved, pulls } = bodies.in_pass();
    let mut bodies = PassBodies { z: OwnPlaces::all(z), moved, held: OwnPlaces::all(held), pulls };
    for number in numbers {
        L::pass(std::slice::from_mut(&mut bundles[*number as usize]), &mut bodies, rule, is_soft);
    }
}

/// Parts at most of what has a result a part.
const MOST_PARTS: usize = 16;

/// Does something for all bodies, by parts that begin with lanes of their own.
pub(super) fn each_part(pool: &mut ThreadPool, bodies: usize, work: impl Fn(Range<usize>) + Sync) {
    let threads = pool.count(bodies >= LEAST_BODIES);
    if threads == 1 {
        return work(0..bodies);
    }
    pool.share(&|thread| {
        let groups = part(bodies.div_ceil(GROUP), thread, threads);
        work((GROUP * groups.start).min(bodies)..(GROUP * groups.end).min(bodies));
    });
}

/// Bodies of a part are a multiple of this, but for the last ones.
const GROUP: usize = 8;

/// Reads bodies: `read` is given the place of the first and the lists of a part, and returns whether one of them turns, which is
/// returned for all.
pub(super) fn read_in_parallel(
    pool: &mut ThreadPool,
    lists: BodyLists<'_>,
    read: impl Fn(usize, &mut BodyLists<'_>) -> bool + Sync,
) -> bool {
    let BodyLists { records, leads, z, pulls, moved, spins } = lists;
    let count = z.len();
    let records = Shared::new(records);
    let [leads, z, pulls, moved] = [leads, z, pulls, moved].map(Shared::new);
    let spins = Shared::new(spins);
    let turns = AtomicBool::new(false);
    each_part(pool, count, |part| {
        // SAFETY: each body is in one part.
        let [leads, z, pulls, moved] = [&leads, &z, &pulls, &moved].map(|list| unsafe { list.part(part.clone()) });
        // SAFETY: as above.
        let records = unsafe { records.part(BODY_RECORDS * part.start..BODY_RECORDS * part.end) };
        // SAFETY: as above.
        let spins = unsafe { spins.part(part.clone()) };
        let mut own = BodyLists { records, leads, z, pulls, moved, spins };
        if read(part.start, &mut own) {
            turns.store(true, Ordering::Relaxed);
        }
    });
    turns.into_inner()
}

/// Pulls bodies: `pull` is given the place of the first, and the velocities, those held and the pulls of a part.
pub(super) fn pull_in_parallel(
    pool: &mut ThreadPool,
    lists: [&mut [Record]; 3],
    pull: impl Fn(usize, &mut [Record], &mut [Record], &mut [Record]) + Sync,
) {
    let count = lists[0].len();
    let [z, held, pulls] = lists.map(Shared::new);
    each_part(pool, count, |part| {
        // SAFETY: each body is in one part.
        let [z, held, pulls] = [&z, &held, &pulls].map(|list| unsafe { list.part(part.clone()) });
        pull(part.start, z, held, pulls);
    });
}

/// The next sub-step: a pull, and the impulses of the last one.
pub(super) fn start_again<L: Width<W>, const W: usize>(pool: &mut ThreadPool, bodies: &mut SubstepBodies) {
    let count = bodies.moving;
    let InPass { z, held, pulls, .. } = bodies.in_pass();
    let (z, held) = (Shared::new(z), Shared::new(held));
    each_part(pool, count, |part| {
        // SAFETY: each body is in one part.
        let (z, held) = unsafe { (z.part(part.clone()), held.part(part.clone())) };
        L::start_again(z, held, &pulls[part]);
    });
}

/// Positions follow the velocities.
pub(super) fn drift<L: Width<W>, const W: usize>(pool: &mut ThreadPool, bodies: &mut SubstepBodies, time: f64) {
    let count = bodies.moving;
    let (moved, z) = bodies.in_motion();
    let moved = Shared::new(moved);
    // SAFETY: each body is in one part.
    each_part(pool, count, |part| L::drift(unsafe { moved.part(part.clone()) }, &z[part], time));
}

/// Velocities and poses of all bodies back from whitened coordinates: see [`SubstepBodies::settle_part`].
pub(super) fn settle_in_parallel<L: Width<W>, const W: usize>(
    pool: &mut ThreadPool,
    bodies: &SubstepBodies,
    (model, frame): (&Model, &Frame),
    states: &mut [BodyState],
    motions: &mut [[Record; MOTION_RECORDS]],
) {
    let (states, motions) = (Shared::new(states), Shared::new(motions));
    each_part(pool, motions.len(), |part| {
        // SAFETY: each body is in one part, and has a slot of its own.
        let own = unsafe { motions.part(part.clone()) };
        bodies.settle_part::<L, W>((model, frame), part.start, own, |slot| unsafe { states.at(slot) });
    });
}
