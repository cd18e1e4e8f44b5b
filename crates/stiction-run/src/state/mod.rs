//! States of a run as JSON: what a reader wants to know and may change, and what it takes to continue bit for bit.

mod continuation;
mod number;
mod patch;
mod wire;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use stiction::joints::JointKind;
use stiction::math::{DQuat, DVec3, Pose};
use stiction::world::BodyId;
use stiction_formats::description::WorldDescription;
use stiction_formats::simulation::{SimulatedLink, Simulation};

use crate::clock::Clock;
use crate::error::{Request, RunError, near_or_all, unreadable};
use continuation::Continuation;

/// State of one link: pose of its frame, velocity of its origin, angular velocity; quaternion w, x, y, z.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinkState {
    #[serde(skip_serializing_if = "Option::is_none")]
    /// Position of the link frame \[m\].
    pub pos: Option<[f64; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    /// Rotation of the link frame, w, x, y, z.
    pub quat: Option<[f64; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    /// Velocity of the frame's origin \[m/s\].
    pub vel: Option<[f64; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    /// Angular velocity \[rad/s\].
    pub angvel: Option<[f64; 3]>,
}

/// State of one joint, by axis.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JointState {
    /// Positions \[m or rad\]; the links beyond the joint move with it.
    #[serde(default)]
    pub position: Vec<f64>,
    /// Rates \[m/s or rad/s\].
    #[serde(default)]
    pub velocity: Vec<f64>,
}

/// A state of a world by the names of its files. All but the names that are given stays as it is.
///
/// A state that a run wrote also holds what the next step's bits depend on: sleep, user forces, targets of motors, impulses
/// for the warm start, what was removed. With it, N steps and N steps more are 2 N steps, bit for bit. It holds no other
/// change that a program made to the world (masses, surfaces, bodies and contacts of its own).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StateFile {
    /// Time \[s\].
    #[serde(default)]
    pub time: f64,
    /// Links by scoped name. A link that is part of another's body does not count beside that one.
    #[serde(default)]
    pub bodies: BTreeMap<String, LinkState>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    /// Joints by scoped name.
    pub joints: BTreeMap<String, JointState>,
    /// Mechanical energy \[J\]; of a state that was written, and not read.
    #[serde(default)]
    pub energy: f64,
    /// Deepest penetration of the run \[m\]; of a state that was written, and not read.
    #[serde(default)]
    pub max_penetration: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    continuation: Option<Continuation>,
}

impl StateFile {
    /// Reads a state from JSON.
    ///
    /// # Errors
    /// The file cannot be read or is no state; the error has the place.
    pub fn read(path: &Path) -> Result<Self, RunError> {
        let wrong = |place, reason| RunError::File { path: path.to_owned(), place, reason };
        let text = fs::read_to_string(path).map_err(|e| wrong(None, unreadable(&e)))?;
        serde_json::from_str(&text).map_err(|e| wrong(Some((e.line(), e.column())), e.to_string()))
    }

    /// Writes the state as JSON; every number reads back to the same bits.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), RunError> {
        let wrong = |reason: String| RunError::Output { path: path.to_owned(), reason };
        let text = serde_json::to_string_pretty(self).map_err(|e| wrong(e.to_string()))?;
        fs::write(path, text + "\n").map_err(|e| wrong(e.to_string()))
    }

    /// Positions of joints, with which the files are loaded: a lone model is set on the ground as it then stands. A state that
    /// a run wrote has the place of every link.
    pub(crate) fn positions(&self) -> BTreeMap<String, Vec<f64>> {
        let joints = self.joints.iter().filter(|(_, joint)| self.continuation.is_none() && !joint.position.is_empty());
        let joints = joints.filter(|(_, joint)| joint.position.iter().all(|position| position.is_finite()));
        joints.map(|(name, joint)| (name.clone(), joint.position.clone())).collect()
    }

    /// Steps that lie before this state.
    pub(crate) fn steps(&self) -> u64 {
        self.continuation.as_ref().map_or(0, |c| c.steps)
    }
}

/// The present state.
pub(crate) fn of(simulation: &Simulation, clock: &Clock, max_penetration: f64) -> Result<StateFile, RunError> {
    let is_gone = |link: &&SimulatedLink| link.body.is_some_and(|b| simulation.world.body(b).is_none());
    let links = simulation.links.iter().filter(|l| !is_gone(l));
    Ok(StateFile {
        time: clock.time(),
        bodies: links.map(|link| (link.name.clone(), link_state(simulation, link))).collect(),
        joints: BTreeMap::new(),
        energy: simulation.world.energy().total(),
        max_penetration,
        continuation: Some(Continuation::of(simulation)?),
    })
}

fn link_state(simulation: &Simulation, link: &SimulatedLink) -> LinkState {
    let pose = simulation.link_pose(link);
    let (v, w) = simulation.link_velocity(link);
    let q = pose.rotation;
    LinkState {
        pos: Some(pose.position.to_array()),
        quat: Some([q.w, q.x, q.y, q.z]),
        vel: Some(v.to_array()),
        angvel: Some(w.to_array()),
    }
}

impl LinkState {
    /// Everything that is given is so already.
    fn is_in(&self, now: &Self) -> bool {
        let same = |wanted: &Option<[f64; 3]>, now| wanted.is_none() || *wanted == now;
        let same_turn = self.quat.is_none() || self.quat == now.quat;
        same(&self.pos, now.pos) && same(&self.vel, now.vel) && same(&self.angvel, now.angvel) && same_turn
    }
}

/// Applies what a state names: first what a run continues with, then what differs from it, joints first: a joint value moves
/// the subtree beyond the joint, a body that link alone.
pub(crate) fn apply(
    simulation: &mut Simulation,
    description: &WorldDescription,
    state: &StateFile,
) -> Result<(), RunError> {
    if let Some(continuation) = &state.continuation {
        continuation.apply(simulation)?;
    } else {
        let mut snapshot = simulation.world.snapshot();
        snapshot.state_mut().time = state.time;
        simulation.world.restore(&snapshot);
    }
    let links = to_move(simulation, description, state)?;
    if links.is_empty() && state.joints.is_empty() {
        return Ok(());
    }
    // A velocity belongs to the places where all joints end up.
    for is_position in [true, false] {
        for (name, values) in &state.joints {
            let has_started = description.started_joints.iter().any(|joint| description.joints[*joint].name == *name);
            if !(is_position && has_started) {
                set_joint(simulation, description, name, values, is_position)?;
            }
        }
    }
    for (name, values) in links {
        let Some(link) = simulation.link(name) else { continue };
        let (Some(body), in_body) = (link.body, link.pose) else { continue };
        set_link(simulation, body, &in_body, values).map_err(|reason| wrong(name, reason))?;
    }
    simulation.world.refresh_joint_positions();
    Ok(())
}

/// Links that a state gives another pose or velocity than they have.
fn to_move<'a>(
    simulation: &Simulation,
    description: &WorldDescription,
    state: &'a StateFile,
) -> Result<Vec<(&'a String, &'a LinkState)>, RunError> {
    let removed = |name: &String| state.continuation.as_ref().is_some_and(|c| c.removed_links().contains(name));
    let mut links = Vec::new();
    for (name, values) in &state.bodies {
        let index =
            simulation.links.iter().position(|l| l.name == *name).ok_or_else(|| unknown("link", name, simulation))?;
        let link = &simulation.links[index];
        // A link that is part of another's body does not count beside that one; what does not move keeps its place.
        // Plates of tracks come after the links of the description.
        let carrier = description.links.get(index).and_then(|link| link.lumped_into);
        let is_carried = carrier.is_some_and(|c| state.bodies.contains_key(&description.links[c].name));
        let is_same = state.continuation.is_some() && values.is_in(&link_state(simulation, link));
        if link.body.is_some() && !is_carried && !is_same && !removed(name) {
            links.push((name, values));
        }
    }
    Ok(links)
}

fn wrong(name: &str, reason: String) -> RunError {
    RunError::Unfit { request: Request::InitialState, text: name.to_owned(), reason }
}

fn unknown(kind: &'static str, name: &str, simulation: &Simulation) -> RunError {
    let links = simulation.links.iter().map(|l| l.name.as_str());
    let joints = simulation.joints.iter().map(|j| j.name.as_str());
    let (near, is_near) = if kind == "link" { near_or_all(name, links) } else { near_or_all(name, joints) };
    let (text, name) = (name.to_owned(), name.to_owned());
    RunError::Unknown { request: Request::InitialState, text, kind, name, near, is_near }
}

/// Moves the body of a link whose frame stands at `in_body` in it.
fn set_link(simulation: &mut Simulation, body: BodyId, in_body: &Pose, values: &LinkState) -> Result<(), String> {
    let Some(mut body) = simulation.world.body_mut(body) else { return Ok(()) };
    let now = body.as_ref();
    let is_whole = *in_body == Pose::IDENTITY;
    let old = if is_whole { now.pose() } else { now.pose().compose(in_body) };
    let (old_velocity, old_omega) = (now.velocity_at_body_point(in_body.position), now.omega());
    let rotation = values.quat.map_or(old.rotation, |[w, x, y, z]| DQuat::from_xyzw(x, y, z, w));
    let position = values.pos.map_or(old.position, DVec3::from_array);
    let link = Pose::new(position, rotation);
    let pose = if is_whole { link } else { link.compose(&in_body.inverse()) };
    body.set_pose(&pose).map_err(|e| e.to_string())?;
    let omega = values.angvel.map_or(old_omega, DVec3::from_array);
    let origin_velocity = values.vel.map_or(old_velocity, DVec3::from_array);
    let arm = body.as_ref().center_of_mass() - position;
    body.set_omega(omega).map_err(|e| e.to_string())?;
    body.set_velocity(origin_velocity + omega.cross(arm)).map_err(|e| e.to_string())
}

/// Moves the links beyond a joint, as a rigid piece, by the change of the joint's position, or gives them its rate.
fn set_joint(
    simulation: &mut Simulation,
    description: &WorldDescription,
    name: &str,
    values: &JointState,
    is_position: bool,
) -> Result<(), RunError> {
    let wrong = |what: &str| wrong(name, what.to_owned());
    let index =
        simulation.joints.iter().position(|j| j.name == name).ok_or_else(|| unknown("joint", name, simulation))?;
    let simulated = simulation.joints[index].clone();
    let Some(id) = simulated.id else { return Err(wrong("both its links are static, or one body")) };
    let beyond = subtree(description, index).ok_or_else(|| wrong("it closes a loop; move the links instead"))?;
    // Lumped links move with their carrier.
    let beyond: BTreeSet<BodyId> = beyond.iter().filter_map(|link| simulation.links[*link].body).collect();
    for (axis, engine_axis) in simulated.axes.iter().enumerate() {
        let Some(joint) = simulation.world.joint(id) else { return Ok(()) };
        let change = values.position.get(axis).map_or(0.0, |p| p - joint.position(*engine_axis));
        let rate = values.velocity.get(axis).copied().unwrap_or(0.0);
        if !(change.is_finite() && rate.is_finite()) {
            return Err(wrong("its values are not finite"));
        }
        let (change, rate) = if is_position { (change, 0.0) } else { (0.0, rate) };
        let kind = joint.definition().kind;
        let is_planar = matches!(kind, JointKind::Planar);
        let carrier = usize::from(*engine_axis == 0 && joint.motion_count() == 1) | usize::from(*engine_axis == 1);
        // A planar joint moves along its axes 1 and 2 of the second body, and turns about axis 0.
        let direction =
            if is_planar { joint.axis(1, (engine_axis + 1) % 3) } else { joint.axis(carrier, *engine_axis) };
        let pivot = if is_planar { joint.anchor(0) } else { joint.anchor(1) };
        let is_slide = matches!(kind, JointKind::Slider) || is_planar && *engine_axis < 2;
        let move_by = if is_slide {
            Pose::from_position(direction * change)
        } else {
            let turn = DQuat::from_axis_angle(direction, change);
            Pose::new(pivot - turn * pivot, turn)
        };
        for body in &beyond {
            let Some(mut body) = simulation.world.body_mut(*body) else { continue };
            let pose = move_by.compose(&body.as_ref().pose());
            body.set_pose(&pose).map_err(|e| wrong(&e.to_string()))?;
            let center = body.as_ref().center_of_mass();
            let (v, w) = if is_slide {
                (direction * rate, DVec3::ZERO)
            } else {
                ((direction * rate).cross(center - pivot), direction * rate)
            };
            let (v0, w0) = (body.as_ref().velocity(), body.as_ref().omega());
            body.set_velocity(v0 + v).and_then(|()| body.set_omega(w0 + w)).map_err(|e| wrong(&e.to_string()))?;
        }
        simulation.world.refresh_joint_positions();
        if let (true, Some(wanted)) = (is_position, values.position.get(axis)) {
            // Angles count whole turns, which poses do not tell.
            let now = simulation.world.joint(id).map(|joint| [0, 1, 2].map(|k| joint.position(k)));
            let mut positions = now.unwrap_or_default();
            positions[*engine_axis] = *wanted;
            simulation.world.set_joint_position_reference(id, positions);
        }
    }
    Ok(())
}

/// Links beyond a joint: those connected to its child other than through the joint. `None` if its parent is among them.
fn subtree(description: &WorldDescription, joint: usize) -> Option<Vec<usize>> {
    let child = description.joints[joint].child?;
    let mut reached = vec![child];
    let mut next = 0;
    while next < reached.len() {
        let link = reached[next];
        next += 1;
        for (i, other) in description.joints.iter().enumerate() {
            if i == joint {
                continue;
            }
            let neighbour = match (other.parent, other.child) {
                (Some(a), b) if a == link => b,
                (a, Some(b)) if b == link => a,
                _ => continue,
            };
            if let Some(neighbour) = neighbour
                && !reached.contains(&neighbour)
            {
                reached.push(neighbour);
            }
        }
    }
    let parent = description.joints[joint].parent;
    (!parent.is_some_and(|p| reached.contains(&p))).then_some(reached)
}
