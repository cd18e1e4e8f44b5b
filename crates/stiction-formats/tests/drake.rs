//! Drake's contact modelling: reference trajectories, and the facts of its own tests; the bundled worlds of it.
#![allow(clippy::unwrap_used)]

#[path = "drake/advice.rs"]
mod advice;
mod common;
#[path = "drake/oracle.rs"]
mod oracle;
#[path = "drake/paradoxes.rs"]
mod paradoxes;
#[path = "drake/worlds.rs"]
mod worlds;
