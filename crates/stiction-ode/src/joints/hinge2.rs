//! Hinge-2: a steered, suspended wheel. Axis 1 (steering and suspension) in the first body, axis 2 (wheel) in the second; the
//! angle between them stays what it was.

use std::ffi::c_int;

use glam::DVec3;
use stiction::joints::parts::{between, spin};

use super::limit_motor::{LimitMotor, parameter};
use super::{JointId, JointKind, Rows, Sides, World, data_of, functions};
use crate::report::{require, require_internal};
use crate::rotation::across;
use crate::types::{dReal, vector_at};

/// Anchors and axes in the bodies, the angle between the axes, and the directions that angles are measured from.
pub(crate) struct Hinge2 {
    pub anchors: [DVec3; 2],
    pub axes: [DVec3; 2],
    /// Sine and cosine of the angle between the axes.
    pub angle: [f64; 2],
    /// For each body: the direction of zero angle across its own axis, and the one a quarter turn on.
    pub zero: [[DVec3; 2]; 2],
    pub motors: [LimitMotor; 2],
    pub suspension: [f64; 2],
}

impl Hinge2 {
    pub(super) fn new(world: &World) -> Self {
        Self {
            anchors: [DVec3::ZERO; 2],
            axes: [DVec3::X, DVec3::Y],
            angle: [0.0; 2],
            zero: [[DVec3::X, DVec3::Y], [DVec3::ZERO; 2]],
            motors: [LimitMotor::new(world); 2],
            suspension: [world.erp.into(), world.cfm.into()],
        }
    }

    fn world_axes(&self, sides: &Sides) -> [DVec3; 2] {
        [sides.world_vector(0, self.axes[0]), sides.world_vector(1, self.axes[1])]
    }

    /// The present angles are zero and the present angle between the axes is kept. False for axes that are parallel.
    fn set_zero(&mut self, sides: &Sides) -> bool {
        if !sides.are_two() {
            return true;
        }
        let axes = self.world_axes(sides);
        self.angle = [axes[0].cross(axes[1]).length(), axes[0].dot(axes[1])];
        for side in 0..2 {
            let (own, other) = (axes[side], axes[1 - side]);
            let Some(zero) = (other - own * own.dot(other)).try_normalize() else { return false };
            self.zero[side] = [sides.local_vector(side, zero), sides.local_vector(side, own.cross(zero))];
        }
        true
    }

    /// The axis of a body in the world; zero, and a message, where there is none.
    fn axis_of(&self, sides: &Sides, side: usize) -> DVec3 {
        require!(sides.has(side), "the joint does not have the body of this axis attached", DVec3::ZERO);
        sides.world_vector(side, self.axes[side])
    }

    fn rate(&self, sides: &Sides, side: usize) -> f64 {
        if sides.has(side) { sides.world_vector(side, self.axes[side]).dot(sides.relative_spin()) } else { 0.0 }
    }

    /// Minus the angle of the other body's axis about this body's own.
    fn measure(&self, sides: &Sides, side: usize) -> f64 {
        let other = sides.local_vector(side, sides.world_vector(1 - side, self.axes[1 - side]));
        let [zero, quarter] = self.zero[side];
        -libm::atan2(quarter.dot(other), zero.dot(other))
    }
}

impl JointKind for Hinge2 {
    fn number(&self) -> c_int {
        6
    }

    fn needs_two_bodies(&self) -> bool {
        true
    }

    fn attached(&mut self, sides: &Sides) {
        self.anchors = sides.local_points(sides.named_point(self.anchors, 0));
        self.set_zero(sides);
    }

    fn rows(&mut self, sides: &Sides, rows: &mut Rows) {
        let steering = self.measure(sides, 0);
        self.motors[0].test(|| steering);
        self.motors[1].release();
        let axes = self.world_axes(sides);
        let normal = axes[0].cross(axes[1]);
        let (sine, cosine) = (normal.length(), axes[0].dot(axes[1]));
        let arms = sides.arms(self.anchors);
        let along =
            |direction: DVec3| between(direction.into(), arms[0].into(), arms[1].into(), sides.separation(arms).into());
        rows.hold_with(along(axes[0]), self.suspension[0], self.suspension[1]);
        for direction in across(axes[0]) {
            rows.hold(along(direction));
        }
        // sin(θ − θ₀)
        let turned = self.angle[1] * sine - self.angle[0] * cosine;
        rows.hold(spin(normal.normalize_or(across(axes[0])[0]).into(), -turned));
        self.motors[0].about(sides, axes[0], rows);
        self.motors[1].about(sides, axes[1], rows);
    }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetHinge2Axes(joint: JointId, axis1: *const dReal, axis2: *const dReal) {
    let data = &mut *data_of!(joint, Hinge2);
    require!(!axis1.is_null() || !axis2.is_null(), "bad axis arguments");
    let sides = (*joint).sides();
    require!(sides.has(0) || axis1.is_null(), "the joint does not have first body attached");
    require!(sides.has(1) || axis2.is_null(), "the joint does not have second body attached");
    for (side, axis) in [axis1, axis2].into_iter().enumerate() {
        if axis.is_null() {
            continue;
        }
        let axis = vector_at(axis);
        require_internal!(axis.is_finite() && axis != DVec3::ZERO, "the axis has no direction");
        data.axes[side] = sides.local_vector(side, crate::rotation::unit(axis));
    }
    let is_independent = data.set_zero(&sides);
    require!(is_independent, "Hinge2 axes must be chosen to be linearly independent");
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetHinge2Axis1(joint: JointId, x: dReal, y: dReal, z: dReal) {
    dJointSetHinge2Axes(joint, [x, y, z].as_ptr(), std::ptr::null());
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetHinge2Axis2(joint: JointId, x: dReal, y: dReal, z: dReal) {
    dJointSetHinge2Axes(joint, std::ptr::null(), [x, y, z].as_ptr());
}

functions! { Hinge2:
    point dJointSetHinge2Anchor |data, sides, point| {
        data.anchors = sides.local_points(point);
        let angle = data.angle;
        data.set_zero(sides);
        data.angle = angle;
    };
    vector dJointGetHinge2Anchor |data, sides| sides.named_point(data.anchors, 0);
    vector dJointGetHinge2Anchor2 |data, sides| sides.named_point(data.anchors, 1);
    vector dJointGetHinge2Axis1 |data, sides| data.axis_of(sides, 0);
    vector dJointGetHinge2Axis2 |data, sides| data.axis_of(sides, 1);
    number dJointGetHinge2Angle1 |data, sides| data.measure(sides, 0);
    number dJointGetHinge2Angle2 |data, sides| data.measure(sides, 1);
    number dJointGetHinge2Angle1Rate |data, sides| data.rate(sides, 0);
    number dJointGetHinge2Angle2Rate |data, sides| data.rate(sides, 1);
    set2 dJointAddHinge2Torques |data, sides, torques| if sides.are_two() {
        let axes = data.world_axes(sides);
        sides.add_torque(axes[0] * torques[0] + axes[1] * torques[1]);
    };
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetHinge2Param(joint: JointId, number: c_int, value: dReal) {
    let data = &mut *data_of!(joint, Hinge2);
    match number {
        n if n & 0xff00 == 0x100 => data.motors[1].set(n & 0xff, value),
        parameter::SUSPENSION_ERP => data.suspension[0] = value.into(),
        parameter::SUSPENSION_CFM => data.suspension[1] = value.into(),
        n => data.motors[0].set(n, value),
    }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetHinge2Param(joint: JointId, number: c_int) -> dReal {
    let data = &*data_of!(joint, Hinge2, 0.0);
    match number {
        n if n & 0xff00 == 0x100 => data.motors[1].get(n & 0xff),
        parameter::SUSPENSION_ERP => data.suspension[0] as dReal,
        parameter::SUSPENSION_CFM => data.suspension[1] as dReal,
        n => data.motors[0].get(n),
    }
}
