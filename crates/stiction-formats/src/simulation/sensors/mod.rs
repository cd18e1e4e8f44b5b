//! Sensors of physics: exact readings after a step, at the rates of their files.

mod earth;
mod values;
mod wrench;

use stiction::math::{DQuat, DVec3, Pose};
use stiction::world::{BodyId, GeomId};

use super::Simulation;
use super::plugins::{Reading, Visit};
use crate::description::WorldDescription;
use crate::sensors::{SensorDescription, SensorKind, SphericalCoordinates};
use earth::{nav_sat, standard_pressure};
use wrench::Measured;

pub use values::{SensorReading, SensorValue};
pub(super) use wrench::measured_joints;

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
            SensorKind::Contact(names) => names.iter().flat_map(|name| simulation.geoms(name)).collect(),
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
            SensorKind::ForceTorque { frame, to_child } => self.wrench(simulation, step, *frame, *to_child)?,
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
                let (mut is_touching, mut force) = (false, DVec3::ZERO);
                for contact in simulation.world.contact_reports() {
                    let ends = contact.geoms.map_or([false; 2], |pair| pair.map(|geom| self.geoms.contains(&geom)));
                    is_touching |= ends != [false; 2];
                    // Between two collisions of the sensor it cancels.
                    force += contact.force * (f64::from(u8::from(ends[0])) - f64::from(u8::from(ends[1])));
                }
                SensorValue::Touch { is_touching, force }
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
