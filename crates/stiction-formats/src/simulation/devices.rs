//! Devices that act between steps: joints that break, and joints that lock two links once they are near.

use stiction::joints::{JointDefinition, JointKind, JointSpook};
use stiction::math::DVec3;
use stiction::world::JointId;

use super::{SimulatedJoint, Simulation, SimulationError};
use crate::description::{LinkDescription, WorldDescription};
use crate::devices::{
    BreakLimit, BreakableJointDescription, DeviceDescription, DeviceJointType, DeviceKind, LinkReference,
    MagneticJointDescription,
};
use crate::diagnostic::Location;

/// Devices of a simulation, between whose steps they act.
#[derive(Clone, Debug, Default)]
pub struct Devices {
    breakable: Vec<Breakable>,
    magnetic: Vec<Magnetic>,
}

/// A joint that breaks.
#[derive(Clone, Debug)]
struct Breakable {
    name: String,
    /// The joint, until it breaks.
    joint: Option<JointId>,
    limit: BreakLimit,
    /// Force that does not count \[N\].
    offset: f64,
    /// Direction that counts in the frame of the first link, which is that number; none for all.
    direction: Option<(usize, DVec3)>,
    is_signed: bool,
    /// How long its force has been above the limit \[s\].
    above: f64,
}

/// A joint that locks.
#[derive(Clone, Debug)]
struct Magnetic {
    name: String,
    links: [usize; 2],
    positions: [DVec3; 2],
    axes: [DVec3; 2],
    distance: f64,
    angle: f64,
    law: JointSpook,
    is_locked: bool,
}

/// Name of a device in the scope of its link's model: its kind where it has none.
pub(super) fn scoped_name(device: &DeviceDescription, link: &LinkDescription) -> String {
    let model = link.name.rsplit_once("::").map_or("", |(model, _)| model);
    format!("{model}::{}", if device.name.is_empty() { device.kind.word() } else { &device.name })
}

/// Adds the joints of devices.
pub(super) fn add(simulation: &mut Simulation, description: &WorldDescription) -> Result<(), SimulationError> {
    for device in &description.devices {
        let Some(link) = description.links.get(device.link) else { continue };
        let name = scoped_name(device, link);
        match &device.kind {
            DeviceKind::BreakableJoint(joint) => add_breakable(simulation, name, &device.location, joint)?,
            DeviceKind::MagneticJoint(joint) => add_magnetic(simulation, name, joint),
            // Wires are made with the materials, belts by `track`.
            DeviceKind::Wire(_) | DeviceKind::Track(_) => {}
        }
    }
    Ok(())
}

/// The two links of a joint; none where a name was wrong, which its reader has said.
fn pair(links: &[LinkReference]) -> Option<[usize; 2]> {
    match links {
        [first, second] => Some([first.link?, second.link?]),
        _ => None,
    }
}

fn add_breakable(
    simulation: &mut Simulation,
    name: String,
    location: &Location,
    joint: &BreakableJointDescription,
) -> Result<(), SimulationError> {
    let Some([first, second]) = pair(&joint.links) else { return Ok(()) };
    let frame = simulation.link_pose(&simulation.links[first]);
    let bodies = [first, second].map(|link| simulation.links[link].body);
    if bodies[0] == bodies[1] {
        simulation.leave_out(location, format!("`{name}`: its links do not move against each other"));
        return Ok(());
    }
    let kind = match joint.joint_type {
        DeviceJointType::Revolute => JointKind::Hinge,
        DeviceJointType::Prismatic => JointKind::Slider,
        DeviceJointType::Fixed => JointKind::Fixed,
    };
    let mut definition = JointDefinition::new(kind, bodies[0], bodies[1])
        .at(frame.point(joint.position))
        .with_axis(0, frame.direction(joint.axis))
        .with_feedback();
    definition.spook = Some(JointSpook::new(joint.compliance.value, joint.spook_damping.value));
    let id = simulation.world.add_joint(definition).map_err(|e| SimulationError::new(&name, e))?;
    simulation.joints.push(SimulatedJoint { name: name.clone(), id: Some(id), axes: Vec::new(), child: None });
    simulation.devices.breakable.push(Breakable {
        name,
        joint: Some(id),
        limit: joint.limit.clone(),
        offset: joint.offset_force.value,
        direction: (joint.valid_axis != DVec3::ZERO).then(|| (first, joint.valid_axis.normalize())),
        is_signed: joint.is_signed.value,
        above: 0.0,
    });
    Ok(())
}

fn add_magnetic(simulation: &mut Simulation, name: String, joint: &MagneticJointDescription) {
    let Some(links) = pair(&joint.links) else { return };
    simulation.devices.magnetic.push(Magnetic {
        name,
        links,
        positions: joint.positions,
        axes: joint.axes,
        distance: joint.valid_distance.value,
        angle: joint.valid_angle.value,
        law: JointSpook::new(joint.compliance.value, joint.spook_damping.value),
        is_locked: false,
    });
}

impl Simulation {
    /// What devices do after a step \[s\]: joints break, or lock. Returns what happened, in words.
    pub fn act(&mut self, step: f64) -> Vec<String> {
        let mut devices = std::mem::take(&mut self.devices);
        let mut events = Vec::new();
        for device in &mut devices.breakable {
            events.extend(device.act(self, step));
        }
        for device in devices.magnetic.iter_mut().filter(|device| !device.is_locked) {
            events.extend(device.act(self));
        }
        self.devices = devices;
        events
    }
}

impl Breakable {
    /// Breaks where its force \[N\], less what does not count, is above its limit for its time, or the impulse of a step is.
    fn act(&mut self, simulation: &mut Simulation, step: f64) -> Option<String> {
        let id = self.joint?;
        let force = simulation.world.joint(id)?.feedback().forces[0];
        let counted = match self.direction {
            None => force.length(),
            Some((link, direction)) => {
                let along = simulation.link_pose(&simulation.links[link]).direction(direction).dot(force);
                if self.is_signed { along } else { along.abs() }
            }
        };
        let counted = counted - self.offset;
        let breaks = match &self.limit {
            BreakLimit::Force { limit, period } => {
                self.above = if counted > limit.value { self.above + step } else { 0.0 };
                self.above > 0.0 && self.above >= period.value
            }
            BreakLimit::Impulse(limit) => counted * step > limit.value,
        };
        breaks.then(|| {
            // The handle stays with the name: a saved state tells by it that the joint is gone.
            simulation.world.remove_joint(id);
            self.joint = None;
            format!("`{}` broke under {counted:.6} N", self.name)
        })
    }
}

impl Magnetic {
    /// Locks the links as they are, once the two frames are within the distance and their axes, which face each other, within
    /// the angle.
    fn act(&mut self, simulation: &mut Simulation) -> Option<String> {
        let poses = self.links.map(|link| simulation.link_pose(&simulation.links[link]));
        let bodies = self.links.map(|link| simulation.links[link].body);
        let place = |side: usize| poses[side].point(self.positions[side]);
        let axis = |side: usize| poses[side].direction(self.axes[side]).normalize_or(DVec3::Z);
        let is_near = (place(0) - place(1)).length() <= self.distance;
        if bodies[0] == bodies[1] || !is_near || axis(0).angle_between(-axis(1)) > self.angle {
            return None;
        }
        let definition = JointDefinition {
            spook: Some(self.law),
            ..JointDefinition::new(JointKind::Fixed, bodies[0], bodies[1]).at(place(0))
        };
        let id = simulation.world.add_joint(definition).ok()?;
        self.is_locked = true;
        simulation.joints.push(SimulatedJoint { name: self.name.clone(), id: Some(id), axes: Vec::new(), child: None });
        Some(format!("`{}` locked", self.name))
    }
}
