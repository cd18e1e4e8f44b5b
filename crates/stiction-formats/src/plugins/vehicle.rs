//! Vehicles that follow a twist: wheels, tracks, and models whose velocity is set.

use stiction::math::{DQuat, DVec3, Pose};

/// Limits of a commanded speed, its acceleration and its jerk; an infinite one is none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpeedLimits {
    /// Least and largest speed.
    pub velocity: [f64; 2],
    /// Least and largest acceleration.
    pub acceleration: [f64; 2],
    /// Least and largest jerk.
    pub jerk: [f64; 2],
}

impl Default for SpeedLimits {
    fn default() -> Self {
        let none = [f64::NEG_INFINITY, f64::INFINITY];
        Self { velocity: none, acceleration: none, jerk: none }
    }
}

/// How wheels follow from a twist.
#[derive(Clone, Debug, PartialEq)]
pub enum DriveKind {
    /// `DiffDrive`, `SkidSteerDrive`: wheels of the left and of the right side.
    Differential {
        /// Joints of the left and of the right side.
        sides: [Vec<usize>; 2],
        /// Share by which the sides differ for a given turn: 1, or 2 for Gazebo classic's `SkidSteerDrivePlugin`.
        turn: f64,
    },
    /// `AckermannSteering`.
    Ackermann {
        /// Driven joints of the left and of the right side.
        sides: [Vec<usize>; 2],
        /// Steering joints of the left and of the right side.
        steering: [Vec<usize>; 2],
        /// Distance of the kingpins \[m\].
        kingpin_width: f64,
        /// Distance of the axles \[m\].
        wheel_base: f64,
        /// Largest steering angle \[rad\].
        steering_limit: f64,
        /// Rate of steering by its error \[1/s\].
        gain: f64,
        /// The commanded turn is the steering angle \[rad\]; wheels are not driven.
        steering_only: bool,
    },
    /// `MecanumDrive`: front left, front right, back left, back right.
    Mecanum {
        /// Joints of each corner.
        corners: [Vec<usize>; 4],
        /// Distance of the axles \[m\].
        wheel_base: f64,
    },
}

/// Wheels that follow a twist.
#[derive(Clone, Debug, PartialEq)]
pub struct DriveDescription {
    /// How.
    pub kind: DriveKind,
    /// Distance of the sides \[m\]; `None` is the distance of the anchors of the first joints.
    pub separation: Option<f64>,
    /// Radius of the wheels \[m\]; `None` is that of the first wheel's shapes.
    pub radius: Option<f64>,
    /// Largest torque of a wheel's motor \[N m\], within that of its joint.
    pub torque: f64,
    /// Largest change of the speed of a rim \[m/s²\].
    pub wheel_acceleration: f64,
    /// Limits of the speed ahead and to the side.
    pub linear: SpeedLimits,
    /// Limits of the turn.
    pub angular: SpeedLimits,
    /// Time between readings of the odometry \[s\].
    pub odometry_period: f64,
}

/// `TrackController`: the surface of a link runs.
#[derive(Clone, Debug, PartialEq)]
pub struct TrackDescription {
    /// Index of the link.
    pub link: usize,
    /// The track runs along x of this orientation in the link.
    pub orientation: DQuat,
    /// Limits of its speed.
    pub limits: SpeedLimits,
}

/// `TrackedVehicle`.
#[derive(Clone, Debug, PartialEq)]
pub struct TrackedVehicleDescription {
    /// Links of the left and of the right side.
    pub sides: [Vec<usize>; 2],
    /// Distance of the sides \[m\].
    pub separation: f64,
    /// Height of the tracks \[m\].
    pub height: f64,
    /// How well tracks turn the vehicle, 0 to 1.
    pub steering_efficiency: f64,
    /// Limits of the speed ahead.
    pub linear: SpeedLimits,
    /// Limits of the turn.
    pub angular: SpeedLimits,
    /// Time between readings of the odometry \[s\].
    pub odometry_period: f64,
}

/// `VelocityControl`, `planar_move`: the velocity of the whole model is set before each step.
#[derive(Clone, Debug, PartialEq)]
pub struct VelocityControlDescription {
    /// Index of its canonical link.
    pub link: usize,
    /// Linear velocity to begin with, model axes \[m/s\].
    pub linear: DVec3,
    /// Angular velocity to begin with, model axes \[rad/s\].
    pub angular: DVec3,
    /// Only the heading of the model turns the twist, and only while something commands it.
    pub is_planar: bool,
}

/// `OdometryPublisher`: pose and velocity of a model's base.
#[derive(Clone, Debug, PartialEq)]
pub struct OdometryDescription {
    /// Index of the canonical link.
    pub link: usize,
    /// Where the base is in the frame of the model.
    pub offset: Pose,
    /// Time between readings \[s\].
    pub period: f64,
    /// Heights, roll and pitch are told too.
    pub is_spatial: bool,
}
