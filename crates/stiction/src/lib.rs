//! Rigid-body physics for robots and machines: one engine, every contact model.

pub mod base;
pub mod broadphase;
pub mod collision;
pub mod constraint;
pub mod contact;
pub mod dynamics;
pub mod integrators;
pub mod joints;
pub mod material;
pub mod math;
pub mod parameter;
mod pipeline;
pub mod shape;
pub mod solvers;
pub mod space;
pub mod world;

pub use pipeline::{CachedPoint, ContactCache, EnergyBalance, Outrun, PassedThrough, Residual, StepReport, WorstRow};
