//! Trees of joints in lanes: velocities are projected on what joints allow, and trees that nothing touches move.

mod carrier;
mod close;
mod factor;
mod fit;
mod flow;
mod inertia;
mod keep;
mod laws;
mod link;
mod moving;
mod parts;
mod place;
mod project;
mod rows;
mod width;

pub(crate) use laws::{EndOfPart, MotionLaws};
pub(crate) use link::TreeLink;
pub(crate) use moving::{Mobilizer, MovingLink};
pub(crate) use width::TreeWidth;
