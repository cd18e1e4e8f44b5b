//! Limits of a commanded speed, as gz-math's `SpeedLimiter`: of its jerk, then of its acceleration, then of the speed.

use super::Visit;
use crate::plugins::SpeedLimits;

/// A speed with its limits and the two before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limiter {
    limits: SpeedLimits,
    last: [f64; 2],
}

fn bounded(x: f64, [low, high]: [f64; 2]) -> f64 {
    x.min(high).max(low.min(high))
}

impl Limiter {
    pub(super) const fn new(limits: SpeedLimits) -> Self {
        Self { limits, last: [0.0; 2] }
    }

    /// The speed of the next step for a command.
    pub(super) fn limit(&mut self, command: f64, step: f64) -> f64 {
        let [before, earlier] = self.last;
        let SpeedLimits { velocity, acceleration, jerk } = self.limits;
        let none = SpeedLimits::default().jerk;
        let mut speed = command;
        if jerk != none {
            let had = (before - earlier) / step;
            speed = before + step * (had + step * bounded(((speed - before) / step - had) / step, jerk));
        }
        if acceleration != none {
            speed = before + step * bounded((speed - before) / step, acceleration);
        }
        speed = bounded(speed, velocity);
        self.last = [speed, before];
        speed
    }

    pub(super) fn visit(&mut self, visit: Visit) {
        self.last.iter_mut().for_each(visit);
    }
}
