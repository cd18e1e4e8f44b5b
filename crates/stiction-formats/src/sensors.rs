//! Sensors of physics, as data.

use stiction::math::{DQuat, DVec3, Pose};

use crate::description::Setting;
use crate::diagnostic::Location;
use crate::plugins::GivenParameter;

/// Sensors of a world and what they sense of it.
#[derive(Clone, Debug)]
pub struct SensorsDescription {
    /// Sensors of links and joints, in the order of the file.
    pub list: Vec<SensorDescription>,
    /// Sensors of the file that have no reading, in the order in which that was found.
    pub unread: Vec<UnreadSensor>,
    /// Magnetic field, world axes \[T\].
    pub magnetic_field: Setting<DVec3>,
    /// Where on the Earth the world is.
    pub spherical_coordinates: Option<SphericalCoordinates>,
}

/// `<spherical_coordinates>`: the origin of the world on the ellipsoid WGS84.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SphericalCoordinates {
    /// Latitude \[rad\].
    pub latitude: f64,
    /// Longitude \[rad\].
    pub longitude: f64,
    /// Height above the ellipsoid \[m\].
    pub elevation: f64,
    /// From east to the world's x axis, counterclockwise \[rad\].
    pub heading: f64,
}

/// A sensor.
#[derive(Clone, Debug)]
pub struct SensorDescription {
    /// `model::link::sensor`, `model::joint::sensor`.
    pub name: String,
    /// Index of the link that has it, or of the child of the joint.
    pub link: usize,
    /// Index of the joint that has it.
    pub joint: Option<usize>,
    /// Pose in the link, or in the frame of the joint, which is fixed to the child.
    pub pose: Pose,
    /// Time between readings \[s\]; 0 is every step.
    pub period: f64,
    /// What it measures.
    pub kind: SensorKind,
    /// Its parameters as the file has them.
    pub parameters: Vec<GivenParameter>,
    /// Where it stands.
    pub location: Location,
}

/// A sensor of the file that has no reading.
#[derive(Clone, Debug)]
pub struct UnreadSensor {
    /// `model::link::sensor`, `model::joint::sensor`, `model::plugin`.
    pub name: String,
    /// Its type as the file has it.
    pub word: String,
    /// Why it has none.
    pub reason: &'static str,
    /// Where it stands.
    pub location: Location,
}

/// Axes of a force-torque sensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrenchFrame {
    /// Of the parent link.
    Parent,
    /// Of the child link.
    Child,
    /// Of the sensor.
    Sensor,
}

/// What a sensor measures.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SensorKind {
    /// Orientation, angular velocity and specific force.
    Imu {
        /// Axes in the world that the orientation is measured from; `None` is the sensor at the start.
        reference: Option<DQuat>,
    },
    /// The wrench that a joint transmits, about the origin of the sensor.
    ForceTorque {
        /// Axes of force and moment.
        frame: WrenchFrame,
        /// Of the parent on the child, not of the child on the parent.
        to_child: bool,
    },
    /// Height above the start.
    Altimeter,
    /// Magnetic field.
    Magnetometer,
    /// Place on the Earth.
    NavSat,
    /// Pressure of the standard atmosphere.
    AirPressure {
        /// Height of the world's origin \[m\].
        reference_altitude: f64,
    },
    /// Speed through the air along x.
    AirSpeed,
    /// Whether collisions touch, and their force, by their scoped names.
    Contact(Vec<String>),
    /// Models that it sees.
    LogicalCamera {
        /// Nearest and farthest distance along x \[m\].
        range: [f64; 2],
        /// Tangents of half the horizontal and half the vertical angle of view.
        tangents: [f64; 2],
    },
}

impl SensorDescription {
    /// The same without a reading.
    pub(crate) fn without_reading(&self, reason: &'static str) -> UnreadSensor {
        UnreadSensor {
            name: self.name.clone(),
            word: self.kind.word().to_owned(),
            reason,
            location: self.location.clone(),
        }
    }
}

impl SensorKind {
    /// The type as files have it.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Imu { .. } => "imu",
            Self::ForceTorque { .. } => "force_torque",
            Self::Altimeter => "altimeter",
            Self::Magnetometer => "magnetometer",
            Self::NavSat => "navsat",
            Self::AirPressure { .. } => "air_pressure",
            Self::AirSpeed => "air_speed",
            Self::Contact(_) => "contact",
            Self::LogicalCamera { .. } => "logical_camera",
        }
    }
}
