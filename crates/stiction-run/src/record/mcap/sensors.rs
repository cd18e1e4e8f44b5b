//! Readings of sensors as messages, each on a topic of its own.

use std::rc::Rc;

use serde::Serialize;
use stiction_formats::simulation::{SensorReading, SensorValue};

use crate::error::RunError;

use super::McapFile;
use super::messages::{
    Header, Named, Pose, Quaternion, TfMessage, Transform, TransformStamped, Twist, Vector3, Wrench,
};

/// A covariance that is not known.
type Covariance9 = [f64; 9];

/// Thirty-six zeros; the library derives arrays up to 32.
#[derive(Clone, Copy, Default)]
struct Covariance;

impl Serialize for Covariance {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeTuple;
        let mut tuple = serializer.serialize_tuple(36)?;
        for _ in 0..36 {
            tuple.serialize_element(&0.0)?;
        }
        tuple.end()
    }
}

#[derive(Serialize)]
struct Imu<'a> {
    header: Header<'a>,
    orientation: Quaternion,
    orientation_covariance: Covariance9,
    angular_velocity: Vector3,
    angular_velocity_covariance: Covariance9,
    linear_acceleration: Vector3,
    linear_acceleration_covariance: Covariance9,
}

#[derive(Serialize)]
struct WrenchStamped<'a> {
    header: Header<'a>,
    wrench: Wrench,
}

#[derive(Serialize)]
struct Altimeter<'a> {
    header: Header<'a>,
    vertical_position: f64,
    vertical_velocity: f64,
    vertical_reference: f64,
}

#[derive(Serialize)]
struct MagneticField<'a> {
    header: Header<'a>,
    magnetic_field: Vector3,
    magnetic_field_covariance: Covariance9,
}

#[derive(Serialize)]
struct NavSatStatus {
    status: i8,
    service: u16,
}

#[derive(Serialize)]
struct NavSatFix<'a> {
    header: Header<'a>,
    status: NavSatStatus,
    latitude: f64,
    longitude: f64,
    altitude: f64,
    position_covariance: Covariance9,
    position_covariance_type: u8,
}

#[derive(Serialize)]
struct FluidPressure<'a> {
    header: Header<'a>,
    fluid_pressure: f64,
    variance: f64,
}

#[derive(Serialize)]
struct Bool {
    data: bool,
}

#[derive(Serialize)]
struct Float64 {
    data: f64,
}

#[derive(Serialize)]
struct PoseWithCovariance {
    pose: Pose,
    covariance: Covariance,
}

#[derive(Serialize)]
struct TwistWithCovariance {
    twist: Twist,
    covariance: Covariance,
}

#[derive(Serialize)]
struct Odometry<'a> {
    header: Header<'a>,
    child_frame_id: &'a str,
    pose: PoseWithCovariance,
    twist: TwistWithCovariance,
}

macro_rules! named {
    ($($message:ty: $name:literal),+ $(,)?) => {
        $(impl Named for $message {
            const NAME: &'static str = $name;
        })+
    };
}

named! {
    Imu<'_>: "sensor_msgs/msg/Imu",
    WrenchStamped<'_>: "geometry_msgs/msg/WrenchStamped",
    Altimeter<'_>: "ros_gz_interfaces/msg/Altimeter",
    MagneticField<'_>: "sensor_msgs/msg/MagneticField",
    NavSatFix<'_>: "sensor_msgs/msg/NavSatFix",
    FluidPressure<'_>: "sensor_msgs/msg/FluidPressure",
    Bool: "std_msgs/msg/Bool",
    Float64: "std_msgs/msg/Float64",
    Vector3: "geometry_msgs/msg/Vector3",
    Odometry<'_>: "nav_msgs/msg/Odometry",
}

impl McapFile {
    /// A reading on the topic of its sensor, at the time when it was read.
    pub(super) fn send_reading(&mut self, reading: &SensorReading<'_>) -> Result<(), RunError> {
        // Names of topics are paths.
        let topic = format!("/{}", reading.name.replace("::", "/"));
        let frames = Rc::clone(&self.frames);
        let frame = frames.name(reading.frame);
        let (time, header) = (reading.time, Header::at(reading.time, frame));
        let unknown = [0.0; 9];
        match reading.value {
            SensorValue::Imu { orientation, angular_velocity, linear_acceleration } => {
                let message = Imu {
                    header,
                    orientation: (*orientation).into(),
                    orientation_covariance: unknown,
                    angular_velocity: (*angular_velocity).into(),
                    angular_velocity_covariance: unknown,
                    linear_acceleration: (*linear_acceleration).into(),
                    linear_acceleration_covariance: unknown,
                };
                self.send_new(&topic, time, &message)
            }
            SensorValue::Wrench { force, torque } => {
                let wrench = Wrench { force: (*force).into(), torque: (*torque).into() };
                self.send_new(&topic, time, &WrenchStamped { header, wrench })
            }
            SensorValue::Altimeter { vertical_position, vertical_velocity } => {
                let (vertical_position, vertical_velocity) = (*vertical_position, *vertical_velocity);
                let message = Altimeter { header, vertical_position, vertical_velocity, vertical_reference: 0.0 };
                self.send_new(&topic, time, &message)
            }
            SensorValue::Magnetometer(field) => {
                let magnetic_field = (*field).into();
                let message = MagneticField { header, magnetic_field, magnetic_field_covariance: unknown };
                self.send_new(&topic, time, &message)
            }
            SensorValue::NavSat { latitude, longitude, altitude, velocity } => {
                self.send_new(&topic, time, &fix(header, [*latitude, *longitude, *altitude]))?;
                self.send_new(&format!("{topic}/velocity"), time, &Vector3::from(*velocity))
            }
            SensorValue::Pressure(pressure) => {
                self.send_new(&topic, time, &FluidPressure { header, fluid_pressure: *pressure, variance: 0.0 })
            }
            SensorValue::AirSpeed(speed) => self.send_new(&topic, time, &Float64 { data: *speed }),
            SensorValue::Touch { is_touching, force } => {
                self.send_new(&topic, time, &Bool { data: *is_touching })?;
                self.send_new(&format!("{topic}/force"), time, &Vector3::from(*force))
            }
            SensorValue::Poses(poses) => {
                let stamped = |(name, pose): &'_ (String, stiction::math::Pose)| (name.clone(), Transform::from(pose));
                let poses: Vec<_> = poses.iter().map(stamped).collect();
                let transforms = poses.iter().map(|(name, transform)| TransformStamped {
                    header: Header::at(time, reading.name),
                    child_frame_id: name,
                    transform: *transform,
                });
                let message = TfMessage { transforms: transforms.collect() };
                self.send_new(&topic, time, &message)
            }
            SensorValue::Odometry { pose, linear, angular } => {
                let twist = Twist { linear: (*linear).into(), angular: (*angular).into() };
                let message = Odometry {
                    header: Header::at(time, "odom"),
                    child_frame_id: frame,
                    pose: PoseWithCovariance { pose: pose.into(), covariance: Covariance },
                    twist: TwistWithCovariance { twist, covariance: Covariance },
                };
                self.send_new(&topic, time, &message)
            }
        }
    }

    /// Sends on a topic that is made with its first message.
    fn send_new<M: Named + Serialize>(&mut self, topic: &str, time: f64, message: &M) -> Result<(), RunError> {
        self.add_channel::<M>(topic)?;
        self.send(topic, time, message)
    }
}

fn fix(header: Header<'_>, [latitude, longitude, altitude]: [f64; 3]) -> NavSatFix<'_> {
    NavSatFix {
        header,
        // A fix without augmentation, by GPS.
        status: NavSatStatus { status: 0, service: 1 },
        latitude,
        longitude,
        altitude,
        position_covariance: [0.0; 9],
        position_covariance_type: 0,
    }
}
