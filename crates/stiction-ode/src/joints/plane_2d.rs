//! Plane-2D: the body moves in the plane z = 0. Height is corrected; tilt is only kept from growing.

use std::ffi::c_int;

use glam::DVec3;

use super::limit_motor::LimitMotor;
use super::{JointId, JointKind, Rows, Sides, World, data_of};
use crate::report::require;
use crate::types::dReal;

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
        let height = -rows.rate * rows.erp * sides.position(0).z;
        // The second body takes no part.
        let zero = DVec3::ZERO;
        rows.push([DVec3::Z, zero], [zero; 2], height);
        rows.push([zero; 2], [DVec3::X, zero], 0.0);
        rows.push([zero; 2], [DVec3::Y, zero], 0.0);
        self.motors[0].along(sides, DVec3::X, rows);
        self.motors[1].along(sides, DVec3::Y, rows);
        self.motors[2].about(sides, DVec3::Z, rows);
    }
}

macro_rules! set_parameter {
    ($($name:ident: $motor:literal;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $name(joint: JointId, number: c_int, value: dReal) {
            (*data_of!(joint, Plane2D)).motors[$motor].set(number, value);
        }
    )*};
}

set_parameter! {
    dJointSetPlane2DXParam: 0;
    dJointSetPlane2DYParam: 1;
    dJointSetPlane2DAngleParam: 2;
}
