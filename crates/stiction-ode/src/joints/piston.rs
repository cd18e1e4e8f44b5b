//! Piston: a displacement along an axis and an angle about it.

use std::ffi::c_int;

use glam::{DQuat, DVec3};
use stiction::joints::JointKind as Engine;

use super::angles::hinge_angle;
use super::hinge::{aligned, local_axes};
use super::limit_motor::{LimitMotor, of_two};
use super::prismatic_rotoide::ToSecond;
use super::{JointId, JointKind, Mechanism, Rows, Sides, World, data_of, functions, parameters};
use crate::rotation::across;
use crate::types::dReal;

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
        self.anchors = sides.local_points(point);
        self.relative = sides.relative();
    }

    fn position(&self, sides: &Sides) -> f64 {
        let separation = sides.separation(sides.arms(self.anchors));
        sides.world_vector(0, self.axes[0]).dot(separation) * sides.sign_to_world()
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
        self.set_anchor(sides, sides.named_point(self.anchors, 0));
        self.axes = local_axes(sides, sides.world_vector(0, self.axes[0]));
    }

    fn rows(&mut self, sides: &Sides, rows: &mut Rows) {
        let (position, angle) = (self.position(sides), self.angle(sides));
        self.motors[0].test(|| position);
        self.motors[1].test(|| angle);
        let axis = sides.world_vector(0, self.axes[0]);
        aligned(sides, axis, self.axes[1], rows.setting.erp, rows);
        let to_second = ToSecond::new(sides, self.anchors);
        for direction in across(axis) {
            rows.hold(to_second.along(direction));
        }
        self.motors[0].along(sides, axis * sides.sign_to_world(), rows);
        self.motors[1].about(sides, axis, rows);
    }

    fn mechanism(&self, sides: &Sides) -> Option<Mechanism> {
        // ODE turns the displacement of a joint round that the program sees from the world, not its angle.
        let own = Mechanism::along(Engine::Piston, self.anchors, self.axes, self.relative)?;
        (sides.sign_to_world() > 0.0).then(|| own.with_laws(self.motors.map(|motor| motor.law)))
    }
}

functions! { Piston:
    point dJointSetPistonAnchor |data, sides, point| data.set_anchor(sides, point);
    /// The anchor is set as if the first body stood at its position less a displacement.
    moved dJointSetPistonAnchorOffset |data, sides, point, moved| {
        data.set_anchor(sides, point);
        data.anchors[0] = sides.local_point(0, point + moved * sides.sign());
    };
    vector dJointGetPistonAnchor |data, sides| sides.named_point(data.anchors, 0);
    vector dJointGetPistonAnchor2 |data, sides| sides.named_point(data.anchors, 1);
    axis dJointSetPistonAxis |data, sides, axis| {
        data.axes = local_axes(sides, axis);
        data.relative = sides.relative();
    };
    vector dJointGetPistonAxis |data, sides| sides.world_vector(0, data.axes[0]);
    number dJointGetPistonPosition |data, sides| if sides.has(0) { data.position(sides) } else { 0.0 };
    number dJointGetPistonPositionRate |data, sides| {
        let axis = sides.world_vector(0, data.axes[0]);
        axis.dot(sides.linear_velocity(0) - sides.linear_velocity(1)) * sides.sign_to_world()
    };
    number dJointGetPistonAngle |data, sides| if sides.has(0) { data.angle(sides) * sides.sign() } else { 0.0 };
    number dJointGetPistonAngleRate |data, sides|
        sides.world_vector(0, data.axes[0]).dot(sides.relative_spin()) * sides.sign();
    /// ODE subtracts the force from itself here, and pushes nothing; a force turned round is what is meant.
    set dJointAddPistonForce |data, sides, force| {
        let force = sides.world_vector(0, data.axes[0]) * (force * sides.sign());
        let arms = if sides.are_two() { sides.arms(data.anchors) } else { [DVec3::ZERO; 2] };
        sides.add(force, arms.map(|arm| arm.cross(force)));
    };
}
parameters!(Piston: dJointSetPistonParam, dJointGetPistonParam |data, number| of_two(&mut data.motors, number));

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
