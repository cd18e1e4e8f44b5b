//! `--initial-state` and `--final-state`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use stiction::joints::JointKind;
use stiction::math::{DQuat, DVec3, Pose};
use stiction::world::BodyId;
use stiction_formats::description::WorldDescription;
use stiction_formats::simulation::Simulation;

use super::summary::Totals;
use crate::exit::Failure;

/// State of one link: pose of its frame, velocity of its origin, angular velocity; quaternion w, x, y, z.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinkState {
    #[serde(skip_serializing_if = "Option::is_none")]
    pos: Option<[f64; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    quat: Option<[f64; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    vel: Option<[f64; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    angvel: Option<[f64; 3]>,
}

/// State of one joint.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JointStateFile {
    #[serde(default)]
    position: Vec<f64>,
    #[serde(default)]
    velocity: Vec<f64>,
}

/// A state file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StateFile {
    #[serde(default)]
    time: f64,
    #[serde(default)]
    bodies: BTreeMap<String, LinkState>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    joints: BTreeMap<String, JointStateFile>,
    #[serde(default)]
    energy: f64,
    #[serde(default)]
    max_penetration: f64,
}

/// Reads a state file.
pub fn read(path: &Path) -> Result<StateFile, Failure> {
    let text = fs::read_to_string(path).map_err(|e| Failure::input(format!("{}: {e}", path.display())))?;
    serde_json::from_str(&text)
        .map_err(|e| Failure::input(format!("{}:{}:{}: {e}", path.display(), e.line(), e.column())))
}

/// Writes the present state.
pub fn write(path: &Path, simulation: &Simulation, totals: &Totals) -> Result<(), Failure> {
    let bodies = simulation.links.iter().map(|link| {
        let pose = simulation.link_pose(link);
        let (v, w) = simulation.link_velocity(link);
        let q = pose.rotation;
        let state = LinkState {
            pos: Some(pose.position.to_array()),
            quat: Some([q.w, q.x, q.y, q.z]),
            vel: Some(v.to_array()),
            angvel: Some(w.to_array()),
        };
        (link.name.clone(), state)
    });
    let file = StateFile {
        time: simulation.world.time(),
        bodies: bodies.collect(),
        joints: BTreeMap::new(),
        energy: simulation.world.energy().total(),
        max_penetration: totals.penetration_max,
    };
    let wrong = |e: &dyn std::fmt::Display| Failure::input(format!("{}: {e}", path.display()));
    let text = serde_json::to_string_pretty(&file).map_err(|e| wrong(&e))?;
    fs::write(path, text + "\n").map_err(|e| wrong(&e))
}

/// Applies what a state file names, joints first: a joint value moves the subtree beyond the joint, a body that link alone.
pub fn apply(simulation: &mut Simulation, description: &WorldDescription, state: &StateFile) -> Result<(), Failure> {
    // A velocity belongs to the places where all joints end up.
    for is_position in [true, false] {
        for (name, values) in &state.joints {
            set_joint(simulation, description, name, values, is_position)?;
        }
    }
    for (name, values) in &state.bodies {
        let link = simulation.link(name).ok_or_else(|| Failure::input(format!("--initial-state: no link `{name}`")))?;
        // What does not move keeps its place; a state that was written by a run names it all the same.
        let Some(body) = link.body else { continue };
        let (index, in_body) = (simulation.links.iter().position(|l| l.name == *name), link.pose);
        // A link that is part of another's body does not count beside that one.
        let carrier = index.and_then(|i| description.links[i].lumped_into);
        if carrier.is_some_and(|c| state.bodies.contains_key(&description.links[c].name)) {
            continue;
        }
        set_link(simulation, body, &in_body, values)
            .map_err(|e| Failure::input(format!("--initial-state: `{name}`: {e}")))?;
    }
    simulation.world.refresh_joint_positions();
    Ok(())
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
    values: &JointStateFile,
    is_position: bool,
) -> Result<(), Failure> {
    let wrong = |what: &str| Failure::input(format!("--initial-state: joint `{name}`: {what}"));
    let index = simulation.joints.iter().position(|j| j.name == name).ok_or_else(|| wrong("no such joint"))?;
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
    }
    Ok(())
}

/// Links beyond a joint: those that hang on its child without passing it. `None` if its parent is among them.
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
