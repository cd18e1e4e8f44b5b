//! The rows of each table, whatever file they are written to.

use std::borrow::Cow;

use stiction::math::{DVec3, Pose};
use stiction_formats::simulation::SensorValue;

use crate::error::RunError;
use crate::quantities::Quantity;
use crate::run::Run;

use super::rates::{RecordRates, Topic};

/// Columns of a table, after `time`: words, a whole number, values.
pub(super) struct Columns {
    pub(super) words: &'static [&'static str],
    pub(super) number: Option<&'static str>,
    pub(super) values: &'static [&'static str],
}

impl Columns {
    /// Of a table.
    pub(super) const fn of(table: Topic) -> Self {
        let (words, number, values): (&'static [_], _, &'static [_]) = match table {
            Topic::Links => {
                (&["link"], None, &["px", "py", "pz", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz"])
            }
            Topic::Contacts => (&["a", "b"], None, &["px", "py", "pz", "nx", "ny", "nz", "depth", "fx", "fy", "fz"]),
            Topic::Joints => (&["joint"], Some("axis"), &["position", "velocity", "effort"]),
            Topic::Wires => (&["wire"], Some("node"), &["px", "py", "pz", "length", "tension"]),
            Topic::Sensors => (&["sensor", "quantity"], None, &["value"]),
        };
        Self { words, number, values }
    }

    /// All names, in order.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        let rest = self.words.iter().chain(self.number.as_ref()).chain(self.values);
        std::iter::once("time").chain(rest.copied())
    }
}

/// A row of a table.
pub(super) struct Row<'a> {
    pub(super) time: f64,
    pub(super) words: &'a [&'a str],
    pub(super) number: Option<usize>,
    pub(super) values: &'a [f64],
}

/// Tables that a recording of a run has: those with a rate that is not 0, and wires and sensors only if there are some.
pub(super) fn tables(run: &Run, rates: &RecordRates) -> Vec<Topic> {
    let simulation = run.simulation();
    let is_there = |table: &Topic| match table {
        Topic::Wires => !simulation.wires.is_empty(),
        Topic::Sensors => simulation.has_sensors(),
        _ => true,
    };
    Topic::ALL.into_iter().filter(|table| is_there(table) && rates.of(*table) != Some(0.0)).collect()
}

/// Gives each row of the present state to a writer, in the order of the files; of sensors those read after a time \[s\].
pub(super) fn each(
    run: &Run,
    table: Topic,
    after: f64,
    mut write: impl FnMut(&Row<'_>) -> Result<(), RunError>,
) -> Result<(), RunError> {
    let (simulation, time) = (run.simulation(), run.time());
    match table {
        Topic::Links => simulation.links.iter().try_for_each(|link| {
            let pose = simulation.link_pose(link);
            let (v, w) = simulation.link_velocity(link);
            let (p, q) = (pose.position, pose.rotation);
            let values = [p.x, p.y, p.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z];
            write(&Row { time, words: &[&link.name], number: None, values: &values })
        }),
        // Before the first step there are none.
        Topic::Contacts if run.steps() == 0 => Ok(()),
        Topic::Contacts => simulation.world.contact_reports().iter().try_for_each(|contact| {
            let [a, b] = shape_names(run, contact.geoms);
            let (p, n, f) = (contact.position, contact.normal, contact.force);
            let values = [p.x, p.y, p.z, n.x, n.y, n.z, contact.depth, f.x, f.y, f.z];
            write(&Row { time, words: &[&a, &b], number: None, values: &values })
        }),
        Topic::Joints => simulation.joints.iter().enumerate().try_for_each(|(index, joint)| {
            (0..joint.axes.len()).try_for_each(|axis| {
                let values = joint_values(run, index, axis);
                write(&Row { time, words: &[&joint.name], number: Some(axis), values: &values })
            })
        }),
        Topic::Wires => simulation.wires.iter().try_for_each(|wire| {
            let Some(own) = simulation.world.wire(wire.id) else { return Ok(()) };
            own.nodes().iter().zip(own.positions()).enumerate().try_for_each(|(number, (node, p))| {
                let values = [p.x, p.y, p.z, node.length, node.tension];
                write(&Row { time, words: &[&wire.name], number: Some(number), values: &values })
            })
        }),
        // A row for each number, at the time when it was read.
        Topic::Sensors => simulation.readings().filter(|reading| reading.time > after).try_for_each(|reading| {
            let time = run.count_time(reading.time);
            quantities(reading.value, &mut |quantity, value| {
                write(&Row { time, words: &[reading.name, quantity], number: None, values: &[value] })
            })
        }),
    }
}

/// The numbers of a reading with their names.
fn quantities(value: &SensorValue, write: &mut dyn FnMut(&str, f64) -> Result<(), RunError>) -> Result<(), RunError> {
    let mut vector =
        |names: [&str; 3], v: DVec3| names.into_iter().zip(v.to_array()).try_for_each(|(name, x)| write(name, x));
    match value {
        SensorValue::Imu { orientation: q, angular_velocity, linear_acceleration } => {
            vector(["wx", "wy", "wz"], *angular_velocity)?;
            vector(["ax", "ay", "az"], *linear_acceleration)?;
            [("qw", q.w), ("qx", q.x), ("qy", q.y), ("qz", q.z)].into_iter().try_for_each(|(n, x)| write(n, x))
        }
        SensorValue::Wrench { force, torque } => {
            vector(["fx", "fy", "fz"], *force)?;
            vector(["tx", "ty", "tz"], *torque)
        }
        SensorValue::Altimeter { vertical_position, vertical_velocity } => {
            write("vertical_position", *vertical_position)?;
            write("vertical_velocity", *vertical_velocity)
        }
        SensorValue::Magnetometer(field) => vector(["bx", "by", "bz"], *field),
        SensorValue::NavSat { latitude, longitude, altitude, velocity } => {
            vector(["v_east", "v_north", "v_up"], *velocity)?;
            let place = [("latitude", *latitude), ("longitude", *longitude), ("altitude", *altitude)];
            place.into_iter().try_for_each(|(name, x)| write(name, x))
        }
        SensorValue::Pressure(pressure) => write("pressure", *pressure),
        SensorValue::AirSpeed(speed) => write("speed", *speed),
        SensorValue::Touch { is_touching, force } => {
            vector(["fx", "fy", "fz"], *force)?;
            write("touching", f64::from(u8::from(*is_touching)))
        }
        SensorValue::Poses(poses) => poses.iter().try_for_each(|(name, pose)| pose_of(name, pose, write)),
        SensorValue::Odometry { pose, linear, angular } => {
            vector(["vx", "vy", "vz"], *linear)?;
            vector(["wx", "wy", "wz"], *angular)?;
            pose_of("", pose, write)
        }
    }
}

/// A pose, of a model that is named or of the sensor's own.
fn pose_of(name: &str, pose: &Pose, write: &mut dyn FnMut(&str, f64) -> Result<(), RunError>) -> Result<(), RunError> {
    let (p, q) = (pose.position, pose.rotation);
    let values = [("px", p.x), ("py", p.y), ("pz", p.z), ("qw", q.w), ("qx", q.x), ("qy", q.y), ("qz", q.z)];
    values.into_iter().try_for_each(|(quantity, x)| {
        if name.is_empty() { write(quantity, x) } else { write(&format!("{name}/{quantity}"), x) }
    })
}

/// Names of the two shapes of a contact; empty for a contact that a program made.
pub(super) fn shape_names(run: &Run, geoms: Option<[stiction::world::GeomId; 2]>) -> [Cow<'_, str>; 2] {
    let name = |id| run.simulation().shape_name(id).unwrap_or_default();
    geoms.map_or_else(Default::default, |geoms| geoms.map(name))
}

/// Position, rate and effort of an axis of a joint.
pub(super) fn joint_values(run: &Run, joint: usize, axis: usize) -> [f64; 3] {
    [Quantity::Angle, Quantity::Rate, Quantity::Effort].map(|quantity| run.joint_at(quantity, joint, axis))
}
