//! Spaces: sets of geoms that find out which may touch (`ode/collision_space.h`).
//!
//! The order in which pairs are reported decides the order of contact joints, and with it the result of a step, so it is
//! ODE's to the last pair; how the pairs are found is not.

mod api;
mod collide;
mod grid;
mod hash;
mod list;
mod memory;
mod quadtree;
mod simple;
mod sweep;

use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

pub(crate) use collide::{bits_match, dSpaceCollide2};
pub(crate) use list::{add, bounds, dirty, empty, outermost, remove};

use crate::geom::{GeomId, GeomShape, class};
use crate::in_progress::InProgress;

/// `dNearCallback`.
pub(crate) type NearFn = unsafe extern "C-unwind" fn(*mut c_void, GeomId, GeomId);

/// What makes a geom a space.
pub(crate) struct Space {
    /// Head of the list of geoms. In simple and hash spaces dirty geoms stand before clean ones.
    pub first: GeomId,
    pub count: c_int,
    /// The geoms end with the space.
    pub cleanup: bool,
    pub sublevel: c_int,
    pub manual_cleanup: bool,
    /// Walks over the space.
    walks: InProgress,
    memory: memory::Memory,
    /// Where the last look-up by index ended.
    pub cursor: Option<(c_int, GeomId)>,
    /// A clean geom came in once, here or further inside, so that dirty ones may stand behind clean ones.
    pub mixed: bool,
    /// Outermost spaces that have been collided with this one, each the other's (kept where bodies are swept).
    pub partners: Vec<GeomId>,
    pub kind: SpaceKind,
}

/// How a space finds pairs.
pub(crate) enum SpaceKind {
    Simple,
    Hash { least_level: c_int, greatest_level: c_int },
    QuadTree(quadtree::QuadTree),
    Sweep(sweep::Sweep),
}

impl Space {
    fn new(kind: SpaceKind) -> Self {
        Self {
            first: null_mut(),
            count: 0,
            cleanup: true,
            sublevel: 0,
            manual_cleanup: false,
            walks: InProgress::default(),
            memory: memory::Memory::default(),
            cursor: None,
            mixed: false,
            partners: Vec::new(),
            kind,
        }
    }

    /// The space that a geom is, if it is one.
    pub(crate) unsafe fn of(geom: GeomId) -> Option<*mut Self> {
        match &mut geom.as_mut()?.shape {
            GeomShape::Space(space) => Some(&raw mut **space),
            _ => None,
        }
    }

    pub(crate) fn class(&self) -> c_int {
        match self.kind {
            SpaceKind::Simple => class::SIMPLE_SPACE,
            SpaceKind::Hash { .. } => class::HASH_SPACE,
            SpaceKind::QuadTree(_) => class::QUADTREE_SPACE,
            SpaceKind::Sweep(_) => class::SWEEP_SPACE,
        }
    }

    /// Its bounds are without end, whatever is in it.
    pub(crate) fn is_unbounded(&self) -> bool {
        matches!(self.kind, SpaceKind::QuadTree(_) | SpaceKind::Sweep(_))
    }
}

/// The space, if it is one, is being walked and must not change.
pub(crate) unsafe fn is_locked(space: GeomId) -> bool {
    Space::of(space).is_some_and(|space| (*space).walks.is_any())
}

#[cfg(test)]
mod tests;
