//! A PID controller at work, as that of gz-math. What drives a joint is taken implicitly: its output is that of the error at
//! the end of the step, so that no gain is unstable.

use stiction::joints::{Drive, DriveGains};

use super::{Visit, visit_flag};
use crate::plugins::PidDescription;

/// A controller with what it remembers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pid {
    gains: PidDescription,
    /// `∫ i e dt`.
    integral: f64,
    last_error: f64,
    /// The last target of a drive.
    last_target: Option<f64>,
}

impl Pid {
    pub(super) const fn new(gains: PidDescription) -> Self {
        Self { gains, integral: 0.0, last_error: 0.0, last_target: None }
    }

    /// Its output for an error (what is less what should be); the error before the first is 0.
    pub(super) fn update(&mut self, error: f64, step: f64) -> f64 {
        if !error.is_finite() {
            return 0.0;
        }
        self.integrate(error, step);
        let g = &self.gains;
        let slope = (error - self.last_error) / step;
        self.last_error = error;
        let output = g.offset - g.p * error - self.integral - g.d * slope;
        if g.cmd_max >= g.cmd_min { output.clamp(g.cmd_min, g.cmd_max) } else { output }
    }

    /// The drive of a position: `e⁺ = q⁺ − q*`, `u = offset − p e⁺ − I⁺ − d (e⁺ − e₋)/h` with the last error e₋, 0 before the
    /// first, and `I⁺ = I + h i e⁺` unless a bound holds it.
    pub(super) fn of_position(&mut self, position: f64, target: f64, step: f64) -> Drive {
        let error = position - target;
        let (held, i) = self.integrate(error, step);
        let (p, d) = (self.gains.p, self.gains.d);
        // `e⁺ − e₋ = h q̇⁺ + (e − e₋)`.
        let moved = error - self.error_before(position, target);
        let gains = DriveGains::Soft { stiffness: p + step * i, damping: d };
        Drive { effort: self.gains.offset - held - d * moved / step, ..self.drive(target, 0.0, gains) }
    }

    /// The drive of a velocity: `e⁺ = q̇⁺ − v*`, of which `d` is a gain of the acceleration.
    pub(super) fn of_velocity(&mut self, rate: f64, target: f64, step: f64) -> Drive {
        let error = rate - target;
        let (held, i) = self.integrate(error, step);
        let (p, d) = (self.gains.p, self.gains.d);
        let last = self.error_before(rate, target);
        let gains = DriveGains::Soft { stiffness: 0.0, damping: p + step * i + d / step };
        Drive { effort: self.gains.offset - held + d * last / step, ..self.drive(0.0, target, gains) }
    }

    /// The error at the end of the last step, `e₋`: of what is now beside the last target.
    fn error_before(&mut self, now: f64, target: f64) -> f64 {
        self.last_target.replace(target).map_or(0.0, |last| now - last)
    }

    fn drive(&self, position: f64, velocity: f64, gains: DriveGains) -> Drive {
        let PidDescription { cmd_min, cmd_max, .. } = self.gains;
        let free = Drive::new(position, velocity, gains);
        if cmd_max >= cmd_min { Drive { range: [cmd_min, cmd_max], ..free } } else { free }
    }

    /// Takes the error at the end of the last step into the integral; returns it and the gain with which that goes on, 0 at a
    /// bound.
    fn integrate(&mut self, error: f64, step: f64) -> (f64, f64) {
        let g = &self.gains;
        if !error.is_finite() {
            return (self.integral, 0.0);
        }
        self.integral += g.i * step * error;
        if g.i_max < g.i_min {
            return (self.integral, g.i);
        }
        let free = self.integral;
        self.integral = free.clamp(g.i_min, g.i_max);
        (self.integral, if free == self.integral { g.i } else { 0.0 })
    }

    pub(super) fn reset(&mut self) {
        *self = Self::new(self.gains);
    }

    pub(super) fn visit(&mut self, visit: Visit) {
        visit(&mut self.integral);
        visit(&mut self.last_error);
        let mut is_running = self.last_target.is_some();
        visit_flag(&mut is_running, visit);
        let mut last_target = self.last_target.unwrap_or(0.0);
        visit(&mut last_target);
        self.last_target = is_running.then_some(last_target);
    }
}
