//! Sensors of physics: exact readings after a step, at the rates of their files.

use std::collections::BTreeSet;

use stiction::math::{DQuat, DVec3, Pose};
use stiction::world::{BodyId, GeomId, JointId};

use super::Simulation;
use super::geodesy::{local_axes, to_ecef, to_geodetic};
use super::plugins::{Reading, Visit};
use crate::description::WorldDescription;
use crate::plugins::PluginKind;
use crate::sensors::{SensorDescription, SensorKind, SphericalCoordinates, WrenchFrame};

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
    /// Wrench of a joint about its origin.
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
    /// Whether it touches something.
    Touch {
        /// It does.
        is_touching: bool,
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

/// Sensors of a simulation.
#[derive(Default)]
pub(super) struct Sensors {
    list: Vec<Sensor>,
    earth: Option<SphericalCoordinates>,
    magnetic_field: DVec3,
    /// Models that logical cameras see: name, canonical link, pose of the model in it.
    models: Vec<(String, usize, Pose)>,
}

#[derive(Clone)]
struct Sensor {
    link: usize,
    body: Option<BodyId>,
    /// Pose in the link.
    pose: Pose,
    kind: SensorKind,
    joint: Option<Measured>,
    geoms: Vec<GeomId>,
    /// Name of the outermost model that has it.
    model: String,
    /// Height and orientation at the start.
    start: Pose,
    /// Velocity of the place before the step.
    before: DVec3,
    reading: Reading,
    value: SensorValue,
}

/// A joint whose wrench is read.
#[derive(Clone, Copy)]
struct Measured {
    joint: JointId,
    parent: Option<usize>,
}

/// Joints whose wrenches something reads.
pub(super) fn measured_joints(description: &WorldDescription) -> BTreeSet<usize> {
    let of_sensors = description.sensors.list.iter().filter_map(|sensor| match sensor.kind {
        SensorKind::ForceTorque { .. } => sensor.joint,
        _ => None,
    });
    let of_plugins = description.plugins.iter().filter_map(|plugin| match &plugin.kind {
        PluginKind::Breakable(breakable) => Some(breakable.joint),
        _ => None,
    });
    of_sensors.chain(of_plugins).collect()
}

/// Adds the sensors of a description.
pub(super) fn add(simulation: &mut Simulation, description: &WorldDescription) {
    let list =
        description.sensors.list.iter().filter_map(|sensor| Sensor::new(simulation, description, sensor)).collect();
    let model = |model: &crate::description::ModelDescription| {
        let link = model.canonical_link.filter(|_| model.parent.is_none())?;
        Some((model.name.clone(), link, description.links[link].pose.inverse().compose(&model.pose)))
    };
    simulation.sensors = Sensors {
        list,
        earth: description.sensors.spherical_coordinates,
        magnetic_field: description.sensors.magnetic_field.value,
        models: description.models.iter().filter_map(model).collect(),
    };
}

impl Sensor {
    fn new(simulation: &Simulation, description: &WorldDescription, sensor: &SensorDescription) -> Option<Self> {
        let link = &description.links[sensor.link];
        let mut pose = sensor.pose;
        let mut joint = None;
        if let Some(index) = sensor.joint {
            let own = &description.joints[index];
            // The frame of the joint in its child.
            pose = link.pose.inverse().compose(&own.pose).compose(&sensor.pose);
            joint = Some(Measured { joint: simulation.joints[index].id?, parent: own.parent });
        }
        let geoms = match &sensor.kind {
            SensorKind::Contact(names) => names.iter().filter_map(|name| simulation.geom(name)).collect(),
            _ => Vec::new(),
        };
        let body = simulation.links[sensor.link].body;
        let start = link.pose.compose(&pose);
        let reading = Reading::new(sensor.name.clone(), link.name.clone(), sensor.period);
        let (model, kind) = (&description.models[description.outermost_model(link.model)].name, sensor.kind.clone());
        Some(Self {
            link: sensor.link,
            body,
            pose,
            kind,
            joint,
            geoms,
            model: model.clone(),
            start,
            before: DVec3::ZERO,
            reading,
            value: SensorValue::Pressure(0.0),
        })
    }

    fn place(&self, simulation: &Simulation) -> Pose {
        simulation.link_pose(&simulation.links[self.link]).compose(&self.pose)
    }

    /// Velocity of the place in the world.
    fn velocity(&self, simulation: &Simulation, place: &Pose) -> DVec3 {
        let body = self.body.and_then(|body| simulation.world.body(body));
        body.map_or(DVec3::ZERO, |body| body.velocity_at(place.position))
    }

    fn omega(&self, simulation: &Simulation) -> DVec3 {
        self.body.and_then(|body| simulation.world.body(body)).map_or(DVec3::ZERO, |body| body.omega())
    }

    /// The velocity of a place that moves with the body changes by all of its acceleration, `ω̇ × r + ω × (ω × r)` too. The
    /// axes are those in the middle of the step.
    fn imu(&self, simulation: &Simulation, step: f64, reference: Option<DQuat>) -> SensorValue {
        let place = self.place(simulation);
        let omega = self.omega(simulation);
        let acceleration = (self.velocity(simulation, &place) - self.before) / step;
        let half = DQuat::from_scaled_axis(-0.5 * step * omega);
        let back = (half * place.rotation).conjugate();
        let from = reference.unwrap_or(self.start.rotation);
        SensorValue::Imu {
            orientation: from.conjugate() * place.rotation,
            angular_velocity: place.rotation.conjugate() * omega,
            linear_acceleration: back * (acceleration - simulation.world.parameters.gravity),
        }
    }

    /// The wrench of the parent on the child about the joint's origin, or the other way around.
    fn wrench(&self, simulation: &Simulation, frame: WrenchFrame, to_child: bool) -> Option<SensorValue> {
        let measured = self.joint?;
        let joint = simulation.world.joint(measured.joint)?;
        let (bodies, feedback) = (joint.definition().bodies, joint.feedback());
        let side = usize::from(bodies[0] != self.body || self.body.is_none());
        let body = simulation.world.body(bodies[side]?)?;
        // A joint to the world has the moving body on one side alone; its child may be the world.
        let is_child = bodies[side] == self.body;
        let (force, about_center) = (feedback.forces[side], feedback.torques[side]);
        let torque = about_center + (body.center_of_mass() - joint.anchor(0)).cross(force);
        let sign = if is_child == to_child { 1.0 } else { -1.0 };
        let rotation = match frame {
            WrenchFrame::Child => simulation.link_pose(&simulation.links[self.link]).rotation,
            WrenchFrame::Sensor => self.place(simulation).rotation,
            WrenchFrame::Parent => {
                measured.parent.map_or(DQuat::IDENTITY, |link| simulation.link_pose(&simulation.links[link]).rotation)
            }
        };
        let back = rotation.conjugate();
        Some(SensorValue::Wrench { force: back * (sign * force), torque: back * (sign * torque) })
    }

    fn read(&self, sensors: &Sensors, simulation: &Simulation, step: f64) -> Option<SensorValue> {
        let place = self.place(simulation);
        let velocity = self.velocity(simulation, &place);
        let back = place.rotation.conjugate();
        Some(match &self.kind {
            SensorKind::Imu { reference } => {
                let heading = sensors.earth.map_or(0.0, |earth| earth.heading);
                // East, north, up as the world's axes have them.
                let east = DQuat::from_rotation_z(-heading);
                self.imu(simulation, step, reference.map(|axes| east * axes))
            }
            SensorKind::ForceTorque { frame, to_child } => self.wrench(simulation, *frame, *to_child)?,
            SensorKind::Altimeter => SensorValue::Altimeter {
                vertical_position: place.position.z - self.start.position.z,
                vertical_velocity: velocity.z,
            },
            SensorKind::Magnetometer => SensorValue::Magnetometer(back * sensors.magnetic_field),
            SensorKind::NavSat => nav_sat(&sensors.earth?, place.position, velocity),
            SensorKind::AirPressure { reference_altitude } => {
                SensorValue::Pressure(standard_pressure(reference_altitude + place.position.z))
            }
            SensorKind::AirSpeed => SensorValue::AirSpeed((back * (velocity - simulation.world.parameters.wind)).x),
            SensorKind::Contact(_) => {
                let touches = |pair: [GeomId; 2]| pair.iter().any(|geom| self.geoms.contains(geom));
                let mut pairs = simulation.world.contact_reports().iter().filter_map(|contact| contact.geoms);
                SensorValue::Touch { is_touching: pairs.any(touches) }
            }
            SensorKind::LogicalCamera { range, tangents } => {
                let mut seen = Vec::new();
                for (name, link, in_link) in sensors.models.iter().filter(|(name, ..)| *name != self.model) {
                    let at = simulation.link_pose(&simulation.links[*link]).compose(in_link);
                    let pose = place.inverse().compose(&at);
                    let p = pose.position;
                    let is_ahead = p.x >= range[0] && p.x <= range[1] && p.x > 0.0;
                    if is_ahead && p.y.abs() <= p.x * tangents[0] && p.z.abs() <= p.x * tangents[1] {
                        seen.push((name.clone(), pose));
                    }
                }
                SensorValue::Poses(seen)
            }
        })
    }
}

/// Exact: by Earth-centred coordinates of the tangent plane at the origin.
fn nav_sat(earth: &SphericalCoordinates, place: DVec3, velocity: DVec3) -> SensorValue {
    let (sin, cos) = (libm::sin(earth.heading), libm::cos(earth.heading));
    let level = |v: DVec3| DVec3::new(v.x * cos - v.y * sin, v.x * sin + v.y * cos, v.z);
    let [east, north, up] = local_axes(earth.latitude, earth.longitude);
    let fixed = |v: DVec3| level(v).x * east + level(v).y * north + level(v).z * up;
    let at = to_ecef(earth.latitude, earth.longitude, earth.elevation) + fixed(place);
    let [latitude, longitude, altitude] = to_geodetic(at);
    // The velocity is told in the axes of where the sensor is.
    let here = local_axes(latitude, longitude);
    let velocity = fixed(velocity);
    let velocity = DVec3::from_array(here.map(|axis| axis.dot(velocity)));
    SensorValue::NavSat { latitude: latitude.to_degrees(), longitude: longitude.to_degrees(), altitude, velocity }
}

/// Pressure of the standard atmosphere at a height \[m\]: `p = p₀ (T / T₀)^(g M / (R L))` by the geopotential height.
fn standard_pressure(height: f64) -> f64 {
    const EARTH: f64 = 6_356_766.0;
    const LAPSE: f64 = 0.0065;
    const EXPONENT: f64 = 9.806_65 * 28.9644 / (8314.32 * LAPSE);
    let geopotential = EARTH * height / (EARTH + height);
    let ratio = (1.0 - LAPSE * geopotential / 288.15).max(0.0);
    101_325.0 * libm::pow(ratio, EXPONENT)
}

impl Sensors {
    pub(super) fn before(&mut self, simulation: &Simulation) {
        for sensor in self.list.iter_mut().filter(|sensor| matches!(sensor.kind, SensorKind::Imu { .. })) {
            let place = sensor.place(simulation);
            sensor.before = sensor.velocity(simulation, &place);
        }
    }

    pub(super) fn after(&mut self, simulation: &Simulation, step: f64) {
        let mut list = std::mem::take(&mut self.list);
        for sensor in &mut list {
            let time = simulation.world.time();
            if sensor.reading.is_due(time, step) {
                match sensor.read(self, simulation, step) {
                    Some(value) => sensor.value = value,
                    // A joint that is gone, or no place on the Earth: there is no reading.
                    None => sensor.reading.forget(),
                }
            }
        }
        self.list = list;
    }

    pub(super) fn memory(&self, memory: &mut Vec<f64>) {
        for sensor in &self.list {
            sensor.reading.clone().visit(&mut |number| memory.push(*number));
        }
    }

    pub(super) fn recall(&mut self, next: &mut dyn FnMut() -> f64) {
        for sensor in &mut self.list {
            let visit: Visit = &mut |number| *number = next();
            sensor.reading.visit(visit);
        }
    }
}

impl Simulation {
    /// Something in the world reads.
    #[must_use]
    pub fn has_sensors(&self) -> bool {
        !self.sensors.list.is_empty() || self.plugins.readings().next().is_some()
    }

    /// The latest reading of each sensor and of each plugin that reads something, in the order of the file.
    pub fn readings(&self) -> impl Iterator<Item = SensorReading<'_>> {
        let sensors = self.sensors.list.iter().map(|sensor| (&sensor.reading, &sensor.value));
        let taken = sensors.chain(self.plugins.readings()).filter(|(reading, _)| reading.was_taken());
        taken.map(|(reading, value)| SensorReading {
            name: &reading.name,
            frame: &reading.frame,
            time: reading.time,
            value,
        })
    }
}
