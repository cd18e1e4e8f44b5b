//! Tests of the readers, one program.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, reason = "tests")]

mod advice;
mod choreonoid;
mod choreonoid_joints;
mod choreonoid_masses;
mod choreonoid_meshes;
mod choreonoid_published;
mod common;
mod conformance;
mod defaults;
mod drake;
mod engine_names;
mod engine_parameters;
mod engines;
mod features;
mod fix;
mod gazebo;
mod hinge_parameters;
mod hostile;
mod initial_position;
mod materials;
mod materials_page;
mod meshes;
mod named;
mod nesting;
mod parameters_page;
mod rendered;
mod sdf_wires;
mod semantics;
mod soft_joints;
mod surface_layer;
mod torsional;
mod urdf;
mod wheel_slip;
mod wind;
mod worlds;
