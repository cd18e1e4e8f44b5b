//! Scenarios of the physics crate, one binary.
#![allow(clippy::unwrap_used)]

mod agx_contact;
mod agx_joints;
mod astray;
mod contact;
mod contact_table;
mod continuous;
mod determinism;
mod edits;
mod forces;
mod free_body;
mod impacts;
mod joint_drives;
mod joint_energy;
mod joint_kinds;
mod joint_signs;
mod joints;
mod kinematic;
mod meshes;
mod penetration;
mod queries;
mod reduced;
mod robustness;
mod rotation;
mod side_by_side;
mod sleeping;
mod spaces;
mod stages;
mod support;
mod tower;
mod user_contacts;
mod wheels;
mod wire_motion;
mod wires;
mod world_features;
