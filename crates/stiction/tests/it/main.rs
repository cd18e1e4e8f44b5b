//! Scenarios of the physics crate, one binary.

mod contact;
mod free_body;
mod joints;
mod support;
mod tower;
