//! Drake's contact modelling: reference trajectories, and the facts of its own tests.
#![allow(clippy::unwrap_used)]

mod common;
#[path = "drake/oracle.rs"]
mod oracle;
