//! Double hinge: a double ball whose bodies turn about one common direction only.

use std::ffi::c_int;

use glam::DVec3;

use super::double_ball::DoubleBall;
use super::{JointId, JointKind, Rows, Sides, World, data_of};
use crate::report::{require, require_internal};
use crate::rotation::across;
use crate::types::{dReal, write3};

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
        let error = axis.cross(sides.world_vector(1, self.axes[1]));
        let k = rows.rate * self.ball.softness.erp;
        for direction in across(axis) {
            rows.about(direction, k * error.dot(direction));
        }
        // The anchors stay at one height along the axis; the row acts halfway between the centres.
        let half = if sides.has(1) { 0.5 * (sides.position(1) - sides.position(0)) } else { DVec3::ZERO };
        rows.along(axis, [half, -half], -k * axis.dot(self.ball.between(sides)));
    }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetDHingeAxis(joint: JointId, x: dReal, y: dReal, z: dReal) {
    let data = &mut *data_of!(joint, DoubleHinge);
    let axis = DVec3::new(x.into(), y.into(), z.into());
    require_internal!(axis.is_finite() && axis != DVec3::ZERO, "the axis has no direction");
    let sides = (*joint).sides();
    require!(sides.has(0), "the joint has no bodies");
    data.axes = [0, 1].map(|side| sides.local_vector(side, crate::rotation::unit(axis)));
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetDHingeAxis(joint: JointId, result: *mut dReal) {
    let data = &*data_of!(joint, DoubleHinge);
    require!(!result.is_null(), "bad result argument");
    write3(result, (*joint).sides().world_vector(0, data.axes[0]));
}
