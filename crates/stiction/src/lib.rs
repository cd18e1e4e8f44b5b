//! Rigid-body physics for robots and machines: one engine, every contact model.

pub mod base;
pub mod constraint;
pub mod contact;
pub mod dynamics;
pub mod material;
pub mod math;
