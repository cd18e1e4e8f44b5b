//! The law of a drive, a motor with feedback: one force of the position and rate at the end of the step,
//!
//! `f = f₀ + k (q* − q⁺) + c (v* − q̇⁺)` within `[f_min, f_max]`, with `q⁺ = q + h q̇⁺`, and within the effort limit whatever it
//! takes to keep `|q̇⁺| ≤ w`.
//!
//! In a step that is a monotone graph of the force over q̇⁺, so that no gain is unstable. With `d = c + h k` its slope,
//! `b = (f₀ + k (q* − q) + c v*) / d` and `Γ = 1 / (h d)` it is a soft row `q̇⁺ + Γ λ = b` between its values at the limits of the
//! rate, `λ(±w) = (b ∓ w) / Γ`, and a hard row at each limit for the rest of the range: of the three at most one is within its
//! bounds, and their sum never leaves the effort limit. Where `λ(w) > 0`, the row of that limit takes this part, and the soft
//! row `(w − q̇⁺) / Γ`, so that large impulses do not cancel.
//!
//! Where velocities are those of the ends of the steps, `q⁺ = q + h u` with the mean rate u, the gains act at `q + h u (1 + s)/2` and u with the share s of
//! [`super::implicit`], so that `λ = h (f₀ + k (q* − q) + c v*) − h (c + h k (1 + s)/2) (q̇ + q̇⁺)/2`: half the slope, and b is less by q̇.
//!
//! A rigid drive has the rate `v* + s(q* − q)` for its target, `s = r e`. Where its force does not bring it to rest along that
//! line it would pass q* again and again: the line goes over into the rate from which a steady deceleration a comes to rest,
//! `s = √(2 a (e − a/(2 r²)))` from `e = a/r²` on. What the full force does on the way is measured ([`Drive::measure`]).

use super::{AxisParameters, SpringRule};
use crate::constraint::RowKind;
use crate::contact::compliance::erp_cfm;
use crate::joints::parts::PartRow;
use crate::joints::{JointContext, JointRow};

/// How a drive answers to errors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DriveGains {
    /// As hard as the effort allows at the rate `v* + r (q* − q)`, and slower where its force takes longer to come to rest.
    Rigid {
        /// r, the rate at which an error fades \[1/s\]; 0 drives a velocity alone.
        closing: f64,
    },
    /// A spring and damper.
    Soft {
        /// k \[N/m or N m/rad\].
        stiffness: f64,
        /// c \[N s/m or N m s/rad\].
        damping: f64,
    },
}

/// A motor with feedback. It takes the place of [`super::Motor`], and is taken implicitly: no gain is unstable.
///
/// The effort and velocity limits of the axis bound it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drive {
    /// Wanted position q* at the end of the step \[m or rad\].
    pub position: f64,
    /// Wanted rate v* \[m/s or rad/s\].
    pub velocity: f64,
    /// Gains.
    pub gains: DriveGains,
    /// Force f₀ beside them \[N or N m\]; a rigid drive needs none.
    pub effort: f64,
    /// Least and largest force \[N or N m\].
    pub range: [f64; 2],
}

impl Drive {
    /// A drive without bounds of its own.
    #[must_use]
    pub const fn new(position: f64, velocity: f64, gains: DriveGains) -> Self {
        Self { position, velocity, gains, effort: 0.0, range: [f64::NEG_INFINITY, f64::INFINITY] }
    }

    /// This drive and another on the same axis, both with soft gains: the sum of their forces, within the sum of their ranges.
    /// Of a rigid one the other is left out.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        let (DriveGains::Soft { stiffness: k, damping: c }, DriveGains::Soft { stiffness, damping }) =
            (self.gains, other.gains)
        else {
            return *self;
        };
        // About the target of this one.
        let effort = self.effort
            + other.effort
            + stiffness * (other.position - self.position)
            + damping * (other.velocity - self.velocity);
        let gains = DriveGains::Soft { stiffness: k + stiffness, damping: c + damping };
        let range = [self.range[0] + other.range[0], self.range[1] + other.range[1]];
        Self { effort, gains, range, ..*self }
    }

    /// Rate at which a rigid drive closes an error, with `q⁺ = q + h s`; `seen` are the accelerations that its full force made.
    fn closing_rate(closing: f64, error: f64, seen: [f64; 2], step: f64) -> f64 {
        let e = error.abs();
        // It brakes by the force against the motion.
        let a = BRAKED * if error > 0.0 { seen[0] } else { seen[1] };
        let linear = closing * e / (1.0 + step * closing);
        let far = e - step * linear - a / (closing * closing);
        if far > 0.0 && a.is_finite() {
            let brake = (a * step * a * step + 2.0 * a * (e - 0.5 * a / (closing * closing))).sqrt() - a * step;
            brake.min(linear).copysign(error)
        } else {
            linear.copysign(error)
        }
    }

    /// After a step: what the full force makes, downwards and upwards. A motion against which nothing was measured yet is
    /// taken to be braked as it was driven.
    pub(crate) fn measure(&self, range: [f64; 2], q: f64, rates: [f64; 2], force: f64, step: f64, seen: &mut [f64; 2]) {
        let DriveGains::Rigid { closing } = self.gains else { return };
        let error = self.position - q;
        let [before, after] = rates;
        let made = (after - before) / step;
        let is_full = [force <= range[0] * FULL, force >= range[1] * FULL];
        let is_moving = after.abs() > MOVING * error.abs();
        for (k, sign) in [(0, -1.0), (1, 1.0)] {
            if is_full[k] && is_moving && sign * made > 0.0 {
                seen[k] = sign * made;
                if seen[1 - k].is_infinite() {
                    seen[1 - k] = sign * made;
                }
            }
        }
        if is_full == [false; 2] {
            let least = BRAKED * seen[0].min(seen[1]);
            *seen = if error.abs() * closing * closing < least {
                [f64::INFINITY; 2]
            } else {
                seen.map(|a| a * (1.0 + step / FORGOTTEN))
            };
        }
    }

    pub(crate) fn has_nan(&self) -> bool {
        let gains = match self.gains {
            DriveGains::Rigid { closing } => [closing, 0.0],
            DriveGains::Soft { stiffness, damping } => [stiffness, damping],
        };
        let numbers = [self.position, self.velocity, self.effort, self.range[0], self.range[1]];
        numbers.into_iter().chain(gains).any(f64::is_nan)
    }

    /// Force of the gains at a position and rate, within the drive's own range \[N or N m\]; 0 of a rigid drive.
    pub(crate) fn force(&self, q: f64, rate: f64) -> f64 {
        match self.gains {
            DriveGains::Rigid { .. } => 0.0,
            DriveGains::Soft { stiffness, damping } => {
                let force = self.effort + stiffness * (self.position - q) + damping * (self.velocity - rate);
                force.max(self.range[0]).min(self.range[1])
            }
        }
    }
}

/// Share of the deceleration that was measured that a drive counts on.
const BRAKED: f64 = 0.7;
/// Share of the range from which on a force is the full one.
const FULL: f64 = 1.0 - 1e-9;
/// A motion that takes longer than the inverse to close its error tells nothing of the force that drives it \[1/s\].
const MOVING: f64 = 0.05;
/// Time in which what was measured loses its weight \[s\].
const FORGOTTEN: f64 = 1.0;

/// Whether a position can come to one of the stops that it is not at in a step \[s\] at a rate, and the rate that just reaches it.
fn reach(parameters: &AxisParameters, position: f64, rate: f64, step: f64) -> [Option<f64>; 2] {
    let at = |far: f64| (far != 0.0 && far.is_finite() && rate.abs() * step >= far.abs()).then_some(far / step);
    [at((parameters.lower - position).min(0.0)), at((parameters.upper - position).max(0.0))]
}

impl AxisParameters {
    /// What a drive may put on the axis \[N or N m\].
    #[must_use]
    pub fn drive_range(&self, drive: &Drive) -> [f64; 2] {
        let limit = self.effort_limit.max(0.0);
        drive.range.map(|bound| bound.clamp(-limit, limit))
    }

    /// Rows of a drive; returns the force that has no row and the fastest rate \[m/s or rad/s\] that it asks for.
    pub(super) fn drive_rows(
        &self,
        (drive, rule): (&Drive, SpringRule),
        part: PartRow,
        (position, rate): (f64, f64),
        seen: [f64; 2],
        context: &JointContext,
        rows: &mut Vec<JointRow>,
    ) -> (f64, f64) {
        let step = context.step;
        let [least, largest] = self.drive_range(drive);
        // Beyond the rate limit it would only work against the brake.
        let limit = self.velocity_limit.min(self.rate_limit).max(0.0);
        let mut push = |target: f64, compliance: f64, bounds: [f64; 2]| {
            if bounds[0] < bounds[1] {
                let row = JointRow::new(part, target, compliance, RowKind::Motor);
                rows.push(JointRow { bounds, is_drive: true, ..row });
            }
        };
        let error = drive.position - position;
        let (stiffness, damping) = match drive.gains {
            DriveGains::Rigid { closing } => {
                let soft = erp_cfm(0.0, self.motor.cfm.unwrap_or(context.cfm), step);
                let [target, asked] = self.rigid_target((drive, closing), position, seen, [step; 2]);
                push(target, soft.compliance, [step * least, step * largest]);
                return (0.0, asked);
            }
            DriveGains::Soft { stiffness, damping } => (stiffness, damping),
        };
        // Gains that feed an error are taken as they are at the beginning.
        let beside = drive.effort + stiffness.min(0.0) * error + damping.min(0.0) * (drive.velocity - rate);
        let (stiffness, damping) = (stiffness.max(0.0), damping.max(0.0));
        let wanted = beside + stiffness * error + damping * drive.velocity;
        let implicit = damping + step * stiffness;
        let asked = if implicit > 0.0 { wanted / implicit } else { f64::INFINITY.copysign(wanted) };
        let (slope, wanted) = match rule {
            SpringRule::KeepsEnergyAtEnds(_) => {
                let share = rule.share(step * step * stiffness, step * damping);
                let slope = 0.5 * (damping + 0.5 * step * stiffness * (1.0 + share));
                (slope, wanted - slope * rate)
            }
            SpringRule::KeepsEnergy(_) | SpringRule::Implicit => (implicit, wanted),
        };
        let compliance = 1.0 / (step * slope);
        let most = step * self.effort_limit.max(0.0);
        // Impulse of the gains at a rate.
        let at = |rate: f64| (step * (wanted - slope * rate)).clamp(step * least, step * largest);
        let within = if limit.is_finite() { [at(limit), at(-limit)] } else { [step * least, step * largest] };
        let target = if compliance.is_finite() { wanted / slope } else { asked };
        if !limit.is_finite() && !compliance.is_finite() {
            return (wanted.clamp(least, largest), asked);
        }
        let [least, largest] = within;
        let range = largest - least;
        if least > 0.0 {
            // The gains want more than the limit: its row drives there with their force at it, theirs gives the rest.
            push(limit, 0.0, [-most, least]);
            push(limit, compliance, [0.0, range]);
            push(-limit, 0.0, [0.0, most - largest]);
        } else if largest < 0.0 {
            push(-limit, 0.0, [largest, most]);
            push(-limit, compliance, [-range, 0.0]);
            push(limit, 0.0, [-most - least, 0.0]);
        } else {
            push(target, compliance, within);
            if limit.is_finite() {
                push(limit, 0.0, [-most - least, 0.0]);
                push(-limit, 0.0, [0.0, most - largest]);
            }
        }
        (0.0, asked.clamp(-limit, limit))
    }

    /// Target of a rigid drive in a part of a step, within its stops and without regard to them, by the length of the part and what is left of the step \[s\].
    ///
    /// It is where it is to be at the end of the step: `e⁺ = q* − q − h q̇⁺`, with `q̇⁺ = v* + s(e⁺)`. A short part sets out no faster than that needs.
    pub(crate) fn rigid_target(
        &self,
        (drive, closing): (&Drive, f64),
        position: f64,
        seen: [f64; 2],
        [part, left]: [f64; 2],
    ) -> [f64; 2] {
        let limit = self.velocity_limit.min(self.rate_limit).max(0.0);
        let [least, largest] = self.drive_range(drive);
        let error = drive.position - position - left * drive.velocity;
        let most = error.abs() / left;
        let rate = Drive::closing_rate(closing, error, seen, part).max(-most).min(most);
        let target = (drive.velocity + rate).clamp(-limit, limit);
        [self.within_stops(target, position, largest.min(-least), left), target]
    }

    /// A drive without bound has no largest force to press with: it stops at the stop.
    pub(super) fn within_stops(&self, target: f64, position: f64, force: f64, step: f64) -> f64 {
        if force.is_finite() || self.lower > self.upper {
            return target;
        }
        let (least, largest) = ((self.lower - position) / step, (self.upper - position) / step);
        target.clamp(least.min(0.0), largest.max(0.0))
    }

    /// What holds a force of the user back at the velocity limit: up to all of it, so that it no longer accelerates.
    pub(super) fn holds_back(&self, part: PartRow, force: f64, step: f64) -> Option<JointRow> {
        (force != 0.0 && self.velocity_limit.is_finite()).then(|| {
            let row = JointRow::new(part, self.velocity_limit.max(0.0).copysign(force), 0.0, RowKind::Motor);
            JointRow { bounds: [-(step * force).max(0.0), (-step * force).max(0.0)], ..row }
        })
    }

    /// Rows of stops ahead that a motion can come to in this step: `q + h q̇⁺` stays before them. Stops that bounce or
    /// have a law of force are come to as they are.
    pub(super) fn stops_ahead(
        &self,
        part: PartRow,
        (position, fastest): (f64, f64),
        context: &JointContext,
        rows: &mut Vec<JointRow>,
    ) {
        let has_law = self.stop_spring.is_some() || self.stop_spook.is_some();
        if self.bounce > 0.0 || has_law || self.lower >= self.upper {
            return;
        }
        let soft = erp_cfm(0.0, self.stop_cfm.unwrap_or(context.cfm), context.step);
        let ahead = reach(self, position, fastest, context.step);
        for (target, bounds) in ahead.into_iter().zip([[0.0, f64::INFINITY], [f64::NEG_INFINITY, 0.0]]) {
            if let Some(target) = target {
                let row = JointRow::new(part, target, soft.compliance, RowKind::Limit);
                rows.push(JointRow { bounds, ..row });
            }
        }
    }
}
