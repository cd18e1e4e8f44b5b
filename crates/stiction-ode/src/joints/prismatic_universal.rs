//! PU: a displacement along an axis of the first body and the two angles of a universal joint.

use std::ffi::c_int;

use glam::DVec3;

use super::limit_motor::{LimitMotor, parameters};
use super::universal::{Cross, perpendicular, test_angles};
use super::{JointId, JointKind, Rows, Sides, World, data_of};
use crate::report::{require, require_internal};
use crate::rotation::across;
use crate::types::{dReal, write3};

/// Anchors in the bodies, the cross of the universal's axes, and the axis of displacement in the first body.
pub(crate) struct PrismaticUniversal {
    pub anchors: [DVec3; 2],
    pub cross: Cross,
    pub prismatic: DVec3,
    pub angles: [LimitMotor; 2],
    pub displacement: LimitMotor,
}

impl PrismaticUniversal {
    pub(super) fn new(world: &World) -> Self {
        Self {
            anchors: [DVec3::ZERO; 2],
            cross: Cross::new([DVec3::Y, DVec3::Z]),
            prismatic: DVec3::X,
            angles: [LimitMotor::new(world); 2],
            displacement: LimitMotor::new(world),
        }
    }

    fn set_anchor(&mut self, sides: &Sides, point: DVec3) {
        self.anchors = [sides.local_point(0, point), sides.local_point(1, point)];
        self.cross.set_zero(sides);
    }

    /// The anchor is set as if the first body stood elsewhere.
    fn set_anchor_moved(&mut self, sides: &Sides, point: DVec3, moved: DVec3) {
        if sides.has(0) {
            self.set_anchor(sides, point);
            self.anchors[0] = sides.local_point(0, point - moved);
        }
    }

    fn position(&self, sides: &Sides) -> f64 {
        let between = sides.world_point(0, self.anchors[0]) - sides.world_point(1, self.anchors[1]);
        let sign = if sides.has(1) { 1.0 } else { sides.sign() };
        sides.world_vector(0, self.prismatic).dot(between) * sign
    }
}

impl JointKind for PrismaticUniversal {
    fn number(&self) -> c_int {
        13
    }

    fn attached(&mut self, sides: &Sides) {
        self.set_anchor(sides, sides.world_point(1, self.anchors[1]));
    }

    fn rows(&mut self, sides: &Sides, rows: &mut Rows) {
        let position = self.position(sides);
        self.displacement.test_position(|| position);
        test_angles(&mut self.angles, &self.cross, sides);
        let [first, second] = self.cross.world_axes(sides);
        perpendicular(first, second, rows);
        // ODE sees the axis from the other end in a joint whose first body is the world.
        let prismatic = sides.world_vector(sides.named(0), self.prismatic);
        let arms = [sides.world_vector(0, self.anchors[0]), sides.world_vector(1, self.anchors[1])];
        let error = (arms[1] + sides.position(1)) - (arms[0] + sides.position(0));
        let k = rows.rate * rows.erp;
        for direction in across(prismatic) {
            rows.along(direction, arms, k * direction.dot(error));
        }
        self.angles[0].about(sides, first, rows);
        self.angles[1].about(sides, second, rows);
        let axis = if sides.has(1) { prismatic } else { prismatic * sides.sign() };
        self.displacement.between(sides, axis, arms, rows);
    }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetPUAnchor(joint: JointId, x: dReal, y: dReal, z: dReal) {
    dJointSetPUAnchorDelta(joint, x, y, z, 0.0, 0.0, 0.0);
}

/// The anchor is set as if the first body stood at its position plus a displacement.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetPUAnchorDelta(
    joint: JointId,
    x: dReal,
    y: dReal,
    z: dReal,
    dx: dReal,
    dy: dReal,
    dz: dReal,
) {
    let data = &mut *data_of!(joint, PrismaticUniversal);
    let (point, moved) = (DVec3::new(x.into(), y.into(), z.into()), DVec3::new(dx.into(), dy.into(), dz.into()));
    data.set_anchor_moved(&(*joint).sides(), point, moved);
}

/// The anchor is set so that the present position is the displacement along the axis.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetPUAnchorOffset(
    joint: JointId,
    x: dReal,
    y: dReal,
    z: dReal,
    dx: dReal,
    dy: dReal,
    dz: dReal,
) {
    let data = &mut *data_of!(joint, PrismaticUniversal);
    let sides = (*joint).sides();
    let (point, moved) = (DVec3::new(x.into(), y.into(), z.into()), DVec3::new(dx.into(), dy.into(), dz.into()));
    data.set_anchor_moved(&sides, point, -moved * sides.sign());
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetPUAnchor(joint: JointId, result: *mut dReal) {
    let data = &*data_of!(joint, PrismaticUniversal);
    require!(!result.is_null(), "bad result argument");
    write3(result, (*joint).sides().world_point(1, data.anchors[1]));
}

macro_rules! axis_functions {
    ($($set:ident, $get:ident, $angle:ident, $rate:ident: $number:literal;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $set(joint: JointId, x: dReal, y: dReal, z: dReal) {
            let data = &mut *data_of!(joint, PrismaticUniversal);
            let axis = DVec3::new(x.into(), y.into(), z.into());
            require_internal!(axis.is_finite() && axis != DVec3::ZERO, "the axis has no direction");
            let sides = (*joint).sides();
            if sides.has(0) {
                data.cross.set_axis(&sides, sides.named($number), axis);
            }
        }

        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $get(joint: JointId, result: *mut dReal) {
            let data = &*data_of!(joint, PrismaticUniversal);
            require!(!result.is_null(), "bad result argument");
            let sides = (*joint).sides();
            write3(result, data.cross.world_axes(&sides)[sides.named($number)]);
        }

        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $angle(joint: JointId) -> dReal {
            let data = &*data_of!(joint, PrismaticUniversal, 0.0);
            let sides = (*joint).sides();
            data.cross.angles(&sides)[sides.named($number)] as dReal
        }

        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $rate(joint: JointId) -> dReal {
            let data = &*data_of!(joint, PrismaticUniversal, 0.0);
            data.cross.rate(&(*joint).sides(), $number) as dReal
        }
    )*};
}

axis_functions! {
    dJointSetPUAxis1, dJointGetPUAxis1, dJointGetPUAngle1, dJointGetPUAngle1Rate: 0;
    dJointSetPUAxis2, dJointGetPUAxis2, dJointGetPUAngle2, dJointGetPUAngle2Rate: 1;
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetPUAngles(joint: JointId, angle1: *mut dReal, angle2: *mut dReal) {
    let data = &*data_of!(joint, PrismaticUniversal);
    require!(!angle1.is_null() && !angle2.is_null(), "bad result argument");
    let sides = (*joint).sides();
    let angles = data.cross.angles(&sides);
    (*angle1, *angle2) = (angles[sides.named(0)] as dReal, angles[sides.named(1)] as dReal);
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetPUAxis3(joint: JointId, x: dReal, y: dReal, z: dReal) {
    let data = &mut *data_of!(joint, PrismaticUniversal);
    let axis = DVec3::new(x.into(), y.into(), z.into());
    require_internal!(axis.is_finite() && axis != DVec3::ZERO, "the axis has no direction");
    let sides = (*joint).sides();
    if sides.has(0) {
        data.prismatic = sides.local_vector(0, crate::rotation::unit(axis));
        data.cross.set_zero(&sides);
    }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetPUAxisP(joint: JointId, x: dReal, y: dReal, z: dReal) {
    dJointSetPUAxis3(joint, x, y, z);
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetPUAxis3(joint: JointId, result: *mut dReal) {
    let data = &*data_of!(joint, PrismaticUniversal);
    require!(!result.is_null(), "bad result argument");
    write3(result, (*joint).sides().world_vector(0, data.prismatic));
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetPUAxisP(joint: JointId, result: *mut dReal) {
    dJointGetPUAxis3(joint, result);
}

parameters!(PrismaticUniversal: dJointSetPUParam, dJointGetPUParam = |data, number| {
    let motor = match number & 0xff00 {
        0x100 => &mut data.angles[1],
        0x200 => &mut data.displacement,
        _ => &mut data.angles[0],
    };
    (motor, number & 0xff)
});

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetPUPosition(joint: JointId) -> dReal {
    let data = &*data_of!(joint, PrismaticUniversal, 0.0);
    let sides = (*joint).sides();
    if sides.has(0) { data.position(&sides) as dReal } else { 0.0 }
}

/// Rate of the position along the axis; the lever arms turn the way ODE has them.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetPUPositionRate(joint: JointId) -> dReal {
    let data = &*data_of!(joint, PrismaticUniversal, 0.0);
    let sides = (*joint).sides();
    if !sides.has(0) {
        return 0.0;
    }
    let arm = if sides.has(1) { sides.world_vector(1, data.anchors[1]) } else { DVec3::ZERO };
    let between = sides.position(0) - sides.world_point(1, data.anchors[1]);
    let first = between.cross(sides.angular_velocity(0)) + sides.linear_velocity(0);
    let second = arm.cross(sides.angular_velocity(1)) + sides.linear_velocity(1);
    let rate = sides.world_vector(0, data.prismatic).dot(first - second);
    (if sides.has(1) { rate } else { rate * sides.sign() }) as dReal
}

/// Torques about the two axes of the universal, on the first body, their opposites on the second.
unsafe fn add_torques(joint: JointId, torque1: dReal, torque2: dReal) {
    let data = &*data_of!(joint, PrismaticUniversal);
    let sides = (*joint).sides();
    let (first, second) = (f64::from(torque1), f64::from(torque2));
    let torques = if sides.is_reverse { [-second, -first] } else { [first, second] };
    let axes = data.cross.world_axes(&sides);
    sides.add_torque(axes[0] * torques[0] + axes[1] * torques[1]);
}

/// Declared in ODE's headers, in no library before 0.16.4.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointAddPUTorque(joint: JointId, torque: dReal) {
    add_torques(joint, torque, 0.0);
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointAddPUTorques(joint: JointId, torque1: dReal, torque2: dReal) {
    add_torques(joint, torque1, torque2);
}
