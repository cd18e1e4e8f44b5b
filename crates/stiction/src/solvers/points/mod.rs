//! Contacts by points, three rows each, without rows in memory: the sweeps of [`super::Pgs`] for contacts between free bodies, straight
//! from their points and bodies into lanes.
//!
//! A sweep visits groups: contact points of a manifold that share their normal. Groups of one colour share no moving body, so that any
//! number of them may be visited side by side with the same bits. Within a group the rows follow each other as in a list of rows:
//! normal, first and second tangent of a point, then those of the next one.
//!
//! Nothing here sees shapes, joints or files: bodies are records of whitened velocities, groups and points records of numbers.

mod bundle;
mod prepare;
mod sweep;
mod width;

pub(crate) use bundle::{Bundles, FrictionKind, Group, Movers};
pub(crate) use prepare::{BODY_RECORDS, FrictionForm, GROUP_RECORDS, POINT_RECORDS, PointSources};
pub(crate) use sweep::SweepRule;
pub(crate) use width::PointWidth;
