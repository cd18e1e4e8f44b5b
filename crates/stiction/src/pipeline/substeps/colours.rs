//! Bundles of manifolds of one colour, which share no moving body.

use super::super::colouring::COLOURS;
use super::Substeps;
use super::bodies::SubstepBodies;
use super::manifolds::Patch;
use super::trees::SubstepTrees;
use crate::base::ThreadPool;
use crate::solvers::soft::Bundle;

/// Colours the manifolds in their order, and fills the places of bundles, which are returned.
pub(super) fn fill<'a, const W: usize>(
    own: &mut Substeps,
    pool: &mut ThreadPool,
    bundles: &'a mut Vec<Bundle<W>>,
) -> &'a mut [Bundle<W>] {
    let Substeps { bodies, manifolds, trees, coloring, sorted, colours, .. } = own;
    let pairs = (0..).zip(manifolds.patches.iter().map(|patch| patch.bodies));
    let pairs = pairs.filter(|(_, places)| !bodies.is_in_contact_space(*places));
    coloring.fill(bodies.count(), pairs, |place| bodies.moves(place));
    let (nobodies, nothing, empty) = (bodies.nobodies(), manifolds.patches.len() as u32, manifolds.nothing());
    colours.clear(pool.count(manifolds.patches.len() >= LEAST_PATCHES));
    for (colour, list) in coloring.lists.iter().enumerate().filter(|(_, list)| !list.is_empty()) {
        let one_sided = sort(sorted, list, &manifolds.patches);
        // Manifolds of the last colour may share bodies: one a bundle, one after the other.
        let width = if colour == COLOURS { 1 } else { W };
        let (one, two) = sorted.split_at(one_sided);
        let chunks = one.chunks(width).map(|chunk| (true, chunk)).chain(two.chunks(width).map(|chunk| (false, chunk)));
        for (has_one_side, chunk) in chunks {
            let number = colours.bundles();
            if bundles.len() == number {
                bundles.push(Bundle::EMPTY);
            }
            let bundle = &mut bundles[number];
            let nobody = nobodies[usize::from(!has_one_side)];
            bundle.has_one_side = has_one_side;
            bundle.count = chunk.len() as u8;
            bundle.bodies = [[nobody; W]; 2];
            bundle.moving = [[nobody; W]; 2];
            bundle.manifolds = [nothing; W];
            bundle.records = [empty; W];
            bundle.special = [0; W];
            bundle.is_special = false;
            bundle.points = 1;
            bundle.leaves_blows = [0.0; W];
            bundle.bore = [0.0; W];
            for (lane, number) in chunk.iter().enumerate() {
                put_patch((bundle, lane), (*number, &manifolds.patches[*number as usize]), bodies, trees);
            }
            colours.add(if has_one_side { 1 } else { 2 }, usize::from(bundle.points));
        }
        colours.end(colour == COLOURS);
    }
    &mut bundles[..colours.bundles()]
}

/// Puts a patch into a lane of a bundle.
pub(super) fn put_patch<const W: usize>(
    (bundle, lane): (&mut Bundle<W>, usize),
    (number, patch): (u32, &Patch),
    bodies: &SubstepBodies,
    trees: &SubstepTrees,
) {
    bundle.bodies[0][lane] = patch.bodies[0];
    bundle.bodies[1][lane] = patch.bodies[1];
    if bundle.has_one_side {
        bundle.moving[0][lane] = patch.bodies[usize::from(bodies.moves(patch.bodies[1]))];
    } else {
        bundle.moving[0][lane] = patch.bodies[0];
        bundle.moving[1][lane] = patch.bodies[1];
    }
    bundle.manifolds[lane] = number;
    bundle.records[lane] = patch.record;
    bundle.special[lane] = patch.special;
    bundle.is_special |= patch.is_special;
    bundle.points = bundle.points.max(rows_of(patch));
    bundle.bore[lane] = f64::from(u8::from(patch.bore));
    bundle.leaves_blows[lane] = if patch.bodies.into_iter().any(|place| trees.has(place)) { 0.0 } else { 1.0 };
}

/// Patches from which on threads share them.
const LEAST_PATCHES: usize = 64;

/// Kinds of manifolds by the bodies that move and their points.
const KINDS: usize = 6;

/// Sorts the manifolds of a colour: those of which one body moves, whose number it returns, before the others, and side by side those with
/// as many points. What does not move, or is not there, is not computed.
fn sort(sorted: &mut Vec<u32>, list: &[u32], patches: &[Patch]) -> usize {
    let kind = |number: u32| {
        let patch = &patches[number as usize];
        let points = usize::from(rows_of(patch) / 2);
        if patch.has_one_side { points } else { KINDS / 2 + points }
    };
    let mut places = [0; KINDS + 1];
    list.iter().for_each(|number| places[1 + kind(*number)] += 1);
    for next in 1..KINDS {
        places[next] += places[next - 1];
    }
    let one_sided = places[KINDS / 2];
    sorted.resize(list.len(), 0);
    for number in list {
        let place = &mut places[kind(*number)];
        sorted[*place] = *number;
        *place += 1;
    }
    one_sided
}

/// How many points a bundle has rows for because of a patch: 1, 2 or 4.
fn rows_of(patch: &Patch) -> u8 {
    match patch.count {
        _ if patch.is_special => 4,
        0 | 1 => 1,
        2 => 2,
        _ => 4,
    }
}
