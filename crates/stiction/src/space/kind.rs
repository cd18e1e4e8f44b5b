//! Spaces: how each kind finds the pairs of its members.

use super::{GeomId, QuadTree, SpaceError};
use crate::broadphase::{BroadPhase, Brute, Hash, Sweep};
use glam::DVec3;

/// Order of the axes of a sweep-and-prune space, by ODE's names. It sorts along the first; the others change nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AxisOrder {
    /// x first.
    #[default]
    Xyz,
    /// x first, then z.
    Xzy,
    /// y first.
    Yxz,
    /// y first, then z.
    Yzx,
    /// z first.
    Zxy,
    /// z first, then y.
    Zyx,
}

/// Kind of space.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum SpaceKind {
    /// Every member against every other.
    Simple,
    /// Grids of cells of `2^least_level` to `2^greatest_level` \[m\], as lists of the cells in use: no limit on where
    /// members are. Larger members are tested against all others.
    Hash {
        /// Level of the least cells.
        least_level: i32,
        /// Level of the greatest cells.
        greatest_level: i32,
    },
    /// Blocks in x and y, each divided into four, for landscapes. Members outside the root block are tested against all.
    QuadTree {
        /// Middle of the root block \[m\].
        center: DVec3,
        /// Side lengths of the root block \[m\].
        extents: DVec3,
        /// How often it is divided, at most 30.
        depth: u32,
    },
    /// Members sorted along one axis.
    SweepAndPrune {
        /// Which axis.
        order: AxisOrder,
    },
}

impl SpaceKind {
    /// A hash space that chooses its levels itself.
    pub const HASH: Self = Self::Hash { least_level: -20, greatest_level: i32::MAX };

    fn build(self) -> Result<Box<dyn BroadPhase>, SpaceError> {
        Ok(match self {
            Self::Simple => Box::new(Brute),
            Self::Hash { least_level, greatest_level } => {
                if least_level > greatest_level {
                    return Err(SpaceError::Parameters);
                }
                Box::new(Hash::with_levels(least_level, greatest_level))
            }
            Self::QuadTree { center, extents, depth } => {
                let is_block = extents.cmpgt(DVec3::ZERO).all() && extents.is_finite() && center.is_finite();
                if !is_block || depth > QuadTree::MOST_DEPTH {
                    return Err(SpaceError::Parameters);
                }
                Box::new(QuadTree::new(center, extents, depth))
            }
            Self::SweepAndPrune { order } => Box::new(Sweep::along(match order {
                AxisOrder::Xyz | AxisOrder::Xzy => 0,
                AxisOrder::Yxz | AxisOrder::Yzx => 1,
                AxisOrder::Zxy | AxisOrder::Zyx => 2,
            })),
        })
    }
}

/// A space.
pub struct Space {
    kind: SpaceKind,
    /// Its members, oldest first.
    pub(super) members: Vec<GeomId>,
    pub(super) finder: Box<dyn BroadPhase>,
    /// How many visits of its pairs are under way.
    pub(super) locks: u32,
    /// Its members end with it.
    pub cleanup: bool,
    /// Of two spaces that meet, the one of the greater sublevel is gone through and the other taken as one geom.
    pub sublevel: u32,
}

impl Space {
    pub(super) fn new(kind: SpaceKind) -> Result<Self, SpaceError> {
        Ok(Self { kind, members: Vec::new(), finder: kind.build()?, locks: 0, cleanup: true, sublevel: 0 })
    }

    pub(super) fn set_kind(&mut self, kind: SpaceKind) -> Result<(), SpaceError> {
        self.finder = kind.build()?;
        self.kind = kind;
        Ok(())
    }

    /// Its kind.
    #[must_use]
    pub fn kind(&self) -> SpaceKind {
        self.kind
    }

    /// Number of members.
    #[must_use]
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// No members.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// A member by its index, 0 the newest.
    #[must_use]
    pub fn member(&self, index: usize) -> Option<GeomId> {
        self.members.len().checked_sub(index + 1).and_then(|i| self.members.get(i)).copied()
    }

    /// Members, newest first.
    pub fn members(&self) -> impl Iterator<Item = GeomId> + '_ {
        self.members.iter().rev().copied()
    }

    /// Its pairs are being visited: it cannot be changed.
    #[must_use]
    pub fn is_locked(&self) -> bool {
        self.locks > 0
    }
}
