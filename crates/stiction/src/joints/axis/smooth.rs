//! The law of an axis as a force of continuous time: springs and dampers as they are; stops and dry friction, which jump, as
//! smooth forces. Motors are rows there too.
//!
//! With D the inertia that the axis feels:
//! - stop: a critically damped spring of period [`STOP_PERIOD`], which pushes only; with restitution e a spring that
//!   gives back e² of its energy, `D ω² x (1 + e² + (1 − e²) s)/2`, `s = ẋ/√(ẋ² + v_s²)` of the speed ẋ into it;
//! - dry friction: `−F q̇ / √(q̇² + v_s²)`, v_s the stiction tolerance (per metre or radian).

use super::AxisParameters;

/// Period of a stop's spring \[s\].
const STOP_PERIOD: f64 = 2e-2;

/// Force of a stop, and what its spring alone would give \[N or N m\].
#[derive(Clone, Copy, Debug)]
pub(crate) struct StopForce {
    pub(crate) force: f64,
    pub(crate) elastic: f64,
}

impl AxisParameters {
    /// Force of springs, dampers, stops and friction at a position and rate \[N or N m\]; `inertia` is what the axis feels,
    /// `tolerance` the speed below which it counts as at rest.
    pub(crate) fn smooth_force(&self, q: f64, rate: f64, inertia: f64, tolerance: f64) -> f64 {
        let mut force = -self.stiffness * (q - self.spring_reference) - self.damping * rate;
        if self.friction > 0.0 {
            force -= self.friction * rate / (rate * rate + tolerance * tolerance).sqrt();
        }
        if let Some(stop) = self.stop_force(q, rate, inertia, tolerance) {
            force += stop.force;
        }
        force
    }

    /// Force of the stop that the position is beyond, against it.
    pub(crate) fn stop_force(&self, q: f64, rate: f64, inertia: f64, tolerance: f64) -> Option<StopForce> {
        if self.lower <= self.upper {
            let omega = std::f64::consts::TAU / STOP_PERIOD;
            let spring = |beyond: f64, speed: f64| {
                if let Some(stop) = self.stop_spring {
                    stop.force(beyond, speed)
                } else if self.bounce > 0.0 {
                    let (kept, s) = (self.bounce * self.bounce, speed / (speed * speed + tolerance * tolerance).sqrt());
                    0.5 * inertia * omega * omega * beyond * (1.0 + kept + (1.0 - kept) * s)
                } else {
                    inertia * omega * (omega * beyond + 2.0 * speed)
                }
            };
            if q < self.lower {
                let beyond = self.lower - q;
                return Some(StopForce { force: spring(beyond, -rate).max(0.0), elastic: spring(beyond, 0.0) });
            }
            if q > self.upper {
                let beyond = q - self.upper;
                return Some(StopForce { force: -spring(beyond, rate).max(0.0), elastic: -spring(beyond, 0.0) });
            }
        }
        None
    }
}
