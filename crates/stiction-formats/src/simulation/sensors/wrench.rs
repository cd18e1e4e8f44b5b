//! What a force-torque sensor reads: the wrench that a joint transmits, about the sensor.
//!
//! As gz-sim has it, the sensor is placed in the frame of the joint, which is fixed to the child. A moment about its origin `s`
//! is that about the centre of mass `c` with the arm of the force, `τₛ = τ_c + (c − s) × f`; `<frame>` only turns the axes.

use std::collections::BTreeSet;

use stiction::math::{DQuat, DVec3};
use stiction::world::JointId;

use super::super::Simulation;
use super::Sensor;
use super::values::SensorValue;
use crate::description::WorldDescription;
use crate::plugins::PluginKind;
use crate::sensors::{SensorKind, WrenchFrame};

/// A joint whose wrench is read.
#[derive(Clone, Copy)]
pub(super) struct Measured {
    pub(super) joint: JointId,
    pub(super) parent: Option<usize>,
}

/// Joints whose wrenches something reads.
pub(in super::super) fn measured_joints(description: &WorldDescription) -> BTreeSet<usize> {
    let of_sensors = description.sensors.list.iter().filter_map(|sensor| match sensor.kind {
        SensorKind::ForceTorque { .. } => sensor.joint,
        _ => None,
    });
    let of_plugins = description.plugins.iter().filter_map(|plugin| match &plugin.kind {
        PluginKind::Breakable(breakable) => Some(breakable.joint),
        _ => None,
    });
    of_sensors.chain(of_plugins).collect()
}

impl Sensor {
    /// The wrench of the parent on the child, or the other way around: its mean over the step, in the axes of its middle.
    pub(super) fn wrench(
        &self,
        simulation: &Simulation,
        step: f64,
        frame: WrenchFrame,
        to_child: bool,
    ) -> Option<SensorValue> {
        let measured = self.joint?;
        let joint = simulation.world.joint(measured.joint)?;
        let (bodies, feedback) = (joint.definition().bodies, joint.feedback());
        // The side of the child, or of the body that moves where the child does not.
        let of_child = |side: &usize| self.body.is_some() && bodies[*side] == self.body;
        let side = (0..2).find(of_child).or_else(|| (0..2).find(|side| bodies[*side].is_some()))?;
        let body = simulation.world.body(bodies[side]?)?;
        let (force, about_center) = (feedback.forces[side], feedback.torques[side]);
        let place = self.place(simulation);
        let torque = about_center + (body.center_of_mass() - place.position).cross(force);
        let sign = if of_child(&side) == to_child { 1.0 } else { -1.0 };
        let of_link = |link: usize| &simulation.links[link];
        let (rotation, carrier) = match frame {
            WrenchFrame::Child => (simulation.link_pose(of_link(self.link)).rotation, Some(self.link)),
            WrenchFrame::Sensor => (place.rotation, Some(self.link)),
            WrenchFrame::Parent => {
                let rotation = measured.parent.map(|link| simulation.link_pose(of_link(link)).rotation);
                (rotation.unwrap_or(DQuat::IDENTITY), measured.parent)
            }
        };
        let omega = carrier.map_or(DVec3::ZERO, |link| simulation.link_velocity(of_link(link)).1);
        let back = (DQuat::from_scaled_axis(-0.5 * step * omega) * rotation).conjugate();
        Some(SensorValue::Wrench { force: back * (sign * force), torque: back * (sign * torque) })
    }
}
