//! Copies of a world that are stepped together: environments to learn, to sample or to sweep in.
//!
//! A [`Batch`] makes `n` environments of one world. Each is a world of its own: its parameters, masses and surfaces may be changed
//! ([`Batch::world_mut`]), it may be reset without the others, and it moves as it would alone, bit for bit, for any number of
//! threads. Mechanisms that nothing touches are moved side by side, one environment a lane of the processor's registers, as long as
//! they are built alike; numbers may differ. Commands and states are arrays with one row for each environment.
//!
//! ```
//! use stiction::batch::{Actuator, Batch, Command, Quantity};
//! use stiction::prelude::*;
//!
//! let mut world = World::new(WorldParameters { gravity: DVec3::new(0.0, 0.0, -9.81), ..WorldParameters::default() });
//! let rod = Shape::cuboid(DVec3::new(0.05, 0.05, 1.0))?.mass_properties(1000.0).ok_or("a solid")?;
//! let pose = Pose::from_position(DVec3::new(0.0, 0.0, -0.5));
//! let body = world.add_body(&BodyDefinition { mass: rod, pose, ..BodyDefinition::default() })?;
//! let joint = world.add_joint(JointDefinition::new(JointKind::Hinge, Some(body), None).with_axis(0, DVec3::Y))?;
//!
//! let mut batch = Batch::new(&world, 16);
//! batch.set_actuators(&[Actuator { joint, axis: 0, command: Command::Force }])?;
//! let torques: Vec<f64> = (0..16).map(f64::from).collect();
//! batch.set_commands(&torques)?;
//! batch.step(0.002, 100)?;
//! let angles = batch.read(Quantity::Positions);
//! assert!(angles[0] == 0.0 && angles[15] > angles[1]);
//!
//! batch.reset(15)?;
//! assert_eq!(batch.read(Quantity::Positions)[15], 0.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod block;

use thiserror::Error;

use crate::joints::AxisParameters;
use crate::pipeline::Threads;
use crate::world::{BodyId, JointId, Snapshot, World};
use block::{Block, MOST};

/// What a command says to a motion of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// A force or torque along it, within its effort limit \[N or N m\].
    Force,
    /// The position to which its drive leads it \[m or rad\].
    Position,
    /// The rate of its drive, or of its motor where it has no drive \[m/s or rad/s\].
    Velocity,
}

/// A motion of a joint that takes commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Actuator {
    /// The joint.
    pub joint: JointId,
    /// The motion, 0 to 2.
    pub axis: usize,
    /// What a command says.
    pub command: Command,
}

/// What a batch tells of its environments; each has a row of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Simulated time \[s\]: one column.
    Time,
    /// Positions of the motions of joints \[m or rad\]: a column for each of [`Batch::motions`].
    Positions,
    /// Their rates \[m/s or rad/s\].
    Rates,
    /// Generalized forces along them in the last step, by motors, stops, springs, dampers and the user \[N or N m\].
    Efforts,
    /// Poses of the frames of bodies in the world: for each of [`Batch::bodies`] the position x, y, z \[m\], and the rotation as a quaternion
    /// x, y, z, w.
    Poses,
    /// Velocities of the centres of mass \[m/s\], then angular velocities \[rad/s\], world axes: six columns for each body.
    Velocities,
}

/// What a batch refuses.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum BatchError {
    /// There is no such environment.
    #[error("no environment {found}: the batch has {count}, numbered from 0")]
    Environment {
        /// The number that was given.
        found: usize,
        /// Number of environments.
        count: usize,
    },
    /// An array has another length than it should.
    #[error("{what}: found {found} numbers, expected {expected}: {rows} environments of {columns}")]
    Length {
        /// What the array is.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The length that it should have.
        expected: usize,
        /// Number of environments.
        rows: usize,
        /// Numbers for each.
        columns: usize,
    },
    /// A command is no finite number.
    #[error("command {column} of environment {row}: found {found}, expected a finite number")]
    Command {
        /// The environment.
        row: usize,
        /// The actuator.
        column: usize,
        /// What was found.
        found: f64,
    },
    /// An actuator is of a joint that is not there, or that has no such motion.
    #[error("actuator {number}: the joint is not there, or has no motion {axis}")]
    NoMotion {
        /// Number of the actuator.
        number: usize,
        /// The motion.
        axis: usize,
    },
    /// An actuator leads a motion to a position or a rate, and nothing there does that.
    #[error("actuator {number}: motion {axis} of the joint has no drive{}", if *is_position { "" } else { " and no motor" })]
    NoDrive {
        /// Number of the actuator.
        number: usize,
        /// The motion.
        axis: usize,
        /// Its commands are positions.
        is_position: bool,
    },
    /// A step is not positive and finite.
    #[error("step: found {found} s, expected a finite number above 0")]
    Step {
        /// What was found \[s\].
        found: f64,
    },
}

/// Environments that are copies of one world.
pub struct Batch {
    start: Snapshot,
    blocks: Vec<Block>,
    count: usize,
    bodies: Vec<BodyId>,
    motions: Vec<(JointId, usize)>,
    actuators: Vec<Actuator>,
    threads: Threads<()>,
}

impl Batch {
    /// So many copies of a world in its present state, to which [`Self::reset`] leads back. Environments have a thread each; the batch has as many as the
    /// world ([`WorldParameters::threads`](crate::world::WorldParameters)).
    #[must_use]
    pub fn new(world: &World, count: usize) -> Self {
        let mut source = world.clone();
        source.parameters.threads = 1;
        let worlds = vec![source; count];
        let mut blocks = Vec::new();
        let mut rest = worlds.into_iter();
        while rest.len() > 0 {
            blocks.push(Block::new(rest.by_ref().take(MOST).collect()));
        }
        let motions = world.joint_ids().flat_map(|id| {
            let count = world.joint(id).map_or(0, |joint| joint.motion_count());
            (0..count).map(move |axis| (id, axis))
        });
        let mut own = Self {
            start: world.snapshot(),
            blocks,
            count,
            bodies: world.body_ids().collect(),
            motions: motions.collect(),
            actuators: Vec::new(),
            threads: Threads::default(),
        };
        own.set_threads(world.parameters.threads as usize);
        own
    }

    /// Number of environments.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// There is no environment.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Bodies in the order of columns: that of their creation.
    #[must_use]
    pub fn bodies(&self) -> &[BodyId] {
        &self.bodies
    }

    /// Motions of joints in the order of columns, each with its number in the joint.
    #[must_use]
    pub fn motions(&self) -> &[(JointId, usize)] {
        &self.motions
    }

    /// Steps on so many threads; 0 and 1 are the caller's own. The results are the same.
    pub fn set_threads(&mut self, count: usize) {
        self.threads.set(count);
    }

    /// An environment, to read.
    ///
    /// # Errors
    /// A number out of range.
    pub fn world(&self, environment: usize) -> Result<&World, BatchError> {
        let block = self.blocks.get(environment / MOST);
        block.and_then(|block| block.worlds.get(environment % MOST)).ok_or(self.no_environment(environment))
    }

    /// An environment, to change: masses, surfaces, gains, parameters, its state. Its bodies and joints have the handles of the world of which it is a
    /// copy. Bodies and joints that are added or removed here are in no column.
    ///
    /// # Errors
    /// A number out of range.
    pub fn world_mut(&mut self, environment: usize) -> Result<&mut World, BatchError> {
        let error = self.no_environment(environment);
        let block = self.blocks.get_mut(environment / MOST);
        block.and_then(|block| block.worlds.get_mut(environment % MOST)).ok_or(error)
    }

    fn no_environment(&self, found: usize) -> BatchError {
        BatchError::Environment { found, count: self.count }
    }

    /// Puts an environment back to the state in which the batch was made. What was changed of its model stays.
    ///
    /// # Errors
    /// A number out of range.
    pub fn reset(&mut self, environment: usize) -> Result<(), BatchError> {
        let error = self.no_environment(environment);
        let Self { blocks, start, .. } = self;
        let world = blocks.get_mut(environment / MOST).and_then(|block| block.worlds.get_mut(environment % MOST));
        world.ok_or(error)?.restore(start);
        Ok(())
    }

    /// Does so with the environments that are marked.
    ///
    /// # Errors
    /// A mark for each environment is needed.
    pub fn reset_where(&mut self, is_marked: &[bool]) -> Result<(), BatchError> {
        self.check_length("marks", is_marked.len(), 1)?;
        let Self { blocks, start, .. } = self;
        let worlds = blocks.iter_mut().flat_map(|block| &mut block.worlds);
        worlds.zip(is_marked).filter(|(_, is_marked)| **is_marked).for_each(|(world, _)| world.restore(start));
        Ok(())
    }

    /// Says which motions take commands, in the order of columns of [`Self::set_commands`]. There are no commands until they are set.
    ///
    /// # Errors
    /// Joints that are not there, motions that they do not have; a position or a velocity for a motion without a drive (or motor).
    pub fn set_actuators(&mut self, actuators: &[Actuator]) -> Result<(), BatchError> {
        for block in &self.blocks {
            for world in &block.worlds {
                (0..).zip(actuators).try_for_each(|(number, actuator)| check(world, number, actuator))?;
            }
        }
        self.actuators = actuators.to_vec();
        self.blocks.iter_mut().for_each(|block| block.commands.clear());
        Ok(())
    }

    /// Commands that hold from now on: a row for each environment, a column for each actuator.
    ///
    /// # Errors
    /// Another length, and numbers that are not finite; nothing is changed then.
    pub fn set_commands(&mut self, commands: &[f64]) -> Result<(), BatchError> {
        let columns = self.actuators.len();
        self.check_length("commands", commands.len(), columns)?;
        if let Some(index) = commands.iter().position(|command| !command.is_finite()) {
            return Err(BatchError::Command { row: index / columns, column: index % columns, found: commands[index] });
        }
        if columns == 0 {
            return Ok(());
        }
        for (block, rows) in self.blocks.iter_mut().zip(commands.chunks(MOST * columns)) {
            block.commands.clear();
            block.commands.extend_from_slice(rows);
            for (world, row) in block.worlds.iter_mut().zip(rows.chunks_exact(columns)) {
                self.actuators.iter().zip(row).for_each(|(actuator, target)| lead(world, actuator, *target));
            }
        }
        Ok(())
    }

    /// Advances every environment by so many steps of a length \[s\], under the same commands. What went wrong in an environment is in the report of
    /// its world.
    ///
    /// # Errors
    /// A step that is not positive and finite.
    pub fn step(&mut self, step: f64, count: u32) -> Result<(), BatchError> {
        if !(step > 0.0 && step.is_finite()) {
            return Err(BatchError::Step { found: step });
        }
        let Self { blocks, threads, actuators, .. } = self;
        threads.each(blocks, true, |block, ()| block.advance(actuators, step, count));
        Ok(())
    }

    /// Numbers of a quantity for each environment.
    #[must_use]
    pub fn columns(&self, quantity: Quantity) -> usize {
        match quantity {
            Quantity::Time => 1,
            Quantity::Positions | Quantity::Rates | Quantity::Efforts => self.motions.len(),
            Quantity::Poses => 7 * self.bodies.len(),
            Quantity::Velocities => 6 * self.bodies.len(),
        }
    }

    /// A quantity of all environments, row after row.
    #[must_use]
    pub fn read(&self, quantity: Quantity) -> Vec<f64> {
        let mut numbers = vec![0.0; self.count * self.columns(quantity)];
        self.fill(quantity, &mut numbers);
        numbers
    }

    /// The same into memory of the caller's.
    ///
    /// # Errors
    /// Another length.
    pub fn read_into(&self, quantity: Quantity, numbers: &mut [f64]) -> Result<(), BatchError> {
        self.check_length("numbers", numbers.len(), self.columns(quantity))?;
        self.fill(quantity, numbers);
        Ok(())
    }

    fn fill(&self, quantity: Quantity, numbers: &mut [f64]) {
        let worlds = self.blocks.iter().flat_map(|block| &block.worlds);
        for (world, row) in worlds.zip(numbers.chunks_exact_mut(self.columns(quantity).max(1))) {
            match quantity {
                Quantity::Time => row[0] = world.time(),
                Quantity::Positions | Quantity::Rates | Quantity::Efforts => self.fill_motions(world, quantity, row),
                Quantity::Poses => {
                    for (body, own) in self.bodies.iter().zip(row.chunks_exact_mut(7)) {
                        let Some(body) = world.body(*body) else { continue };
                        own[..3].copy_from_slice(&body.pose().position.to_array());
                        own[3..].copy_from_slice(&body.pose().rotation.to_array());
                    }
                }
                Quantity::Velocities => {
                    for (body, own) in self.bodies.iter().zip(row.chunks_exact_mut(6)) {
                        let Some(body) = world.body(*body) else { continue };
                        own[..3].copy_from_slice(&body.velocity().to_array());
                        own[3..].copy_from_slice(&body.omega().to_array());
                    }
                }
            }
        }
    }

    fn fill_motions(&self, world: &World, quantity: Quantity, row: &mut [f64]) {
        for ((joint, axis), number) in self.motions.iter().zip(row) {
            let Some(joint) = world.joint(*joint) else { continue };
            *number = match quantity {
                Quantity::Rates => joint.rate(*axis),
                Quantity::Efforts => joint.effort(*axis),
                _ => joint.position(*axis),
            };
        }
    }

    fn check_length(&self, what: &'static str, found: usize, columns: usize) -> Result<(), BatchError> {
        let expected = self.count * columns;
        let holds = found == expected;
        if holds { Ok(()) } else { Err(BatchError::Length { what, found, expected, rows: self.count, columns }) }
    }
}

/// The motion of an actuator is there, and does what commands say.
fn check(world: &World, number: usize, actuator: &Actuator) -> Result<(), BatchError> {
    let Actuator { joint, axis, command } = *actuator;
    let is_there = world.joint(joint).is_some_and(|joint| axis < joint.motion_count());
    let law = world.joint(joint).and_then(|joint| joint.definition().parameters.get(axis).copied());
    let Some(law) = law.filter(|_| is_there) else { return Err(BatchError::NoMotion { number, axis }) };
    let is_led = match command {
        Command::Force => true,
        Command::Position => law.drive.is_some(),
        Command::Velocity => law.drive.is_some() || law.motor.max_force > 0.0,
    };
    if is_led { Ok(()) } else { Err(BatchError::NoDrive { number, axis, is_position: command == Command::Position }) }
}

/// Sets what a drive or a motor leads its motion to.
fn lead(world: &mut World, actuator: &Actuator, target: f64) {
    let read = |law: &AxisParameters| match (actuator.command, &law.drive) {
        (Command::Position, Some(drive)) => Some(drive.position),
        (Command::Velocity, Some(drive)) => Some(drive.velocity),
        (Command::Velocity, None) => Some(law.motor.velocity),
        _ => None,
    };
    let present = world.joint(actuator.joint).and_then(|joint| read(joint.definition().parameters.get(actuator.axis)?));
    if present.is_none_or(|present| present == target) {
        return;
    }
    let Some(law) = world.joint_parameters_mut(actuator.joint, actuator.axis) else { return };
    match (actuator.command, &mut law.drive) {
        (Command::Position, Some(drive)) => drive.position = target,
        (Command::Velocity, Some(drive)) => drive.velocity = target,
        (Command::Velocity, None) => law.motor.velocity = target,
        _ => {}
    }
}
