//! The law of an axis as rows of a fixed step.

use super::{AxisParameters, Motor, SpringRule};
use crate::constraint::RowKind;
use crate::contact::compliance::{erp_cfm, spring_damper};
use crate::joints::parts::PartRow;
use crate::joints::{AxisMotion, JointContext, JointRow};

/// Rows of one motion, and the force along it that is not a row, without the user's.
///
/// `position` is the tracked position (angles without wrapping), `rate` the rate before the step, `user` the user's force
/// within the effort limit, `seen` what [`super::Drive::measure`] has measured, `spring` how a spring is taken.
pub(crate) fn rows(
    (parameters, spring): (&AxisParameters, SpringRule),
    motion: &AxisMotion,
    (position, rate): (f64, f64),
    user: f64,
    seen: [f64; 2],
    context: &JointContext,
    rows: &mut Vec<JointRow>,
) -> f64 {
    let step = context.step;
    let stop = if motion.has_position { parameters.stop(position) } else { None };
    let drive = parameters.drive.filter(|_| parameters.lower != parameters.upper);
    let force_beside = match &drive {
        None => parameters.motor_and_stop(motion.part, stop, rate, context, rows),
        Some(drive) => {
            let (force, fastest) =
                parameters.drive_rows((drive, spring), motion.part, (position, rate), seen, context, rows);
            let fastest = fastest.abs().max(rate.abs());
            let undriven = AxisParameters { motor: Motor::default(), ..*parameters };
            undriven.motor_and_stop(motion.part, stop, rate, context, rows);
            if motion.has_position {
                parameters.stops_ahead(motion.part, (position, fastest), context, rows);
            }
            force
        }
    };
    rows.extend(parameters.holds_back(motion.part, user, step));
    // A motor without bound would contradict a stop that is before it; SPOOK's stops act from where they are passed.
    let is_met_ahead = user != 0.0 || context.spook.is_none() && parameters.motor.max_force.is_finite();
    if drive.is_none() && motion.has_position && is_met_ahead {
        let pushed = if user != 0.0 { parameters.velocity_limit } else { SUDDEN_RATE };
        parameters.stops_ahead(motion.part, (position, pushed.max(SUDDEN * rate.abs())), context, rows);
    }
    rows.extend(parameters.brake(motion.part, rate));
    if parameters.is_spring_explicit {
        let stretch = position - parameters.spring_reference;
        return force_beside - parameters.stiffness * stretch - parameters.damping * rate;
    }
    if parameters.stiffness > 0.0 || parameters.damping > 0.0 {
        let law = parameters.implicit((position, rate), step, spring);
        let compliance = law.inertia.recip();
        if compliance.is_finite() {
            let row = JointRow::new(motion.part, law.target, compliance, RowKind::Spring);
            rows.push(JointRow { kept: law.kept, ..row });
        }
    }
    force_beside
}

/// How much faster than before a step a motion is expected to be after it, where it is looked for stops ahead.
const SUDDEN: f64 = 2.0;
/// The same of motions that were slow \[m/s or rad/s\].
const SUDDEN_RATE: f64 = 1.0;
/// From this share of the rate limit on the brake is ready: a step that is to take a motion from below it beyond the limit
/// would have to double its rate.
const BRAKED: f64 = 0.5;

impl AxisParameters {
    /// The brake of the rate limit, `q̇⁺ ≤ w` by an impulse against the motion (DART's `JointConstraint`).
    fn brake(&self, part: PartRow, rate: f64) -> Option<JointRow> {
        (rate.abs() >= BRAKED * self.rate_limit).then(|| {
            let row = JointRow::new(part, self.rate_limit.copysign(rate), 0.0, RowKind::Motor);
            let bounds = match rate {
                _ if self.rate_limit == 0.0 => row.bounds,
                rate if rate > 0.0 => [f64::NEG_INFINITY, 0.0],
                _ => [0.0, f64::INFINITY],
            };
            JointRow { bounds, ..row }
        })
    }

    /// Rows of motor, dry friction and stop along a motion, and the force along it that is not a row: that of a motor at a
    /// stop \[N or N m\].
    ///
    /// `stop` is what [`Self::stop`] finds for the position, `rate` the rate before the step. Of the context the positions
    /// are not asked.
    pub fn motor_and_stop(
        &self,
        part: PartRow,
        stop: Option<(f64, f64)>,
        rate: f64,
        context: &JointContext,
        rows: &mut Vec<JointRow>,
    ) -> f64 {
        let step = context.step;
        let motor = &self.motor;
        let mut force_beside = 0.0;
        if motor.max_force > 0.0 && self.lower != self.upper {
            match stop {
                Some((sign, _)) if motor.max_force.is_finite() => force_beside = motor_at_stop(motor, sign),
                // A motor without bound has no largest force to press with: the stop holds against it.
                Some((sign, _)) if sign * motor.velocity <= 0.0 => {}
                _ => {
                    let soft = erp_cfm(0.0, motor.cfm.unwrap_or(context.cfm), step);
                    // Beyond the rate limit it would only work against the brake.
                    let limit = self.rate_limit.max(0.0);
                    let velocity = motor.velocity.clamp(-limit, limit);
                    let mut row = JointRow::new(part, velocity, soft.compliance, RowKind::Motor);
                    row.bounds = [-step * motor.max_force, step * motor.max_force];
                    rows.push(row);
                }
            }
        }
        if self.friction > 0.0 {
            // Gazebo's dry friction is a motor at rest, with the motor's softness.
            let soft = erp_cfm(0.0, motor.cfm.unwrap_or(0.0), step);
            let mut row = JointRow::new(part, 0.0, soft.compliance, RowKind::Motor);
            row.bounds = [-step * self.friction, step * self.friction];
            rows.push(row);
        }
        if let Some((sign, beyond)) = stop {
            rows.push(stop_row(self, part, sign, beyond, rate, context));
        }
        force_beside
    }
}

/// A motor that drives into a stop presses with its full force, one that drives away with a share of it, so that the
/// stop lets go in one step without a jump (the guide, 7.5.1).
fn motor_at_stop(motor: &Motor, stop_sign: f64) -> f64 {
    let direction = if motor.velocity > 0.0 {
        1.0
    } else if motor.velocity < 0.0 {
        -1.0
    } else {
        -stop_sign
    };
    let share = if direction == stop_sign { motor.fudge_factor } else { 1.0 };
    direction * share * motor.max_force
}

fn stop_row(
    parameters: &AxisParameters,
    part: PartRow,
    sign: f64,
    beyond: f64,
    rate: f64,
    context: &JointContext,
) -> JointRow {
    let AxisParameters { stop_erp, stop_cfm, stop_spook, stop_spring, .. } = *parameters;
    // A law of the stop's own, of whatever kind, is before the joint's.
    let has_own = stop_erp.is_some() || stop_cfm.is_some() || stop_spring.is_some();
    let spook = stop_spook.or(context.spook.filter(|_| !has_own));
    let soft = match (spook, stop_spring) {
        (Some(law), _) => law.softness(context.step),
        // The damper of the depth that the rate would reach.
        (None, Some(stop)) => {
            let reached = beyond.abs() + context.step * (-sign * rate).max(0.0);
            spring_damper(stop.stiffness, stop.stiffness * stop.dissipation * reached, context.step)
        }
        (None, None) => erp_cfm(stop_erp.unwrap_or(context.erp), stop_cfm.unwrap_or(context.cfm), context.step),
    };
    let mut target = -soft.correction * beyond / context.step;
    let force = spook.map_or([f64::NEG_INFINITY, f64::INFINITY], |law| law.bounds(context.step));
    if parameters.lower == parameters.upper {
        let row = JointRow::new(part, target, soft.compliance, RowKind::Limit);
        return JointRow { kept: soft.kept, bounds: force, ..row };
    }
    // Bounce of the incoming rate, without a threshold; the larger of it and the correction.
    let rebound = -parameters.bounce * rate;
    let mut kept = soft.kept;
    if parameters.bounce > 0.0 && sign * rate < 0.0 && sign * rebound > sign * target {
        (target, kept) = (rebound, 0.0);
    }
    let bounds = if sign > 0.0 { [0.0, force[1]] } else { [force[0], 0.0] };
    JointRow { kept, bounds, ..JointRow::new(part, target, soft.compliance, RowKind::Limit) }
}
