//! From a description to a world that can be stepped, with names.

mod devices;
mod doubts;
mod exclusions;
mod geodesy;
mod joints;
mod mass;
mod materials;
mod physics;
mod plugins;
mod sensors;
mod shapes;
mod surface;
mod track;
mod track_route;
mod wheel_slip;
mod wires;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

use stiction::base::{BitHash, Handle};
use stiction::math::{DVec3, Pose};
use stiction::shape::MassProperties;
use stiction::world::{
    AutoDisable, BodyDefinition, BodyId, BodyKind, Damping, GeomDefinition, GeomId, JointId, World, WorldParameters,
};

use crate::bodies;
use crate::description::{LinkDescription, ModelDescription, WorldDescription};
use crate::diagnostic::Location;

pub use devices::Devices;
pub(crate) use doubts::{doubts, meeting};
pub use geodesy::{to_ecef, to_geodetic};
pub use joints::{JointSpookRows, spook_rows};
pub(crate) use materials::table_with_own;
pub use materials::{apply_materials, contact_surface, names_materials};
pub use physics::{engine_parameters, make_classic, set_by_file, world_parameters};
pub use plugins::PluginInput;
pub use sensors::{SensorReading, SensorValue};
use shapes::Shapes;
pub use track::Plate;
pub use wheel_slip::WheelSlip;
pub use wires::SimulatedWire;

/// A link: a body or a part of one, or a pose in the static environment.
#[derive(Clone, Debug)]
pub struct SimulatedLink {
    /// Scoped name.
    pub name: String,
    /// Its body, which lumped links share; `None` for links of the static environment.
    pub body: Option<BodyId>,
    /// Pose of the link frame in the frame of its body; in the world without a body.
    pub pose: Pose,
}

/// A joint and how its axes are numbered.
#[derive(Clone, Debug)]
pub struct SimulatedJoint {
    /// Scoped name.
    pub name: String,
    /// Its joint; `None` where both ends are static.
    pub id: Option<JointId>,
    /// For each axis of the file the free motion of the engine's joint.
    pub axes: Vec<usize>,
    /// Index of its child link.
    pub child: Option<usize>,
}

/// A world with names.
pub struct Simulation {
    /// The world.
    pub world: World,
    /// Links in the order of the file, then the plates of tracks.
    pub links: Vec<SimulatedLink>,
    /// Joints in the order of the file, then those of devices.
    pub joints: Vec<SimulatedJoint>,
    /// Scoped names of the shapes.
    pub collisions: BTreeMap<GeomId, String>,
    /// What was left out, and why: shapes that the engine does not have, mimic constraints, rotors.
    pub left_out: Vec<LeftOut>,
    /// Joints that break or lock between steps ([`Simulation::act`]).
    pub devices: Devices,
    /// Shapes whose surfaces run.
    pub belts: Vec<Belt>,
    /// Plates of belt tracks.
    pub plates: Vec<Plate>,
    /// Wires in the order of the file; they are made with the materials.
    pub wires: Vec<SimulatedWire>,
    /// Wheels whose slip goes with their speed ([`Simulation::slip_wheels`]).
    pub wheel_slips: Vec<WheelSlip>,
    /// Energy that came with velocities and masses that plugins and commands set \[J\].
    pub plugin_work: f64,
    /// Speeds that a controller asks of rotors in this step \[rad/s\].
    rotor_commands: BTreeMap<JointId, f64>,
    plugins: plugins::Plugins,
    sensors: sensors::Sensors,
    masses: mass::Masses,
}

/// A shape whose surface runs.
#[derive(Clone, Copy, Debug)]
pub struct Belt {
    /// Index of its link.
    pub link: usize,
    /// The shape.
    pub geom: GeomId,
    /// Unit axis in its frame: at a contact with the outward normal n the surface runs along `axis × n`.
    pub axis: DVec3,
}

/// The engine refuses a part of a description.
#[derive(Clone, Debug, Error)]
#[error("{name}: {reason}")]
pub struct SimulationError {
    /// Scoped name of the link, collision or joint.
    pub name: String,
    /// What the engine says.
    pub reason: String,
}

/// A part of a description that the world does not have.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LeftOut {
    /// The part, and why.
    pub what: String,
    /// Where it stands.
    pub location: Location,
}

impl SimulationError {
    fn new(name: &str, reason: impl ToString) -> Self {
        Self { name: name.to_owned(), reason: reason.to_string() }
    }
}

/// Makes a world of a description, with given parameters.
///
/// # Errors
/// What the engine refuses; a description without errors has no such part.
pub fn simulate(description: &WorldDescription, parameters: WorldParameters) -> Result<Simulation, SimulationError> {
    let mut simulation = Simulation {
        world: World::new(parameters),
        links: Vec::with_capacity(description.links.len()),
        joints: Vec::with_capacity(description.joints.len()),
        collisions: BTreeMap::new(),
        left_out: Vec::new(),
        devices: Devices::default(),
        belts: Vec::new(),
        plates: Vec::new(),
        wires: Vec::new(),
        wheel_slips: Vec::new(),
        plugin_work: 0.0,
        rotor_commands: BTreeMap::new(),
        plugins: plugins::Plugins::default(),
        sensors: sensors::Sensors::default(),
        masses: mass::Masses::new(description),
    };
    let masses = bodies::masses(description);
    let with_sensor = (0..description.links.len()).filter(|l| !description.links[*l].sensors.is_empty());
    let with_sensor: BTreeSet<usize> = with_sensor.map(|l| bodies::carrier(description, l)).collect();
    let wind_rates = bodies::wind_rates(description);
    let mut bodies = Vec::with_capacity(description.links.len());
    for (index, mass) in masses.iter().enumerate() {
        let is_static = is_static(description, index);
        let body = mass.filter(|_| !is_static).map(|mass| {
            let has_sensor = with_sensor.contains(&index);
            add_body(&mut simulation, description, index, mass, has_sensor, wind_rates[index])
        });
        bodies.push(body.transpose()?);
    }
    let (masks, without_bit) = exclusions::masks(description);
    for [a, b] in without_bit.into_iter().filter(|[a, b]| a != b) {
        let [a, b] = [a, b].map(|link| &description.links[link]);
        let what = format!("contacts of `{}` and `{}`: too many pairs are excluded", a.name, b.name);
        simulation.leave_out(&a.location, what);
    }
    let mut shapes = Shapes::default();
    for index in 0..description.links.len() {
        let mask = masks.get(&index).copied().unwrap_or(u32::MAX);
        add_link(&mut simulation, &mut shapes, description, index, bodies[bodies::carrier(description, index)], mask)?;
    }
    let measured = sensors::measured_joints(description);
    for (index, joint) in description.joints.iter().enumerate() {
        joints::add(&mut simulation, joint, measured.contains(&index))?;
    }
    joints::follow(&mut simulation, description)?;
    devices::add(&mut simulation, description)?;
    track::add(&mut simulation, description)?;
    wires::add_plain(&mut simulation, description)?;
    wheel_slip::add(&mut simulation, description);
    plugins::add(&mut simulation, description)?;
    sensors::add(&mut simulation, description);
    Ok(simulation)
}

impl Simulation {
    fn leave_out(&mut self, location: &Location, what: String) {
        self.left_out.push(LeftOut { what, location: location.clone() });
    }

    /// Pose of a link frame in the world.
    #[must_use]
    pub fn link_pose(&self, link: &SimulatedLink) -> Pose {
        match link.body.and_then(|b| self.world.body(b)) {
            // The bits of the body's own pose.
            Some(body) if link.pose == Pose::IDENTITY => body.pose(),
            Some(body) => body.pose().compose(&link.pose),
            None => link.pose,
        }
    }

    /// Velocity of a link frame's origin \[m/s\] and its angular velocity \[rad/s\], world axes.
    #[must_use]
    pub fn link_velocity(&self, link: &SimulatedLink) -> (DVec3, DVec3) {
        link.body
            .and_then(|b| self.world.body(b))
            .map_or((DVec3::ZERO, DVec3::ZERO), |b| (b.velocity_at_body_point(link.pose.position), b.omega()))
    }

    /// Lets the belts of a link run at a speed \[m/s\].
    pub fn set_belt_speed(&mut self, link: usize, speed: f64) {
        for belt in self.belts.iter().filter(|belt| belt.link == link) {
            let run = Some(speed * belt.axis);
            // Only a change wakes what lies on it.
            let is_new = self.world.geom(belt.geom).is_some_and(|geom| geom.surface().belt != run);
            if let Some(surface) = self.world.geom_surface_mut(belt.geom).filter(|_| is_new) {
                surface.belt = run;
            }
        }
    }

    /// A link by its scoped name.
    #[must_use]
    pub fn link(&self, name: &str) -> Option<&SimulatedLink> {
        self.links.iter().find(|l| l.name == name)
    }

    /// The shape of a collision by its scoped name; the first of several ([`Simulation::geoms`]).
    #[must_use]
    pub fn geom(&self, name: &str) -> Option<GeomId> {
        self.geoms(name).next()
    }

    /// All shapes of a collision by its scoped name: a mesh in parts has several.
    pub fn geoms(&self, name: &str) -> impl Iterator<Item = GeomId> {
        self.collisions.iter().filter(move |(_, own)| *own == name).map(|(geom, _)| *geom)
    }

    /// Name of a shape: of the collision that it stands for, or of the wire that it is a part of.
    #[must_use]
    pub fn shape_name(&self, shape: GeomId) -> Option<Cow<'_, str>> {
        if let Some(name) = self.collisions.get(&shape) {
            return Some(Cow::Borrowed(name));
        }
        self.wires.iter().find_map(|wire| {
            let parts = self.world.wire(wire.id)?;
            let place = |kind, geoms: &[GeomId]| Some((kind, geoms.iter().position(|geom| *geom == shape)?));
            let (kind, k) = place("node", parts.node_geoms()).or_else(|| place("segment", parts.segment_geoms()))?;
            Some(Cow::Owned(format!("{}::{kind}_{k}", wire.name)))
        })
    }

    /// A joint by its scoped name.
    #[must_use]
    pub fn joint(&self, name: &str) -> Option<&SimulatedJoint> {
        self.joints.iter().find(|j| j.name == name)
    }

    /// Hash over the pose and velocity bits of every link, in the order of the file (FNV-1a, 64 bits).
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        let mut hash = BitHash::default();
        for link in &self.links {
            let pose = self.link_pose(link);
            let (v, w) = self.link_velocity(link);
            let q = pose.rotation;
            let numbers = [pose.position, v, w].into_iter().flat_map(|v| v.to_array()).chain([q.w, q.x, q.y, q.z]);
            numbers.for_each(|x| hash.feed(x));
        }
        hash.finish()
    }
}

/// The link does not move.
fn is_static(description: &WorldDescription, link: usize) -> bool {
    let link = &description.links[link];
    description.models[link.model].is_static || link.is_fixed_to_world
}

fn add_link(
    simulation: &mut Simulation,
    shapes: &mut Shapes,
    description: &WorldDescription,
    index: usize,
    body: Option<BodyId>,
    collide_mask: u32,
) -> Result<(), SimulationError> {
    let link = &description.links[index];
    let in_body = match (body, link.lumped_into) {
        (None, _) => link.pose,
        (Some(_), None) => Pose::IDENTITY,
        (Some(_), Some(carrier)) => description.links[carrier].pose.inverse().compose(&link.pose),
    };
    simulation.links.push(SimulatedLink { name: link.name.clone(), body, pose: in_body });
    for collision in &link.collisions {
        let refused = |reason: &dyn ToString| SimulationError::new(&collision.name, reason.to_string());
        let parts = shapes.of(&collision.geometry).map_err(|e| refused(&e))?;
        let is_own = body.is_some() && link.lumped_into.is_none();
        let pose = if is_own { collision.pose } else { in_body.compose(&collision.pose) };
        // Links of one model do not collide with each other, unless one of the two says so; models within it are it.
        let group = if link.self_collide.value { 0 } else { description.outermost_model(link.model) as u32 + 1 };
        let moves = body.is_some_and(|b| simulation.world.body(b).is_some_and(|b| b.kind() == BodyKind::Dynamic));
        let mut surface = surface::surface(collision, moves, &simulation.world.parameters, &description.physics);
        surface.collide_bitmask &= collide_mask;
        surface.category_bitmask = surface.category_bitmask.map(|category| category & collide_mask);
        surface.belt = collision.belt.as_ref().map(|belt| belt.speed.value * belt.axis);
        for (part, shape) in parts {
            let pose = if part == Pose::IDENTITY { pose } else { pose.compose(&part) };
            let geom = GeomDefinition { pose, surface, group, ..GeomDefinition::new(shape, body) };
            let id: Handle<_> = simulation.world.add_geom(&geom).map_err(|e| refused(&e))?;
            simulation.collisions.insert(id, collision.name.clone());
            if let Some(belt) = &collision.belt {
                simulation.belts.push(Belt { link: index, geom: id, axis: belt.axis });
            }
        }
    }
    Ok(())
}

fn add_body(
    simulation: &mut Simulation,
    description: &WorldDescription,
    index: usize,
    mass: MassProperties,
    has_sensor: bool,
    wind_rate: f64,
) -> Result<BodyId, SimulationError> {
    let link = &description.links[index];
    let model = &description.models[link.model];
    let [linear, angular] = [&link.velocity_decay[0], &link.velocity_decay[1]].map(|d| d.value);
    let (velocity, omega) = model.initial_velocity.unwrap_or((None, None));
    let definition = BodyDefinition {
        kind: if link.kinematic.value { BodyKind::Kinematic } else { BodyKind::Dynamic },
        pose: link.pose,
        velocity: velocity.unwrap_or(DVec3::ZERO),
        omega: omega.unwrap_or(DVec3::ZERO),
        mass,
        gravity: link.gravity.value,
        wind_rate,
        auto_disable: Some(auto_disable(description, model, link, has_sensor)),
        damping: Some(Damping { linear, angular, ..Damping::default() }),
        ..BodyDefinition::default()
    };
    simulation.world.add_body(&definition).map_err(|e| SimulationError::new(&link.name, e))
}

/// Gazebo's rule: models without joints and links without sensors fall asleep below 0.1 m/s and 0.1 rad/s for a second.
fn auto_disable(
    description: &WorldDescription,
    model: &ModelDescription,
    link: &LinkDescription,
    has_sensor: bool,
) -> AutoDisable {
    let whole = description.outermost_model(link.model);
    let is_here = |model: usize| description.outermost_model(model) == whole;
    let has_joint = description.joints.iter().any(|j| j.model.is_some_and(is_here) && !j.is_lumped);
    AutoDisable {
        enabled: model.allow_auto_disable && !has_joint && !has_sensor,
        linear_threshold: 0.1,
        angular_threshold: 0.1,
        steps: 5,
        time: 1.0,
        samples: 1,
    }
}
