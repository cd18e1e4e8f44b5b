//! What drives, stops and springs a motion that a joint leaves free; common to all kinds.
//!
//! The law of an axis is declared once, in [`AxisParameters`], and read in three ways: as rows of a fixed step (`rows`), as
//! implicit mass of a tree (`implicit`), and as smooth forces of continuous time (`smooth`).

mod drive;
mod implicit;
mod rows;
mod smooth;

pub use drive::{Drive, DriveGains};
pub(crate) use implicit::{SpringLaw, SpringRule};
pub(crate) use rows::rows;

use super::spook::JointSpook;

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

/// An elastic stop: the force `k x (1 + d ẋ)₊` at x beyond it (SDFormat's `<limit><stiffness>`, `<dissipation>`; Simbody's
/// `MobilityLinearStop`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StopSpring {
    /// k \[N/m or N m/rad\].
    pub stiffness: f64,
    /// d \[s/m or s/rad\].
    pub dissipation: f64,
}

impl StopSpring {
    /// Force at a position beyond the stop and the rate into it.
    #[must_use]
    pub fn force(&self, beyond: f64, rate: f64) -> f64 {
        self.stiffness * beyond * (1.0 + self.dissipation * rate).max(0.0)
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
    /// SPOOK's law of the stops, in place of `stop_erp` and `stop_cfm`; of its range of force equal stops, a lock, take both
    /// ends. `None` is the world's.
    pub stop_spook: Option<JointSpook>,
    /// Elastic stops, in place of `stop_erp` and `stop_cfm`.
    pub stop_spring: Option<StopSpring>,
    /// Velocity motor.
    pub motor: Motor,
    /// A motor with feedback in place of it.
    pub drive: Option<Drive>,
    /// Dry friction: largest force or torque \[N or N m\].
    pub friction: f64,
    /// Viscous damping \[N s/m or N m s/rad\], implicit.
    pub damping: f64,
    /// Spring stiffness \[N/m or N m/rad\]; it keeps its energy where [`WorldParameters::springs_keep_energy`](crate::model::WorldParameters) says so,
    /// and is implicit elsewhere and where it swings by more than half a radian in a step.
    pub stiffness: f64,
    /// Position where the spring is at rest \[m or rad\].
    pub spring_reference: f64,
    /// In maximal coordinates spring and damper are a force of the last position and rate, as Gazebo classic has them; such
    /// steps make energy, and blow up where `c h` is more than twice the inertia.
    pub is_spring_explicit: bool,
    /// Inertia of a rotor that turns with the motion \[kg or kg m²\]; it counts in reduced coordinates, for joints that carry links of trees: not for Hinge-2
    /// joints with a suspension, those with two points, and motors.
    pub armature: f64,
    /// Bound on the effort of the user's own forces \[N or N m\].
    pub effort_limit: f64,
    /// Rate beyond which the user's own forces no longer accelerate the motion \[m/s or rad/s\].
    pub velocity_limit: f64,
    /// Rate that the motion keeps within, braked as hard as needed; of fixed steps \[m/s or rad/s\].
    pub rate_limit: f64,
}

impl Default for AxisParameters {
    fn default() -> Self {
        Self {
            lower: f64::NEG_INFINITY,
            upper: f64::INFINITY,
            bounce: 0.0,
            stop_erp: None,
            stop_cfm: None,
            stop_spook: None,
            stop_spring: None,
            motor: Motor::default(),
            drive: None,
            friction: 0.0,
            damping: 0.0,
            stiffness: 0.0,
            spring_reference: 0.0,
            is_spring_explicit: false,
            armature: 0.0,
            effort_limit: f64::INFINITY,
            velocity_limit: f64::INFINITY,
            rate_limit: f64::INFINITY,
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

    /// A force of the user within the effort limit.
    pub(crate) fn limited(&self, force: f64) -> f64 {
        force.max(-self.effort_limit).min(self.effort_limit)
    }

    /// Nothing drives, stops, brakes or springs the motion.
    #[must_use]
    pub fn is_passive(&self) -> bool {
        self.motor.max_force == 0.0
            && self.drive.is_none()
            && self.friction == 0.0
            && self.stiffness == 0.0
            && self.damping == 0.0
            && self.rate_limit == f64::INFINITY
            && (self.lower > self.upper || self.lower == f64::NEG_INFINITY && self.upper == f64::INFINITY)
    }

    /// Which stop a position is at: (sign of the force that the stop may exert, position beyond it).
    #[must_use]
    pub fn stop(&self, position: f64) -> Option<(f64, f64)> {
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
