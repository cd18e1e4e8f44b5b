//! A PID controller at work, as that of gz-math.

use super::Visit;
use crate::plugins::PidDescription;

/// A controller with what it remembers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pid {
    gains: PidDescription,
    /// `∫ i e dt`.
    integral: f64,
    last_error: f64,
}

impl Pid {
    pub(super) const fn new(gains: PidDescription) -> Self {
        Self { gains, integral: 0.0, last_error: 0.0 }
    }

    /// Its output for an error (what is less what should be); the error before the first is 0.
    pub(super) fn update(&mut self, error: f64, step: f64) -> f64 {
        let g = &self.gains;
        if !error.is_finite() {
            return 0.0;
        }
        self.integral += g.i * step * error;
        if g.i_max >= g.i_min {
            self.integral = self.integral.clamp(g.i_min, g.i_max);
        }
        let slope = (error - self.last_error) / step;
        self.last_error = error;
        let output = g.offset - g.p * error - self.integral - g.d * slope;
        if g.cmd_max >= g.cmd_min { output.clamp(g.cmd_min, g.cmd_max) } else { output }
    }

    pub(super) fn reset(&mut self) {
        (self.integral, self.last_error) = (0.0, 0.0);
    }

    pub(super) fn visit(&mut self, visit: Visit) {
        visit(&mut self.integral);
        visit(&mut self.last_error);
    }
}
