//! Contacts by bundles of manifolds: a pass with bias moves positions, a pass without leaves no bias in velocities.
//!
//! Nothing here sees shapes, joints or files: bodies are records of whitened velocities, manifolds records of places and impulses.

mod active_rows;
mod bundle;
mod contact_space;
mod landing;
mod lane;
mod motion;
mod outcome;
mod own_places;
mod pass;
mod prepare;
mod records;
mod rotation;
mod settle;
mod start;
mod trees;
mod width;

pub(crate) use active_rows::{ActiveRow, ActiveRows};
pub(crate) use bundle::{BLOCKED, Bundle, NORMAL, ROWS};
pub(crate) use contact_space::{BLOCK, ContactSpace, ROWS_OF_CUT, Support, Supports};
pub(crate) use landing::Closing;
#[cfg(target_arch = "x86_64")]
pub(crate) use lane::{Eight, Four};
pub(crate) use lane::{L3, Lanes, Record, cross, dot, minus, numbers_of, times};
pub(crate) use own_places::OwnPlaces;
pub(crate) use pass::{BLOW, LEAST_SHARE, PassBodies, PassRule, soft};
pub(crate) use records::{
    BODY_RECORDS, COEFFICIENT, GIVEN, MANIFOLD_RECORDS, NORMAL_PLACE, Rolling, SPECIAL_RECORDS, Skin, Sources,
    forget_ways,
};
pub(crate) use settle::{MOTION_RECORDS, Whitened};
pub(crate) use trees::{
    Cholesky, EndOfPart, FactoredLink, Held, LinkStart, Loops, Mobilizer, MotionLaws, MovingLink, Projected, Reach,
    Spatial, Spatials, TreeLink, TreeWidth,
};
#[cfg(test)]
pub(crate) use width::MOST_LANES;
pub(crate) use width::{Width, WidthOfLanes};
