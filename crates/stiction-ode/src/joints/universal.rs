//! Universal: a point is held, and the axis of the first body stays perpendicular to that of the second.

use std::ffi::c_int;

use glam::{DMat3, DQuat, DVec3};
use stiction::joints::JointKind as Engine;
use stiction::joints::parts::spin;

use super::angles::angle_about;
use super::limit_motor::{LimitMotor, of_two};
use super::{JointId, JointKind, Mechanism, Rows, Sides, World, data_of, functions, parameters};
use crate::report::require_internal;
use crate::types::dReal;

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

    /// `q₁* q₂` at angles zero, where the axes are perpendicular.
    pub(crate) fn relative_at_zero(&self) -> DQuat {
        let crosses = [frame_of(DVec3::X, DVec3::Y), frame_of(DVec3::Y, DVec3::X)];
        let [first, second] = [0, 1].map(|side| crosses[side] * self.relative[side].conjugate());
        first.conjugate() * second
    }

    /// Axes of the first body at angles zero: its own, that of the second, and a third one.
    pub(crate) fn axes_with(&self, third: DVec3) -> [DVec3; 3] {
        [self.axes[0], self.relative_at_zero() * self.axes[1], third]
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

    /// Torques about the axes that the program calls first and second.
    pub(crate) fn add_torques(&self, sides: &Sides, [first, second]: [f64; 2]) {
        let torques = if sides.is_reverse { [-second, -first] } else { [first, second] };
        let axes = self.world_axes(sides);
        sides.add_torque(axes[0] * torques[0] + axes[1] * torques[1]);
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
        self.set_anchor(sides, sides.named_point(self.anchors, 0));
    }

    fn rows(&mut self, sides: &Sides, rows: &mut Rows) {
        test_angles(&mut self.motors, &self.cross, sides);
        rows.point(sides, self.anchors, rows.setting.erp, rows.setting.cfm);
        let [first, second] = self.cross.world_axes(sides);
        perpendicular(first, second, rows);
        self.motors[0].about(sides, first, rows);
        self.motors[1].about(sides, second, rows);
    }

    fn mechanism(&self, _: &Sides) -> Option<Mechanism> {
        let relative = self.cross.relative_at_zero();
        let axes = self.cross.axes_with(self.cross.axes[0].any_orthonormal_vector());
        let own = Mechanism::new(Engine::Universal, self.anchors, axes, relative);
        Some(own.with_laws(self.motors.map(|motor| motor.law)))
    }
}

/// Finds the stops of both angles.
pub(super) fn test_angles(motors: &mut [LimitMotor; 2], cross: &Cross, sides: &Sides) {
    let angles = if motors.iter().any(LimitMotor::has_stops) { cross.angles(sides) } else { [0.0; 2] };
    for (motor, angle) in motors.iter_mut().zip(angles) {
        motor.test(|| angle);
    }
}

/// A row that keeps two axes perpendicular: `g = a₁·a₂`, `ġ = (a₁ × a₂)·(ω₁ − ω₂)`.
pub(super) fn perpendicular(first: DVec3, second: DVec3, rows: &mut Rows) {
    let product = first.dot(second);
    let normal = first.cross(second - first * product).normalize_or(first.any_orthonormal_vector());
    rows.hold(spin(normal.into(), product));
}

/// Angles as the program sees them.
fn named_angles(cross: &Cross, sides: &Sides) -> [f64; 2] {
    let [first, second] = cross.angles(sides);
    if sides.is_reverse { [second, -first] } else { [first, second] }
}

impl Universal {
    fn set_anchor(&mut self, sides: &Sides, point: DVec3) {
        self.anchors = sides.local_points(point);
        self.cross.set_zero(sides);
    }
}

functions! { Universal:
    point dJointSetUniversalAnchor |data, sides, point| data.set_anchor(sides, point);
    vector dJointGetUniversalAnchor |data, sides| sides.named_point(data.anchors, 0);
    vector dJointGetUniversalAnchor2 |data, sides| sides.named_point(data.anchors, 1);
    axis dJointSetUniversalAxis1 |data, sides, axis| data.cross.set_axis(sides, sides.named(0), axis);
    axis dJointSetUniversalAxis2 |data, sides, axis| data.cross.set_axis(sides, sides.named(1), axis);
    vector dJointGetUniversalAxis1 |data, sides| data.cross.world_axes(sides)[sides.named(0)];
    vector dJointGetUniversalAxis2 |data, sides| data.cross.world_axes(sides)[sides.named(1)];
    numbers dJointGetUniversalAngles |data, sides| named_angles(&data.cross, sides);
    number dJointGetUniversalAngle1 |data, sides| named_angles(&data.cross, sides)[0];
    number dJointGetUniversalAngle2 |data, sides| named_angles(&data.cross, sides)[1];
    number dJointGetUniversalAngle1Rate |data, sides| data.cross.rate(sides, 0);
    number dJointGetUniversalAngle2Rate |data, sides| data.cross.rate(sides, 1);
    /// The guide's name of the rate.
    number dJointGetUniversalAngleRate1 |data, sides| data.cross.rate(sides, 0);
    /// The guide's name of the rate.
    number dJointGetUniversalAngleRate2 |data, sides| data.cross.rate(sides, 1);
    set2 dJointAddUniversalTorques |data, sides, torques| data.cross.add_torques(sides, torques);
}
parameters!(Universal: dJointSetUniversalParam, dJointGetUniversalParam |data, number| of_two(&mut data.motors, number));

macro_rules! axis_offsets {
    ($($offset:ident: $number:literal;)*) => {$(
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
    )*};
}

axis_offsets! {
    dJointSetUniversalAxis1Offset: 0;
    dJointSetUniversalAxis2Offset: 1;
}
