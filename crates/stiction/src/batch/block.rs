//! Environments whose trees move side by side.

use super::{Actuator, Command};
use crate::pipeline::{GroupsInFlow, advance_flows};
use crate::solvers::soft::WidthOfLanes;
use crate::world::World;

/// Environments of a block: as many as there are lanes.
pub(super) const MOST: usize = WidthOfLanes::MOST;

/// Some environments of a batch.
pub(super) struct Block {
    pub(super) worlds: Vec<World>,
    /// By environment and actuator.
    pub(super) commands: Vec<f64>,
    groups: GroupsInFlow,
}

impl Block {
    pub(super) fn new(worlds: Vec<World>) -> Self {
        Self { worlds, commands: Vec::new(), groups: GroupsInFlow::default() }
    }

    /// Advances each environment by steps of a length \[s\].
    pub(super) fn advance(&mut self, actuators: &[Actuator], step: f64, count: u32) {
        for _ in 0..count {
            self.push(actuators);
            let mut is_in_step = [false; MOST];
            for (world, is_in_step) in self.worlds.iter_mut().zip(&mut is_in_step) {
                *is_in_step = world.begin_step(step);
            }
            let worlds = self.worlds.iter_mut().zip(is_in_step);
            let mut flowing: Vec<_> = worlds.map(|(world, is_in_step)| world.flowing(is_in_step)).collect();
            advance_flows(&mut flowing, &mut self.groups, step);
            for (world, _) in self.worlds.iter_mut().zip(is_in_step).filter(|(_, is_in_step)| *is_in_step) {
                world.finish_step(step);
            }
        }
    }

    /// Puts the forces of the commands on the motions.
    fn push(&mut self, actuators: &[Actuator]) {
        let rows = self.commands.chunks_exact(actuators.len().max(1));
        for (world, row) in self.worlds.iter_mut().zip(rows) {
            for (actuator, force) in actuators.iter().zip(row).filter(|(own, _)| own.command == Command::Force) {
                world.add_joint_force(actuator.joint, actuator.axis, *force);
            }
        }
    }
}
