//! Rigid-body physics for robots and machines.

pub mod math;
pub mod shape;
