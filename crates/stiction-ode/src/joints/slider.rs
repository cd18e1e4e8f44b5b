//! Slider: one displacement along an axis of the first body is free. Forces act halfway between the centres.

use std::ffi::c_int;

use glam::{DQuat, DVec3};

use super::limit_motor::{LimitMotor, parameters};
use super::{JointId, JointKind, Rows, Sides, World, data_of};
use crate::report::{require, require_internal};
use crate::rotation::across;
use crate::types::{dReal, write3};

/// The axis in the first body, where that body's centre stood in the second, and how it was turned.
pub(crate) struct Slider {
    pub axis: DVec3,
    pub offset: DVec3,
    pub relative: DQuat,
    pub motor: LimitMotor,
}

impl Slider {
    pub(super) fn new(world: &World) -> Self {
        Self { axis: DVec3::X, offset: DVec3::ZERO, relative: DQuat::IDENTITY, motor: LimitMotor::new(world) }
    }

    /// The axis as stop and motor see it: turned round where the program named the world first.
    fn signed_axis(&self, sides: &Sides) -> DVec3 {
        let axis = sides.world_vector(0, self.axis);
        if sides.has(1) { axis } else { axis * sides.sign() }
    }

    fn displacement(&self, sides: &Sides) -> DVec3 {
        sides.position(0) - sides.world_point(1, self.offset)
    }
}

impl JointKind for Slider {
    fn number(&self) -> c_int {
        3
    }

    fn attached(&mut self, sides: &Sides) {
        self.offset = sides.local_point(1, sides.position(0));
        self.relative = sides.relative();
    }

    fn rows(&mut self, sides: &Sides, rows: &mut Rows) {
        let axis = self.signed_axis(sides);
        let error = -self.displacement(sides);
        self.motor.test_position(|| axis.dot(-error));
        rows.orientation(sides, self.relative);
        let half = if sides.has(1) { 0.5 * (sides.position(1) - sides.position(0)) } else { DVec3::ZERO };
        let k = rows.rate * rows.erp;
        for direction in across(sides.world_vector(0, self.axis)) {
            rows.along(direction, [half, -half], k * direction.dot(error));
        }
        self.motor.along(sides, axis, rows);
    }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetSliderAxis(joint: JointId, x: dReal, y: dReal, z: dReal) {
    dJointSetSliderAxisDelta(joint, x, y, z, 0.0, 0.0, 0.0);
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetSliderAxisDelta(
    joint: JointId,
    x: dReal,
    y: dReal,
    z: dReal,
    dx: dReal,
    dy: dReal,
    dz: dReal,
) {
    let data = &mut *data_of!(joint, Slider);
    let axis = DVec3::new(x.into(), y.into(), z.into());
    require_internal!(axis.is_finite() && axis != DVec3::ZERO, "the axis has no direction");
    let sides = (*joint).sides();
    if !sides.has(0) {
        return;
    }
    data.axis = sides.local_vector(0, crate::rotation::unit(axis));
    data.attached(&sides);
    if !sides.has(1) {
        data.offset += DVec3::new(dx.into(), dy.into(), dz.into());
    }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetSliderAxis(joint: JointId, result: *mut dReal) {
    let data = &*data_of!(joint, Slider);
    require!(!result.is_null(), "bad result argument");
    write3(result, (*joint).sides().world_vector(0, data.axis));
}

parameters!(Slider: dJointSetSliderParam, dJointGetSliderParam = |data, number| (&mut data.motor, number));

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetSliderPosition(joint: JointId) -> dReal {
    let data = &*data_of!(joint, Slider, 0.0);
    let sides = (*joint).sides();
    if sides.has(0) { data.signed_axis(&sides).dot(data.displacement(&sides)) as dReal } else { 0.0 }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetSliderPositionRate(joint: JointId) -> dReal {
    let data = &*data_of!(joint, Slider, 0.0);
    let sides = (*joint).sides();
    data.signed_axis(&sides).dot(sides.linear_velocity(0) - sides.linear_velocity(1)) as dReal
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointAddSliderForce(joint: JointId, force: dReal) {
    let data = &*data_of!(joint, Slider);
    let sides = (*joint).sides();
    let force = sides.world_vector(0, data.axis) * (f64::from(force) * sides.sign());
    let couple =
        if sides.are_two() { (0.5 * (sides.position(1) - sides.position(0))).cross(force) } else { DVec3::ZERO };
    sides.add(force, [couple; 2]);
}
