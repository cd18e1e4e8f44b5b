//! SDFormat: from files to a description of the world.

mod check;
mod collision;
mod convert;
mod cosmetic;
mod element;
mod files;
mod frames;
mod geometry;
mod ground;
mod include;
pub(crate) mod inertia;
mod interpret;
mod joint;
pub(crate) mod load;
mod merge;
mod overrides;
mod parameters;
mod physics;
mod plugins;
mod read;
mod report;
mod scope;
mod search;
mod spec;
mod value;
mod xml_scan;
