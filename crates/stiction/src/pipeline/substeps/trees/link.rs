//! Links of trees at the pose of the rows.

use glam::{DMat3, DVec3};

use crate::solvers::soft::Mobilizer;

/// A link, parents before their children.
#[derive(Clone, Debug)]
pub(super) struct Link {
    /// Slot and place of its body.
    pub(super) slot: u32,
    pub(super) place: u32,
    /// The link that carries it; `NONE` where nothing does that moves.
    pub(super) parent: u32,
    /// The link that carries it, though nothing moves it.
    pub(super) carrier: u32,
    /// Slot of the joint that carries it, or `NONE`, and its end there.
    pub(super) joint: u32,
    pub(super) end: usize,
    pub(super) mobilizer: Mobilizer,
    /// Its degrees of freedom in the list of all.
    pub(super) first_dof: u32,
    pub(super) dofs: usize,
    /// Share of its body, where a loop is cut at that, and whether it is a half after the first.
    pub(super) share: f64,
    pub(super) is_half: bool,
    /// Of its body.
    pub(super) mass: f64,
    pub(super) moments: DVec3,
    /// Principal axes, in the world.
    pub(super) axes: DMat3,
}
