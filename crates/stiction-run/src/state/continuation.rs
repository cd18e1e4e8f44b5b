//! What of a state a reader does not need and the next step's bits do: by name, so that it fits the same world loaded again.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use stiction::math::{DQuat, DVec3, Pose};
use stiction::world::{BodyId, BodyState as EngineBody, GeomId, JointId, JointState as EngineJoint};
use stiction::{CachedPoint, ContactCache, PATCH_RECORDS, PatchCache, PatchHead};
use stiction_formats::simulation::{SimulatedWire, Simulation};

use super::number::Number;
use super::patch::Patch;
use super::wire::{self, Wire};
use crate::error::{Request, RunError};

pub(super) type Three = [Number; 3];

/// Everything that can change the bits of the next step beside the files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Continuation {
    /// Steps taken, the last one's size and the engine's own time \[s\].
    pub(super) steps: u64,
    last_step: f64,
    time: f64,
    /// Next step of continuous time \[s\], trials beyond the bound, and implicit calls to come.
    integrator: (f64, u32, u32),
    bodies: BTreeMap<String, Body>,
    joints: BTreeMap<String, Joint>,
    contacts: Vec<Contact>,
    /// Patches that sub-steps keep, and of what geometry they are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    patches: Vec<Patch>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    geometry: String,
    /// Wires in the order of the files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    wires: Vec<Wire>,
    /// Links, joints and collisions that the files have and the world no longer has.
    removed: [BTreeSet<String>; 3],
    /// Masses of links that are not those of the files \[kg\].
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    masses: BTreeMap<String, Number>,
    /// What plugins and sensors remember, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    memory: Vec<Number>,
}

/// State of a body: of its centre of mass, sleep and user forces.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Body {
    position: Three,
    /// w, x, y, z.
    rotation: [Number; 4],
    velocity: Three,
    omega: Three,
    force: Three,
    torque: Three,
    enabled: bool,
    idle_steps_left: u32,
    idle_time_left: Number,
    /// Last velocities, linear and angular, and the one to overwrite next.
    samples: Vec<[Three; 2]>,
    next_sample: usize,
    joint_work: Number,
    joint_energy: Number,
}

/// State of a joint, its motors and the impulses of its rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Joint {
    positions: Three,
    rates: Three,
    forces: Three,
    efforts: Three,
    impulses: Vec<Number>,
    stored: Number,
    /// Parts of the efforts that are of drives, and accelerations that full drives made.
    drives: Three,
    accelerations: [[Number; 2]; 3],
    /// What it was off at the start and still is, and whether that is closed at a bounded rate.
    placed: Number,
    led: bool,
    /// Square of the relative velocity that it does not allow and the last step has left, of trees that nothing touched.
    #[serde(default = "none", skip_serializing_if = "is_none")]
    squared_velocity_error: Number,
    /// Wanted rate and largest force of each motor.
    motors: [[Number; 2]; 3],
}

/// Impulses of a pair of collisions: feature, normal, friction, stored energy, speed of parting, placed into each other; and which of them are open
/// meshes met from behind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Contact {
    between: [String; 2],
    points: Vec<(u32, Number, Three, Number, Number, bool)>,
    #[serde(default, skip_serializing_if = "is_front")]
    behind: [bool; 2],
}

fn is_front(behind: &[bool; 2]) -> bool {
    *behind == [false; 2]
}

pub(super) fn three(v: DVec3) -> Three {
    v.to_array().map(Number)
}

pub(super) fn vector(v: &Three) -> DVec3 {
    DVec3::from_array(v.map(|n| n.0))
}

/// A joint by its name; joints without one, such as that of a fixed base, by their order.
fn joint_names(simulation: &Simulation) -> BTreeMap<String, JointId> {
    let mut unnamed = 0;
    let name = |id: JointId| {
        let named = simulation.joints.iter().find(|j| j.id == Some(id));
        named.map(|j| j.name.clone()).unwrap_or_else(|| {
            unnamed += 1;
            format!("#{unnamed}")
        })
    };
    let ids: Vec<JointId> = simulation.world.joint_ids().collect();
    ids.iter().copied().map(name).zip(ids.iter().copied()).collect()
}

/// Names of shapes, by slot.
fn shapes(simulation: &Simulation) -> BTreeMap<u32, String> {
    let of_files = simulation.collisions.iter().map(|(id, name)| (*id, name.clone()));
    let there = of_files.chain(wire::shapes(simulation)).filter(|(id, _)| simulation.world.geom(*id).is_some());
    there.map(|(id, name)| (id.slot() as u32, name)).collect()
}

/// What the files have and the world no longer has.
fn removed(simulation: &Simulation) -> [BTreeSet<String>; 3] {
    let world = &simulation.world;
    let links = simulation.links.iter().filter(|l| l.body.is_some_and(|b| world.body(b).is_none()));
    let joints = simulation.joints.iter().filter(|j| j.id.is_some_and(|id| world.joint(id).is_none()));
    let collisions = simulation.collisions.iter().filter(|(id, _)| world.geom(**id).is_none());
    [
        links.map(|l| l.name.clone()).collect(),
        joints.map(|j| j.name.clone()).collect(),
        collisions.map(|(_, name)| name.clone()).collect(),
    ]
}

impl Continuation {
    /// The present state.
    pub(super) fn of(simulation: &Simulation) -> Result<Self, RunError> {
        let world = &simulation.world;
        let snapshot = world.snapshot();
        let state = snapshot.state();
        let mut bodies = BTreeMap::new();
        let of_wires: BTreeSet<BodyId> = wire::bodies(world).collect();
        for id in world.body_ids().filter(|id| !of_wires.contains(id)) {
            // The link whose frame is the body's carries those that are lumped into it.
            let link = simulation.links.iter().find(|l| l.body == Some(id) && l.pose == Pose::IDENTITY);
            let link = link.ok_or_else(|| RunError::Unfit {
                request: Request::InitialState,
                text: format!("body {}", id.slot()),
                reason: "the files do not name it: such a world cannot be continued from its files".to_owned(),
            })?;
            bodies.insert(link.name.clone(), Body::of(&state.bodies[id.slot()]));
        }
        let mut joints = BTreeMap::new();
        for (name, id) in joint_names(simulation) {
            let Some(joint) = world.joint(id) else { continue };
            let motors =
                joint.definition().parameters.each_ref().map(|p| [p.motor.velocity, p.motor.max_force].map(Number));
            joints.insert(name, Joint::of(&state.joints[id.slot()], motors));
        }
        let names = shapes(simulation);
        let contact = |(slots, points): ([u32; 2], &[CachedPoint])| {
            let [Some(a), Some(b)] = slots.map(|slot| names.get(&slot)) else { return None };
            let point = |p: &CachedPoint| {
                (p.feature, Number(p.normal), three(p.friction), Number(p.stored), Number(p.exit_speed), p.is_placed)
            };
            let behind = points.first().map_or([false; 2], |p| p.behind);
            Some(Contact { between: [a.clone(), b.clone()], points: points.iter().map(point).collect(), behind })
        };
        let patch = |(head, records): (&PatchHead, [[f64; 8]; PATCH_RECORDS])| {
            let [Some(a), Some(b)] = head.geoms.map(|slot| names.get(&slot)) else { return None };
            Some(Patch::of([a.clone(), b.clone()], head, &records))
        };
        let patches: Vec<Patch> = state.patches.iter().filter_map(patch).collect();
        Ok(Self {
            steps: state.steps,
            last_step: state.last_step,
            time: state.time,
            integrator: (state.carry.step, state.carry.debt, state.carry.implicit_calls),
            bodies,
            joints,
            contacts: state.contacts.iter().filter_map(contact).collect(),
            geometry: if patches.is_empty() { String::new() } else { geometry_of(simulation) },
            patches,
            wires: Wire::all(simulation),
            removed: removed(simulation),
            masses: simulation
                .changed_masses()
                .map(|(link, mass)| (simulation.links[link].name.clone(), Number(mass)))
                .collect(),
            memory: simulation.memory().into_iter().map(Number).collect(),
        })
    }

    /// The links that are gone.
    pub(super) fn removed_links(&self) -> &BTreeSet<String> {
        &self.removed[0]
    }

    /// Puts the state into the same world, loaded again.
    pub(super) fn apply(&self, simulation: &mut Simulation) -> Result<(), RunError> {
        self.remove(simulation)?;
        // First: plugins that let joints go and make them change which joints there are.
        let memory: Vec<f64> = self.memory.iter().map(|number| number.0).collect();
        if !simulation.recall(&memory) {
            return Err(unfit("plugins", "the state is of a world with other plugins or sensors"));
        }
        for (name, mass) in &self.masses {
            let link = simulation.links.iter().position(|l| l.name == *name).ok_or_else(|| unknown("link", name))?;
            simulation.set_link_mass(link, mass.0).map_err(|error| unfit(name, &error.reason))?;
        }
        let joint_names = joint_names(simulation);
        let joint_id = |name: &String| joint_names.get(name).copied().ok_or_else(|| unknown("joint", name));
        for (name, joint) in &self.joints {
            let id = joint_id(name)?;
            for (axis, [velocity, max_force]) in joint.motors.iter().enumerate() {
                if let Some(parameters) = simulation.world.joint_parameters_mut(id, axis) {
                    (parameters.motor.velocity, parameters.motor.max_force) = (velocity.0, max_force.0);
                }
            }
        }
        let mut snapshot = simulation.world.snapshot();
        let state = snapshot.state_mut();
        (state.steps, state.last_step, state.time) = (self.steps, self.last_step, self.time);
        (state.carry.step, state.carry.debt, state.carry.implicit_calls) = self.integrator;
        for (name, body) in &self.bodies {
            let id = simulation.link(name).and_then(|l| l.body).ok_or_else(|| unknown("link", name))?;
            let now = state.bodies.get_mut(id.slot()).ok_or_else(|| unknown("link", name))?;
            body.write(now).map_err(|reason| unfit(name, reason))?;
        }
        if self.wires.len() != simulation.wires.len() {
            return Err(unfit("wires", "the state is of a world with other wires"));
        }
        for (saved, SimulatedWire { name, id }) in self.wires.iter().zip(&simulation.wires) {
            let wire = simulation.world.wire(*id).ok_or_else(|| unknown("wire", name))?;
            let now = state.wires.get_mut(id.slot()).ok_or_else(|| unknown("wire", name))?;
            saved.write(&wire, name, now).map_err(|reason| unfit(name, reason))?;
            for (body, id) in saved.bodies().iter().zip(wire.bodies()) {
                let now = state.bodies.get_mut(id.slot()).ok_or_else(|| unknown("wire", name))?;
                body.write(now).map_err(|reason| unfit(name, reason))?;
            }
        }
        for (name, joint) in &self.joints {
            let id = joint_id(name)?;
            let now = state.joints.get_mut(id.slot()).ok_or_else(|| unknown("joint", name))?;
            joint.write(now).map_err(|reason| unfit(name, reason))?;
        }
        let slots: BTreeMap<String, u32> = shapes(simulation).into_iter().map(|(slot, name)| (name, slot)).collect();
        let mut pairs = Vec::with_capacity(self.contacts.len());
        for Contact { between: [a, b], points, behind } in &self.contacts {
            let slot = |name: &String| slots.get(name.as_str()).copied().ok_or_else(|| unknown("collision", name));
            let point = |(feature, normal, friction, stored, exit_speed, is_placed): &(
                u32,
                Number,
                Three,
                Number,
                Number,
                bool,
            )| CachedPoint {
                feature: *feature,
                normal: normal.0,
                friction: vector(friction),
                stored: stored.0,
                is_placed: *is_placed,
                exit_speed: exit_speed.0,
                behind: *behind,
            };
            pairs.push(([slot(a)?, slot(b)?], points.iter().map(point).collect()));
        }
        state.contacts = ContactCache::from_pairs(pairs);
        state.patches = self.patches(simulation)?;
        simulation.world.restore(&snapshot);
        Ok(())
    }

    /// The patches between the shapes of a world. Where its geometry is another, points are looked for again.
    fn patches(&self, simulation: &Simulation) -> Result<PatchCache, RunError> {
        let (names, world) = (shapes(simulation), &simulation.world);
        let ids: BTreeMap<&str, GeomId> =
            world.geom_ids().filter_map(|id| Some((names.get(&(id.slot() as u32))?.as_str(), id))).collect();
        let mut patches = Vec::with_capacity(self.patches.len());
        let id = |name: &String| ids.get(name.as_str()).copied().ok_or_else(|| unknown("collision", name));
        for patch in &self.patches {
            let [a, b] = &patch.between;
            let shapes = [id(a)?, id(b)?];
            let bodies = shapes.map(|id| world.geom(id).and_then(|geom| geom.body()).map(|body| body.slot() as u32));
            patches.push(patch.read(shapes, bodies).map_err(|reason| unfit(a, reason))?);
        }
        let mut cache = PatchCache::from_patches(patches);
        if self.geometry != geometry_of(simulation) {
            cache.look_again_at_all();
        }
        Ok(cache)
    }

    fn remove(&self, simulation: &mut Simulation) -> Result<(), RunError> {
        let [links, joints, collisions] = &self.removed;
        for name in collisions {
            let id = simulation.collisions.iter().find(|(_, n)| *n == name).map(|(id, _)| *id);
            simulation.world.remove_geom(id.ok_or_else(|| unknown("collision", name))?);
        }
        for name in joints {
            let id = simulation.joint(name).and_then(|j| j.id).ok_or_else(|| unknown("joint", name))?;
            simulation.world.remove_joint(id);
        }
        for name in links {
            let id = simulation.link(name).and_then(|l| l.body).ok_or_else(|| unknown("link", name))?;
            simulation.world.remove_body(id);
        }
        Ok(())
    }
}

/// The geometry of a world by a number.
fn geometry_of(simulation: &Simulation) -> String {
    format!("{:016x}", simulation.world.geometry_hash())
}

fn unknown(kind: &'static str, name: &str) -> RunError {
    let (text, name) = (name.to_owned(), name.to_owned());
    RunError::Unknown { request: Request::InitialState, text, kind, name, near: Vec::new(), is_near: false }
}

fn unfit(name: &str, reason: &str) -> RunError {
    RunError::Unfit { request: Request::InitialState, text: name.to_owned(), reason: reason.to_owned() }
}

impl Body {
    pub(super) fn of(b: &EngineBody) -> Self {
        let q = b.motion.rotation;
        Self {
            position: three(b.motion.position),
            rotation: [q.w, q.x, q.y, q.z].map(Number),
            velocity: three(b.motion.velocity),
            omega: three(b.motion.omega),
            force: three(b.force),
            torque: three(b.torque),
            enabled: b.is_enabled,
            idle_steps_left: b.idle_steps_left,
            idle_time_left: Number(b.idle_time_left),
            samples: b.samples.iter().map(|(v, w)| [three(*v), three(*w)]).collect(),
            next_sample: b.sample_index,
            joint_work: Number(b.joint_work),
            joint_energy: Number(b.joint_energy),
        }
    }

    /// Into the engine's state; refuses what cannot be a motion, since it goes past the checks of single values.
    pub(super) fn write(&self, b: &mut EngineBody) -> Result<(), &'static str> {
        let [w, x, y, z] = self.rotation.map(|n| n.0);
        let rotation = DQuat::from_xyzw(x, y, z, w);
        let (position, velocity, omega) = (vector(&self.position), vector(&self.velocity), vector(&self.omega));
        if !(position.is_finite() && velocity.is_finite() && omega.is_finite()) {
            return Err("a position or velocity is not finite");
        }
        // Written rotations are of length 1 to rounding.
        if !rotation.is_finite() || (rotation.length() - 1.0).abs() > 1e-6 {
            return Err("the rotation is not a unit quaternion");
        }
        (b.motion.position, b.motion.rotation, b.motion.velocity, b.motion.omega) =
            (position, rotation, velocity, omega);
        (b.force, b.torque, b.is_enabled) = (vector(&self.force), vector(&self.torque), self.enabled);
        (b.idle_steps_left, b.idle_time_left) = (self.idle_steps_left, self.idle_time_left.0);
        b.samples = self.samples.iter().map(|[v, w]| (vector(v), vector(w))).collect();
        b.sample_index = self.next_sample;
        (b.joint_work, b.joint_energy) = (self.joint_work.0, self.joint_energy.0);
        Ok(())
    }
}

fn none() -> Number {
    Number(0.0)
}

fn is_none(number: &Number) -> bool {
    number.0 == 0.0
}

impl Joint {
    fn of(j: &EngineJoint, motors: [[Number; 2]; 3]) -> Self {
        Self {
            positions: j.positions.map(Number),
            rates: j.rates.map(Number),
            forces: j.forces.map(Number),
            efforts: j.efforts.map(Number),
            impulses: j.impulses[..j.row_count].iter().copied().map(Number).collect(),
            stored: Number(j.stored),
            drives: j.drives.map(Number),
            accelerations: j.accelerations.map(|pair| pair.map(Number)),
            placed: Number(j.placed),
            led: j.is_led,
            squared_velocity_error: Number(j.squared_velocity_error),
            motors,
        }
    }

    fn write(&self, j: &mut EngineJoint) -> Result<(), &'static str> {
        if self.impulses.len() > j.impulses.len() {
            return Err("it has more rows than a joint can have");
        }
        j.positions = self.positions.map(|n| n.0);
        j.rates = self.rates.map(|n| n.0);
        j.forces = self.forces.map(|n| n.0);
        j.efforts = self.efforts.map(|n| n.0);
        j.row_count = self.impulses.len();
        for (row, impulse) in j.impulses.iter_mut().zip(&self.impulses) {
            *row = impulse.0;
        }
        j.stored = self.stored.0;
        j.drives = self.drives.map(|n| n.0);
        j.accelerations = self.accelerations.map(|pair| pair.map(|n| n.0));
        (j.placed, j.is_led, j.squared_velocity_error) = (self.placed.0, self.led, self.squared_velocity_error.0);
        Ok(())
    }
}
