//! Plane-2D: a body whose centre of mass stays at its height z, and whose tilt is held. It is a planar joint to the
//! environment with the world's axes: motions along x, along y, and about z.
//!
//! ODE holds the tilt's rate only, so that it drifts and the user has to set it back; here its error is corrected as well.

use glam::DVec3;

use super::kind::Kind;
use super::{JointDefinition, JointError, planar};

/// The kind's entry.
pub(super) const KIND: Kind = Kind { axes: |_| 3, prepare, check: |_| Ok(()), ..planar::KIND };

/// Anchor and axes are set by the kind.
fn prepare(definition: &mut JointDefinition, center: DVec3) -> Result<(), JointError> {
    let [Some(_), None] = definition.bodies else { return Err(JointError::NeedsEnvironment) };
    definition.anchor = center;
    definition.second_anchor = None;
    definition.axes = AXES;
    Ok(())
}

/// The planar joint's axes: the normal first.
const AXES: [DVec3; 3] = [DVec3::Z, DVec3::X, DVec3::Y];
