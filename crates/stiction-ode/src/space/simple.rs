//! The simple space: every geom with every later one of the list.

use super::Space;
use super::collide::{Near, overlap};
use super::grid::{Bounds, pairs_in_order};
use crate::geom::GeomId;

/// Up to so many geoms all pairs are looked at one by one.
const FEW: usize = 160;

/// Pairs in the order of the list. The callback may switch geoms off, so that is asked for each pair.
pub(super) unsafe fn collide(space: &Space, near: Near) {
    let mut geoms: Vec<GeomId> = Vec::with_capacity(space.count as usize);
    let mut geom = space.first;
    while !geom.is_null() {
        geoms.push(geom);
        geom = (*geom).next;
    }
    let bounds: Vec<Bounds> = geoms.iter().map(|&geom| (*geom).bounds).collect();
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
    for (i, j) in pairs_in_order(&bounds) {
        tell(i as usize, j as usize);
    }
}
