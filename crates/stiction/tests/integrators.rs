//! Continuous time: orders, accuracy, arrival, repetition, and ends that must come.

#[path = "integrators/accuracy.rs"]
mod accuracy;
#[path = "integrators/ends.rs"]
mod ends;
#[path = "integrators/orders.rs"]
mod orders;
#[path = "integrators/repetition.rs"]
mod repetition;
#[path = "integrators/systems.rs"]
mod systems;
