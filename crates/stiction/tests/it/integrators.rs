//! Continuous time: orders, accuracy, arrival, repetition, and ends that must come.

mod accuracy;
mod ends;
mod orders;
mod repetition;
mod systems;
