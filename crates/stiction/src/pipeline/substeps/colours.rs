//! Bundles of manifolds of one colour, which share no moving body.

use super::super::colouring::COLOURS;
use super::Substeps;
use super::manifolds::Patch;
use crate::solvers::soft::Bundle;

/// Colours the manifolds in their order, and fills the places of bundles, which are returned.
pub(super) fn fill<'a, const W: usize>(own: &mut Substeps, bundles: &'a mut Vec<Bundle<W>>) -> &'a mut [Bundle<W>] {
    let Substeps { bodies, manifolds, trees, colours, sorted, ends, .. } = own;
    let pairs = manifolds.patches.iter().map(|patch| patch.bodies);
    colours.fill(bodies.count(), pairs, |place| bodies.moves(place));
    let (nobody, nothing, empty) = (bodies.count() as u32, manifolds.patches.len() as u32, manifolds.nothing());
    ends.clear();
    let mut count = 0;
    for (colour, list) in colours.lists.iter().enumerate().filter(|(_, list)| !list.is_empty()) {
        // Those with as many points lie side by side: what is not there is not computed.
        sorted.clear();
        for points in [1, 2, 4] {
            sorted.extend(list.iter().filter(|number| rows_of(&manifolds.patches[**number as usize]) == points));
        }
        // Manifolds of the last colour may share bodies: one a bundle, one after the other.
        let width = if colour == COLOURS { 1 } else { W };
        for chunk in sorted.chunks(width) {
            if bundles.len() == count {
                bundles.push(Bundle::EMPTY);
            }
            let bundle = &mut bundles[count];
            count += 1;
            bundle.bodies = [[nobody; W]; 2];
            bundle.manifolds = [nothing; W];
            bundle.records = [empty; W];
            bundle.special = [0; W];
            bundle.is_special = false;
            bundle.points = 1;
            bundle.leaves_blows = [0.0; W];
            for (lane, number) in chunk.iter().enumerate() {
                let patch = &manifolds.patches[*number as usize];
                bundle.bodies[0][lane] = patch.bodies[0];
                bundle.bodies[1][lane] = patch.bodies[1];
                bundle.manifolds[lane] = *number;
                bundle.records[lane] = patch.record;
                bundle.special[lane] = patch.special;
                bundle.is_special |= patch.is_special;
                bundle.points = bundle.points.max(rows_of(patch));
                bundle.leaves_blows[lane] =
                    if patch.bodies.into_iter().any(|place| trees.has(place)) { 0.0 } else { 1.0 };
            }
        }
        ends.push(count);
    }
    &mut bundles[..count]
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
