//! Poses, lanes and small dense algebra. Three dimensions, `f64`.
//!
//! ```
//! use stiction::math::{DVec3, Pose};
//!
//! // A pose maps from its own frame to the one it is given in: first the rotation, then the translation.
//! let pose = Pose::from_xyz_rpy(DVec3::new(1.0, 0.0, 0.0), DVec3::new(0.0, 0.0, std::f64::consts::FRAC_PI_2));
//! let point = pose.point(DVec3::X);
//! assert!((point - DVec3::new(1.0, 1.0, 0.0)).length() < 1e-15);
//! assert!((pose.inverse_point(point) - DVec3::X).length() < 1e-15);
//! ```

mod decimal;
mod lane;
mod pose;
#[cfg(target_arch = "x86_64")]
mod register;
pub mod rotation;
mod vector;

pub(crate) use decimal::Decimal;
pub(crate) use lane::{F64x4, Lane};
pub use pose::Pose;
#[cfg(target_arch = "x86_64")]
pub(crate) use register::{Eight, Four};
pub use vector::{V3, plane_space};

pub use glam::{DMat3, DQuat, DVec2, DVec3};
