//! Piston: a displacement along an axis and an angle about it.

use std::ffi::c_int;

use glam::{DQuat, DVec3};

use super::angles::hinge_angle;
use super::hinge::{aligned, local_axes};
use super::limit_motor::{LimitMotor, of_two, parameters};
use super::prismatic_rotoide::toward_anchor;
use super::{JointId, JointKind, Rows, Sides, World, data_of};
use crate::report::{require, require_internal};
use crate::rotation::across;
use crate::types::{dReal, write3};

/// Anchors and axes in the bodies.
pub(crate) struct Piston {
    pub anchors: [DVec3; 2],
    pub axes: [DVec3; 2],
    pub relative: DQuat,
    /// Of the displacement, and of the angle.
    pub motors: [LimitMotor; 2],
}

impl Piston {
    pub(super) fn new(world: &World) -> Self {
        Self {
            anchors: [DVec3::ZERO; 2],
            axes: [DVec3::X; 2],
            relative: DQuat::IDENTITY,
            motors: [LimitMotor::new(world); 2],
        }
    }

    fn set_anchor(&mut self, sides: &Sides, point: DVec3) {
        self.anchors = [sides.local_point(0, point), sides.local_point(1, point)];
        self.relative = sides.relative();
    }

    fn position(&self, sides: &Sides) -> f64 {
        let between = sides.world_point(0, self.anchors[0]) - sides.world_point(1, self.anchors[1]);
        let sign = if sides.has(1) { 1.0 } else { sides.sign() };
        sides.world_vector(0, self.axes[0]).dot(between) * sign
    }

    fn angle(&self, sides: &Sides) -> f64 {
        hinge_angle(sides.relative(), self.relative, self.axes[0])
    }
}

impl JointKind for Piston {
    fn number(&self) -> c_int {
        14
    }

    fn attached(&mut self, sides: &Sides) {
        let side = sides.named(0);
        self.set_anchor(sides, sides.world_point(side, self.anchors[side]));
        self.axes = local_axes(sides, sides.world_vector(0, self.axes[0]));
    }

    fn rows(&mut self, sides: &Sides, rows: &mut Rows) {
        let (position, angle) = (self.position(sides), self.angle(sides));
        self.motors[0].test_position(|| position);
        self.motors[1].test_position(|| angle);
        let axis = sides.world_vector(0, self.axes[0]);
        aligned(sides, axis, self.axes[1], rows);
        let arm = sides.world_vector(1, self.anchors[1]);
        let to_anchor = toward_anchor(sides, sides.world_point(1, self.anchors[1]));
        let error = to_anchor - sides.world_vector(0, self.anchors[0]);
        let k = rows.rate * rows.erp;
        for direction in across(axis) {
            rows.along(direction, [to_anchor, arm], k * direction.dot(error));
        }
        self.motors[0].along(sides, if sides.has(1) { axis } else { axis * sides.sign() }, rows);
        self.motors[1].about(sides, axis, rows);
    }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetPistonAnchor(joint: JointId, x: dReal, y: dReal, z: dReal) {
    dJointSetPistonAnchorOffset(joint, x, y, z, 0.0, 0.0, 0.0);
}

/// The anchor is set as if the first body stood at its position less a displacement.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetPistonAnchorOffset(
    joint: JointId,
    x: dReal,
    y: dReal,
    z: dReal,
    dx: dReal,
    dy: dReal,
    dz: dReal,
) {
    let data = &mut *data_of!(joint, Piston);
    let sides = (*joint).sides();
    if sides.has(0) {
        let point = DVec3::new(x.into(), y.into(), z.into());
        let moved = DVec3::new(dx.into(), dy.into(), dz.into()) * sides.sign();
        data.set_anchor(&sides, point);
        data.anchors[0] = sides.local_point(0, point + moved);
    }
}

macro_rules! get_anchor {
    ($($name:ident: $side:literal;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $name(joint: JointId, result: *mut dReal) {
            let data = &*data_of!(joint, Piston);
            require!(!result.is_null(), "bad result argument");
            let sides = (*joint).sides();
            let side = sides.named($side);
            write3(result, sides.world_point(side, data.anchors[side]));
        }
    )*};
}

get_anchor! {
    dJointGetPistonAnchor: 0;
    dJointGetPistonAnchor2: 1;
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetPistonAxis(joint: JointId, x: dReal, y: dReal, z: dReal) {
    let data = &mut *data_of!(joint, Piston);
    let axis = DVec3::new(x.into(), y.into(), z.into());
    require_internal!(axis.is_finite() && axis != DVec3::ZERO, "the axis has no direction");
    let sides = (*joint).sides();
    if sides.has(0) {
        data.axes = local_axes(&sides, axis);
        data.relative = sides.relative();
    }
}

/// Sets the axis, and the first body's anchor as if it stood at its position less a displacement.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetPistonAxisDelta(
    joint: JointId,
    x: dReal,
    y: dReal,
    z: dReal,
    dx: dReal,
    dy: dReal,
    dz: dReal,
) {
    dJointSetPistonAxis(joint, x, y, z);
    let data = &mut *data_of!(joint, Piston);
    let sides = (*joint).sides();
    if sides.has(0) {
        let moved = DVec3::new(dx.into(), dy.into(), dz.into());
        data.anchors[0] = sides.local_vector(0, sides.position(0) - sides.position(1) - moved);
    }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetPistonAxis(joint: JointId, result: *mut dReal) {
    let data = &*data_of!(joint, Piston);
    require!(!result.is_null(), "bad result argument");
    write3(result, (*joint).sides().world_vector(0, data.axes[0]));
}

parameters!(Piston: dJointSetPistonParam, dJointGetPistonParam = |data, number| {
    let [displacement, angle] = &mut data.motors;
    of_two(displacement, angle, number)
});

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetPistonPosition(joint: JointId) -> dReal {
    let data = &*data_of!(joint, Piston, 0.0);
    let sides = (*joint).sides();
    if sides.has(0) { data.position(&sides) as dReal } else { 0.0 }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetPistonPositionRate(joint: JointId) -> dReal {
    let data = &*data_of!(joint, Piston, 0.0);
    let sides = (*joint).sides();
    let rate = sides.world_vector(0, data.axes[0]).dot(sides.linear_velocity(0) - sides.linear_velocity(1));
    (if sides.has(1) { rate } else { rate * sides.sign() }) as dReal
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetPistonAngle(joint: JointId) -> dReal {
    let data = &*data_of!(joint, Piston, 0.0);
    let sides = (*joint).sides();
    if sides.has(0) { (data.angle(&sides) * sides.sign()) as dReal } else { 0.0 }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetPistonAngleRate(joint: JointId) -> dReal {
    let data = &*data_of!(joint, Piston, 0.0);
    let sides = (*joint).sides();
    (sides.world_vector(0, data.axes[0]).dot(sides.relative_spin()) * sides.sign()) as dReal
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointAddPistonForce(joint: JointId, force: dReal) {
    let data = &*data_of!(joint, Piston);
    let sides = (*joint).sides();
    // ODE subtracts the force from itself here, and pushes nothing; a force turned round is what is meant.
    let force = sides.world_vector(0, data.axes[0]) * (f64::from(force) * sides.sign());
    let torques = if sides.are_two() {
        [0, 1].map(|side| sides.world_vector(side, data.anchors[side]).cross(force))
    } else {
        [DVec3::ZERO; 2]
    };
    sides.add(force, torques);
}
