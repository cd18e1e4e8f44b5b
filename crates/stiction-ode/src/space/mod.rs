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

use std::ffi::c_int;
use std::ptr::null_mut;

pub(crate) use list::outermost;

use crate::geom::enclosing::{self, Functions, SpaceShape};
use crate::geom::{GeomId, GeomShape, class};
use crate::in_progress::{InProgress, Mark};

/// What makes a geom a space.
pub(crate) struct Space {
    /// Head of the list of geoms. In simple and hash spaces dirty geoms stand before clean ones.
    pub first: GeomId,
    pub count: c_int,
    /// The geoms end with the space.
    pub cleanup: bool,
    pub sublevel: c_int,
    pub manual_cleanup: bool,
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
            memory: memory::Memory::default(),
            cursor: None,
            mixed: false,
            partners: Vec::new(),
            kind,
        }
    }

    /// The space that a geom is, if it is one.
    pub(crate) unsafe fn of(geom: GeomId) -> Option<*mut Self> {
        enclosing::of(geom)?.data.downcast_mut().map(std::ptr::from_mut)
    }

    /// As a geom's shape.
    fn into_shape(self) -> GeomShape {
        let (class, is_unbounded) = match self.kind {
            SpaceKind::Simple => (class::SIMPLE_SPACE, false),
            SpaceKind::Hash { .. } => (class::HASH_SPACE, false),
            SpaceKind::QuadTree(_) => (class::QUADTREE_SPACE, true),
            SpaceKind::Sweep(_) => (class::SWEEP_SPACE, true),
        };
        GeomShape::Space(SpaceShape {
            class,
            is_unbounded,
            walks: InProgress::default(),
            functions: &FUNCTIONS,
            data: Box::new(self),
        })
    }
}

/// Begins a walk over a space; `function` is the one whose frame holds the mark.
///
/// # Safety
/// The space exists, and outlives the walk.
#[inline(always)]
unsafe fn begin_walk(mark: &mut Mark, owner: GeomId, function: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        if let Some(space) = enclosing::of(owner) {
            mark.begin(&raw mut space.walks, function);
        }
    }
}

/// What geoms ask of a space.
static FUNCTIONS: Functions = Functions {
    add: list::add,
    remove: list::remove,
    dirty: list::dirty,
    bounds: list::bounds,
    empty: list::empty,
    collide: collide::of_two,
};

#[cfg(test)]
mod tests;
