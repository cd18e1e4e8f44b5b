//! Drake's contact modelling: reference trajectories, and the facts of its own tests; the bundled worlds of it.
#![allow(clippy::unwrap_used)]

mod advice;
mod oracle;
mod paradoxes;
mod worlds;
