//! Stop and motor of one motion of a joint: the engine's law of an axis, with ODE's numbers of parameters and its rate.

use std::ffi::c_int;

use glam::DVec3;
use stiction::joints::parts::{PartRow, between, spin};
use stiction::joints::{AxisParameters, Motor};

use super::{Rows, Sides, World};
use crate::types::dReal;

/// Parameters of `dJointSet…Param`, the group taken off.
pub(crate) mod parameter {
    use std::ffi::c_int;

    pub(crate) const LO_STOP: c_int = 0;
    pub(crate) const HI_STOP: c_int = 1;
    pub(crate) const VEL: c_int = 2;
    pub(crate) const FMAX: c_int = 5;
    pub(crate) const FUDGE_FACTOR: c_int = 6;
    pub(crate) const BOUNCE: c_int = 7;
    pub(crate) const CFM: c_int = 8;
    pub(crate) const STOP_ERP: c_int = 9;
    pub(crate) const STOP_CFM: c_int = 10;
    pub(crate) const SUSPENSION_ERP: c_int = 11;
    pub(crate) const SUSPENSION_CFM: c_int = 12;
    pub(crate) const ERP: c_int = 13;
}

/// Stop and motor of one motion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LimitMotor {
    /// Softness is given: the world's at the joint's creation, or what the program has set.
    pub law: AxisParameters,
    /// Found by the last test: sign of the force of the stop, and position beyond it.
    stop: Option<(f64, f64)>,
}

impl LimitMotor {
    /// Softness is the world's at this moment.
    pub(crate) fn new(world: &World) -> Self {
        let (erp, cfm) = (world.erp.into(), world.cfm.into());
        let motor = Motor { cfm: Some(cfm), ..Motor::default() };
        Self {
            law: AxisParameters { stop_erp: Some(erp), stop_cfm: Some(cfm), motor, ..Default::default() },
            stop: None,
        }
    }

    pub(crate) fn set(&mut self, number: c_int, value: dReal) {
        let (law, value) = (&mut self.law, f64::from(value));
        match number {
            parameter::LO_STOP => law.lower = value,
            parameter::HI_STOP => law.upper = value,
            parameter::VEL => law.motor.velocity = value,
            parameter::FMAX if value >= 0.0 => law.motor.max_force = value,
            parameter::FUDGE_FACTOR if (0.0..=1.0).contains(&value) => law.motor.fudge_factor = value,
            parameter::BOUNCE => law.bounce = value,
            parameter::CFM => law.motor.cfm = Some(value),
            parameter::STOP_ERP => law.stop_erp = Some(value),
            parameter::STOP_CFM => law.stop_cfm = Some(value),
            _ => {}
        }
    }

    pub(crate) fn get(&self, number: c_int) -> dReal {
        let law = &self.law;
        (match number {
            parameter::LO_STOP => law.lower,
            parameter::HI_STOP => law.upper,
            parameter::VEL => law.motor.velocity,
            parameter::FMAX => law.motor.max_force,
            parameter::FUDGE_FACTOR => law.motor.fudge_factor,
            parameter::BOUNCE => law.bounce,
            parameter::CFM => law.motor.cfm.unwrap_or_default(),
            parameter::STOP_ERP => law.stop_erp.unwrap_or_default(),
            parameter::STOP_CFM => law.stop_cfm.unwrap_or_default(),
            _ => 0.0,
        }) as dReal
    }

    /// A stop can be reached.
    pub(crate) fn has_stops(&self) -> bool {
        let AxisParameters { lower, upper, .. } = self.law;
        lower <= upper && (lower > f64::NEG_INFINITY || upper < f64::INFINITY)
    }

    /// Forgets the stop.
    pub(crate) fn release(&mut self) {
        self.stop = None;
    }

    /// Finds the stop that a position is at, which is worked out only where there are stops.
    pub(crate) fn test(&mut self, position: impl FnOnce() -> f64) {
        self.stop = if self.has_stops() { self.law.stop(position()) } else { None };
    }

    /// Finds the stop as angular motors do: stops that have changed places hold too, the lower one first.
    pub(crate) fn test_in_any_order(&mut self, position: f64) {
        let AxisParameters { lower, upper, .. } = self.law;
        self.stop = if position <= lower {
            Some((1.0, position - lower))
        } else if position >= upper {
            Some((-1.0, position - upper))
        } else {
            None
        };
    }

    /// The row of a rotation about an axis.
    pub(crate) fn about(&self, sides: &Sides, axis: DVec3, rows: &mut Rows) {
        self.push(sides, spin(axis.into(), 0.0), axis.dot(sides.relative_spin()), rows);
    }

    /// The row of a displacement along an axis. Between two bodies the force acts halfway between their centres, so that it
    /// gives the pair no spin.
    pub(crate) fn along(&self, sides: &Sides, axis: DVec3, rows: &mut Rows) {
        let half = sides.halfway();
        let part = between(axis.into(), half[0].into(), half[1].into(), DVec3::ZERO.into());
        // As in ODE the spins of the bodies do not count in the rate.
        let rate = axis.dot(sides.linear_velocity(0) - sides.linear_velocity(1));
        self.push(sides, part, rate, rows);
    }

    /// The row of a displacement along an axis between two points, given by their arms.
    pub(crate) fn between(&self, sides: &Sides, axis: DVec3, arms: [DVec3; 2], rows: &mut Rows) {
        let part = between(axis.into(), arms[0].into(), arms[1].into(), DVec3::ZERO.into());
        let rate = axis.dot(sides.linear_velocity(0) - sides.linear_velocity(1))
            + DVec3::from(part.angular_first).dot(sides.angular_velocity(0))
            + DVec3::from(part.angular_second).dot(sides.angular_velocity(1));
        self.push(sides, part, rate, rows);
    }

    fn push(&self, sides: &Sides, part: PartRow, rate: f64, rows: &mut Rows) {
        rows.scratch.clear();
        let context = rows.context();
        let force = self.law.motor_and_stop(part, self.stop, rate, &context, rows.scratch);
        if force != 0.0 {
            let torques = [part.angular_first, part.angular_second].map(|a| DVec3::from(a) * force);
            sides.add(DVec3::from(part.linear) * force, torques);
        }
        for index in 0..rows.scratch.len() {
            let row = rows.scratch[index];
            rows.accept(&row);
        }
    }
}

/// The second group of parameters belongs to the second motion, everything else to the first.
pub(crate) fn of_two(motors: &mut [LimitMotor; 2], number: c_int) -> (&mut LimitMotor, c_int) {
    let [first, second] = motors;
    if number & 0xff00 == 0x100 { (second, number & 0xff) } else { (first, number) }
}

/// A group of parameters for each of three motions.
pub(crate) fn of_three(motors: &mut [LimitMotor; 3], number: c_int) -> (&mut LimitMotor, c_int) {
    (&mut motors[(number >> 8).clamp(0, 2) as usize], number & 0xff)
}
