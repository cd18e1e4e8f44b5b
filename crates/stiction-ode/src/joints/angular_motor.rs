//! Angular motor: motors and stops about up to three axes, holding nothing.

use std::ffi::c_int;

use glam::DVec3;

use super::limit_motor::{LimitMotor, of_three};
use super::{JointId, JointKind, Rows, Sides, World, data_of, parameters};
use crate::report::{require, require_internal};
use crate::types::{dReal, write3};

/// `dAMotorUser` and `dAMotorEuler`.
const EULER: c_int = 1;

/// What an axis of a motor is fixed to: 0 the world, 1 and 2 the bodies (as they stand inside).
pub(super) type Relative = c_int;

/// Axes, what they are fixed to, angles, and the references of Euler angles.
pub(crate) struct AngularMotor {
    pub mode: c_int,
    pub count: usize,
    pub relative: [Relative; 3],
    pub axes: [DVec3; 3],
    /// The other body's Euler axis as each body carried it when it was set.
    pub references: [DVec3; 2],
    pub angles: [f64; 3],
    pub motors: [LimitMotor; 3],
}

/// An axis in the world; one of a second body that is not there stays as it is.
pub(super) fn world_axis(sides: &Sides, relative: Relative, axis: DVec3) -> DVec3 {
    match relative {
        1 => sides.world_vector(0, axis),
        2 => sides.world_vector(1, axis),
        _ => axis,
    }
}

impl AngularMotor {
    pub(super) fn new(world: &World) -> Self {
        Self {
            mode: 0,
            count: 0,
            relative: [0; 3],
            axes: [DVec3::ZERO; 3],
            references: [DVec3::ZERO; 2],
            angles: [0.0; 3],
            motors: [LimitMotor::new(world); 3],
        }
    }

    /// Which Euler axis the first body carries: that which the program's first body has.
    fn euler_axis_of(sides: &Sides, side: usize) -> usize {
        2 * sides.named(side)
    }

    fn world_axes(&self, sides: &Sides) -> [DVec3; 3] {
        if self.mode != EULER {
            return std::array::from_fn(|i| world_axis(sides, self.relative[i], self.axes[i]));
        }
        let mut axes = [DVec3::ZERO; 3];
        for side in 0..2 {
            let axis = Self::euler_axis_of(sides, side);
            axes[axis] = sides.world_vector(side, self.axes[axis]);
        }
        axes[1] = axes[2].cross(axes[0]).normalize_or_zero();
        axes
    }

    fn set_references(&mut self, sides: &Sides) {
        for side in 0..2 {
            let other = Self::euler_axis_of(sides, 1 - side);
            self.references[side] = sides.local_vector(side, sides.world_vector(1 - side, self.axes[other]));
        }
    }

    /// Angles are zero where the axes were set; they are found anew in each step.
    fn measure_euler(&mut self, sides: &Sides, axes: &[DVec3; 3]) {
        let reference = [sides.named(0), sides.named(1)].map(|side| sides.world_vector(side, self.references[side]));
        let angle = |y: f64, x: f64| -libm::atan2(y, x);
        self.angles = [
            angle(axes[2].dot(axes[0].cross(reference[0])), axes[2].dot(reference[0])),
            angle(axes[2].dot(axes[0]), axes[2].dot(axes[0].cross(axes[1]))),
            angle(reference[1].dot(axes[1]), reference[1].dot(axes[1].cross(axes[2]))),
        ];
    }

    /// Axes about which the motors act. In Euler mode the outer ones are made perpendicular to the two others, so that each
    /// motor drives its own angle alone.
    fn motor_axes(&self, sides: &Sides) -> [DVec3; 3] {
        let axes = self.world_axes(sides);
        if self.mode == EULER { [axes[1].cross(axes[2]), axes[1], axes[0].cross(axes[1])] } else { axes }
    }
}

impl JointKind for AngularMotor {
    fn number(&self) -> c_int {
        9
    }

    fn rows(&mut self, sides: &Sides, rows: &mut Rows) {
        if self.mode == EULER {
            let axes = self.world_axes(sides);
            self.measure_euler(sides, &axes);
        }
        let axes = self.motor_axes(sides);
        for i in 0..self.count {
            self.motors[i].test_in_any_order(self.angles[i]);
            self.motors[i].about(sides, axes[i], rows);
        }
    }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetAMotorMode(joint: JointId, mode: c_int) {
    let data = &mut *data_of!(joint, AngularMotor);
    data.mode = mode;
    if mode == EULER {
        data.count = 3;
        data.set_references(&(*joint).sides());
    }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetAMotorMode(joint: JointId) -> c_int {
    (*data_of!(joint, AngularMotor, 0)).mode
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetAMotorNumAxes(joint: JointId, count: c_int) {
    let data = &mut *data_of!(joint, AngularMotor);
    require!((0..=3).contains(&count), "bad number of axes");
    data.count = if data.mode == EULER { 3 } else { count as usize };
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetAMotorNumAxes(joint: JointId) -> c_int {
    (*data_of!(joint, AngularMotor, 0)).count as c_int
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetAMotorAxis(
    joint: JointId,
    number: c_int,
    relative: c_int,
    x: dReal,
    y: dReal,
    z: dReal,
) {
    let data = &mut *data_of!(joint, AngularMotor);
    require!((0..3).contains(&number) && (0..3).contains(&relative), "bad axis number or reference");
    require!(
        data.mode != EULER || relative == 0 || relative == [1, 0, 2][number as usize],
        "this Euler axis belongs to the other body"
    );
    let axis = DVec3::new(x.into(), y.into(), z.into());
    require_internal!(axis.is_finite() && axis != DVec3::ZERO, "the axis has no direction");
    let sides = (*joint).sides();
    require!(sides.has(0) || relative == 0, "the joint has no bodies");
    let inside = if relative != 0 { 1 + sides.named(relative as usize - 1) as c_int } else { 0 };
    data.relative[number as usize] = inside;
    let axis = crate::rotation::unit(axis);
    data.axes[number as usize] = if inside == 0 { axis } else { sides.local_vector(inside as usize - 1, axis) };
    if data.mode == EULER {
        data.set_references(&sides);
    }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetAMotorAxis(joint: JointId, number: c_int, result: *mut dReal) {
    let data = &*data_of!(joint, AngularMotor);
    require!((0..3).contains(&number) && !result.is_null(), "bad axis number or result argument");
    write3(result, data.motor_axes(&(*joint).sides())[number as usize]);
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetAMotorAxisRel(joint: JointId, number: c_int) -> c_int {
    let data = &*data_of!(joint, AngularMotor, 0);
    require!((0..3).contains(&number), "bad axis number", 0);
    match data.relative[number as usize] {
        0 => 0,
        inside => 1 + (*joint).sides().named(inside as usize - 1) as c_int,
    }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetAMotorAngle(joint: JointId, number: c_int, angle: dReal) {
    let data = &mut *data_of!(joint, AngularMotor);
    require!((0..3).contains(&number), "bad axis number");
    require!(data.mode != EULER, "the angles of Euler mode are measured");
    data.angles[number as usize] = angle.into();
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetAMotorAngle(joint: JointId, number: c_int) -> dReal {
    let data = &*data_of!(joint, AngularMotor, 0.0);
    require!((0..3).contains(&number), "bad axis number", 0.0);
    data.angles[number as usize] as dReal
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetAMotorAngleRate(joint: JointId, number: c_int) -> dReal {
    let data = &*data_of!(joint, AngularMotor, 0.0);
    require!((0..3).contains(&number), "bad axis number", 0.0);
    let sides = (*joint).sides();
    require!(sides.has(0), "the joint has no bodies", 0.0);
    (data.motor_axes(&sides)[number as usize].dot(sides.relative_spin()) * sides.sign()) as dReal
}

parameters!(AngularMotor: dJointSetAMotorParam, dJointGetAMotorParam |data, number|
    of_three(&mut data.motors, number));

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointAddAMotorTorques(joint: JointId, torque1: dReal, torque2: dReal, torque3: dReal) {
    let data = &*data_of!(joint, AngularMotor);
    let sides = (*joint).sides();
    let axes = data.world_axes(&sides);
    let torques = [torque1, torque2, torque3];
    let sum = (0..data.count).map(|i| axes[i] * f64::from(torques[i])).sum::<DVec3>();
    sides.add_torque(sum * sides.sign());
}
