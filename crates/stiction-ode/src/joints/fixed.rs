//! Fixed: nothing is free. Positions have the joint's own softness, orientations the world's.

use std::ffi::c_int;

use glam::{DQuat, DVec3};

use super::ball::Softness;
use super::{JointId, JointKind, Rows, Sides, World, data_of};
use crate::report::require;
use crate::types::dReal;

/// Where the second body's centre is seen from the first (or the first in the world), and how it is turned.
pub(crate) struct Fixed {
    pub offset: DVec3,
    pub relative: DQuat,
    pub softness: Softness,
}

impl Fixed {
    pub(super) fn new(world: &World) -> Self {
        Self { offset: DVec3::ZERO, relative: DQuat::IDENTITY, softness: Softness::new(world) }
    }
}

impl JointKind for Fixed {
    fn number(&self) -> c_int {
        7
    }

    fn rows(&mut self, sides: &Sides, rows: &mut Rows) {
        let k = rows.rate * self.softness.erp;
        let (x1, x2) = (sides.position(0), sides.position(1));
        let (arm, error) = if sides.has(1) {
            let offset = sides.world_vector(0, self.offset);
            (-offset, x2 - x1 + offset)
        } else {
            (DVec3::ZERO, self.offset - x1)
        };
        for axis in 0..3 {
            // The rows act at the second body's centre.
            rows.along(DVec3::AXES[axis], [arm, DVec3::ZERO], k * error[axis]).cfm = self.softness.cfm;
        }
        rows.orientation(sides, self.relative);
    }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetFixed(joint: JointId) {
    let data = &mut *data_of!(joint, Fixed);
    let sides = (*joint).sides();
    if sides.has(1) {
        data.offset = sides.local_vector(0, sides.position(0) - sides.position(1));
    } else if sides.has(0) {
        data.offset = sides.position(0);
    }
    if sides.has(0) {
        data.relative = sides.relative();
    }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetFixedParam(joint: JointId, number: c_int, value: dReal) {
    (*data_of!(joint, Fixed)).softness.set(number, value);
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetFixedParam(joint: JointId, number: c_int) -> dReal {
    (*data_of!(joint, Fixed, 0.0)).softness.get(number)
}
