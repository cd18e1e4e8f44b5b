//! Facts of Gazebo's own tests, by their numbers in the list of acceptance facts (docs/gazebo_facts.md).

mod contacts;
mod dynamics;
mod falling;
mod friction;
mod inertia;
mod joints;
mod loops;
mod pendulums;
mod robots;
mod sdf;
mod sensors;
mod torsion;
mod wheels;
mod wrenches;
