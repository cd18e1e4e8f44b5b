//! Links of trees, with their factors at the pose of the rows.

use glam::{DMat3, DVec3};

use super::spatial::{Cholesky, Spatial};
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
    pub(super) mass: f64,
    pub(super) moments: DVec3,
    /// Principal axes, and the way from its centre to that of its parent, in the world.
    pub(super) axes: DMat3,
    pub(super) to_parent: DVec3,
    /// Directions of its motions at its centre, `Y s`, and the inverse of `sᵀ Y s`.
    pub(super) motions: [Spatial; 3],
    pub(super) pushed: [Spatial; 3],
    pub(super) inverse: [[f64; 3]; 3],
    /// Of a free root.
    pub(super) factor: Cholesky,
}
