//! SDFormat: from files to a description of the world.

mod added_mass;
mod check;
pub(crate) mod collision;
mod commanded;
mod convert;
mod cosmetic;
mod drake;
#[cfg(test)]
mod effect_tests;
pub(crate) mod element;
mod endless;
mod engine_blocks;
pub(crate) mod files;
mod frames;
mod geometry;
mod ground;
mod include;
pub(crate) mod inertia;
mod initial_position;
mod interpret;
pub(crate) mod joint;
pub(crate) mod load;
mod lumped;
mod merge;
mod overrides;
mod overruled;
pub(crate) mod packages;
mod parameters;
pub(crate) mod physics;
pub(crate) mod plugins;
mod read;
pub(crate) mod report;
pub(crate) mod scope;
pub(crate) mod search;
mod sensors;
pub(crate) mod spec;
pub(crate) mod value;
mod wheel_slip;
mod wire;
pub(crate) mod xml_scan;

pub use overrides::matches;
