//! Transmission: two wheels that touch, or that a chain connects. One row: the contact points move with the same speed along
//! the line of contact.

use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::ffi::c_int;

use glam::{DMat3, DVec3};

use super::ball::Softness;
use super::{JointId, JointKind, Rows, Sides, World, data_of};
use crate::report::{require, require_internal};
use crate::types::{dReal, write3};

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
            rows.push([DVec3::ZERO; 2], [DVec3::ZERO; 2], 0.0).cfm = self.softness.cfm;
            return;
        };
        for side in 0..2 {
            let wheel = placed[side];
            self.turn(sides, side, &wheel, rows.rate);
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
            rows.push([DVec3::ZERO; 2], [DVec3::ZERO; 2], 0.0).cfm = self.softness.cfm;
            return;
        }
        let arms = [0, 1].map(|i| placed[i].contact - sides.position(i));
        let (first, second) = (placed[0].line, placed[1].line);
        let beyond = if lag > 0.0 { lag - self.backlash } else { lag + self.backlash };
        let target = -rows.rate * self.softness.erp * beyond;
        let row = rows.push([first, -second], [arms[0].cross(first), second.cross(arms[1])], target);
        row.cfm = self.softness.cfm;
        if self.backlash > 0.0 {
            *(if lag > 0.0 { &mut row.high } else { &mut row.low }) = 0.0;
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

macro_rules! wheel_functions {
    ($($set_axis:ident, $get_axis:ident, $set_anchor:ident, $get_anchor:ident, $contact:ident, $angle:ident,
       $set_radius:ident, $get_radius:ident: $side:literal;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $set_axis(joint: JointId, x: dReal, y: dReal, z: dReal) {
            let data = &mut *data_of!(joint, Transmission);
            require!(data.mode == mode::INTERSECTING_AXES, "can't set individual axes in current mode");
            let axis = DVec3::new(x.into(), y.into(), z.into());
            require_internal!(axis.is_finite() && axis != DVec3::ZERO, "the axis has no direction");
            data.set_axis(&(*joint).sides(), $side, axis);
        }

        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $get_axis(joint: JointId, result: *mut dReal) {
            let data = &*data_of!(joint, Transmission);
            require!(!result.is_null(), "bad result argument");
            let sides = (*joint).sides();
            if sides.has($side) {
                write3(result, sides.world_vector($side, data.wheels[$side].axis));
            }
        }

        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $set_anchor(joint: JointId, x: dReal, y: dReal, z: dReal) {
            let data = &mut *data_of!(joint, Transmission);
            let sides = (*joint).sides();
            if sides.has($side) {
                data.wheels[$side].anchor = sides.local_point($side, DVec3::new(x.into(), y.into(), z.into()));
            }
            data.is_new = true;
        }

        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $get_anchor(joint: JointId, result: *mut dReal) {
            let data = &*data_of!(joint, Transmission);
            require!(!result.is_null(), "bad result argument");
            let sides = (*joint).sides();
            if sides.has($side) {
                write3(result, sides.world_point($side, data.wheels[$side].anchor));
            }
        }

        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $contact(joint: JointId, result: *mut dReal) {
            let data = &*data_of!(joint, Transmission);
            require!(!result.is_null(), "bad result argument");
            write3(result, data.wheels[$side].contact);
        }

        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $angle(joint: JointId) -> dReal {
            (*data_of!(joint, Transmission, 0.0)).wheels[$side].phase as dReal
        }

        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $set_radius(joint: JointId, radius: dReal) {
            let data = &mut *data_of!(joint, Transmission);
            require!(data.mode == mode::CHAIN_DRIVE, "can't set wheel radius explicitly in current mode");
            data.wheels[$side].radius = radius.into();
        }

        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $get_radius(joint: JointId) -> dReal {
            (*data_of!(joint, Transmission, 0.0)).wheels[$side].radius as dReal
        }
    )*};
}

wheel_functions! {
    dJointSetTransmissionAxis1, dJointGetTransmissionAxis1, dJointSetTransmissionAnchor1, dJointGetTransmissionAnchor1,
        dJointGetTransmissionContactPoint1, dJointGetTransmissionAngle1, dJointSetTransmissionRadius1,
        dJointGetTransmissionRadius1: 0;
    dJointSetTransmissionAxis2, dJointGetTransmissionAxis2, dJointSetTransmissionAnchor2, dJointGetTransmissionAnchor2,
        dJointGetTransmissionContactPoint2, dJointGetTransmissionAngle2, dJointSetTransmissionRadius2,
        dJointGetTransmissionRadius2: 1;
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetTransmissionParam(joint: JointId, number: c_int, value: dReal) {
    (*data_of!(joint, Transmission)).softness.set(number, value);
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetTransmissionParam(joint: JointId, number: c_int) -> dReal {
    (*data_of!(joint, Transmission, 0.0)).softness.get(number)
}

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

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetTransmissionRatio(joint: JointId, ratio: dReal) {
    let data = &mut *data_of!(joint, Transmission);
    require!(data.mode == mode::PARALLEL_AXES, "can't set ratio explicitly in current mode");
    require!(ratio > 0.0, "ratio must be positive");
    data.ratio = ratio.into();
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetTransmissionRatio(joint: JointId) -> dReal {
    (*data_of!(joint, Transmission, 0.0)).ratio as dReal
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetTransmissionBacklash(joint: JointId, backlash: dReal) {
    (*data_of!(joint, Transmission)).backlash = backlash.into();
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetTransmissionBacklash(joint: JointId) -> dReal {
    (*data_of!(joint, Transmission, 0.0)).backlash as dReal
}
