//! Worlds, bodies, joints and joint groups.

pub(crate) mod body;
mod body_disable;
pub(crate) mod body_forces;
pub(crate) mod body_lifetime;
mod body_motion;
pub(crate) mod body_state;
pub(crate) mod group;
pub(crate) mod joint;
pub(crate) mod joint_lists;
pub(crate) mod world;
mod world_memory;
