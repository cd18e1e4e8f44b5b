//! Worlds, bodies, joints and joint groups.

pub(crate) mod body;
pub(crate) mod joint;
pub(crate) mod world;
