//! Links of trees: what holds each to its parent, and its factor at the pose of the rows.

use glam::{DMat3, DVec3};

use super::spatial::{Cholesky, Spatial};
use crate::joints::JointKind;

/// What holds a link to its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hold {
    /// A root that nothing holds.
    Free,
    /// Welded to the world: it does not move.
    Welded,
    Fixed,
    Hinge,
    Slider,
    Ball,
    Universal,
}

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
    pub(super) hold: Hold,
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

impl Link {
    /// What holds a link by a kind of joint.
    pub(super) fn hold_of(kind: &JointKind) -> (Hold, usize) {
        match kind {
            JointKind::Hinge => (Hold::Hinge, 1),
            JointKind::Slider => (Hold::Slider, 1),
            JointKind::Ball => (Hold::Ball, 3),
            JointKind::Universal => (Hold::Universal, 2),
            _ => (Hold::Fixed, 0),
        }
    }
}
