//! The law of an axis as a force of continuous time: springs and dampers as they are; stops and dry friction, which jump, as
//! smooth forces. Motors are rows there too.
//!
//! With D the inertia that the axis feels:
//! - stop: a critically damped spring of period [`STOP_PERIOD`], which pushes only; with restitution e a spring that
//!   gives back e² of its energy, `D ω² x (1 + e² + (1 − e²) s)/2`, `s = ẋ/√(ẋ² + v_s²)` of the speed ẋ into it;
//! - dry friction: `−F q̇ / √(q̇² + v_s²)`, v_s the stiction tolerance (per metre or radian);
//! - forces of the user and of soft drives: in the last [`FADING`] of the velocity limit what pushes further fades to 0, so that
//!   none passes it.

use super::{AxisParameters, DriveGains};

/// Period of a stop's spring \[s\].
const STOP_PERIOD: f64 = 2e-2;

/// Share of the velocity limit within which what pushes towards it fades.
const FADING: f64 = 0.01;

/// Force of a stop, and what its spring alone would give \[N or N m\].
#[derive(Clone, Copy, Debug)]
pub(crate) struct StopForce {
    pub(crate) force: f64,
    pub(crate) elastic: f64,
}

impl AxisParameters {
    /// The user's force and that of a soft drive, within the limits of effort and velocity \[N or N m\].
    pub(crate) fn driving_forces(&self, user: f64, q: f64, rate: f64) -> [f64; 2] {
        let drive = self.drive.filter(|_| self.lower != self.upper).map_or(0.0, |drive| drive.force(q, rate));
        [user, drive].map(|force| {
            let left = self.velocity_limit - rate * force.signum();
            let share = if left <= 0.0 { 0.0 } else { (left / (FADING * self.velocity_limit)).min(1.0) };
            if self.velocity_limit.is_finite() { share * self.limited(force) } else { self.limited(force) }
        })
    }

    /// Rate that a motor or a rigid drive is to reach \[m/s or rad/s\], and its largest force \[N or N m\]; a rigid drive that
    /// no force bounds comes to its stops in `time` \[s\]. `None` without either.
    pub(crate) fn driven_rate(&self, q: f64, time: f64) -> Option<(f64, f64)> {
        if self.lower == self.upper {
            return None;
        }
        let Some(drive) = self.drive else {
            return (self.motor.max_force > 0.0).then_some((self.motor.velocity, self.motor.max_force));
        };
        let DriveGains::Rigid { closing } = drive.gains else { return None };
        let [least, largest] = self.drive_range(&drive);
        let (force, limit) = (largest.min(-least).max(0.0), self.velocity_limit.max(0.0));
        let wanted = (drive.velocity + closing * (drive.position - q)).clamp(-limit, limit);
        Some((self.within_stops(wanted, q, force, time), force))
    }

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
