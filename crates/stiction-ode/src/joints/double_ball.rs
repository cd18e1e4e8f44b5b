//! Double ball: two points stay at their distance.

use std::ffi::c_int;

use glam::DVec3;

use super::ball::Softness;
use super::double_hinge::DoubleHinge;
use super::{JointId, JointKind, Rows, Sides, World, data_of};
use crate::report::require;
use crate::types::{dReal, write3};

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
        sides.world_point(0, self.anchors[0]) - sides.world_point(1, self.anchors[1])
    }

    fn set_anchor(&mut self, sides: &Sides, number: usize, point: DVec3) {
        let side = sides.named(number);
        self.anchors[side] = sides.local_point(side, point);
        self.distance = self.between(sides).length();
    }

    fn anchor(&self, sides: &Sides, number: usize) -> DVec3 {
        let side = sides.named(number);
        sides.world_point(side, self.anchors[side])
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
        let arms = [sides.world_vector(0, self.anchors[0]), sides.world_vector(1, self.anchors[1])];
        let direction = if between.length() >= NEAR {
            between.normalize()
        } else {
            // Where the points meet, the way they move apart; any direction where they do not move.
            let velocity = |side: usize| sides.linear_velocity(side) + sides.angular_velocity(side).cross(arms[side]);
            let apart = velocity(0) - velocity(1);
            if apart.length() >= NEAR { apart.normalize() } else { DVec3::X }
        };
        let target = rows.rate * self.softness.erp * (self.distance - between.length());
        rows.along(direction, arms, target).cfm = self.softness.cfm;
    }
}

/// The double ball of a joint; a double hinge has one inside.
macro_rules! double_ball {
    ($joint:ident $(, $value:expr)?) => {{
        require!(!$joint.is_null(), "bad joint argument" $(, $value)?);
        match (*$joint).kind.of_mut::<DoubleBall>() {
            Some(data) => &raw mut *data,
            None => &raw mut (*data_of!($joint, DoubleHinge $(, $value)?)).ball,
        }
    }};
}

/// The functions of both kinds.
macro_rules! functions {
    ($set1:ident, $set2:ident, $get1:ident, $get2:ident, $distance:ident, $set_parameter:ident, $get_parameter:ident) => {
        functions!(anchor $set1, $get1, 0);
        functions!(anchor $set2, $get2, 1);

        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $distance(joint: JointId) -> dReal {
            (*double_ball!(joint, 0.0)).distance as dReal
        }

        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $set_parameter(joint: JointId, number: c_int, value: dReal) {
            (*double_ball!(joint)).softness.set(number, value);
        }

        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $get_parameter(joint: JointId, number: c_int) -> dReal {
            (*double_ball!(joint, 0.0)).softness.get(number)
        }
    };
    (anchor $set:ident, $get:ident, $number:literal) => {
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $set(joint: JointId, x: dReal, y: dReal, z: dReal) {
            let data = &mut *double_ball!(joint);
            data.set_anchor(&(*joint).sides(), $number, DVec3::new(x.into(), y.into(), z.into()));
        }

        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $get(joint: JointId, result: *mut dReal) {
            let data = &*double_ball!(joint);
            require!(!result.is_null(), "bad result argument");
            write3(result, data.anchor(&(*joint).sides(), $number));
        }
    };
}

functions!(
    dJointSetDBallAnchor1,
    dJointSetDBallAnchor2,
    dJointGetDBallAnchor1,
    dJointGetDBallAnchor2,
    dJointGetDBallDistance,
    dJointSetDBallParam,
    dJointGetDBallParam
);
functions!(
    dJointSetDHingeAnchor1,
    dJointSetDHingeAnchor2,
    dJointGetDHingeAnchor1,
    dJointGetDHingeAnchor2,
    dJointGetDHingeDistance,
    dJointSetDHingeParam,
    dJointGetDHingeParam
);

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetDBallDistance(joint: JointId, distance: dReal) {
    let data = &mut *double_ball!(joint);
    require!(distance >= 0.0, "target distance must be non-negative");
    data.distance = distance.into();
}
