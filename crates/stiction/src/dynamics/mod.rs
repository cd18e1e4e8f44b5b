//! Motion of free bodies and of articulated trees: the mass of a clique, its free motion, the gyroscopic torque.
//!
//! ```
//! use stiction::dynamics::gyroscopic::{Gyroscopic, free_spin};
//! use stiction::math::DVec3;
//!
//! // The implicit midpoint rule keeps the rotational energy of a body that spins about its middle axis.
//! let moments = DVec3::new(1.0, 2.0, 3.0);
//! let energy = |w: DVec3| 0.5 * w.dot(moments * w);
//! let mut omega = DVec3::new(0.01, 5.0, 0.01);
//! let before = energy(omega);
//! for _ in 0..1000 {
//!     omega = free_spin(Gyroscopic::Midpoint, moments, omega, DVec3::ZERO, 0.01).after;
//! }
//! assert!((energy(omega) / before - 1.0).abs() < 1e-10);
//! ```

pub mod gyroscopic;
pub mod rigid;
pub mod rotation;
pub mod tree;
