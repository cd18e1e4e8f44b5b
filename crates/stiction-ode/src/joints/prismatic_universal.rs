//! PU: a displacement along an axis of the first body and the two angles of a universal joint.

use std::ffi::c_int;

use glam::DVec3;
use stiction::joints::JointKind as Engine;
use stiction::joints::parts::between;

use super::limit_motor::LimitMotor;
use super::universal::{Cross, perpendicular, test_angles};
use super::{JointKind, Mechanism, Rows, Sides, World, functions, parameters};
use crate::rotation::across;

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
        self.anchors = sides.local_points(point);
        self.cross.set_zero(sides);
    }

    /// The anchor is set as if the first body stood elsewhere.
    fn set_anchor_moved(&mut self, sides: &Sides, point: DVec3, moved: DVec3) {
        self.set_anchor(sides, point);
        self.anchors[0] = sides.local_point(0, point - moved);
    }

    fn position(&self, sides: &Sides) -> f64 {
        let separation = sides.separation(sides.arms(self.anchors));
        sides.world_vector(0, self.prismatic).dot(separation) * sides.sign_to_world()
    }

    fn set_prismatic(&mut self, sides: &Sides, axis: DVec3) {
        self.prismatic = sides.local_vector(0, crate::rotation::unit(axis));
        self.cross.set_zero(sides);
    }

    /// Angles of the axes that the program calls first and second.
    fn named_angles(&self, sides: &Sides) -> [f64; 2] {
        let angles = self.cross.angles(sides);
        [angles[sides.named(0)], angles[sides.named(1)]]
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
        self.displacement.test(|| position);
        test_angles(&mut self.angles, &self.cross, sides);
        let [first, second] = self.cross.world_axes(sides);
        perpendicular(first, second, rows);
        // ODE sees the axis from the other end in a joint whose first body is the world.
        let prismatic = sides.world_vector(sides.named(0), self.prismatic);
        let arms = sides.arms(self.anchors);
        for direction in across(prismatic) {
            rows.hold(between(direction.into(), arms[0].into(), arms[1].into(), sides.separation(arms).into()));
        }
        self.angles[0].about(sides, first, rows);
        self.angles[1].about(sides, second, rows);
        self.displacement.between(sides, prismatic * sides.sign_to_world(), arms, rows);
    }

    fn mechanism(&self, sides: &Sides) -> Option<Mechanism> {
        let axes = self.cross.axes_with(self.prismatic);
        let own = Mechanism::new(Engine::PrismaticUniversal, self.anchors, axes, self.cross.relative_at_zero());
        let [first, second] = self.angles.map(|motor| motor.law);
        // As for a piston.
        (sides.sign_to_world() > 0.0).then(|| own.with_laws([first, second, self.displacement.law]))
    }
}

functions! { PrismaticUniversal:
    point dJointSetPUAnchor |data, sides, point| data.set_anchor(sides, point);
    /// The anchor is set as if the first body stood at its position plus a displacement.
    moved dJointSetPUAnchorDelta |data, sides, point, moved| data.set_anchor_moved(sides, point, moved);
    /// The anchor is set so that the present position is the displacement along the axis.
    moved dJointSetPUAnchorOffset |data, sides, point, moved|
        data.set_anchor_moved(sides, point, -moved * sides.sign());
    vector dJointGetPUAnchor |data, sides| sides.world_point(1, data.anchors[1]);
    axis dJointSetPUAxis1 |data, sides, axis| data.cross.set_axis(sides, sides.named(0), axis);
    axis dJointSetPUAxis2 |data, sides, axis| data.cross.set_axis(sides, sides.named(1), axis);
    axis dJointSetPUAxis3 |data, sides, axis| data.set_prismatic(sides, axis);
    axis dJointSetPUAxisP |data, sides, axis| data.set_prismatic(sides, axis);
    vector dJointGetPUAxis1 |data, sides| data.cross.world_axes(sides)[sides.named(0)];
    vector dJointGetPUAxis2 |data, sides| data.cross.world_axes(sides)[sides.named(1)];
    vector dJointGetPUAxis3 |data, sides| sides.world_vector(0, data.prismatic);
    vector dJointGetPUAxisP |data, sides| sides.world_vector(0, data.prismatic);
    numbers dJointGetPUAngles |data, sides| data.named_angles(sides);
    number dJointGetPUAngle1 |data, sides| data.named_angles(sides)[0];
    number dJointGetPUAngle2 |data, sides| data.named_angles(sides)[1];
    number dJointGetPUAngle1Rate |data, sides| data.cross.rate(sides, 0);
    number dJointGetPUAngle2Rate |data, sides| data.cross.rate(sides, 1);
    number dJointGetPUPosition |data, sides| if sides.has(0) { data.position(sides) } else { 0.0 };
    /// Rate of the position along the axis; the lever arms turn the way ODE has them.
    number dJointGetPUPositionRate |data, sides| if sides.has(0) {
        let arm = if sides.has(1) { sides.world_vector(1, data.anchors[1]) } else { DVec3::ZERO };
        let between = sides.position(0) - sides.world_point(1, data.anchors[1]);
        let first = between.cross(sides.angular_velocity(0)) + sides.linear_velocity(0);
        let second = arm.cross(sides.angular_velocity(1)) + sides.linear_velocity(1);
        sides.world_vector(0, data.prismatic).dot(first - second) * sides.sign_to_world()
    } else {
        0.0
    };
    set2 dJointAddPUTorques |data, sides, torques| data.cross.add_torques(sides, torques);
    /// Declared in ODE's headers, in no library before 0.16.4.
    set dJointAddPUTorque |data, sides, torque| data.cross.add_torques(sides, [torque, 0.0]);
}
parameters!(PrismaticUniversal: dJointSetPUParam, dJointGetPUParam |data, number| {
    let motor = match number & 0xff00 {
        0x100 => &mut data.angles[1],
        0x200 => &mut data.displacement,
        _ => &mut data.angles[0],
    };
    (motor, number & 0xff)
});
