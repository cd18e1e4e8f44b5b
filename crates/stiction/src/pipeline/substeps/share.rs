//! Contacts between the same two bodies, or trees of bodies, share a load by equal compliance.
//!
//! With one compliance for all, the impulses are those of least norm: equal feet carry equal loads, and nothing wanders between them.
//!
//! Two loose bodies with more points than one patch has, as hexagonal prisms on each other, give way as much as with one patch: compliances in parallel
//! would make them stiffer by their number, and columns of such bodies swing in a single pass from where they yield too little.

use super::bodies::SubstepBodies;
use super::manifolds::Manifolds;
use super::trees::SubstepTrees;
use crate::solvers::soft::Bundle;

/// Points of one patch.
const POINTS: f64 = 4.0;
/// No entry.
const NONE: u32 = u32::MAX;

/// A manifold between two bodies or trees.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Their places, that with fewer entries first; `u32::MAX` is all that nothing moves.
    places: [u32; 2],
    bundle: u32,
    lane: u32,
    /// The entry before it with the same first place.
    before: u32,
    is_done: bool,
}

/// Memory of the search.
#[derive(Clone, Debug, Default)]
pub(super) struct Shares {
    entries: Vec<Entry>,
    /// By place: number of entries, and the last one of which it is the first.
    counts: Vec<u32>,
    last: Vec<u32>,
    group: Vec<(usize, usize)>,
}

impl Shares {
    /// Gives the manifolds between the same two bodies or trees the compliance of the mean of all their diagonals. Everything that
    /// nothing moves is one.
    pub(super) fn even_out<const W: usize>(
        &mut self,
        bundles: &mut [Bundle<W>],
        manifolds: &Manifolds,
        (bodies, trees): (&SubstepBodies, &SubstepTrees),
        softness: f64,
    ) {
        let Self { entries, counts, last, group } = self;
        entries.clear();
        for (list, nothing) in [(&mut *counts, 0), (&mut *last, NONE)] {
            list.clear();
            list.resize(bodies.moving, nothing);
        }
        for patch in &manifolds.patches {
            for place in patch.bodies.map(|place| trees.group_of(place, bodies)) {
                if let Some(count) = counts.get_mut(place as usize) {
                    *count += 1;
                }
            }
        }
        if counts.iter().all(|count| *count <= 1) {
            return;
        }
        for (number, bundle) in bundles.iter().enumerate() {
            for (lane, manifold) in bundle.manifolds.iter().enumerate() {
                let Some(patch) = manifolds.patches.get(*manifold as usize) else { continue };
                let places = patch.bodies.map(|place| trees.group_of(place, bodies));
                let (bundle, lane) = (number as u32, lane as u32);
                entries.push(Entry { places, bundle, lane, before: NONE, is_done: false });
            }
        }
        // What has few contacts leads to its partners quickly, though they may carry a thousand others.
        let key = |place: u32| (counts.get(place as usize).map_or(NONE, |count| *count), place);
        for (number, entry) in entries.iter_mut().enumerate() {
            entry.places.sort_unstable_by_key(|place| key(*place));
            if let Some(last) = last.get_mut(entry.places[0] as usize) {
                entry.before = std::mem::replace(last, number as u32);
            }
        }
        for number in (0..entries.len()).rev() {
            if entries[number].is_done {
                continue;
            }
            let [own, other] = entries[number].places;
            group.clear();
            let mut next = number as u32;
            while next != NONE {
                let entry = &mut entries[next as usize];
                if entry.places[1] == other {
                    entry.is_done = true;
                    group.push((entry.bundle as usize, entry.lane as usize));
                }
                next = entry.before;
            }
            if group.len() < 2 {
                continue;
            }
            // In the order of bundles.
            let eases = group.iter().rev().map(|(bundle, lane)| bundles[*bundle].ease(*lane));
            let (sum, count) = eases.fold((0.0, 0.0), |all, one| (all.0 + one.0, all.1 + one.1));
            let times = times_of([own, other], count, (bodies, trees));
            for (bundle, lane) in &*group {
                bundles[*bundle].soften(*lane, times * softness * count / sum);
            }
        }
    }

    /// The same for the manifolds of one island that is solved in contact space, which are few.
    pub(super) fn even_out_few(
        bundles: &mut [Bundle<1>],
        manifolds: &Manifolds,
        (bodies, trees): (&SubstepBodies, &SubstepTrees),
        softness: f64,
    ) {
        let places_of = |bundle: &Bundle<1>| {
            let mut places =
                manifolds.patches[bundle.manifolds[0] as usize].bodies.map(|place| trees.group_of(place, bodies));
            places.sort_unstable();
            places
        };
        for number in 0..bundles.len() {
            let places = places_of(&bundles[number]);
            if bundles[..number].iter().any(|before| places_of(before) == places) {
                continue;
            }
            let alike = |bundle: &&Bundle<1>| places_of(bundle) == places;
            let eases = bundles[number..].iter().filter(alike).map(|bundle| bundle.ease(0));
            let (sum, count) = eases.fold((0.0, 0.0), |all, one| (all.0 + one.0, all.1 + one.1));
            let times = times_of(places, count, (bodies, trees));
            for bundle in bundles[number..].iter_mut().filter(|bundle| places_of(bundle) == places) {
                bundle.soften(0, times * softness * count / sum);
            }
        }
    }
}

/// Times the compliance of a manifold that several between two bodies or trees have.
fn times_of(places: [u32; 2], points: f64, (bodies, trees): (&SubstepBodies, &SubstepTrees)) -> f64 {
    let is_free = |place: u32| bodies.moves(place) && !trees.has(place);
    if places.into_iter().all(is_free) { (points / POINTS).max(1.0) } else { 1.0 }
}
