//! Trees in fixed steps make no energy: mechanisms that swing, spin and fall, judged by the bodies' poses and twists.
#![allow(clippy::unwrap_used)]

#[path = "tree_energy/figures.rs"]
mod figures;
#[path = "tree_energy/random.rs"]
mod random;
#[path = "tree_energy/rows.rs"]
mod rows;
#[path = "tree_energy/scenes.rs"]
mod scenes;
