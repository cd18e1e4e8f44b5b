//! Fixed joints that commands let go and make again (`DetachableJoint`).

use stiction::joints::{JointDefinition, JointFrames, JointKind};
use stiction::world::{BodyId, JointId, World};

use super::super::{SimulatedJoint, Simulation, SimulationError};
use super::{Acts, InputKind, Visit, visit_flag, visit_rotation, visit_vector};
use crate::description::WorldDescription;
use crate::plugins::{DetachableDescription, PluginDescription};

/// Commands, by their number among the inputs.
const DETACH: usize = 0;
const ATTACH: usize = 1;

/// A fixed joint between two links, or none while it is let go.
#[derive(Clone)]
pub(super) struct Detachable {
    model: String,
    names: [String; 2],
    links: [usize; 2],
    joint: Option<JointId>,
    is_attached: bool,
    /// Present values of both commands; each acts where it rises above 0.
    commands: [f64; 2],
    /// The commands rose, and the step that ends there is not over.
    asked: [bool; 2],
    /// Where the joint holds its bodies.
    frames: Option<JointFrames>,
}

impl Detachable {
    pub(super) fn new(
        simulation: &mut Simulation,
        description: &WorldDescription,
        plugin: &PluginDescription,
        joint: &DetachableDescription,
    ) -> Result<Self, SimulationError> {
        let links = [joint.parent, joint.child];
        let names = links.map(|link| simulation.links[link].name.clone());
        let model = plugin.model.map_or_else(String::new, |m| description.models[m].name.clone());
        let [parent, child] = links.map(|link| simulation.links[link].body);
        let id = if parent == child {
            None
        } else {
            let definition = definition(simulation, links);
            Some(simulation.world.add_joint(definition).map_err(|e| SimulationError::new(&plugin.name, e))?)
        };
        // Each has a name of its own, so that a state finds it again.
        let mut name = format!("{model}::detachable_joint");
        let count = simulation.joints.iter().filter(|j| j.name.starts_with(&name)).count();
        if count > 0 {
            name = format!("{name}_{count}");
        }
        simulation.joints.push(SimulatedJoint { name, id, axes: Vec::new(), child: Some(joint.child) });
        let frames = frames(&simulation.world, id);
        Ok(Self { model, names, links, joint: id, is_attached: true, commands: [0.0; 2], asked: [false; 2], frames })
    }

    /// Makes the joint at the present poses.
    fn attach(&self, simulation: &mut Simulation, id: JointId) {
        let definition = definition(simulation, self.links);
        // Both links are there, so that nothing is refused.
        let _ = simulation.world.replace_joint(id, definition);
    }
}

/// A joint between the links at their present poses, at the origin of the child.
fn definition(simulation: &Simulation, links: [usize; 2]) -> JointDefinition {
    let [parent, child] = links.map(|link| &simulation.links[link]);
    JointDefinition::new(JointKind::Fixed, child.body, parent.body).at(simulation.link_pose(child).position)
}

fn frames(world: &World, joint: Option<JointId>) -> Option<JointFrames> {
    joint.and_then(|id| world.joint(id)).map(|joint| *joint.frames())
}

impl Acts for Detachable {
    fn after(&mut self, simulation: &mut Simulation, _step: f64, events: &mut Vec<String>) {
        let asked = std::mem::take(&mut self.asked);
        let there = |body: Option<BodyId>| body.is_none_or(|body| simulation.world.body(body).is_some());
        let are_there = self.links.iter().all(|link| there(simulation.links[*link].body));
        let Some(id) = self.joint.filter(|_| are_there) else { return };
        let [parent, child] = &self.names;
        if asked[DETACH] && self.is_attached {
            simulation.world.detach_joint(id);
            self.is_attached = false;
            events.push(format!("`{child}` was detached from `{parent}`"));
        }
        if asked[ATTACH] && !self.is_attached {
            self.attach(simulation, id);
            self.frames = frames(&simulation.world, self.joint);
            self.is_attached = true;
            events.push(format!("`{child}` was attached to `{parent}`"));
        }
    }

    fn visit(&mut self, visit: Visit) {
        visit_flag(&mut self.is_attached, visit);
        self.commands.iter_mut().for_each(&mut *visit);
        self.asked.iter_mut().for_each(|asked| visit_flag(asked, visit));
        if let Some(frames) = &mut self.frames {
            // A fixed joint has no axes and no reference.
            for v in frames.anchors.iter_mut().chain([&mut frames.separation]) {
                visit_vector(v, visit);
            }
            visit_rotation(&mut frames.relative, visit);
        }
    }

    fn recalled(&mut self, simulation: &mut Simulation) {
        let (Some(id), Some(held)) = (self.joint, self.frames) else { return };
        if self.is_attached && frames(&simulation.world, self.joint) != self.frames {
            self.attach(simulation, id);
            simulation.world.set_joint_frames(id, held);
        } else if !self.is_attached {
            simulation.world.detach_joint(id);
        }
    }

    fn inputs(&self) -> Vec<(String, InputKind, usize)> {
        vec![(self.model.clone(), InputKind::Detach, 0), (self.model.clone(), InputKind::Attach, 0)]
    }

    fn set(&mut self, part: usize, _channel: usize, value: f64) {
        self.asked[part] |= value > 0.0 && self.commands[part] <= 0.0;
        self.commands[part] = value;
    }
}
