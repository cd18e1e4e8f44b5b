//! Plugins at work: what they do before and after each step, what commands they take, and what they remember.

mod added_mass;
mod aircraft;
mod around;
mod axis;
mod buoyancy;
mod buoyancy_engine;
mod cart;
mod compliance;
mod copter;
mod detachable;
mod drive;
mod hold;
mod hydrodynamics;
mod immersed;
mod lift_drag;
mod limiter;
mod model_velocity;
mod motor;
mod odometry;
mod pid;
mod servo;
mod six;
mod thruster;
mod tracks;
mod watch;
mod wind;

use around::Around;
pub(super) use around::step;
pub(super) use odometry::Reading;

use stiction::math::{DQuat, DVec3};
use stiction::world::{BodyId, TimeAdvancement};

use super::{SensorValue, Simulation, SimulationError};
use crate::description::WorldDescription;
use crate::plugins::{InputKind, PluginDescription, PluginKind};

/// A command that a plugin takes.
#[derive(Clone, Debug, PartialEq)]
pub struct PluginInput {
    /// Scoped name of the model or joint that it is for.
    pub name: String,
    /// What it means.
    pub kind: InputKind,
    /// Axis of the joint.
    pub axis: usize,
    /// What the plugin is, in the words of the table of plugins: `DiffDrive`.
    pub system: &'static str,
    /// Number of the plugin in the simulation.
    pub plugin: usize,
    /// Which of its inputs.
    pub part: usize,
}

/// Visits every number that a plugin remembers from step to step.
pub(crate) type Visit<'v> = &'v mut dyn FnMut(&mut f64);

/// A plugin at work.
pub(super) trait Acts: CloneActs + Send + Sync {
    /// Before a step \[s\].
    fn before(&mut self, _simulation: &mut Simulation, _step: f64) {}
    /// Forces that follow the motion: at the beginning of a discrete step, after [`Acts::before`]; in continuous time at every
    /// state that the integrator asks for. They depend on nothing that an evaluation changes.
    fn field(&self, _around: &mut Around) {}
    /// [`Acts::field`] has forces.
    fn has_field(&self) -> bool {
        false
    }
    /// Inertia of the fluid around a body, about its centre of mass and in its axes, which continuous time takes as such; discrete
    /// steps have its force by [`Acts::before`].
    fn fluid(&self, _simulation: &Simulation) -> Option<(BodyId, [six::Six; 6])> {
        None
    }
    /// After a step \[s\].
    fn after(&mut self, _simulation: &mut Simulation, _step: f64, _events: &mut Vec<String>) {}
    /// Everything that influences later steps and is not in the world.
    fn visit(&mut self, _visit: Visit) {}
    /// What it remembers was put back, before the state of the world is.
    fn recalled(&mut self, _simulation: &mut Simulation) {}
    /// Commands: name of the model or joint, kind, axis.
    fn inputs(&self) -> Vec<(String, InputKind, usize)> {
        Vec::new()
    }
    /// A number of a command.
    fn set(&mut self, _part: usize, _channel: usize, _value: f64) {}
    /// The last reading, and when it was taken \[s\]; before the first one a time that is not finite.
    fn reading(&self) -> Option<(&Reading, &SensorValue)> {
        None
    }
}

/// Copies a plugin behind its trait.
pub(super) trait CloneActs {
    fn copied(&self) -> Box<dyn Acts>;
}

impl<T: Acts + Clone + 'static> CloneActs for T {
    fn copied(&self) -> Box<dyn Acts> {
        Box::new(self.clone())
    }
}

/// Visits a flag as 0 or 1.
fn visit_flag(flag: &mut bool, visit: Visit) {
    let mut number = f64::from(u8::from(*flag));
    visit(&mut number);
    *flag = number != 0.0;
}

/// Visits the numbers of a vector.
fn visit_vector(v: &mut DVec3, visit: Visit) {
    [&mut v.x, &mut v.y, &mut v.z].into_iter().for_each(visit);
}

/// Visits the numbers of a rotation.
fn visit_rotation(q: &mut DQuat, visit: Visit) {
    [&mut q.x, &mut q.y, &mut q.z, &mut q.w].into_iter().for_each(visit);
}

/// Plugins of a simulation, in the order in which they act.
#[derive(Default)]
pub(super) struct Plugins {
    list: Vec<Box<dyn Acts>>,
    /// For each of the list the name of its system; empty for what no plugin of a file makes.
    systems: Vec<&'static str>,
    fluids: Vec<(BodyId, [six::Six; 6])>,
}

impl Plugins {
    fn add(&mut self, plugin: impl Acts + 'static) {
        self.list.push(Box::new(plugin));
    }

    /// Names the system of everything that was added since the last call.
    fn name_new(&mut self, system: &'static str) {
        self.systems.resize(self.list.len(), system);
    }

    pub(super) fn before(&mut self, simulation: &mut Simulation, step: f64) {
        let is_discrete = simulation.world.parameters.time != TimeAdvancement::Continuous;
        for (body, matrix) in &self.fluids {
            if let Some(mut body) = simulation.world.body_mut(*body) {
                body.set_added_inertia(Some(matrix).filter(|_| !is_discrete));
            }
        }
        for plugin in &mut self.list {
            plugin.before(simulation, step);
            if is_discrete {
                plugin.field(&mut Around::Step(simulation, step));
            }
        }
    }

    pub(super) fn after(&mut self, simulation: &mut Simulation, step: f64, events: &mut Vec<String>) {
        self.list.iter_mut().for_each(|plugin| plugin.after(simulation, step, events));
    }

    /// What all remember.
    pub(super) fn memory(&self, memory: &mut Vec<f64>) {
        for plugin in &self.list {
            plugin.copied().visit(&mut |number| memory.push(*number));
        }
    }

    /// Puts it back.
    pub(super) fn recall(&mut self, next: &mut dyn FnMut() -> f64) {
        self.list.iter_mut().for_each(|plugin| plugin.visit(&mut |number| *number = next()));
    }

    fn recalled(&mut self, simulation: &mut Simulation) {
        self.list.iter_mut().for_each(|plugin| plugin.recalled(simulation));
    }

    pub(super) fn readings(&self) -> impl Iterator<Item = (&Reading, &SensorValue)> {
        self.list.iter().filter_map(|plugin| plugin.reading())
    }
}

/// Makes the plugins of a description.
pub(super) fn add(simulation: &mut Simulation, description: &WorldDescription) -> Result<(), SimulationError> {
    let mut plugins = Plugins::default();
    // What commands motors acts before them.
    let commands_motors = |plugin: &&PluginDescription| matches!(plugin.kind, PluginKind::Copter(_));
    for plugin in description.plugins.iter().filter(commands_motors) {
        add_one(&mut plugins, simulation, description, plugin)?;
        plugins.name_new(plugin.system);
    }
    for plugin in description.plugins.iter().filter(|plugin| !commands_motors(plugin)) {
        add_one(&mut plugins, simulation, description, plugin)?;
        plugins.name_new(plugin.system);
    }
    // The fluid resists what all others do.
    added_mass::of_links(simulation, description).into_iter().for_each(|fluid| plugins.add(fluid));
    plugins.name_new("");
    for (body, own) in plugins.list.iter().filter_map(|plugin| plugin.fluid(simulation)) {
        match plugins.fluids.iter_mut().find(|(other, _)| *other == body) {
            Some((_, sum)) => sum.iter_mut().flatten().zip(own.as_flattened()).for_each(|(sum, own)| *sum += own),
            None => plugins.fluids.push((body, own)),
        }
    }
    simulation.plugins = plugins;
    Ok(())
}

fn add_one(
    plugins: &mut Plugins,
    simulation: &mut Simulation,
    description: &WorldDescription,
    plugin: &PluginDescription,
) -> Result<(), SimulationError> {
    let model = plugin.model.map_or("", |m| description.models[m].name.as_str());
    match &plugin.kind {
        PluginKind::Servos(list) => plugins.add(servo::Servos::new(simulation, list)),
        PluginKind::CartDemo(cart) => {
            if let Some(cart) = cart::Cart::new(simulation, cart) {
                plugins.add(cart);
            }
        }
        PluginKind::Springs(list) => plugins.add(servo::Springs::new(simulation, list)),
        PluginKind::Drive(drive) => {
            if let Some(drive) = drive::Drive::new(simulation, description, plugin, drive) {
                plugins.add(drive);
            }
        }
        PluginKind::Track(track) => plugins.add(tracks::Track::new(simulation, description, track)),
        PluginKind::TrackedVehicle(vehicle) => {
            plugins.add(tracks::Vehicle::new(simulation, description, plugin, vehicle));
        }
        PluginKind::VelocityControl(control) => {
            let of_model = plugin.model.map_or_else(Vec::new, |m| bodies_of(simulation, description, m));
            plugins.add(model_velocity::ModelVelocity::new(simulation, model, control, of_model));
        }
        PluginKind::Odometry(odometry) => {
            plugins.add(odometry::Publisher::new(simulation, description, plugin, odometry));
        }
        PluginKind::LiftDrag(wing) => plugins.add(lift_drag::LiftDrag::new(simulation, wing)),
        PluginKind::Aircraft(aircraft) => plugins.add(aircraft::Aircraft::new(simulation, aircraft)),
        PluginKind::Motor(motor) => {
            if let Some(motor) = motor::Motor::new(simulation, motor) {
                plugins.add(motor);
            }
        }
        PluginKind::Copter(copter) => {
            let bodies = plugin.model.map_or_else(Vec::new, |m| bodies_of(simulation, description, m));
            if let Some(copter) = copter::Copter::new(simulation, model, copter, bodies) {
                plugins.add(copter);
            }
        }
        PluginKind::Buoyancy(buoyancy) => plugins.add(buoyancy::Buoyancy::new(simulation, description, buoyancy)),
        PluginKind::BuoyancyEngine(engine) => {
            if let Some(engine) = buoyancy_engine::BuoyancyEngine::new(simulation, engine) {
                plugins.add(engine);
            }
        }
        PluginKind::Thruster(thruster) => {
            if let Some(thruster) = thruster::Thruster::new(simulation, thruster) {
                plugins.add(thruster);
            }
        }
        PluginKind::Hydrodynamics(hydro) => plugins.add(hydrodynamics::Hydrodynamics::new(simulation, hydro)),
        PluginKind::WindChange(wind) => plugins.add(wind::Wind::new(simulation, wind)),
        PluginKind::Wrenches(list) => plugins.add(hold::Wrenches::new(simulation, model, list)),
        PluginKind::Detachable(joint) => {
            plugins.add(detachable::Detachable::new(simulation, description, plugin, joint)?)
        }
        PluginKind::Breakable(joint) => plugins.add(hold::Breakable::new(simulation, joint)),
        PluginKind::Harness(harness) => plugins.add(hold::Harness::new(simulation, model, harness)),
        PluginKind::GravityCompensation(joints) => plugins.add(hold::GravityCompensation::new(simulation, joints)),
        PluginKind::Monitor(monitor) => plugins.add(watch::Monitor::new(simulation, monitor)),
        PluginKind::Touch(touch) => plugins.add(watch::Touch::new(simulation, model, touch)),
    }
    Ok(())
}

/// Bodies of a model and of those in it, each once.
fn bodies_of(simulation: &Simulation, description: &WorldDescription, model: usize) -> Vec<BodyId> {
    let mut bodies = Vec::new();
    for (index, link) in description.links.iter().enumerate() {
        let mut at = Some(link.model);
        while at.is_some_and(|m| m != model) {
            at = at.and_then(|m| description.models[m].parent);
        }
        let body = simulation.links[index].body.filter(|body| at.is_some() && !bodies.contains(body));
        bodies.extend(body);
    }
    bodies
}

impl Simulation {
    /// Commands that the plugins take.
    #[must_use]
    pub fn plugin_inputs(&self) -> Vec<PluginInput> {
        let mut inputs = Vec::new();
        for (plugin, acts) in self.plugins.list.iter().enumerate() {
            let system = self.plugins.systems.get(plugin).copied().unwrap_or_default();
            for (part, (name, kind, axis)) in acts.inputs().into_iter().enumerate() {
                inputs.push(PluginInput { name, kind, axis, system, plugin, part });
            }
        }
        inputs
    }

    /// Gives a plugin a number of a command, which stays until the next; numbers that are not finite are refused.
    pub fn set_plugin_input(&mut self, input: &PluginInput, channel: usize, value: f64) -> bool {
        let is_good = value.is_finite() && channel < input.kind.channels();
        match self.plugins.list.get_mut(input.plugin).filter(|_| is_good) {
            Some(plugin) => {
                plugin.set(input.part, channel, value);
                true
            }
            None => false,
        }
    }

    /// Everything beside the world's state that influences later steps: of plugins, devices and sensors.
    #[must_use]
    pub fn memory(&self) -> Vec<f64> {
        let mut memory = Vec::new();
        self.plugins.memory(&mut memory);
        self.sensors.memory(&mut memory);
        memory
    }

    /// Puts back what [`Simulation::memory`] gave, and joints that plugins let go or made; `false` if it is of another world.
    /// The state of the world is put back afterwards.
    pub fn recall(&mut self, memory: &[f64]) -> bool {
        if self.memory().len() != memory.len() {
            return false;
        }
        let mut numbers = memory.iter().copied();
        let mut next = || numbers.next().unwrap_or(0.0);
        self.plugins.recall(&mut next);
        self.sensors.recall(&mut next);
        let mut plugins = std::mem::take(&mut self.plugins);
        plugins.recalled(self);
        self.plugins = plugins;
        true
    }
}
