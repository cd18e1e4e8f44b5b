//! Plane-2D: a body whose centre of mass stays at its height z, and whose tilt is held. It is a planar joint to the
//! environment with the world's axes: motions along x, along y, and about z.
//!
//! ODE holds the tilt's rate only, so that it drifts and the user has to set it back; here its error is corrected as well.

use glam::DVec3;

/// The planar joint's axes: the normal first.
pub(crate) const AXES: [DVec3; 3] = [DVec3::Z, DVec3::X, DVec3::Y];
