//! Errors of spaces.

use thiserror::Error;

/// Why a change or a question is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SpaceError {
    /// The handle is stale.
    #[error("the geom does not exist (any more)")]
    Stale,
    /// A space was wanted.
    #[error("the geom is not a space")]
    NotASpace,
    /// A space, which has no pose, was to be moved.
    #[error("a space has no pose of its own")]
    NotPlaceable,
    /// The space, or one that it lies in, is being collided.
    #[error("the space is locked while its pairs are visited")]
    Locked,
    /// A space was to be put into itself or into what it holds.
    #[error("a space cannot lie in itself")]
    Cycle,
    /// The geom lies in another space.
    #[error("the geom lies in another space; take it out of it first")]
    Elsewhere,
    /// A number is not finite.
    #[error("the pose is not finite")]
    NotFinite,
    /// Levels, depth or extents that no space has.
    #[error("the parameters of the space are out of range: levels in order, extents above zero, depth at most 30")]
    Parameters,
}
