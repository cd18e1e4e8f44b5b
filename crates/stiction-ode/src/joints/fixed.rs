//! Fixed: nothing is free. Positions have the joint's own softness, orientations the world's.

use std::ffi::c_int;

use glam::{DQuat, DVec3};
use stiction::joints::parts::{lock, point};
use stiction::joints::{JointKind as Engine, orientation_error};

use super::ball::Softness;
use super::{JointId, JointKind, Mechanism, Rows, Sides, World, data_of, parameters};

/// Where the second body's centre is seen from the first (or the first in the world), and how it is turned.
pub(crate) struct Fixed {
    pub offset: DVec3,
    pub relative: DQuat,
    pub softness: Softness,
}

impl Fixed {
    pub(super) fn new(world: &World) -> Self {
        Self { offset: DVec3::ZERO, relative: DQuat::IDENTITY, softness: Softness::new(world) }
    }
}

impl JointKind for Fixed {
    fn number(&self) -> c_int {
        7
    }

    fn rows(&mut self, sides: &Sides, rows: &mut Rows) {
        let (x1, x2) = (sides.position(0), sides.position(1));
        let (arm, error) = if sides.has(1) {
            let offset = sides.world_vector(0, self.offset);
            (-offset, x2 - x1 + offset)
        } else {
            (DVec3::ZERO, self.offset - x1)
        };
        // The rows act at the second body's centre.
        for part in point(arm.into(), DVec3::ZERO.into(), (-error).into()) {
            rows.hold_with(part, self.softness.erp, self.softness.cfm);
        }
        oriented(sides, self.relative, rows);
    }

    fn mechanism(&self, sides: &Sides) -> Option<Mechanism> {
        let anchors = if sides.has(1) { [-self.offset, DVec3::ZERO] } else { [DVec3::ZERO, self.offset] };
        Mechanism::new(Engine::Fixed, anchors, DVec3::AXES, self.relative).rigid(self.softness.cfm)
    }
}

/// Three rows that keep `conj(q₁) q₂` at its initial value.
pub(super) fn oriented(sides: &Sides, initial: DQuat, rows: &mut Rows) {
    let error = orientation_error([sides.quaternion(0), sides.quaternion(1)], initial.conjugate());
    for part in lock(error.into()) {
        rows.hold(part);
    }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetFixed(joint: JointId) {
    let data = &mut *data_of!(joint, Fixed);
    let sides = (*joint).sides();
    if sides.has(1) {
        data.offset = sides.local_vector(0, sides.position(0) - sides.position(1));
    } else if sides.has(0) {
        data.offset = sides.position(0);
    }
    if sides.has(0) {
        data.relative = sides.relative();
    }
}

parameters!(Fixed: dJointSetFixedParam, dJointGetFixedParam |data, number| (&mut data.softness, number));
