//! Universal: a point is held, and the axis of the first body stays perpendicular to that of the second.

use std::ffi::c_int;

use glam::{DMat3, DQuat, DVec3};

use super::angles::angle_about;
use super::limit_motor::{LimitMotor, of_two, parameters};
use super::{JointId, JointKind, Rows, Sides, World, data_of};
use crate::report::{require, require_internal};
use crate::types::{dReal, write3};

/// Two axes that cross, and the turns of the cross against each body at angle zero.
#[derive(Clone, Copy)]
pub(crate) struct Cross {
    pub axes: [DVec3; 2],
    pub relative: [DQuat; 2],
}

impl Cross {
    pub(crate) fn new(axes: [DVec3; 2]) -> Self {
        Self { axes, relative: [DQuat::IDENTITY; 2] }
    }

    /// Both axes in the world.
    pub(crate) fn world_axes(&self, sides: &Sides) -> [DVec3; 2] {
        [sides.world_vector(0, self.axes[0]), sides.world_vector(1, self.axes[1])]
    }

    /// Sets one axis, in the body that carries it.
    pub(crate) fn set_axis(&mut self, sides: &Sides, side: usize, axis: DVec3) {
        self.axes[side] = if sides.has(side) { sides.local_vector(side, crate::rotation::unit(axis)) } else { axis };
        self.set_zero(sides);
    }

    /// The present angles are zero.
    pub(crate) fn set_zero(&mut self, sides: &Sides) {
        if !sides.has(0) {
            return;
        }
        let axes = self.world_axes(sides);
        for side in 0..2 {
            let cross = frame_of(axes[side], axes[1 - side]);
            self.relative[side] = sides.quaternion(side).conjugate() * cross;
        }
    }

    /// The present angles are the given ones.
    fn set_angles(&mut self, sides: &Sides, angles: [f64; 2]) {
        let axes = self.world_axes(sides);
        for side in 0..2 {
            let turn = DQuat::from_axis_angle(axes[side].normalize(), angles[side]);
            let turn = if side == 0 { turn } else { turn.conjugate() };
            let cross = frame_of(axes[side], axes[1 - side]);
            // ODE leaves the second angle of a joint to the world as it is.
            let turn = if side == 1 && !sides.has(1) { DQuat::IDENTITY } else { turn };
            self.relative[side] = sides.quaternion(side).conjugate() * (turn * cross);
        }
    }

    /// Turns of the bodies against the cross: of the first about its axis, of the second about its own, with ODE's signs.
    pub(crate) fn angles(&self, sides: &Sides) -> [f64; 2] {
        if !sides.has(0) {
            return [0.0; 2];
        }
        let axes = self.world_axes(sides);
        let angle = |side: usize| {
            let cross = frame_of(axes[side], axes[1 - side]);
            let turn = sides.quaternion(side).conjugate() * cross * self.relative[side].conjugate();
            angle_about(turn, self.axes[side])
        };
        [angle(0), -angle(1)]
    }

    /// Rates of the two axes that the program calls first and second.
    pub(crate) fn rate(&self, sides: &Sides, number: usize) -> f64 {
        self.world_axes(sides)[sides.named(number)].dot(sides.relative_spin())
    }
}

/// Rotation whose x axis is along `a` and whose y axis is towards `b`.
fn frame_of(a: DVec3, b: DVec3) -> DQuat {
    let x = a.normalize_or(DVec3::X);
    let y = (b - x * x.dot(b)).normalize_or(x.any_orthonormal_vector());
    DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y)))
}

/// Anchors in the bodies and the cross of the axes.
pub(crate) struct Universal {
    pub anchors: [DVec3; 2],
    pub cross: Cross,
    pub motors: [LimitMotor; 2],
}

impl Universal {
    pub(super) fn new(world: &World) -> Self {
        Self { anchors: [DVec3::ZERO; 2], cross: Cross::new([DVec3::X, DVec3::Y]), motors: [LimitMotor::new(world); 2] }
    }
}

impl JointKind for Universal {
    fn number(&self) -> c_int {
        5
    }

    fn attached(&mut self, sides: &Sides) {
        let side = sides.named(0);
        let anchor = sides.world_point(side, self.anchors[side]);
        self.anchors = [sides.local_point(0, anchor), sides.local_point(1, anchor)];
        self.cross.set_zero(sides);
    }

    fn rows(&mut self, sides: &Sides, rows: &mut Rows) {
        test_angles(&mut self.motors, &self.cross, sides);
        rows.point(sides, self.anchors, rows.erp, rows.cfm);
        let [first, second] = self.cross.world_axes(sides);
        perpendicular(first, second, rows);
        self.motors[0].about(sides, first, rows);
        self.motors[1].about(sides, second, rows);
    }
}

/// Finds the stops of both angles.
pub(super) fn test_angles(motors: &mut [LimitMotor; 2], cross: &Cross, sides: &Sides) {
    let angles = if motors.iter().any(LimitMotor::limits_angle) { cross.angles(sides) } else { [0.0; 2] };
    for (motor, angle) in motors.iter_mut().zip(angles) {
        motor.test_angle(|| angle);
    }
}

/// A row that keeps two axes perpendicular.
pub(super) fn perpendicular(first: DVec3, second: DVec3, rows: &mut Rows) {
    let product = first.dot(second);
    let normal = first.cross(second - first * product).normalize_or(first.any_orthonormal_vector());
    rows.about(normal, -rows.rate * rows.erp * product);
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetUniversalAnchor(joint: JointId, x: dReal, y: dReal, z: dReal) {
    let data = &mut *data_of!(joint, Universal);
    let sides = (*joint).sides();
    let point = DVec3::new(x.into(), y.into(), z.into());
    if sides.has(0) {
        data.anchors = [sides.local_point(0, point), sides.local_point(1, point)];
        data.cross.set_zero(&sides);
    }
}

macro_rules! axis_functions {
    ($($set:ident, $offset:ident, $get:ident: $number:literal;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $set(joint: JointId, x: dReal, y: dReal, z: dReal) {
            let data = &mut *data_of!(joint, Universal);
            let axis = DVec3::new(x.into(), y.into(), z.into());
            require_internal!(axis.is_finite() && axis != DVec3::ZERO, "the axis has no direction");
            let sides = (*joint).sides();
            if sides.has(0) {
                data.cross.set_axis(&sides, sides.named($number), axis);
            }
        }

        /// Sets the axis so that the present angles are the given ones.
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $offset(joint: JointId, x: dReal, y: dReal, z: dReal, angle1: dReal, angle2: dReal) {
            let data = &mut *data_of!(joint, Universal);
            let axis = DVec3::new(x.into(), y.into(), z.into());
            require_internal!(axis.is_finite() && axis != DVec3::ZERO, "the axis has no direction");
            let sides = (*joint).sides();
            if !sides.has(0) {
                return;
            }
            data.cross.set_axis(&sides, sides.named($number), axis);
            let (first, second) = (f64::from(angle1), f64::from(angle2));
            // Seen from the other end, first and second change places and turn round; ODE turns them round only, where the
            // first axis is set.
            let angles = match (sides.is_reverse, $number) {
                (false, _) => [first, second],
                (true, 0) => [-first, -second],
                (true, _) => [-second, second],
            };
            data.cross.set_angles(&sides, angles);
        }

        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $get(joint: JointId, result: *mut dReal) {
            let data = &*data_of!(joint, Universal);
            require!(!result.is_null(), "bad result argument");
            let sides = (*joint).sides();
            write3(result, data.cross.world_axes(&sides)[sides.named($number)]);
        }
    )*};
}

axis_functions! {
    dJointSetUniversalAxis1, dJointSetUniversalAxis1Offset, dJointGetUniversalAxis1: 0;
    dJointSetUniversalAxis2, dJointSetUniversalAxis2Offset, dJointGetUniversalAxis2: 1;
}

macro_rules! get_anchor {
    ($($name:ident: $side:literal;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $name(joint: JointId, result: *mut dReal) {
            let data = &*data_of!(joint, Universal);
            require!(!result.is_null(), "bad result argument");
            let sides = (*joint).sides();
            let side = sides.named($side);
            write3(result, sides.world_point(side, data.anchors[side]));
        }
    )*};
}

get_anchor! {
    dJointGetUniversalAnchor: 0;
    dJointGetUniversalAnchor2: 1;
}

parameters!(Universal: dJointSetUniversalParam, dJointGetUniversalParam = |data, number| {
    let [first, second] = &mut data.motors;
    of_two(first, second, number)
});

/// Angles as the program sees them.
pub(super) fn named_angles(cross: &Cross, sides: &Sides) -> [f64; 2] {
    let [first, second] = cross.angles(sides);
    if sides.is_reverse { [second, -first] } else { [first, second] }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetUniversalAngles(joint: JointId, angle1: *mut dReal, angle2: *mut dReal) {
    let data = &*data_of!(joint, Universal);
    require!(!angle1.is_null() && !angle2.is_null(), "bad result argument");
    let [first, second] = named_angles(&data.cross, &(*joint).sides());
    (*angle1, *angle2) = (first as dReal, second as dReal);
}

macro_rules! angle_functions {
    ($($angle:ident, $($rate:ident)|+: $number:literal;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $angle(joint: JointId) -> dReal {
            let data = &*data_of!(joint, Universal, 0.0);
            named_angles(&data.cross, &(*joint).sides())[$number] as dReal
        }

        $(
            #[unsafe(no_mangle)]
            unsafe extern "C-unwind" fn $rate(joint: JointId) -> dReal {
                let data = &*data_of!(joint, Universal, 0.0);
                data.cross.rate(&(*joint).sides(), $number) as dReal
            }
        )+
    )*};
}

// The second name of each rate is the guide's.
angle_functions! {
    dJointGetUniversalAngle1, dJointGetUniversalAngle1Rate | dJointGetUniversalAngleRate1: 0;
    dJointGetUniversalAngle2, dJointGetUniversalAngle2Rate | dJointGetUniversalAngleRate2: 1;
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointAddUniversalTorques(joint: JointId, torque1: dReal, torque2: dReal) {
    let data = &*data_of!(joint, Universal);
    let sides = (*joint).sides();
    let (first, second) = (f64::from(torque1), f64::from(torque2));
    let torques = if sides.is_reverse { [-second, -first] } else { [first, second] };
    let axes = data.cross.world_axes(&sides);
    sides.add_torque(axes[0] * torques[0] + axes[1] * torques[1]);
}
