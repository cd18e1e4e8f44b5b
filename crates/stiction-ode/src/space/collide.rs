//! The walks over a space, and what a pair must satisfy to be reported.

use std::ffi::c_void;

use super::memory::Memory;
use super::{Space, SpaceKind, begin_walk, hash, list, simple};
use crate::geom::enclosing::{NearFn, bits_match};
use crate::geom::{Geom, GeomId, test_bounds};
use crate::in_progress::Mark;
use crate::objects::swept;
use crate::report::require;

/// Who is told of pairs.
#[derive(Clone, Copy)]
pub(super) struct Near {
    data: *mut c_void,
    callback: NearFn,
    /// The two geoms are told in the other order.
    swapped: bool,
}

impl Near {
    fn swapped(self) -> Self {
        Self { swapped: !self.swapped, ..self }
    }

    unsafe fn tell(&self, first: GeomId, second: GeomId) {
        let (first, second) = if self.swapped { (second, first) } else { (first, second) };
        (self.callback)(self.data, first, second);
    }

    /// Tells of a pair whose bits and bounds have been looked at.
    pub(super) unsafe fn tell_if_apart(&self, first: GeomId, second: GeomId) {
        let one_body = !(*first).body.is_null() && (*first).body == (*second).body;
        if !one_body && test_bounds(first, second) && test_bounds(second, first) {
            self.tell(first, second);
        }
    }

    /// Tells of a pair whose bounds have been looked at.
    pub(super) unsafe fn tell_if_wanted(&self, first: GeomId, second: GeomId) {
        if bits_match(first, second) {
            self.tell_if_apart(first, second);
        }
    }

    /// Tells of a pair if everything speaks for it.
    pub(super) unsafe fn tell_if_near(&self, first: GeomId, second: GeomId) {
        if bits_match(first, second) && overlap(&(*first).bounds, &(*second).bounds) {
            self.tell_if_apart(first, second);
        }
    }
}

/// Boxes touch, exact touch included. Written so that a bound that is no number lets the pair pass, as in ODE.
pub(super) fn overlap(a: &[f64; 6], b: &[f64; 6]) -> bool {
    !(a[0] > b[1] || a[1] < b[0] || a[2] > b[3] || a[3] < b[2] || a[4] > b[5] || a[5] < b[4])
}

/// All pairs inside a space.
#[inline(never)]
unsafe fn collide_inside(owner: GeomId, near: Near) {
    let Some(space) = Space::of(owner) else { return };
    // Nothing to pair; ODE's hash space alone leaves its one geom dirty.
    if (*space).count < 2 && matches!((*space).kind, SpaceKind::Hash { .. }) {
        return;
    }
    let mut mark = Mark::NONE;
    begin_walk(&mut mark, owner, collide_inside as *const () as usize);
    list::clean(owner);
    // A walk from a callback of another walk of the space brings its own memory.
    let mut own = None;
    let memory = match mark.is_outermost() {
        true => &mut (*space).memory,
        false => own.get_or_insert_with(Memory::default),
    };
    match &mut (*space).kind {
        SpaceKind::Simple => simple::collide((*space).first, memory, near),
        &mut SpaceKind::Hash { least_level, greatest_level } => {
            hash::collide((*space).first, (least_level, greatest_level), memory, near);
        }
        SpaceKind::QuadTree(tree) => tree.collide(memory, near),
        SpaceKind::Sweep(sweep) => sweep.collide(memory, near),
    }
}

/// A geom from elsewhere, or from a quadtree itself, with all geoms of a space: they come first.
#[inline(never)]
unsafe fn collide_with(owner: GeomId, geom: GeomId, near: Near) {
    let Some(space) = Space::of(owner) else { return };
    let mut mark = Mark::NONE;
    begin_walk(&mut mark, owner, collide_with as *const () as usize);
    list::clean(owner);
    Geom::update_bounds(geom);
    match &mut (*space).kind {
        SpaceKind::Simple | SpaceKind::Hash { .. } => {
            let mut member = (*space).first;
            while !member.is_null() {
                if (*member).takes_part() {
                    near.tell_if_near(member, geom);
                }
                member = (*member).next;
            }
        }
        SpaceKind::QuadTree(tree) => tree.collide_with(geom, (*geom).space == owner, near),
        SpaceKind::Sweep(sweep) => {
            for index in 0..sweep.len() {
                let member = sweep.geom(index);
                if (*member).takes_part() {
                    near.tell_if_near(member, geom);
                }
            }
        }
    }
}

/// Each geom of a space with the whole of another.
#[inline(never)]
unsafe fn collide_each_with(walked: GeomId, entered: GeomId, near: Near) {
    let Some(space) = Space::of(walked) else { return };
    let mut mark = Mark::NONE;
    begin_walk(&mut mark, walked, collide_each_with as *const () as usize);
    let mut geom = (*space).first;
    while !geom.is_null() {
        collide_with(entered, geom, near);
        geom = (*geom).next;
    }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dSpaceCollide(space: GeomId, data: *mut c_void, callback: Option<NearFn>) {
    require!(Space::of(space).is_some(), "argument not a space");
    require!(callback.is_some(), "Bad argument(s): no callback");
    if let Some(callback) = callback {
        collide_inside(space, Near { data, callback, swapped: false });
    }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dSpaceCollide2(first: GeomId, second: GeomId, data: *mut c_void, callback: Option<NearFn>) {
    require!(!first.is_null() && !second.is_null(), "Bad argument(s): no geom");
    require!(callback.is_some(), "Bad argument(s): no callback");
    if let Some(callback) = callback {
        of_two(first, second, data, callback);
    }
}

/// All pairs of two spaces, of a space and a geom, or of two geoms.
pub(super) unsafe fn of_two(first: GeomId, second: GeomId, data: *mut c_void, callback: NearFn) {
    if swept::is_any() {
        list::make_partners(first, second);
    }
    let near = Near { data, callback, swapped: false };
    let (mut one, mut other) = (Space::of(first), Space::of(second));
    if let (Some(a), Some(b)) = (one, other) {
        // The higher sublevel is entered; the other space is told of as a geom.
        if (*a).sublevel > (*b).sublevel {
            other = None;
        } else if (*a).sublevel < (*b).sublevel {
            one = None;
        }
    }
    match (one, other) {
        (Some(_), Some(_)) if first == second => collide_inside(first, near),
        (Some(a), Some(b)) => {
            // The geoms of the smaller space, each with the whole larger one.
            if (*a).count < (*b).count {
                collide_each_with(first, second, near.swapped());
            } else {
                collide_each_with(second, first, near);
            }
        }
        (Some(_), None) => collide_with(first, second, near),
        (None, Some(_)) => collide_with(second, first, near.swapped()),
        (None, None) => {
            Geom::update_bounds(first);
            Geom::update_bounds(second);
            near.tell_if_near(first, second);
        }
    }
}
