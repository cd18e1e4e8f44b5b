//! Continuous time: orders, accuracy, arrival, repetition, and ends that must come.

#[path = "integrators/orders.rs"]
mod orders;
#[path = "integrators/repetition.rs"]
mod repetition;
#[path = "integrators/systems.rs"]
mod systems;
