//! Double ball: two points stay at their distance.

use std::ffi::c_int;

use glam::DVec3;
use stiction::joints::parts;

use super::ball::Softness;
use super::double_hinge::DoubleHinge;
use super::{JointId, JointKind, Rows, Sides, World, data_of, functions, parameters};
use crate::report::require;
use crate::types::dReal;

/// Points nearer than this have no direction between them.
const NEAR: f64 = if cfg!(feature = "single") { 1e-7 } else { 1e-12 };

/// Anchors in the bodies, and the distance that is kept.
pub(crate) struct DoubleBall {
    pub(super) anchors: [DVec3; 2],
    distance: f64,
    pub(super) softness: Softness,
}

impl DoubleBall {
    pub(super) fn new(world: &World) -> Self {
        Self { anchors: [DVec3::ZERO; 2], distance: 0.0, softness: Softness::new(world) }
    }

    /// From the second anchor to the first.
    pub(super) fn between(&self, sides: &Sides) -> DVec3 {
        sides.separation(sides.arms(self.anchors))
    }

    fn set_anchor(&mut self, sides: &Sides, number: usize, point: DVec3) {
        let side = sides.named(number);
        self.anchors[side] = sides.local_point(side, point);
        self.distance = self.between(sides).length();
    }
}

impl JointKind for DoubleBall {
    fn number(&self) -> c_int {
        15
    }

    fn attached(&mut self, sides: &Sides) {
        self.distance = self.between(sides).length();
    }

    fn rows(&mut self, sides: &Sides, rows: &mut Rows) {
        let between = self.between(sides);
        let arms = sides.arms(self.anchors);
        let direction = if between.length() >= NEAR {
            between.normalize()
        } else {
            // Where the points meet, the way they move apart; any direction where they do not move.
            let velocity = |side: usize| sides.linear_velocity(side) + sides.angular_velocity(side).cross(arms[side]);
            let apart = velocity(0) - velocity(1);
            if apart.length() >= NEAR { apart.normalize() } else { DVec3::X }
        };
        let mut part = parts::between(direction.into(), arms[0].into(), arms[1].into(), DVec3::ZERO.into());
        part.error = between.length() - self.distance;
        rows.hold_with(part, self.softness.erp, self.softness.cfm);
    }
}

functions! { DoubleBall:
    place dJointSetDBallAnchor1 |data, sides, point| data.set_anchor(sides, 0, point);
    place dJointSetDBallAnchor2 |data, sides, point| data.set_anchor(sides, 1, point);
    vector dJointGetDBallAnchor1 |data, sides| sides.named_point(data.anchors, 0);
    vector dJointGetDBallAnchor2 |data, sides| sides.named_point(data.anchors, 1);
    number dJointGetDBallDistance |data, _| data.distance;
}
parameters!(DoubleBall: dJointSetDBallParam, dJointGetDBallParam |data, number| (&mut data.softness, number));

functions! { DoubleHinge:
    place dJointSetDHingeAnchor1 |data, sides, point| data.ball.set_anchor(sides, 0, point);
    place dJointSetDHingeAnchor2 |data, sides, point| data.ball.set_anchor(sides, 1, point);
    vector dJointGetDHingeAnchor1 |data, sides| sides.named_point(data.ball.anchors, 0);
    vector dJointGetDHingeAnchor2 |data, sides| sides.named_point(data.ball.anchors, 1);
    number dJointGetDHingeDistance |data, _| data.ball.distance;
}
parameters!(DoubleHinge: dJointSetDHingeParam, dJointGetDHingeParam |data, number| (&mut data.ball.softness, number));

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetDBallDistance(joint: JointId, distance: dReal) {
    require!(!joint.is_null(), "bad joint argument");
    // As in ODE, of double hinges too.
    let data = match (*joint).kind.of_mut::<DoubleHinge>() {
        Some(hinge) => &mut hinge.ball,
        None => &mut *data_of!(joint, DoubleBall),
    };
    require!(distance >= 0.0, "target distance must be non-negative");
    data.distance = distance.into();
}
