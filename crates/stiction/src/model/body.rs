//! A body: its properties that are constant during a step.

use super::JointId;
use crate::dynamics::rigid::BodyMass;
use crate::dynamics::rotation::FiniteRotation;

/// What moves a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BodyKind {
    /// Forces.
    #[default]
    Dynamic,
    /// Its own velocity; forces have no effect on it.
    Kinematic,
}

/// Automatic sleeping: a body whose speeds stay below the thresholds for both the steps and the time falls asleep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AutoDisable {
    /// The body may fall asleep.
    pub enabled: bool,
    /// Linear speed below which it is idle \[m/s\].
    pub linear_threshold: f64,
    /// Angular speed below which it is idle \[rad/s\].
    pub angular_threshold: f64,
    /// Idle steps before it sleeps.
    pub steps: u32,
    /// Idle time before it sleeps \[s\].
    pub time: f64,
    /// Number of steps over which the velocities are averaged, at least 1.
    pub samples: u32,
}

impl Default for AutoDisable {
    fn default() -> Self {
        Self { enabled: false, linear_threshold: 0.01, angular_threshold: 0.01, steps: 10, time: 0.0, samples: 1 }
    }
}

/// Share of the velocity lost in a step, above a threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Damping {
    /// Share of the linear velocity, 0 to 1.
    pub linear: f64,
    /// Share of the angular velocity, 0 to 1.
    pub angular: f64,
    /// Linear speed above which it acts \[m/s\].
    pub linear_threshold: f64,
    /// Angular speed above which it acts \[rad/s\].
    pub angular_threshold: f64,
}

impl Default for Damping {
    fn default() -> Self {
        Self { linear: 0.0, angular: 0.0, linear_threshold: 0.01, angular_threshold: 0.01 }
    }
}

/// A body: its properties that are constant during a step.
#[derive(Clone, Debug)]
pub struct Body {
    pub(crate) kind: BodyKind,
    pub(crate) mass: BodyMass,
    pub(crate) gravity: bool,
    /// Rate at which it takes on the velocity of the wind \[1/s\].
    pub(crate) wind_rate: f64,
    pub(crate) finite_rotation: FiniteRotation,
    pub(crate) auto_disable: AutoDisable,
    pub(crate) damping: Damping,
    pub(crate) max_angular_speed: f64,
    pub(crate) is_swept: bool,
    /// Inertia of the fluid around it, about its centre of mass and in its axes, linear parts first.
    pub(crate) added_inertia: Option<Box<[[f64; 6]; 6]>>,
    /// It is a node of a wire, which does not turn.
    pub(crate) is_node: bool,
    pub(crate) user_data: u64,
    pub(crate) joints: Vec<JointId>,
    /// Changes of mass and kind, which trees are made of.
    pub(crate) changes: u64,
}
