//! Hinge: a point and an axis are held.

use std::ffi::c_int;

use glam::{DQuat, DVec3};

use super::angles::hinge_angle;
use super::limit_motor::{LimitMotor, parameters};
use super::{JointId, JointKind, Rows, Sides, World, data_of};
use crate::report::{require, require_internal};
use crate::rotation::across;
use crate::types::{dReal, write3};

/// Anchors and axes in the bodies, and how the bodies are turned at angle zero.
pub(crate) struct Hinge {
    pub anchors: [DVec3; 2],
    pub axes: [DVec3; 2],
    pub relative: DQuat,
    pub motor: LimitMotor,
}

impl Hinge {
    pub(super) fn new(world: &World) -> Self {
        Self {
            anchors: [DVec3::ZERO; 2],
            axes: [DVec3::X; 2],
            relative: DQuat::IDENTITY,
            motor: LimitMotor::new(world),
        }
    }

    fn set_anchor(&mut self, sides: &Sides, point: DVec3) {
        self.anchors = [sides.local_point(0, point), sides.local_point(1, point)];
        self.relative = sides.relative();
    }

    fn set_axis(&mut self, sides: &Sides, axis: DVec3) {
        self.axes = local_axes(sides, axis);
        self.relative = sides.relative();
    }

    fn angle(&self, sides: &Sides) -> f64 {
        hinge_angle(sides.relative(), self.relative, self.axes[0])
    }
}

impl JointKind for Hinge {
    fn number(&self) -> c_int {
        2
    }

    fn attached(&mut self, sides: &Sides) {
        let side = sides.named(0);
        let anchor = sides.world_point(side, self.anchors[side]);
        let axis = sides.world_vector(0, self.axes[0]);
        self.set_anchor(sides, anchor);
        self.set_axis(sides, axis);
    }

    fn rows(&mut self, sides: &Sides, rows: &mut Rows) {
        let angle = self.angle(sides);
        self.motor.test_angle(|| angle);
        rows.point(sides, self.anchors, rows.erp, rows.cfm);
        let axis = sides.world_vector(0, self.axes[0]);
        aligned(sides, axis, self.axes[1], rows);
        self.motor.about(sides, axis, rows);
    }
}

/// An axis of the world in both bodies, of unit length; one that belongs to the world stays as the program gave it.
pub(super) fn local_axes(sides: &Sides, axis: DVec3) -> [DVec3; 2] {
    let unit = crate::rotation::unit(axis);
    [sides.local_vector(0, unit), if sides.has(1) { sides.local_vector(1, unit) } else { axis }]
}

/// Two rows that keep an axis of the first body along one of the second.
pub(super) fn aligned(sides: &Sides, axis: DVec3, second: DVec3, rows: &mut Rows) {
    let error = axis.cross(sides.world_vector(1, second));
    let k = rows.rate * rows.erp;
    for direction in across(axis) {
        rows.about(direction, k * error.dot(direction));
    }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetHingeAnchor(joint: JointId, x: dReal, y: dReal, z: dReal) {
    dJointSetHingeAnchorDelta(joint, x, y, z, 0.0, 0.0, 0.0);
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetHingeAnchorDelta(
    joint: JointId,
    x: dReal,
    y: dReal,
    z: dReal,
    dx: dReal,
    dy: dReal,
    dz: dReal,
) {
    let data = &mut *data_of!(joint, Hinge);
    let sides = (*joint).sides();
    if !sides.has(0) {
        return;
    }
    data.set_anchor(&sides, DVec3::new(x.into(), y.into(), z.into()));
    if !sides.has(1) {
        data.anchors[1] += DVec3::new(dx.into(), dy.into(), dz.into());
    }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetHingeAxis(joint: JointId, x: dReal, y: dReal, z: dReal) {
    let data = &mut *data_of!(joint, Hinge);
    let axis = DVec3::new(x.into(), y.into(), z.into());
    require_internal!(axis.is_finite() && axis != DVec3::ZERO, "the axis has no direction");
    let sides = (*joint).sides();
    if sides.has(0) {
        data.set_axis(&sides, axis);
    }
}

/// Sets the axis so that the present angle is the given one. As in ODE the turn is taken off the *inverse* of the present
/// one, which is the same where the bodies are not turned against each other.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetHingeAxisOffset(joint: JointId, x: dReal, y: dReal, z: dReal, angle: dReal) {
    dJointSetHingeAxis(joint, x, y, z);
    let data = &mut *data_of!(joint, Hinge);
    let axis = DVec3::new(x.into(), y.into(), z.into());
    let sides = (*joint).sides();
    if sides.has(0) && axis.is_finite() && axis != DVec3::ZERO {
        let turn = DQuat::from_axis_angle(crate::rotation::unit(axis), f64::from(angle) * sides.sign());
        data.relative = turn.conjugate() * data.relative.conjugate();
    }
}

macro_rules! get_anchor {
    ($($name:ident: $side:literal;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $name(joint: JointId, result: *mut dReal) {
            let data = &*data_of!(joint, Hinge);
            require!(!result.is_null(), "bad result argument");
            let sides = (*joint).sides();
            let side = sides.named($side);
            write3(result, sides.world_point(side, data.anchors[side]));
        }
    )*};
}

get_anchor! {
    dJointGetHingeAnchor: 0;
    dJointGetHingeAnchor2: 1;
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetHingeAxis(joint: JointId, result: *mut dReal) {
    let data = &*data_of!(joint, Hinge);
    require!(!result.is_null(), "bad result argument");
    write3(result, (*joint).sides().world_vector(0, data.axes[0]));
}

parameters!(Hinge: dJointSetHingeParam, dJointGetHingeParam = |data, number| (&mut data.motor, number));

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetHingeAngle(joint: JointId) -> dReal {
    let data = &*data_of!(joint, Hinge, 0.0);
    let sides = (*joint).sides();
    if sides.has(0) { (data.angle(&sides) * sides.sign()) as dReal } else { 0.0 }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetHingeAngleRate(joint: JointId) -> dReal {
    let data = &*data_of!(joint, Hinge, 0.0);
    let sides = (*joint).sides();
    (sides.world_vector(0, data.axes[0]).dot(sides.relative_spin()) * sides.sign()) as dReal
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointAddHingeTorque(joint: JointId, torque: dReal) {
    let data = &*data_of!(joint, Hinge);
    let sides = (*joint).sides();
    sides.add_torque(sides.world_vector(0, data.axes[0]) * (f64::from(torque) * sides.sign()));
}
