//! Readings as numbers.

use stiction::math::{DQuat, DVec3, Pose};

/// What a sensor or a plugin reads.
#[derive(Clone, Debug, PartialEq)]
pub enum SensorValue {
    /// Of an IMU, in its axes.
    Imu {
        /// Rotation from its reference.
        orientation: DQuat,
        /// \[rad/s\].
        angular_velocity: DVec3,
        /// Specific force, the acceleration less that of gravity \[m/s²\].
        linear_acceleration: DVec3,
    },
    /// Wrench that a joint transmits, mean over the step, about the sensor's origin, in the axes of `<frame>`.
    Wrench {
        /// \[N\].
        force: DVec3,
        /// \[N m\].
        torque: DVec3,
    },
    /// Height above the start.
    Altimeter {
        /// \[m\].
        vertical_position: f64,
        /// \[m/s\].
        vertical_velocity: f64,
    },
    /// Magnetic field in the axes of the sensor \[T\].
    Magnetometer(DVec3),
    /// Place on the Earth.
    NavSat {
        /// \[deg\].
        latitude: f64,
        /// \[deg\].
        longitude: f64,
        /// Above the ellipsoid \[m\].
        altitude: f64,
        /// East, north, up \[m/s\].
        velocity: DVec3,
    },
    /// Pressure of the air \[Pa\].
    Pressure(f64),
    /// Speed through the air along x of the sensor \[m/s\].
    AirSpeed(f64),
    /// Whether something touches its collisions, and how hard.
    Touch {
        /// Something does.
        is_touching: bool,
        /// Sum of the forces of contacts on the collisions, mean over the step, world axes \[N\].
        force: DVec3,
    },
    /// Models that it sees, by name, with their poses in its axes.
    Poses(Vec<(String, Pose)>),
    /// Where a model is by its wheels, or in truth.
    Odometry {
        /// Pose in the frame of the odometry.
        pose: Pose,
        /// Velocity in the axes of the model \[m/s\].
        linear: DVec3,
        /// Angular velocity in the axes of the model \[rad/s\].
        angular: DVec3,
    },
}

/// The latest reading of a sensor.
#[derive(Clone, Copy, Debug)]
pub struct SensorReading<'a> {
    /// Scoped name: `model::link::sensor`.
    pub name: &'a str,
    /// Scoped name of its link.
    pub frame: &'a str,
    /// When it was taken \[s\].
    pub time: f64,
    /// What it reads.
    pub value: &'a SensorValue,
}
