//! The simple space: every geom with every later one of the list.

use super::collide::{Near, overlap};
use super::grid::pairs_in_order;
use super::memory::Memory;
use crate::geom::GeomId;

/// Up to so many geoms all pairs are looked at one by one.
const FEW: usize = 160;

/// Pairs in the order of the list. The callback may switch geoms off, so that is asked for each pair.
pub(super) unsafe fn collide(first: GeomId, memory: &mut Memory, near: Near) {
    let Memory { grid, geoms, bounds, pairs, .. } = memory;
    geoms.clear();
    bounds.clear();
    let mut geom = first;
    while !geom.is_null() {
        geoms.push(geom);
        bounds.push((*geom).bounds);
        geom = (*geom).next;
    }
    let tell = |i: usize, j: usize| {
        if (*geoms[i]).takes_part() && (*geoms[j]).takes_part() {
            near.tell_if_wanted(geoms[i], geoms[j]);
        }
    };
    if geoms.len() <= FEW {
        for i in 0..geoms.len() {
            for j in i + 1..geoms.len() {
                if overlap(&bounds[i], &bounds[j]) {
                    tell(i, j);
                }
            }
        }
        return;
    }
    pairs_in_order(bounds, grid, pairs);
    for &(i, j) in pairs.iter() {
        tell(i as usize, j as usize);
    }
}
