//! Ball: a point is held.

use std::ffi::c_int;

use glam::DVec3;

use super::limit_motor::parameter;
use super::{JointId, JointKind, Rows, Sides, World, data_of};
use crate::report::require;
use crate::types::{dReal, write3};

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

    fn set_anchor(&mut self, sides: &Sides, point: DVec3) {
        self.anchors = [sides.local_point(0, point), sides.local_point(1, point)];
    }
}

impl JointKind for Ball {
    fn number(&self) -> c_int {
        1
    }

    fn attached(&mut self, sides: &Sides) {
        let side = sides.named(0);
        self.set_anchor(sides, sides.world_point(side, self.anchors[side]));
    }

    fn rows(&mut self, sides: &Sides, rows: &mut Rows) {
        rows.point(sides, self.anchors, self.softness.erp, self.softness.cfm);
    }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetBallAnchor(joint: JointId, x: dReal, y: dReal, z: dReal) {
    let data = &mut *data_of!(joint, Ball);
    let sides = (*joint).sides();
    if sides.has(0) {
        data.set_anchor(&sides, DVec3::new(x.into(), y.into(), z.into()));
    }
}

/// Sets the anchor of the second body alone, in that body's frame.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetBallAnchor2(joint: JointId, x: dReal, y: dReal, z: dReal) {
    let data = &mut *data_of!(joint, Ball);
    data.anchors[1] = DVec3::new(x.into(), y.into(), z.into());
}

macro_rules! get_anchor {
    ($($name:ident: $side:literal;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $name(joint: JointId, result: *mut dReal) {
            let data = &*data_of!(joint, Ball);
            require!(!result.is_null(), "bad result argument");
            let sides = (*joint).sides();
            let side = sides.named($side);
            write3(result, sides.world_point(side, data.anchors[side]));
        }
    )*};
}

get_anchor! {
    dJointGetBallAnchor: 0;
    dJointGetBallAnchor2: 1;
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetBallParam(joint: JointId, number: c_int, value: dReal) {
    (*data_of!(joint, Ball)).softness.set(number, value);
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetBallParam(joint: JointId, number: c_int) -> dReal {
    (*data_of!(joint, Ball, 0.0)).softness.get(number)
}
