//! Tests of runs, one program.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, reason = "tests")]

mod applied_forces;
mod asleep;
mod choreonoid_devices;
mod common;
mod compare;
mod continued;
mod continued_wires;
mod directions;
mod documented;
mod doubts;
mod explain;
mod frames;
mod lifted;
mod loops;
mod material_keys;
mod material_worlds;
mod materials;
mod materials_in_force;
mod pace;
mod plugins;
mod questions;
mod robots;
mod sensors;
mod slip;
mod spinning;
mod stacks;
mod starts;
mod symptoms;
mod tracks;
mod tutorial;
mod use_by_engine;
mod values;
mod wire_worlds;
mod without_effect;
