//! PR: a displacement along an axis of the first body and an angle about another, the two perpendicular.

use std::ffi::c_int;

use glam::{DQuat, DVec3};

use super::angles::hinge_angle;
use super::hinge::local_axes;
use super::limit_motor::{LimitMotor, of_two, parameters};
use super::{JointId, JointKind, Rows, Sides, World, data_of};
use crate::report::{require, require_internal};
use crate::types::{dReal, write3};

/// The rotoide's anchor in each body, its axis in each, and the axis of displacement in the first.
pub(crate) struct PrismaticRotoide {
    pub anchors: [DVec3; 2],
    pub rotoide: [DVec3; 2],
    pub prismatic: DVec3,
    pub relative: DQuat,
    /// Of the displacement, and of the angle.
    pub motors: [LimitMotor; 2],
}

impl PrismaticRotoide {
    pub(super) fn new(world: &World) -> Self {
        Self {
            anchors: [DVec3::ZERO; 2],
            rotoide: [DVec3::X; 2],
            prismatic: DVec3::Y,
            relative: DQuat::IDENTITY,
            motors: [LimitMotor::new(world); 2],
        }
    }

    fn set_anchor(&mut self, sides: &Sides, point: DVec3) {
        self.anchors = [sides.local_point(0, point), sides.local_point(1, point)];
    }

    fn position(&self, sides: &Sides) -> f64 {
        let between = sides.world_point(0, self.anchors[0]) - sides.world_point(1, self.anchors[1]);
        let sign = if sides.has(1) { 1.0 } else { sides.sign() };
        sides.world_vector(0, self.prismatic).dot(between) * sign
    }

    fn angle(&self, sides: &Sides) -> f64 {
        hinge_angle(sides.relative(), self.relative, self.rotoide[0])
    }
}

impl JointKind for PrismaticRotoide {
    fn number(&self) -> c_int {
        12
    }

    fn attached(&mut self, sides: &Sides) {
        self.set_anchor(sides, sides.world_point(1, self.anchors[1]));
        self.rotoide = local_axes(sides, sides.world_vector(0, self.rotoide[0]));
        self.relative = sides.relative();
    }

    fn rows(&mut self, sides: &Sides, rows: &mut Rows) {
        let (position, angle) = (self.position(sides), self.angle(sides));
        self.motors[0].test_position(|| position);
        self.motors[1].test_angle(|| angle);
        let prismatic = sides.world_vector(0, self.prismatic);
        let axis = sides.world_vector(0, self.rotoide[0]);
        let second_axis = sides.world_vector(1, self.rotoide[1]);
        let third = axis.cross(prismatic);
        let arm = sides.world_vector(1, self.anchors[1]);
        let to_anchor = toward_anchor(sides, sides.world_point(1, self.anchors[1]));
        let k = rows.rate * rows.erp;
        let turn = axis.cross(second_axis);
        rows.about(prismatic, k * turn.dot(prismatic));
        rows.about(third, k * turn.dot(third));
        let error = to_anchor - sides.world_vector(0, self.anchors[0]);
        let row = rows.along(axis, [to_anchor, arm], k * axis.dot(error));
        // ODE takes the second body's own axis here; the two differ by the error only.
        row.angular[1] = second_axis.cross(arm);
        rows.along(third, [to_anchor, arm], k * third.dot(error));
        self.motors[0].along(sides, if sides.has(1) { prismatic } else { prismatic * sides.sign() }, rows);
        self.motors[1].about(sides, axis, rows);
    }
}

/// From the first body's centre to the anchor. ODE turns it round for a joint whose first body is the world.
pub(super) fn toward_anchor(sides: &Sides, anchor: DVec3) -> DVec3 {
    let arm = anchor - sides.position(0);
    if sides.has(1) { arm } else { arm * sides.sign() }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetPRAnchor(joint: JointId, x: dReal, y: dReal, z: dReal) {
    let data = &mut *data_of!(joint, PrismaticRotoide);
    let sides = (*joint).sides();
    if sides.has(0) {
        data.set_anchor(&sides, DVec3::new(x.into(), y.into(), z.into()));
    }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetPRAnchor(joint: JointId, result: *mut dReal) {
    let data = &*data_of!(joint, PrismaticRotoide);
    require!(!result.is_null(), "bad result argument");
    write3(result, (*joint).sides().world_point(1, data.anchors[1]));
}

macro_rules! axis_functions {
    ($($set:ident, $get:ident: |$data:ident, $sides:ident, $axis:ident| $store:expr, $load:expr;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $set(joint: JointId, x: dReal, y: dReal, z: dReal) {
            let $data = &mut *data_of!(joint, PrismaticRotoide);
            let $axis = DVec3::new(x.into(), y.into(), z.into());
            require_internal!($axis.is_finite() && $axis != DVec3::ZERO, "the axis has no direction");
            let $sides = &(*joint).sides();
            if $sides.has(0) {
                $store;
                $data.relative = $sides.relative();
            }
        }

        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $get(joint: JointId, result: *mut dReal) {
            let $data = &*data_of!(joint, PrismaticRotoide);
            require!(!result.is_null(), "bad result argument");
            write3(result, (*joint).sides().world_vector(0, $load));
        }
    )*};
}

axis_functions! {
    dJointSetPRAxis1, dJointGetPRAxis1: |data, sides, axis|
        data.prismatic = sides.local_vector(0, crate::rotation::unit(axis)), data.prismatic;
    dJointSetPRAxis2, dJointGetPRAxis2: |data, sides, axis|
        data.rotoide = local_axes(sides, axis), data.rotoide[0];
}

parameters!(PrismaticRotoide: dJointSetPRParam, dJointGetPRParam = |data, number| {
    let [prismatic, rotoide] = &mut data.motors;
    of_two(prismatic, rotoide, number)
});

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetPRPosition(joint: JointId) -> dReal {
    let data = &*data_of!(joint, PrismaticRotoide, 0.0);
    let sides = (*joint).sides();
    if sides.has(0) { data.position(&sides) as dReal } else { 0.0 }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetPRPositionRate(joint: JointId) -> dReal {
    let data = &*data_of!(joint, PrismaticRotoide, 0.0);
    let sides = (*joint).sides();
    let axis = sides.world_vector(0, data.prismatic);
    let anchor = sides.linear_velocity(1) + sides.angular_velocity(1).cross(sides.world_vector(1, data.anchors[1]));
    let sign = if sides.has(1) { 1.0 } else { sides.sign() };
    let anchor = if sides.has(1) { anchor } else { DVec3::ZERO };
    (axis.dot(sides.linear_velocity(0) - anchor) * sign) as dReal
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetPRAngle(joint: JointId) -> dReal {
    let data = &*data_of!(joint, PrismaticRotoide, 0.0);
    let sides = (*joint).sides();
    if sides.has(0) { (data.angle(&sides) * sides.sign()) as dReal } else { 0.0 }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetPRAngleRate(joint: JointId) -> dReal {
    let data = &*data_of!(joint, PrismaticRotoide, 0.0);
    let sides = (*joint).sides();
    (sides.world_vector(0, data.rotoide[0]).dot(sides.relative_spin()) * sides.sign()) as dReal
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointAddPRTorque(joint: JointId, torque: dReal) {
    let data = &*data_of!(joint, PrismaticRotoide);
    let sides = (*joint).sides();
    sides.add_torque(sides.world_vector(0, data.rotoide[0]) * (f64::from(torque) * sides.sign()));
}
