//! Rigid-body physics for robots and machines.

pub mod collision;
pub mod math;
pub mod shape;
