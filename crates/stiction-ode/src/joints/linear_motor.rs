//! Linear motor: motors along up to three axes, holding nothing.

use std::ffi::c_int;

use glam::DVec3;

use super::angular_motor::{Relative, world_axis};
use super::limit_motor::{LimitMotor, of_three};
use super::{JointId, JointKind, Rows, Sides, World, data_of, parameters};
use crate::report::{require, require_internal};
use crate::types::{dReal, write3};

/// Axes and what they are fixed to.
pub(crate) struct LinearMotor {
    pub count: usize,
    pub relative: [Relative; 3],
    pub axes: [DVec3; 3],
    pub motors: [LimitMotor; 3],
}

impl LinearMotor {
    pub(super) fn new(world: &World) -> Self {
        Self { count: 0, relative: [0; 3], axes: [DVec3::ZERO; 3], motors: [LimitMotor::new(world); 3] }
    }
}

impl JointKind for LinearMotor {
    fn number(&self) -> c_int {
        10
    }

    fn rows(&mut self, sides: &Sides, rows: &mut Rows) {
        for i in 0..self.count {
            self.motors[i].along(sides, world_axis(sides, self.relative[i], self.axes[i]), rows);
        }
    }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetLMotorNumAxes(joint: JointId, count: c_int) {
    let data = &mut *data_of!(joint, LinearMotor);
    require!((0..=3).contains(&count), "bad number of axes");
    data.count = count as usize;
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetLMotorNumAxes(joint: JointId) -> c_int {
    (*data_of!(joint, LinearMotor, 0)).count as c_int
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetLMotorAxis(
    joint: JointId,
    number: c_int,
    relative: c_int,
    x: dReal,
    y: dReal,
    z: dReal,
) {
    let data = &mut *data_of!(joint, LinearMotor);
    require!((0..3).contains(&number) && (0..3).contains(&relative), "bad axis number or reference");
    let axis = DVec3::new(x.into(), y.into(), z.into());
    require_internal!(axis.is_finite() && axis != DVec3::ZERO, "the axis has no direction");
    let sides = (*joint).sides();
    require!(sides.has(0) || relative == 0, "the joint has no bodies");
    // A second body that is not there: the axis belongs to the first.
    let relative = if relative == 2 && !sides.has(1) { 1 } else { relative };
    let axis = crate::rotation::unit(axis);
    data.relative[number as usize] = relative;
    data.axes[number as usize] = if relative == 0 { axis } else { sides.local_vector(relative as usize - 1, axis) };
}

/// The axis in the frame that it is fixed to, as ODE hands it out.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetLMotorAxis(joint: JointId, number: c_int, result: *mut dReal) {
    let data = &*data_of!(joint, LinearMotor);
    require!((0..3).contains(&number) && !result.is_null(), "bad axis number or result argument");
    write3(result, data.axes[number as usize]);
}

parameters!(LinearMotor: dJointSetLMotorParam, dJointGetLMotorParam |data, number|
    of_three(&mut data.motors, number));
