//! Transmission: two wheels that touch, or that a chain connects. One row: the contact points move with the same speed along
//! the line of contact.

use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::ffi::c_int;

use glam::{DMat3, DVec3};
use stiction::joints::parts::{between, spin};

use super::ball::Softness;
use super::{JointId, JointKind, Rows, Sides, World, data_of, functions, parameters};
use crate::report::{require, require_internal};
use crate::types::dReal;

/// `dTransmission…`.
mod mode {
    pub(super) const PARALLEL_AXES: i32 = 0;
    pub(super) const INTERSECTING_AXES: i32 = 1;
    pub(super) const CHAIN_DRIVE: i32 = 2;
}

/// One wheel.
#[derive(Clone, Copy)]
struct Wheel {
    /// Centre and axis in its body.
    anchor: DVec3,
    axis: DVec3,
    radius: f64,
    /// Frame in the body that the phase is measured in: x towards the first contact point, z along the axis.
    reference: DMat3,
    /// Angle that the wheel has turned, without wrapping.
    phase: f64,
    /// Where it touches, in the world.
    contact: DVec3,
}

/// Two wheels.
pub(crate) struct Transmission {
    mode: c_int,
    wheels: [Wheel; 2],
    ratio: f64,
    backlash: f64,
    softness: Softness,
    /// Radii and references are found anew in the next step.
    is_new: bool,
}

/// Centre, axis, contact point and line of contact of a wheel, in the world.
#[derive(Clone, Copy)]
struct Placed {
    center: DVec3,
    axis: DVec3,
    contact: DVec3,
    line: DVec3,
}

impl Transmission {
    pub(super) fn new(world: &World) -> Self {
        let wheel = Wheel {
            anchor: DVec3::ZERO,
            axis: DVec3::X,
            radius: 0.0,
            reference: DMat3::IDENTITY,
            phase: 0.0,
            contact: DVec3::ZERO,
        };
        Self {
            mode: mode::PARALLEL_AXES,
            wheels: [wheel; 2],
            ratio: 1.0,
            backlash: 0.0,
            softness: Softness::new(world),
            is_new: true,
        }
    }

    /// Where the wheels touch; `None` where they cannot.
    fn place(&mut self, sides: &Sides) -> Option<[Placed; 2]> {
        let mut wheels = [0, 1].map(|side| Placed {
            center: sides.world_point(side, self.wheels[side].anchor),
            axis: sides.world_vector(side, self.wheels[side].axis),
            contact: DVec3::ZERO,
            line: DVec3::ZERO,
        });
        if self.is_new && wheels[0].axis.dot(wheels[1].axis) < 0.0 {
            self.wheels[0].axis = -self.wheels[0].axis;
            wheels[0].axis = -wheels[0].axis;
        }
        match self.mode {
            mode::PARALLEL_AXES => {
                let between = wheels[1].center - wheels[0].center;
                let direction = between.try_normalize()?;
                let contact = wheels[0].center + between * (self.ratio / (1.0 + self.ratio));
                for wheel in &mut wheels {
                    wheel.contact = contact;
                    wheel.line = direction.cross(wheel.axis);
                }
            }
            mode::INTERSECTING_AXES => {
                let (n0, n1) = (wheels[0].axis, wheels[1].axis);
                let line = n0.cross(n1);
                let cosine = n0.dot(n1);
                let square = 1.0 - cosine * cosine;
                if square <= 0.0 {
                    return None;
                }
                // The point of the plane of both axes that has the heights of the centres along them.
                let (a0, a1) = (n0.dot(wheels[0].center), n1.dot(wheels[1].center));
                let origin = n0 * ((a0 - a1 * cosine) / square) + n1 * ((a1 - a0 * cosine) / square);
                for wheel in &mut wheels {
                    wheel.line = line;
                    wheel.contact = origin + line * (wheel.center - origin).dot(line);
                }
            }
            _ => {
                let between = wheels[0].center - wheels[1].center;
                let distance = between.length();
                let direction = between.try_normalize()?;
                let radii = [self.wheels[0].radius, self.wheels[1].radius];
                let cosine = ((radii[1] - radii[0]) / distance).clamp(-1.0, 1.0);
                let sine = (1.0 - cosine * cosine).sqrt();
                for (wheel, radius) in wheels.iter_mut().zip(radii) {
                    let u = DVec3::new(radius * cosine, 0.0, radius * sine);
                    let across = direction.cross(wheel.axis);
                    // The components of ODE's tangent point are these products.
                    let arm = DVec3::new(direction.dot(u), wheel.axis.dot(u), across.dot(u));
                    wheel.contact = wheel.center + arm;
                    wheel.line = arm.cross(wheel.axis).try_normalize()?;
                }
            }
        }
        Some(wheels)
    }

    /// Radii, ratio and references from the present places.
    fn begin(&mut self, sides: &Sides, placed: &[Placed; 2]) -> bool {
        for side in 0..2 {
            let arm = placed[side].contact - placed[side].center;
            let wheel = &mut self.wheels[side];
            wheel.radius = arm.length();
            let Some(x) = sides.local_vector(side, arm).try_normalize() else { return false };
            wheel.reference = DMat3::from_cols(x, wheel.axis.cross(x), wheel.axis);
            wheel.phase = 0.0;
        }
        self.ratio = self.wheels[0].radius / self.wheels[1].radius;
        self.is_new = false;
        true
    }

    /// Follows the angle of a wheel from the one that its speed leads to expect.
    fn turn(&mut self, sides: &Sides, side: usize, placed: &Placed, rate: f64) {
        let wheel = &mut self.wheels[side];
        let arm = wheel.reference.transpose() * sides.local_vector(side, placed.contact - placed.center);
        let mut angle = libm::atan2(arm.y, arm.x);
        let expected = wheel.phase + sides.angular_velocity(side).dot(placed.axis) / rate;
        if expected > FRAC_PI_2 {
            angle += if angle < 0.0 { TAU } else { 0.0 } + (expected / TAU).floor() * TAU;
        } else if expected < -FRAC_PI_2 {
            angle += if angle > 0.0 { -TAU } else { 0.0 } + (expected / TAU).ceil() * TAU;
        }
        wheel.phase = if expected - angle > PI {
            angle + TAU
        } else if expected - angle < -PI {
            angle - TAU
        } else {
            angle
        };
    }

    fn set_axis(&mut self, sides: &Sides, side: usize, axis: DVec3) {
        if sides.has(side) {
            self.wheels[side].axis = sides.local_vector(side, crate::rotation::unit(axis));
        }
        self.is_new = true;
    }
}

impl JointKind for Transmission {
    fn number(&self) -> c_int {
        17
    }

    fn needs_two_bodies(&self) -> bool {
        true
    }

    fn rows(&mut self, sides: &Sides, rows: &mut Rows) {
        let placed = if sides.are_two() { self.place(sides) } else { None };
        let is_placed = placed.as_ref().is_some_and(|placed| !self.is_new || self.begin(sides, placed));
        let Some(mut placed) = placed.filter(|_| is_placed) else {
            // Wheels that cannot touch hold nothing; the row stays in the order.
            rows.hold_with(spin(DVec3::ZERO.into(), 0.0), 0.0, self.softness.cfm);
            return;
        };
        for side in 0..2 {
            let wheel = placed[side];
            self.turn(sides, side, &wheel, rows.setting.rate);
        }
        let is_chain = self.mode == mode::CHAIN_DRIVE;
        let rolled = [0, 1].map(|i| (placed[i].contact - placed[i].center).length() * self.wheels[i].phase);
        let lag = if is_chain { rolled[0] - rolled[1] } else { rolled[0] + rolled[1] };
        if is_chain && lag < 0.0 {
            // A chain pulls and does not push: the other strand is taut.
            let between = placed[0].center - placed[1].center;
            for wheel in &mut placed {
                let normal = wheel.axis.cross(between);
                let square = normal.length_squared();
                wheel.contact -= normal * (2.0 * wheel.contact.dot(normal) / square);
                wheel.line = normal * (2.0 * wheel.line.dot(normal) / square) - wheel.line;
            }
        }
        for side in 0..2 {
            self.wheels[side].contact = placed[side].contact;
        }
        if self.backlash != 0.0 && lag.abs() <= self.backlash {
            rows.hold_with(spin(DVec3::ZERO.into(), 0.0), 0.0, self.softness.cfm);
            return;
        }
        let arms = [0, 1].map(|i| placed[i].contact - sides.position(i));
        let (first, second) = (placed[0].line, placed[1].line);
        let beyond = if lag > 0.0 { lag - self.backlash } else { lag + self.backlash };
        let mut part = between(first.into(), arms[0].into(), DVec3::ZERO.into(), DVec3::ZERO.into());
        part.error = beyond;
        let row = rows.hold_with(part, self.softness.erp, self.softness.cfm);
        // Each wheel has its own line.
        (row.linear[1], row.angular[1]) = (-second, second.cross(arms[1]));
        if self.backlash > 0.0 {
            row.bounds[usize::from(lag > 0.0)] = 0.0;
        }
    }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetTransmissionAxis(joint: JointId, x: dReal, y: dReal, z: dReal) {
    let data = &mut *data_of!(joint, Transmission);
    require!(data.mode != mode::INTERSECTING_AXES, "axes must be set individualy in current mode");
    let axis = DVec3::new(x.into(), y.into(), z.into());
    require_internal!(axis.is_finite() && axis != DVec3::ZERO, "the axis has no direction");
    let sides = (*joint).sides();
    data.set_axis(&sides, 0, axis);
    data.set_axis(&sides, 1, axis);
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetTransmissionAxis(joint: JointId, result: *mut dReal) {
    let data = &*data_of!(joint, Transmission);
    require!(!result.is_null(), "bad result argument");
    require!(data.mode == mode::PARALLEL_AXES, "axes must be queried individualy in current mode");
    dJointGetTransmissionAxis1(joint, result);
}

/// What belongs to a body that is there; without it the function ends.
macro_rules! of_body {
    ($sides:expr, $side:literal, $value:expr) => {{
        if !$sides.has($side) {
            return;
        }
        $value
    }};
}

impl Transmission {
    fn set_axis_of(&mut self, sides: &Sides, side: usize, axis: DVec3) {
        require!(self.mode == mode::INTERSECTING_AXES, "can't set individual axes in current mode");
        require_internal!(axis.is_finite() && axis != DVec3::ZERO, "the axis has no direction");
        self.set_axis(sides, side, axis);
    }

    fn set_anchor(&mut self, sides: &Sides, side: usize, point: DVec3) {
        if sides.has(side) {
            self.wheels[side].anchor = sides.local_point(side, point);
        }
        self.is_new = true;
    }

    fn set_radius(&mut self, side: usize, radius: f64) {
        require!(self.mode == mode::CHAIN_DRIVE, "can't set wheel radius explicitly in current mode");
        self.wheels[side].radius = radius;
    }
}

functions! { Transmission:
    place dJointSetTransmissionAxis1 |data, sides, axis| data.set_axis_of(sides, 0, axis);
    place dJointSetTransmissionAxis2 |data, sides, axis| data.set_axis_of(sides, 1, axis);
    place dJointSetTransmissionAnchor1 |data, sides, point| data.set_anchor(sides, 0, point);
    place dJointSetTransmissionAnchor2 |data, sides, point| data.set_anchor(sides, 1, point);
    vector dJointGetTransmissionAxis1 |data, sides| of_body!(sides, 0, sides.world_vector(0, data.wheels[0].axis));
    vector dJointGetTransmissionAxis2 |data, sides| of_body!(sides, 1, sides.world_vector(1, data.wheels[1].axis));
    vector dJointGetTransmissionAnchor1 |data, sides| of_body!(sides, 0, sides.world_point(0, data.wheels[0].anchor));
    vector dJointGetTransmissionAnchor2 |data, sides| of_body!(sides, 1, sides.world_point(1, data.wheels[1].anchor));
    vector dJointGetTransmissionContactPoint1 |data, _| data.wheels[0].contact;
    vector dJointGetTransmissionContactPoint2 |data, _| data.wheels[1].contact;
    number dJointGetTransmissionAngle1 |data, _| data.wheels[0].phase;
    number dJointGetTransmissionAngle2 |data, _| data.wheels[1].phase;
    set dJointSetTransmissionRadius1 |data, _, radius| data.set_radius(0, radius);
    set dJointSetTransmissionRadius2 |data, _, radius| data.set_radius(1, radius);
    number dJointGetTransmissionRadius1 |data, _| data.wheels[0].radius;
    number dJointGetTransmissionRadius2 |data, _| data.wheels[1].radius;
    set dJointSetTransmissionRatio |data, _, ratio| {
        require!(data.mode == mode::PARALLEL_AXES, "can't set ratio explicitly in current mode");
        require!(ratio > 0.0, "ratio must be positive");
        data.ratio = ratio;
    };
    number dJointGetTransmissionRatio |data, _| data.ratio;
    set dJointSetTransmissionBacklash |data, _, backlash| data.backlash = backlash;
    number dJointGetTransmissionBacklash |data, _| data.backlash;
}
parameters!(Transmission: dJointSetTransmissionParam, dJointGetTransmissionParam |data, number|
    (&mut data.softness, number));

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetTransmissionMode(joint: JointId, mode: c_int) {
    let data = &mut *data_of!(joint, Transmission);
    require!((mode::PARALLEL_AXES..=mode::CHAIN_DRIVE).contains(&mode), "invalid joint mode");
    data.mode = mode;
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetTransmissionMode(joint: JointId) -> c_int {
    (*data_of!(joint, Transmission, 0)).mode
}
