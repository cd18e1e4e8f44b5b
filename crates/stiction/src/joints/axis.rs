//! What drives, stops and springs a motion that a joint leaves free; common to all kinds.

use super::{FreeMotion, JointContext, JointRow};
use crate::constraint::RowKind;
use crate::contact::compliance::{erp_cfm, spring_damper};

/// Velocity motor (the guide's 7.5).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motor {
    /// Wanted rate \[m/s or rad/s\].
    pub velocity: f64,
    /// Largest force or torque \[N or N m\]; zero is no motor, ∞ one without bound.
    pub max_force: f64,
    /// Constraint force mixing \[s/kg\]; `None` is the world's.
    pub cfm: Option<f64>,
    /// Share of the force used when the motor drives away from a stop, 0 to 1.
    pub fudge_factor: f64,
}

impl Default for Motor {
    fn default() -> Self {
        Self { velocity: 0.0, max_force: 0.0, cfm: None, fudge_factor: 1.0 }
    }
}

/// Parameters of one free motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisParameters {
    /// Lower stop \[m or rad\]; −∞ is none.
    pub lower: f64,
    /// Upper stop \[m or rad\]; ∞ is none. Lower above upper: no stops. Equal: locked.
    pub upper: f64,
    /// Restitution of the stops, 0 to 1.
    pub bounce: f64,
    /// Error reduction of the stops; `None` is the world's.
    pub stop_erp: Option<f64>,
    /// Constraint force mixing of the stops \[s/kg\]; `None` is the world's.
    pub stop_cfm: Option<f64>,
    /// Velocity motor.
    pub motor: Motor,
    /// Dry friction: largest force or torque \[N or N m\].
    pub friction: f64,
    /// Viscous damping \[N s/m or N m s/rad\], implicit.
    pub damping: f64,
    /// Spring stiffness \[N/m or N m/rad\], implicit.
    pub stiffness: f64,
    /// Position where the spring is at rest \[m or rad\].
    pub spring_reference: f64,
    /// Inertia of a rotor that turns with the motion \[kg or kg m²\]; it counts in reduced coordinates.
    pub armature: f64,
    /// Bound on the effort of the user's own forces \[N or N m\].
    pub effort_limit: f64,
    /// Rate beyond which the user's own forces no longer accelerate the motion \[m/s or rad/s\].
    pub velocity_limit: f64,
}

impl Default for AxisParameters {
    fn default() -> Self {
        Self {
            lower: f64::NEG_INFINITY,
            upper: f64::INFINITY,
            bounce: 0.0,
            stop_erp: None,
            stop_cfm: None,
            motor: Motor::default(),
            friction: 0.0,
            damping: 0.0,
            stiffness: 0.0,
            spring_reference: 0.0,
            armature: 0.0,
            effort_limit: f64::INFINITY,
            velocity_limit: f64::INFINITY,
        }
    }
}

impl AxisParameters {
    /// With stops.
    #[must_use]
    pub const fn with_stops(mut self, lower: f64, upper: f64) -> Self {
        self.lower = lower;
        self.upper = upper;
        self
    }

    /// With a velocity motor.
    #[must_use]
    pub const fn with_motor(mut self, velocity: f64, max_force: f64) -> Self {
        self.motor.velocity = velocity;
        self.motor.max_force = max_force;
        self
    }

    /// Without spring and damper: those of trees are part of the mass.
    #[must_use]
    pub(crate) const fn without_spring(mut self) -> Self {
        self.stiffness = 0.0;
        self.damping = 0.0;
        self
    }

    /// What the user's force along the motion comes to: within the effort limit, and none that would push beyond the velocity
    /// limit.
    pub(crate) fn limited(&self, force: f64, rate: f64) -> f64 {
        let force = force.max(-self.effort_limit).min(self.effort_limit);
        if force * rate > 0.0 && rate.abs() > self.velocity_limit { 0.0 } else { force }
    }

    /// Nothing drives, stops or springs the motion.
    #[must_use]
    pub fn is_passive(&self) -> bool {
        self.motor.max_force == 0.0
            && self.friction == 0.0
            && self.stiffness == 0.0
            && self.damping == 0.0
            && (self.lower > self.upper || self.lower == f64::NEG_INFINITY && self.upper == f64::INFINITY)
    }

    /// Which stop a position is at: (sign of the force that the stop may exert, position beyond it).
    fn stop(&self, position: f64) -> Option<(f64, f64)> {
        if self.lower > self.upper {
            None
        } else if position <= self.lower {
            Some((1.0, position - self.lower))
        } else if position >= self.upper {
            Some((-1.0, position - self.upper))
        } else {
            None
        }
    }
}

/// Rows of one motion, and the force along it that is not a row.
///
/// `position` is the tracked position (angles without wrapping), `rate` the rate before the step.
pub fn rows(
    parameters: &AxisParameters,
    motion: &FreeMotion,
    position: f64,
    rate: f64,
    context: &JointContext,
    rows: &mut Vec<JointRow>,
) -> f64 {
    let step = context.step;
    let stop = if motion.has_position { parameters.stop(position) } else { None };
    let motor = &parameters.motor;
    let mut force_beside = 0.0;
    if motor.max_force > 0.0 && parameters.lower != parameters.upper {
        match stop {
            Some((sign, _)) if motor.max_force.is_finite() => force_beside = motor_at_stop(motor, sign),
            // A motor without bound has no largest force to press with: the stop holds against it.
            Some((sign, _)) if sign * motor.velocity <= 0.0 => {}
            _ => {
                let soft = erp_cfm(0.0, motor.cfm.unwrap_or(context.cfm), step);
                let mut row = JointRow::new(motion.part, motor.velocity, soft.compliance, RowKind::Motor);
                row.bounds = [-step * motor.max_force, step * motor.max_force];
                rows.push(row);
            }
        }
    }
    if parameters.friction > 0.0 {
        // Gazebo's dry friction is a motor at rest, with the motor's softness.
        let soft = erp_cfm(0.0, motor.cfm.unwrap_or(0.0), step);
        let mut row = JointRow::new(motion.part, 0.0, soft.compliance, RowKind::Motor);
        row.bounds = [-step * parameters.friction, step * parameters.friction];
        rows.push(row);
    }
    if let Some((sign, beyond)) = stop {
        rows.push(stop_row(parameters, motion, sign, beyond, rate, context));
    }
    if parameters.stiffness > 0.0 || parameters.damping > 0.0 {
        let soft = spring_damper(parameters.stiffness, parameters.damping, step);
        let target = -soft.correction * (position - parameters.spring_reference) / step;
        rows.push(JointRow::new(motion.part, target, soft.compliance, RowKind::Spring));
    }
    force_beside
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
    motion: &FreeMotion,
    sign: f64,
    beyond: f64,
    rate: f64,
    context: &JointContext,
) -> JointRow {
    let erp = parameters.stop_erp.unwrap_or(context.erp);
    let cfm = parameters.stop_cfm.unwrap_or(context.cfm);
    let soft = erp_cfm(erp, cfm, context.step);
    let mut target = -soft.correction * beyond / context.step;
    if parameters.lower == parameters.upper {
        return JointRow::new(motion.part, target, soft.compliance, RowKind::Limit);
    }
    // Bounce of the incoming rate, without a threshold; the larger of it and the correction.
    let rebound = -parameters.bounce * rate;
    if parameters.bounce > 0.0 && sign * rate < 0.0 && sign * rebound > sign * target {
        target = rebound;
    }
    let mut row = JointRow::new(motion.part, target, soft.compliance, RowKind::Limit);
    row.bounds = if sign > 0.0 { [0.0, f64::INFINITY] } else { [f64::NEG_INFINITY, 0.0] };
    row
}
