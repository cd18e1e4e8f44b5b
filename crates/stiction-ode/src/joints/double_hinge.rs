//! Double hinge: a double ball whose bodies turn about one common direction only.

use std::ffi::c_int;

use glam::DVec3;
use stiction::joints::parts::between;
use stiction::math::V3;

use super::double_ball::DoubleBall;
use super::hinge::aligned;
use super::{JointKind, Rows, Sides, World, functions};
use crate::report::require;

/// The double ball and the axis in each body.
pub(crate) struct DoubleHinge {
    pub(super) ball: DoubleBall,
    axes: [DVec3; 2],
}

impl DoubleHinge {
    pub(super) fn new(world: &World) -> Self {
        Self { ball: DoubleBall::new(world), axes: [DVec3::ZERO; 2] }
    }
}

impl JointKind for DoubleHinge {
    fn number(&self) -> c_int {
        16
    }

    fn attached(&mut self, sides: &Sides) {
        self.ball.attached(sides);
    }

    fn rows(&mut self, sides: &Sides, rows: &mut Rows) {
        self.ball.rows(sides, rows);
        let axis = sides.world_vector(0, self.axes[0]);
        let erp = self.ball.softness.erp;
        aligned(sides, axis, self.axes[1], erp, rows);
        // The anchors stay at one height along the axis; the row acts halfway between the centres.
        let [first, second] = sides.halfway().map(V3::from);
        let height = between(axis.into(), first, second, self.ball.between(sides).into());
        rows.hold_with(height, erp, rows.setting.cfm);
    }
}

functions! { DoubleHinge:
    direction dJointSetDHingeAxis |data, sides, axis| {
        require!(sides.has(0), "the joint has no bodies");
        data.axes = [0, 1].map(|side| sides.local_vector(side, crate::rotation::unit(axis)));
    };
    vector dJointGetDHingeAxis |data, sides| sides.world_vector(0, data.axes[0]);
}
