//! Worlds, bodies, joints and joint groups: what they hold, and what can be asked of them without knowing kinds of joints,
//! geoms or steps.

pub(crate) mod body;
pub(crate) mod body_creation;
mod body_disable;
pub(crate) mod body_forces;
mod body_motion;
pub(crate) mod body_state;
pub(crate) mod group;
pub(crate) mod held;
pub(crate) mod joint;
pub(crate) mod joint_lists;
pub(crate) mod mechanism;
pub(crate) mod mode;
pub(crate) mod row;
pub(crate) mod sides;
pub(crate) mod swept;
pub(crate) mod world;
mod world_memory;
