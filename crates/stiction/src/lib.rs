//! Rigid-body physics for robots and machines.

pub mod broadphase;
pub mod collision;
pub mod math;
pub mod shape;
