//! Hinge: a point and an axis are held.

use std::ffi::c_int;

use glam::{DQuat, DVec3};
use stiction::joints::JointKind as Engine;
use stiction::joints::parts::alignment;

use super::angles::hinge_angle;
use super::limit_motor::LimitMotor;
use super::{JointId, JointKind, Mechanism, Rows, Sides, World, data_of, functions, parameters};
use crate::types::dReal;

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
        self.anchors = sides.local_points(point);
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
        let anchor = sides.named_point(self.anchors, 0);
        let axis = sides.world_vector(0, self.axes[0]);
        self.set_anchor(sides, anchor);
        self.set_axis(sides, axis);
    }

    fn rows(&mut self, sides: &Sides, rows: &mut Rows) {
        let angle = self.angle(sides);
        self.motor.test(|| angle);
        rows.point(sides, self.anchors, rows.setting.erp, rows.setting.cfm);
        let axis = sides.world_vector(0, self.axes[0]);
        aligned(sides, axis, self.axes[1], rows.setting.erp, rows);
        self.motor.about(sides, axis, rows);
    }

    fn mechanism(&self, _: &Sides) -> Option<Mechanism> {
        let own = Mechanism::along(Engine::Hinge, self.anchors, self.axes, self.relative)?;
        Some(own.with_laws([self.motor.law]))
    }
}

/// An axis of the world in both bodies, of unit length; one that belongs to the world stays as the program gave it.
pub(super) fn local_axes(sides: &Sides, axis: DVec3) -> [DVec3; 2] {
    let unit = crate::rotation::unit(axis);
    [sides.local_vector(0, unit), if sides.has(1) { sides.local_vector(1, unit) } else { axis }]
}

/// Two rows that keep an axis of the first body along one of the second. Their directions lie across the first body's axis.
pub(super) fn aligned(sides: &Sides, axis: DVec3, second: DVec3, erp: f64, rows: &mut Rows) {
    for part in alignment(sides.world_vector(1, second).into(), axis.into()) {
        rows.hold_with(part.exchanged(), erp, rows.setting.cfm);
    }
}

functions! { Hinge:
    point dJointSetHingeAnchor |data, sides, point| data.set_anchor(sides, point);
    moved dJointSetHingeAnchorDelta |data, sides, point, moved| {
        data.set_anchor(sides, point);
        if !sides.has(1) {
            data.anchors[1] += moved;
        }
    };
    axis dJointSetHingeAxis |data, sides, axis| data.set_axis(sides, axis);
    vector dJointGetHingeAnchor |data, sides| sides.named_point(data.anchors, 0);
    vector dJointGetHingeAnchor2 |data, sides| sides.named_point(data.anchors, 1);
    vector dJointGetHingeAxis |data, sides| sides.world_vector(0, data.axes[0]);
    number dJointGetHingeAngle |data, sides| if sides.has(0) { data.angle(sides) * sides.sign() } else { 0.0 };
    number dJointGetHingeAngleRate |data, sides|
        sides.world_vector(0, data.axes[0]).dot(sides.relative_spin()) * sides.sign();
    set dJointAddHingeTorque |data, sides, torque|
        sides.add_torque(sides.world_vector(0, data.axes[0]) * (torque * sides.sign()));
}
parameters!(Hinge: dJointSetHingeParam, dJointGetHingeParam |data, number| (&mut data.motor, number));

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
