//! The pace of a run beside the clock on the wall.

use stiction_formats::description::PhysicsDescription;

/// When steps are due in real time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// Wall time of a step \[s\].
    step: f64,
}

impl Pace {
    /// What a file asks for: `real_time_update_rate` steps a second, and no more than `real_time_factor` of real time; of two that are
    /// given the slower counts, and of two that are not the rate. `None` is as fast as possible. `step` is that of the run \[s\].
    #[must_use]
    pub fn of(physics: &PhysicsDescription, step: f64) -> Option<Self> {
        let (rate, factor) = (&physics.real_time_update_rate, &physics.real_time_factor);
        let by_rate = Some(1.0 / rate.value).filter(|_| rate.is_given() || !factor.is_given());
        let by_factor = factor.given().map(|factor| step / factor);
        let longest = by_rate.into_iter().chain(by_factor).filter(|wall| wall.is_finite() && *wall > 0.0);
        longest.reduce(f64::max).map(|step| Self { step })
    }

    /// Wall time from the start at which a number of steps are done \[s\].
    #[must_use]
    pub fn due(&self, steps: u64) -> f64 {
        steps as f64 * self.step
    }
}
