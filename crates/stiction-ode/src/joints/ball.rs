//! Ball: a point is held.

use std::ffi::c_int;

use glam::{DQuat, DVec3};
use stiction::joints::JointKind as Engine;

use super::limit_motor::parameter;
use super::{JointKind, Mechanism, Rows, Sides, World, functions, parameters};
use crate::types::dReal;

/// Anchors in the bodies, and softness of its own.
pub(crate) struct Ball {
    pub anchors: [DVec3; 2],
    pub softness: Softness,
}

/// ERP and CFM of a joint that has its own; the world's at its creation.
#[derive(Clone, Copy)]
pub(crate) struct Softness {
    pub erp: f64,
    pub cfm: f64,
}

impl Softness {
    pub(crate) fn new(world: &World) -> Self {
        Self { erp: world.erp.into(), cfm: world.cfm.into() }
    }

    pub(crate) fn set(&mut self, number: c_int, value: dReal) {
        match number {
            parameter::ERP => self.erp = value.into(),
            parameter::CFM => self.cfm = value.into(),
            _ => {}
        }
    }

    pub(crate) fn get(&self, number: c_int) -> dReal {
        match number {
            parameter::ERP => self.erp as dReal,
            parameter::CFM => self.cfm as dReal,
            _ => 0.0,
        }
    }
}

impl Ball {
    pub(super) fn new(world: &World) -> Self {
        Self { anchors: [DVec3::ZERO; 2], softness: Softness::new(world) }
    }
}

impl JointKind for Ball {
    fn number(&self) -> c_int {
        1
    }

    fn attached(&mut self, sides: &Sides) {
        self.anchors = sides.local_points(sides.named_point(self.anchors, 0));
    }

    fn rows(&mut self, sides: &Sides, rows: &mut Rows) {
        rows.point(sides, self.anchors, self.softness.erp, self.softness.cfm);
    }

    fn mechanism(&self, _: &Sides) -> Option<Mechanism> {
        Mechanism::new(Engine::Ball, self.anchors, DVec3::AXES, DQuat::IDENTITY).rigid(self.softness.cfm)
    }
}

functions! { Ball:
    point dJointSetBallAnchor |data, sides, point| data.anchors = sides.local_points(point);
    /// Sets the anchor of the second body alone, in that body's frame.
    place dJointSetBallAnchor2 |data, _, point| data.anchors[1] = point;
    vector dJointGetBallAnchor |data, sides| sides.named_point(data.anchors, 0);
    vector dJointGetBallAnchor2 |data, sides| sides.named_point(data.anchors, 1);
}
parameters!(Ball: dJointSetBallParam, dJointGetBallParam |data, number| (&mut data.softness, number));
