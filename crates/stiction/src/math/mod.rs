//! Poses, spatial quantities and small dense algebra. Concrete `f64`, three dimensions.

mod pose;

pub use pose::Pose;

pub use glam::{DMat3, DQuat, DVec3};
