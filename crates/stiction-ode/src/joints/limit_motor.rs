//! Stop and motor of one motion of a joint.

use std::f64::consts::PI;
use std::ffi::c_int;

use glam::DVec3;

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

/// Which stop a motion is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    Low,
    High,
}

/// Stop and motor of one motion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LimitMotor {
    pub velocity: f64,
    pub max_force: f64,
    pub low: f64,
    pub high: f64,
    pub fudge_factor: f64,
    pub cfm: f64,
    pub stop_erp: f64,
    pub stop_cfm: f64,
    pub bounce: f64,
    /// Found by the last test, with how far beyond the stop.
    stop: Option<(Stop, f64)>,
}

impl LimitMotor {
    /// Softness is the world's at this moment.
    pub(crate) fn new(world: &World) -> Self {
        Self {
            velocity: 0.0,
            max_force: 0.0,
            low: f64::NEG_INFINITY,
            high: f64::INFINITY,
            fudge_factor: 1.0,
            cfm: world.cfm.into(),
            stop_erp: world.erp.into(),
            stop_cfm: world.cfm.into(),
            bounce: 0.0,
            stop: None,
        }
    }

    pub(crate) fn set(&mut self, number: c_int, value: dReal) {
        let value = f64::from(value);
        match number {
            parameter::LO_STOP => self.low = value,
            parameter::HI_STOP => self.high = value,
            parameter::VEL => self.velocity = value,
            parameter::FMAX if value >= 0.0 => self.max_force = value,
            parameter::FUDGE_FACTOR if (0.0..=1.0).contains(&value) => self.fudge_factor = value,
            parameter::BOUNCE => self.bounce = value,
            parameter::CFM => self.cfm = value,
            parameter::STOP_ERP => self.stop_erp = value,
            parameter::STOP_CFM => self.stop_cfm = value,
            _ => {}
        }
    }

    pub(crate) fn get(&self, number: c_int) -> dReal {
        (match number {
            parameter::LO_STOP => self.low,
            parameter::HI_STOP => self.high,
            parameter::VEL => self.velocity,
            parameter::FMAX => self.max_force,
            parameter::FUDGE_FACTOR => self.fudge_factor,
            parameter::BOUNCE => self.bounce,
            parameter::CFM => self.cfm,
            parameter::STOP_ERP => self.stop_erp,
            parameter::STOP_CFM => self.stop_cfm,
            _ => 0.0,
        }) as dReal
    }

    /// There is a motor.
    pub(crate) fn has_motor(&self) -> bool {
        self.max_force > 0.0
    }

    /// Stops of an angle are looked at only where one of them can be reached.
    pub(crate) fn limits_angle(&self) -> bool {
        (self.low >= -PI || self.high <= PI) && self.low <= self.high
    }

    /// Stops of a displacement are looked at where one of them is finite.
    pub(crate) fn limits_position(&self) -> bool {
        (self.low > f64::NEG_INFINITY || self.high < f64::INFINITY) && self.low <= self.high
    }

    /// Forgets the stop.
    pub(crate) fn release(&mut self) {
        self.stop = None;
    }

    /// Finds the stop that a position is at.
    pub(crate) fn test(&mut self, position: f64) {
        self.stop = if position <= self.low {
            Some((Stop::Low, position - self.low))
        } else if position >= self.high {
            Some((Stop::High, position - self.high))
        } else {
            None
        };
    }

    /// Finds the stop of an angle, or of none where the stops are out of reach.
    pub(crate) fn test_angle(&mut self, angle: impl FnOnce() -> f64) {
        self.release();
        if self.limits_angle() {
            self.test(angle());
        }
    }

    /// Finds the stop of a displacement, or of none where there are no stops.
    pub(crate) fn test_position(&mut self, position: impl FnOnce() -> f64) {
        self.release();
        if self.limits_position() {
            self.test(position());
        }
    }

    /// The row of a rotation about an axis.
    pub(crate) fn about(&self, sides: &Sides, axis: DVec3, rows: &mut Rows) {
        let rate = axis.dot(sides.relative_spin());
        self.push(sides, [DVec3::ZERO; 2], [axis, -axis], rate, rows);
    }

    /// The row of a displacement along an axis. Between two bodies the force acts halfway between their centres, so that it
    /// gives the pair no spin.
    pub(crate) fn along(&self, sides: &Sides, axis: DVec3, rows: &mut Rows) {
        let couple =
            if sides.are_two() { (0.5 * (sides.position(1) - sides.position(0))).cross(axis) } else { DVec3::ZERO };
        let rate = axis.dot(sides.linear_velocity(0) - sides.linear_velocity(1));
        self.push(sides, [axis, -axis], [couple; 2], rate, rows);
    }

    /// The row of a displacement along an axis between two points, given by their arms.
    pub(crate) fn between(&self, sides: &Sides, axis: DVec3, arms: [DVec3; 2], rows: &mut Rows) {
        let angular = [arms[0].cross(axis), axis.cross(arms[1])];
        let rate = axis.dot(sides.linear_velocity(0) - sides.linear_velocity(1))
            + angular[0].dot(sides.angular_velocity(0))
            + angular[1].dot(sides.angular_velocity(1));
        self.push(sides, [axis, -axis], angular, rate, rows);
    }

    fn push(&self, sides: &Sides, linear: [DVec3; 2], angular: [DVec3; 2], rate: f64, rows: &mut Rows) {
        if !self.has_motor() && self.stop.is_none() {
            return;
        }
        let is_locked = self.stop.is_some() && self.low == self.high;
        if self.has_motor() && self.stop.is_some() && !is_locked {
            self.press(sides, linear[0], angular);
        }
        let steps = rows.rate;
        let row = rows.push(linear, angular, 0.0);
        let Some((stop, beyond)) = self.stop else {
            row.cfm = self.cfm;
            row.target = self.velocity;
            (row.low, row.high) = (-self.max_force, self.max_force);
            return;
        };
        row.cfm = self.stop_cfm;
        row.target = -steps * self.stop_erp * beyond;
        if is_locked {
            return;
        }
        // Of rebound and correction the larger counts; only what comes in bounces.
        let rebound = -self.bounce * rate;
        match stop {
            Stop::Low => {
                row.low = 0.0;
                if self.bounce > 0.0 && rate < 0.0 {
                    row.target = row.target.max(rebound);
                }
            }
            Stop::High => {
                row.high = 0.0;
                if self.bounce > 0.0 && rate > 0.0 {
                    row.target = row.target.min(rebound);
                }
            }
        }
    }

    /// A motor at a stop acts as a force: all of it into the stop, a share of it away from it.
    fn press(&self, sides: &Sides, linear: DVec3, angular: [DVec3; 2]) {
        let is_high = matches!(self.stop, Some((Stop::High, _)));
        let forward = self.velocity > 0.0 || self.velocity == 0.0 && is_high;
        let away = if is_high { self.velocity < 0.0 } else { self.velocity > 0.0 };
        let force = if forward { self.max_force } else { -self.max_force } * if away { self.fudge_factor } else { 1.0 };
        sides.add(linear * force, angular.map(|a| a * force));
    }
}

/// Functions that set and get parameters: the expression gives the motion of a parameter and the number within its group.
macro_rules! parameters {
    ($kind:ident: $set:ident, $get:ident = |$data:ident, $number:ident| $motion:expr) => {
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $set(joint: JointId, $number: c_int, value: dReal) {
            let $data = &mut *data_of!(joint, $kind);
            let (motion, number): (&mut LimitMotor, c_int) = $motion;
            motion.set(number, value);
        }

        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $get(joint: JointId, $number: c_int) -> dReal {
            let $data = &mut *data_of!(joint, $kind, 0.0);
            let (motion, number): (&mut LimitMotor, c_int) = $motion;
            motion.get(number)
        }
    };
}

pub(crate) use parameters;

/// The second group of parameters belongs to the second motion, everything else to the first.
pub(crate) fn of_two<'a>(
    first: &'a mut LimitMotor,
    second: &'a mut LimitMotor,
    number: c_int,
) -> (&'a mut LimitMotor, c_int) {
    if number & 0xff00 == 0x100 { (second, number & 0xff) } else { (first, number) }
}
