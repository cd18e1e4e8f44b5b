//! Odometry: of wheels, and of where a model is.

use stiction::math::{DQuat, DVec3, Pose};

use super::super::{SensorValue, Simulation};
use super::axis::Part;
use super::{Acts, Visit, visit_rotation, visit_vector};
use crate::description::WorldDescription;
use crate::plugins::{OdometryDescription, PluginDescription};

/// A reading with its names.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    /// Scoped name.
    pub name: String,
    /// Scoped name of the link that it is of.
    pub frame: String,
    /// Time between readings \[s\].
    pub period: f64,
    /// When it was taken \[s\], and when the next is due.
    pub time: f64,
    due: f64,
}

impl Reading {
    /// A reading that is due at once.
    pub(crate) fn new(name: String, frame: String, period: f64) -> Self {
        Self { name, frame, period, time: f64::NEG_INFINITY, due: f64::NEG_INFINITY }
    }

    /// It is due at the end of a step \[s\]; then the next is due a period later.
    pub(crate) fn is_due(&mut self, time: f64, step: f64) -> bool {
        if time < self.due - 0.5 * step {
            return false;
        }
        // The first begins the grid of times.
        self.due = if self.due.is_finite() { (self.due + self.period).max(time) } else { time + self.period };
        self.time = time;
        true
    }

    /// There is no reading any more.
    pub(crate) fn forget(&mut self) {
        self.time = f64::NEG_INFINITY;
    }

    pub(crate) fn was_taken(&self) -> bool {
        self.time.is_finite()
    }

    pub(crate) fn visit(&mut self, visit: Visit) {
        // Times before the first reading are not finite; a state has them as flags.
        for time in [&mut self.time, &mut self.due] {
            let mut is_finite = time.is_finite();
            super::visit_flag(&mut is_finite, visit);
            let mut number = if time.is_finite() { *time } else { 0.0 };
            visit(&mut number);
            *time = if is_finite { number } else { f64::NEG_INFINITY };
        }
    }
}

/// Dead reckoning on a plane, by arcs.
#[derive(Clone, Debug)]
pub(super) struct Odometer {
    x: f64,
    y: f64,
    heading: f64,
    pub(super) reading: Reading,
    pub(super) value: SensorValue,
}

/// Below this turn the arc is a line \[rad\].
const STRAIGHT: f64 = 1e-6;

impl Odometer {
    pub(super) fn new(
        simulation: &Simulation,
        description: &WorldDescription,
        plugin: &PluginDescription,
        period: f64,
    ) -> Self {
        let model = plugin.model.map(|m| &description.models[m]);
        let frame = model.and_then(|m| m.canonical_link).map_or("", |link| simulation.links[link].name.as_str());
        let name = format!("{}::odometry", model.map_or("", |m| m.name.as_str()));
        let reading = Reading::new(name, frame.to_owned(), period);
        let value = SensorValue::Odometry { pose: Pose::IDENTITY, linear: DVec3::ZERO, angular: DVec3::ZERO };
        Self { x: 0.0, y: 0.0, heading: 0.0, reading, value }
    }

    /// A way ahead and to the left \[m\] with a turn \[rad\] in a step that ended at a time.
    pub(super) fn advance(&mut self, [ahead, left, turn]: [f64; 3], time: f64, step: f64) {
        // The mean of the axes over an arc: sin(θ/2)/(θ/2) along the heading in its middle.
        let middle = self.heading + 0.5 * turn;
        let chord = if turn.abs() < STRAIGHT { 1.0 } else { libm::sin(0.5 * turn) / (0.5 * turn) };
        let (sin, cos) = (libm::sin(middle), libm::cos(middle));
        self.x += chord * (ahead * cos - left * sin);
        self.y += chord * (ahead * sin + left * cos);
        self.heading += turn;
        if self.reading.is_due(time, step) {
            let rotation = DQuat::from_xyzw(0.0, 0.0, libm::sin(0.5 * self.heading), libm::cos(0.5 * self.heading));
            self.value = SensorValue::Odometry {
                pose: Pose::new(DVec3::new(self.x, self.y, 0.0), rotation),
                linear: DVec3::new(ahead, left, 0.0) / step,
                angular: DVec3::new(0.0, 0.0, turn / step),
            };
        }
    }

    pub(super) fn told(&self) -> (&Reading, &SensorValue) {
        (&self.reading, &self.value)
    }

    pub(super) fn visit(&mut self, visit: Visit) {
        for number in [&mut self.x, &mut self.y, &mut self.heading] {
            visit(number);
        }
        self.reading.visit(visit);
        if let SensorValue::Odometry { pose, linear, angular } = &mut self.value {
            visit_pose(pose, linear, angular, visit);
        }
    }
}

fn visit_pose(pose: &mut Pose, linear: &mut DVec3, angular: &mut DVec3, visit: Visit) {
    for v in [&mut pose.position, linear, angular] {
        visit_vector(v, visit);
    }
    visit_rotation(&mut pose.rotation, visit);
}

/// `OdometryPublisher`: the true pose of a base, its velocity in its own axes.
#[derive(Clone)]
pub(super) struct Publisher {
    part: Option<Part>,
    description: OdometryDescription,
    reading: Reading,
    value: SensorValue,
}

impl Publisher {
    pub(super) fn new(
        simulation: &Simulation,
        description: &WorldDescription,
        plugin: &PluginDescription,
        odometry: &OdometryDescription,
    ) -> Self {
        let mut odometer = Odometer::new(simulation, description, plugin, odometry.period);
        // Beside that of wheels it has a name of its own.
        odometer.reading.name = match plugin.name.contains("::systems::") {
            true => odometer.reading.name.replace("::odometry", "::true_odometry"),
            false => plugin.name.clone(),
        };
        simulation.links[odometry.link].name.clone_into(&mut odometer.reading.frame);
        let part = Part::new(simulation, odometry.link);
        Self { part, description: odometry.clone(), reading: odometer.reading, value: odometer.value }
    }
}

impl Acts for Publisher {
    fn after(&mut self, simulation: &mut Simulation, step: f64, _events: &mut Vec<String>) {
        let Some(part) = self.part.filter(|_| self.reading.is_due(simulation.world.time(), step)) else { return };
        let link = part.pose(simulation);
        let pose = link.compose(&self.description.offset);
        let (velocity, omega) = part.velocity(simulation);
        let at_base = velocity + omega.cross(pose.position - link.position);
        let back = pose.rotation.conjugate();
        let (linear, angular) = (back * at_base, back * omega);
        self.value = if self.description.is_spatial {
            SensorValue::Odometry { pose, linear, angular }
        } else {
            // On the plane: the heading alone turns the axes.
            let yaw = pose.rpy().z;
            let rotation = DQuat::from_xyzw(0.0, 0.0, libm::sin(0.5 * yaw), libm::cos(0.5 * yaw));
            let in_plane = rotation.conjugate() * DVec3::new(at_base.x, at_base.y, 0.0);
            SensorValue::Odometry {
                pose: Pose::new(DVec3::new(pose.position.x, pose.position.y, 0.0), rotation),
                linear: in_plane,
                angular: DVec3::new(0.0, 0.0, omega.z),
            }
        };
    }

    fn visit(&mut self, visit: Visit) {
        self.reading.visit(visit);
        if let SensorValue::Odometry { pose, linear, angular } = &mut self.value {
            visit_pose(pose, linear, angular, visit);
        }
    }

    fn reading(&self) -> Option<(&Reading, &SensorValue)> {
        Some((&self.reading, &self.value))
    }
}
