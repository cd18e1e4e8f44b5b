//! The list of a space: who is in it, who has moved.

use std::ptr::null_mut;

use super::{Space, SpaceKind, begin_walk};
use crate::geom::enclosing::is_locked;
use crate::geom::{self, Geom, GeomId, flag};
use crate::in_progress::Mark;

/// Puts a geom at the head of the list.
unsafe fn link(space: *mut Space, geom: GeomId) {
    (*geom).previous = null_mut();
    (*geom).next = (*space).first;
    if let Some(next) = (*geom).next.as_mut() {
        next.previous = geom;
    }
    (*space).first = geom;
}

unsafe fn unlink(space: *mut Space, geom: GeomId) {
    if let Some(next) = (*geom).next.as_mut() {
        next.previous = (*geom).previous;
    }
    match (*geom).previous.as_mut() {
        Some(previous) => previous.next = (*geom).next,
        None => (*space).first = (*geom).next,
    }
}

/// Adds a geom that is in no space to one that is not locked.
pub(super) unsafe fn add(owner: GeomId, geom: GeomId) {
    let Some(space) = Space::of(owner) else { return };
    match &mut (*space).kind {
        SpaceKind::Simple | SpaceKind::Hash { .. } => {}
        SpaceKind::QuadTree(tree) => tree.add(geom),
        SpaceKind::Sweep(sweep) => sweep.add(geom),
    }
    if (*geom).flags & flag::DIRTY == 0 || Space::of(geom).is_some_and(|inner| (*inner).mixed) {
        mark_mixed(owner);
    }
    (*geom).space = owner;
    link(space, geom);
    (*space).count += 1;
    (*space).cursor = None;
    geom::moved(owner);
}

/// A geom that comes in clean goes to the head all the same, and hides dirty ones behind it from the next cleaning. ODE then
/// works with stale bounds, or gives up; the order of its list must stay.
unsafe fn mark_mixed(mut owner: GeomId) {
    while let Some(space) = Space::of(owner) {
        (*space).mixed = true;
        owner = (*owner).space;
    }
}

/// Takes a geom out of its space, which is not locked.
pub(super) unsafe fn remove(owner: GeomId, geom: GeomId) {
    let Some(space) = Space::of(owner) else { return };
    match &mut (*space).kind {
        SpaceKind::Simple | SpaceKind::Hash { .. } => {}
        SpaceKind::QuadTree(tree) => tree.remove(geom),
        SpaceKind::Sweep(sweep) => sweep.remove(geom),
    }
    unlink(space, geom);
    (*geom).next = null_mut();
    (*geom).previous = null_mut();
    (*geom).space = null_mut();
    (*space).count -= 1;
    (*space).cursor = None;
    geom::moved(owner);
}

/// A clean geom has moved.
pub(super) unsafe fn dirty(owner: GeomId, geom: GeomId) {
    let Some(space) = Space::of(owner) else { return };
    match &mut (*space).kind {
        SpaceKind::Simple | SpaceKind::Hash { .. } => {
            unlink(space, geom);
            link(space, geom);
        }
        SpaceKind::QuadTree(tree) => tree.dirty(geom),
        SpaceKind::Sweep(sweep) => sweep.dirty(geom),
    }
}

/// Brings bounds and places of all geoms up to date; spaces inside go first.
#[inline(never)]
pub(super) unsafe fn clean(owner: GeomId) {
    let Some(space) = Space::of(owner) else { return };
    if (*owner).flags & (flag::DIRTY | flag::BOUNDS_BAD) == 0 && !(*space).mixed {
        return;
    }
    let mut mark = Mark::NONE;
    begin_walk(&mut mark, owner, clean as *const () as usize);
    match &mut (*space).kind {
        SpaceKind::Simple | SpaceKind::Hash { .. } => {
            let mut geom = (*space).first;
            while !geom.is_null() && (*geom).flags & flag::DIRTY != 0 {
                clean_geom(geom);
                geom = (*geom).next;
            }
        }
        SpaceKind::QuadTree(tree) => {
            let mut count = 0;
            while let Some(geom) = tree.moved(count) {
                clean_geom(geom);
                tree.settle(geom);
                count += 1;
            }
            tree.forget_moved(count);
        }
        SpaceKind::Sweep(sweep) => {
            let mut count = 0;
            while let Some(geom) = sweep.moved(count) {
                clean_geom(geom);
                count += 1;
            }
            sweep.settle_moved(count);
        }
    }
    if (*space).mixed {
        let mut geom = (*space).first;
        while !geom.is_null() {
            if (*geom).flags & flag::BOUNDS_BAD != 0 {
                clean(geom);
                Geom::update_bounds(geom);
            }
            geom = (*geom).next;
        }
    }
}

unsafe fn clean_geom(geom: GeomId) {
    clean(geom);
    Geom::update_bounds(geom);
    (*geom).flags &= !flag::DIRTY;
}

/// The space that a geom is in and that is in none, or the geom itself.
pub(crate) unsafe fn outermost(mut geom: GeomId) -> GeomId {
    while !(*geom).space.is_null() {
        geom = (*geom).space;
    }
    geom
}

/// Remembers that the spaces of two geoms are collided with each other.
pub(super) unsafe fn make_partners(first: GeomId, second: GeomId) {
    let (first, second) = (outermost(first), outermost(second));
    let (Some(a), Some(b)) = (Space::of(first), Space::of(second)) else { return };
    if first != second && !(*a).partners.contains(&second) {
        (*a).partners.push(second);
        (*b).partners.push(first);
    }
}

/// The bounds of all geoms of a simple or hash space; zeros if it is empty.
pub(super) unsafe fn bounds(owner: GeomId) -> [f64; 6] {
    let Some(space) = Space::of(owner) else { return [0.0; 6] };
    let mut geom = (*space).first;
    if geom.is_null() {
        return [0.0; 6];
    }
    let mut bounds = bounds_of_nothing();
    while !geom.is_null() {
        Geom::update_bounds(geom);
        for axis in 0..3 {
            bounds[2 * axis] = bounds[2 * axis].min((*geom).bounds[2 * axis]);
            bounds[2 * axis + 1] = bounds[2 * axis + 1].max((*geom).bounds[2 * axis + 1]);
        }
        geom = (*geom).next;
    }
    bounds
}

/// Bounds that any others widen.
fn bounds_of_nothing() -> [f64; 6] {
    let end = f64::INFINITY;
    [end, -end, end, -end, end, -end]
}

/// The space ends: its geoms end too, or leave it. So do spaces inside that are being walked and cannot end now.
pub(super) unsafe fn empty(owner: GeomId) {
    let Some(space) = Space::of(owner) else { return };
    for partner in std::mem::take(&mut (*space).partners) {
        if let Some(other) = Space::of(partner) {
            (*other).partners.retain(|known| *known != owner);
        }
    }
    let mut geom = (*space).first;
    while !geom.is_null() {
        let next = (*geom).next;
        if (*space).cleanup && !is_locked(geom) {
            geom::destroy(geom);
        } else {
            remove(owner, geom);
        }
        geom = next;
    }
}
