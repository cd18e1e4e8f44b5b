//! PR: a displacement along an axis of the first body and an angle about another, the two perpendicular.

use std::ffi::c_int;

use glam::{DQuat, DVec3};
use stiction::joints::JointKind as Engine;
use stiction::joints::parts::{PartRow, between, spin};

use super::angles::hinge_angle;
use super::hinge::local_axes;
use super::limit_motor::{LimitMotor, of_two};
use super::{JointKind, Mechanism, Rows, Sides, World, functions, parameters};

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
        self.anchors = sides.local_points(point);
    }

    fn position(&self, sides: &Sides) -> f64 {
        let separation = sides.separation(sides.arms(self.anchors));
        sides.world_vector(0, self.prismatic).dot(separation) * sides.sign_to_world()
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
        self.motors[0].test(|| position);
        self.motors[1].test(|| angle);
        let prismatic = sides.world_vector(0, self.prismatic);
        let axis = sides.world_vector(0, self.rotoide[0]);
        let second_axis = sides.world_vector(1, self.rotoide[1]);
        let third = axis.cross(prismatic);
        let turn = axis.cross(second_axis);
        for direction in [prismatic, third] {
            rows.hold(spin(direction.into(), -turn.dot(direction)));
        }
        let to_second = ToSecond::new(sides, self.anchors);
        // ODE takes the second body's own axis here; the two differ by the error only.
        rows.hold(to_second.along(axis)).angular[1] = second_axis.cross(to_second.arms[1]);
        rows.hold(to_second.along(third));
        self.motors[0].along(sides, prismatic * sides.sign_to_world(), rows);
        self.motors[1].about(sides, axis, rows);
    }

    fn mechanism(&self, sides: &Sides) -> Option<Mechanism> {
        let [axis, other] = self.rotoide.map(|axis| axis.normalize_or(DVec3::X));
        let axes = [self.prismatic, axis, self.prismatic.cross(axis)];
        let own = Mechanism::new(Engine::PrismaticRotoide, self.anchors, axes, self.relative).with_second(1, other)?;
        // As for a piston.
        (sides.sign_to_world() > 0.0).then(|| own.with_laws(self.motors.map(|motor| motor.law)))
    }
}

/// Arms of both bodies to the second body's anchor, for displacements along directions that turn with the first.
pub(super) struct ToSecond {
    pub(super) arms: [DVec3; 2],
    separation: DVec3,
}

impl ToSecond {
    /// ODE turns the first body's arm round for a joint whose first body is the world.
    pub(super) fn new(sides: &Sides, anchors: [DVec3; 2]) -> Self {
        let [first, second] = sides.arms(anchors);
        let to_second = (second + sides.position(1) - sides.position(0)) * sides.sign_to_world();
        Self { arms: [to_second, second], separation: first - to_second }
    }

    pub(super) fn along(&self, direction: DVec3) -> PartRow {
        between(direction.into(), self.arms[0].into(), self.arms[1].into(), self.separation.into())
    }
}

functions! { PrismaticRotoide:
    point dJointSetPRAnchor |data, sides, point| data.set_anchor(sides, point);
    vector dJointGetPRAnchor |data, sides| sides.world_point(1, data.anchors[1]);
    axis dJointSetPRAxis1 |data, sides, axis| {
        data.prismatic = sides.local_vector(0, crate::rotation::unit(axis));
        data.relative = sides.relative();
    };
    axis dJointSetPRAxis2 |data, sides, axis| {
        data.rotoide = local_axes(sides, axis);
        data.relative = sides.relative();
    };
    vector dJointGetPRAxis1 |data, sides| sides.world_vector(0, data.prismatic);
    vector dJointGetPRAxis2 |data, sides| sides.world_vector(0, data.rotoide[0]);
    number dJointGetPRPosition |data, sides| if sides.has(0) { data.position(sides) } else { 0.0 };
    number dJointGetPRPositionRate |data, sides| {
        let arm = sides.world_vector(1, data.anchors[1]);
        // The world's velocities are zero.
        let anchor = sides.linear_velocity(1) + sides.angular_velocity(1).cross(arm);
        sides.world_vector(0, data.prismatic).dot(sides.linear_velocity(0) - anchor) * sides.sign_to_world()
    };
    number dJointGetPRAngle |data, sides| if sides.has(0) { data.angle(sides) * sides.sign() } else { 0.0 };
    number dJointGetPRAngleRate |data, sides|
        sides.world_vector(0, data.rotoide[0]).dot(sides.relative_spin()) * sides.sign();
    set dJointAddPRTorque |data, sides, torque|
        sides.add_torque(sides.world_vector(0, data.rotoide[0]) * (torque * sides.sign()));
}
parameters!(PrismaticRotoide: dJointSetPRParam, dJointGetPRParam |data, number| of_two(&mut data.motors, number));
