//! Pairs of links that never touch, as bits of the engine's collide masks: two surfaces touch if they share a bit.
//!
//! Each bit stands for a set of links of which every two may touch, and each allowed pair is within one of the sets. Links
//! without an excluded pair have all bits.

use std::collections::{BTreeMap, BTreeSet};

use super::is_static;
use crate::bodies::carrier;
use crate::description::WorldDescription;

/// Bits of SDFormat's default mask, 65535.
const BITS: u32 = 16;

/// Links that a joint connects of which one does not move. Bodies that a joint connects do not touch, and what does not
/// move is no body.
fn beside_static_joints(description: &WorldDescription) -> Vec<[usize; 2]> {
    let with = |carried: usize| {
        let links = 0..description.links.len();
        links.filter(move |link| carrier(description, *link) == carrier(description, carried))
    };
    let mut pairs = Vec::new();
    for joint in &description.joints {
        let (Some(parent), Some(child)) = (joint.parent, joint.child) else { continue };
        if is_static(description, carrier(description, parent)) != is_static(description, carrier(description, child)) {
            pairs.extend(with(parent).flat_map(|a| with(child).map(move |b| [a.min(b), a.max(b)])));
        }
    }
    pairs
}

/// The masks of links with excluded pairs, and the allowed pairs for which there was no bit left.
pub(super) fn masks(description: &WorldDescription) -> (BTreeMap<usize, u32>, Vec<[usize; 2]>) {
    // Pairs that a group keeps apart already need no bit.
    let counts = |pair: &&[usize; 2]| pair.iter().all(|link| description.links[*link].self_collide.value);
    let at_joints = beside_static_joints(description);
    let apart: BTreeSet<[usize; 2]> =
        description.excluded_pairs.iter().filter(counts).chain(&at_joints).copied().collect();
    let links: Vec<usize> = apart.iter().flatten().copied().collect::<BTreeSet<usize>>().into_iter().collect();
    let is_apart = |a: usize, b: usize| apart.contains(&[a.min(b), a.max(b)]);
    let mut masks: BTreeMap<usize, u32> = links.iter().map(|link| (*link, 0)).collect();
    let mut without_bit = Vec::new();
    let mut bits = 0..BITS;
    // First each link with itself: it needs a bit for what has no excluded pair.
    let selves = links.iter().map(|link| [*link; 2]);
    let pairs = links.iter().enumerate().flat_map(|(i, a)| links[i + 1..].iter().map(move |b| [*a, *b]));
    for [a, b] in selves.chain(pairs) {
        if is_apart(a, b) || masks[&a] & masks[&b] != 0 {
            continue;
        }
        let Some(bit) = bits.next() else {
            without_bit.push([a, b]);
            continue;
        };
        let mut set = vec![a, b];
        for other in &links {
            if set.iter().all(|member| member != other && !is_apart(*member, *other)) {
                set.push(*other);
            }
        }
        set.iter().for_each(|link| *masks.entry(*link).or_default() |= 1 << bit);
    }
    (masks, without_bit)
}
