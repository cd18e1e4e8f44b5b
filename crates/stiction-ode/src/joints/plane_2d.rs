//! Plane-2D: the body moves in the plane z = 0. Height is corrected; tilt is only kept from growing.

use std::ffi::c_int;

use glam::DVec3;
use stiction::joints::parts::{PartRow, spin};

use super::limit_motor::LimitMotor;
use super::{JointKind, Rows, Sides, World, functions};

/// Motors along x, along y and about z.
pub(crate) struct Plane2D {
    motors: [LimitMotor; 3],
}

impl Plane2D {
    pub(super) fn new(world: &World) -> Self {
        Self { motors: [LimitMotor::new(world); 3] }
    }
}

impl JointKind for Plane2D {
    fn number(&self) -> c_int {
        11
    }

    fn rows(&mut self, sides: &Sides, rows: &mut Rows) {
        let height = PartRow { linear: DVec3::Z.into(), error: sides.position(0).z, ..spin(DVec3::ZERO.into(), 0.0) };
        // The second body takes no part.
        rows.hold(height).linear[1] = DVec3::ZERO;
        rows.hold(spin(DVec3::X.into(), 0.0)).angular[1] = DVec3::ZERO;
        rows.hold(spin(DVec3::Y.into(), 0.0)).angular[1] = DVec3::ZERO;
        self.motors[0].along(sides, DVec3::X, rows);
        self.motors[1].along(sides, DVec3::Y, rows);
        self.motors[2].about(sides, DVec3::Z, rows);
    }
}

functions! { Plane2D:
    set_parameter dJointSetPlane2DXParam |data, number| (&mut data.motors[0], number);
    set_parameter dJointSetPlane2DYParam |data, number| (&mut data.motors[1], number);
    set_parameter dJointSetPlane2DAngleParam |data, number| (&mut data.motors[2], number);
}
