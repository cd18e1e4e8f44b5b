//! Slider: one displacement along an axis of the first body is free. Forces act halfway between the centres.

use std::ffi::c_int;

use glam::{DQuat, DVec3};
use stiction::joints::JointKind as Engine;
use stiction::joints::parts::between;
use stiction::math::V3;

use super::fixed::oriented;
use super::limit_motor::LimitMotor;
use super::{JointId, JointKind, Mechanism, Rows, Sides, World, data_of, functions, parameters};
use crate::report::require_internal;
use crate::rotation::across;
use crate::types::dReal;

/// The axis in the first body, where that body's centre stood in the second, and how it was turned.
pub(crate) struct Slider {
    pub axis: DVec3,
    pub offset: DVec3,
    pub relative: DQuat,
    pub motor: LimitMotor,
}

impl Slider {
    pub(super) fn new(world: &World) -> Self {
        Self { axis: DVec3::X, offset: DVec3::ZERO, relative: DQuat::IDENTITY, motor: LimitMotor::new(world) }
    }

    /// The axis as stop and motor see it: turned round where the program named the world first.
    fn signed_axis(&self, sides: &Sides) -> DVec3 {
        sides.world_vector(0, self.axis) * sides.sign_to_world()
    }

    fn set_axis(&mut self, sides: &Sides, axis: DVec3) {
        self.axis = sides.local_vector(0, crate::rotation::unit(axis));
        self.attached(sides);
    }

    fn displacement(&self, sides: &Sides) -> DVec3 {
        sides.position(0) - sides.world_point(1, self.offset)
    }
}

impl JointKind for Slider {
    fn number(&self) -> c_int {
        3
    }

    fn attached(&mut self, sides: &Sides) {
        self.offset = sides.local_point(1, sides.position(0));
        self.relative = sides.relative();
    }

    fn rows(&mut self, sides: &Sides, rows: &mut Rows) {
        let axis = self.signed_axis(sides);
        let displacement = self.displacement(sides);
        self.motor.test(|| axis.dot(displacement));
        oriented(sides, self.relative, rows);
        let [first, second] = sides.halfway().map(V3::from);
        for direction in across(sides.world_vector(0, self.axis)) {
            rows.hold(between(direction.into(), first, second, displacement.into()));
        }
        self.motor.along(sides, axis, rows);
    }

    fn mechanism(&self, sides: &Sides) -> Option<Mechanism> {
        let axis = self.axis * sides.sign_to_world();
        let of_second = self.relative.conjugate() * axis;
        let own = Mechanism::along(Engine::Slider, [DVec3::ZERO, self.offset], [axis, of_second], self.relative)?;
        Some(own.with_laws([self.motor.law]))
    }
}

functions! { Slider:
    axis dJointSetSliderAxis |data, sides, axis| data.set_axis(sides, axis);
    vector dJointGetSliderAxis |data, sides| sides.world_vector(0, data.axis);
    number dJointGetSliderPosition |data, sides|
        if sides.has(0) { data.signed_axis(sides).dot(data.displacement(sides)) } else { 0.0 };
    number dJointGetSliderPositionRate |data, sides|
        data.signed_axis(sides).dot(sides.linear_velocity(0) - sides.linear_velocity(1));
    set dJointAddSliderForce |data, sides, force| {
        let force = sides.world_vector(0, data.axis) * (force * sides.sign());
        sides.add(force, [sides.halfway()[0].cross(force); 2]);
    };
}
parameters!(Slider: dJointSetSliderParam, dJointGetSliderParam |data, number| (&mut data.motor, number));

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetSliderAxisDelta(
    joint: JointId,
    x: dReal,
    y: dReal,
    z: dReal,
    dx: dReal,
    dy: dReal,
    dz: dReal,
) {
    let data = &mut *data_of!(joint, Slider);
    let axis = DVec3::new(x.into(), y.into(), z.into());
    require_internal!(axis.is_finite() && axis != DVec3::ZERO, "the axis has no direction");
    let sides = (*joint).sides();
    if sides.has(0) {
        data.set_axis(&sides, axis);
        if !sides.has(1) {
            data.offset += DVec3::new(dx.into(), dy.into(), dz.into());
        }
    }
}
