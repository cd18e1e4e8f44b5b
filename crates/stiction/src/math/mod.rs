//! Poses, lanes and small dense algebra. Three dimensions, `f64`.

mod lane;
mod pose;
pub mod rotation;

pub use lane::{F64x4, Lane, V3, plane_space};
pub use pose::Pose;

pub use glam::{DMat3, DQuat, DVec3};
