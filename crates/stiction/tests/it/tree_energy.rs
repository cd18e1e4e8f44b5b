//! Trees in fixed steps make no energy: mechanisms that swing, spin and fall, judged by the bodies' poses and twists.
#![allow(clippy::unwrap_used)]

mod figures;
mod presets;
mod random;
mod rows;
mod scenes;
