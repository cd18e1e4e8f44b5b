//! Trees of joints in lanes: velocities are projected on what joints allow, and trees that nothing touches move.

mod advance;
mod carrier;
mod close;
mod factor;
mod fit;
mod flow;
mod inertia;
mod jams;
mod keep;
mod laws;
mod link;
mod loops;
mod moving;
mod parts;
mod place;
mod project;
mod reach;
mod rows;
mod spatial;
mod symmetry;
mod width;

pub(crate) use laws::{EndOfPart, MotionLaws, Projected};
pub(crate) use link::{Held, TreeLink};
pub(crate) use loops::Loops;
pub(crate) use moving::{Mobilizer, MovingLink};
pub(crate) use reach::{FactoredLink, Reach, Spatials};
pub(crate) use spatial::{Cholesky, Spatial};
pub(crate) use symmetry::LinkStart;
pub(crate) use width::TreeWidth;
