//! Colours: manifolds of one share no moving body, so that they may be solved next to each other.

use super::Substeps;
use crate::solvers::soft::Bundle;

/// Colours at most; what does not fit shares the last one, a bundle at a time.
const COLOURS: usize = 63;

/// Colours the manifolds in their order, and fills the places of bundles, which are returned.
pub(super) fn fill<'a, const W: usize>(own: &mut Substeps, bundles: &'a mut Vec<Bundle<W>>) -> &'a mut [Bundle<W>] {
    let Substeps { bodies, manifolds, colours, ends, used, .. } = own;
    used.clear();
    used.resize(bodies.count(), 0u64);
    colours.iter_mut().for_each(Vec::clear);
    for (number, patch) in manifolds.patches.iter().enumerate() {
        let moves = patch.bodies.map(|place| bodies.moves(place));
        let mut busy = 0;
        for (place, moves) in patch.bodies.iter().zip(moves) {
            busy |= if moves { used[*place as usize] } else { 0 };
        }
        let colour = ((!busy).trailing_zeros() as usize).min(COLOURS);
        for place in patch.bodies {
            used[place as usize] |= 1 << colour;
        }
        if colours.len() <= colour {
            colours.resize_with(colour + 1, Vec::new);
        }
        colours[colour].push(number as u32);
    }
    let (nobody, nothing, empty) = (bodies.count() as u32, manifolds.patches.len() as u32, manifolds.nothing());
    ends.clear();
    let mut count = 0;
    for (colour, list) in colours.iter().enumerate().filter(|(_, list)| !list.is_empty()) {
        // Manifolds of the last colour may share bodies: one a bundle, one after the other.
        let width = if colour == COLOURS { 1 } else { W };
        for chunk in list.chunks(width) {
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
            for (lane, number) in chunk.iter().enumerate() {
                let patch = &manifolds.patches[*number as usize];
                bundle.bodies[0][lane] = patch.bodies[0];
                bundle.bodies[1][lane] = patch.bodies[1];
                bundle.manifolds[lane] = *number;
                bundle.records[lane] = patch.record;
                bundle.special[lane] = patch.special;
                bundle.is_special |= patch.is_special;
            }
        }
        ends.push(count);
    }
    &mut bundles[..count]
}
