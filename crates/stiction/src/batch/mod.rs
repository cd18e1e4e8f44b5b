//! Copies of a world that are stepped together: environments for learning, sampling and parameter sweeps.
//!
//! A [`Batch`] makes `n` environments of one world. Each is a world of its own: its parameters, masses and surfaces can be changed
//! ([`Batch::world_mut`]), it can be reset without the others, and its results are bitwise those of a single world, for any number of
//! threads. Mechanisms without contacts move in vector lanes, one environment per lane, as long as they have the same structure;
//! masses and other numbers may differ. Commands and states are arrays with one row per environment.
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

/// What a command sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// A force or torque along it, within its effort limit \[N or N m\].
    Force,
    /// The target position of its drive \[m or rad\].
    Position,
    /// The target rate of its drive, or of its motor if it has no drive \[m/s or rad/s\].
    Velocity,
}

/// A motion of a joint that takes commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Actuator {
    /// The joint.
    pub joint: JointId,
    /// The motion, 0 to 2.
    pub axis: usize,
    /// What its commands set.
    pub command: Command,
}

/// What a batch reads off its environments, one row per environment.
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

/// Wrong input to a batch.
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
    /// A command is not finite.
    #[error("command {column} of environment {row}: found {found}, expected a finite number")]
    Command {
        /// The environment.
        row: usize,
        /// The actuator.
        column: usize,
        /// What was found.
        found: f64,
    },
    /// The joint of an actuator does not exist, or has no such motion.
    #[error("actuator {number}: the joint does not exist, or has no motion {axis}")]
    NoMotion {
        /// Number of the actuator.
        number: usize,
        /// The motion.
        axis: usize,
    },
    /// An actuator takes target positions or rates, and its motion has no drive or motor.
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
    /// Makes `count` copies of a world in its present state, to which [`Self::reset`] returns. The batch steps environments on as many threads as the world has
    /// ([`WorldParameters::threads`](crate::world::WorldParameters)); each environment is stepped by one thread.
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
        let found = self.blocks.get(environment / MOST).and_then(|block| block.worlds.get(environment % MOST));
        found.ok_or(BatchError::Environment { found: environment, count: self.count })
    }

    /// An environment, to change: masses, surfaces, gains, parameters, its state. Bodies and joints have the handles of the world of which it is a
    /// copy; those that are added here have no columns.
    ///
    /// # Errors
    /// A number out of range.
    pub fn world_mut(&mut self, environment: usize) -> Result<&mut World, BatchError> {
        find_mut(&mut self.blocks, environment, self.count)
    }

    fn worlds(&self) -> impl Iterator<Item = &World> {
        self.blocks.iter().flat_map(|block| &block.worlds)
    }

    /// Restores the state of an environment to that in which the batch was made. Changes of its model stay.
    ///
    /// # Errors
    /// A number out of range.
    pub fn reset(&mut self, environment: usize) -> Result<(), BatchError> {
        find_mut(&mut self.blocks, environment, self.count)?.restore(&self.start);
        Ok(())
    }

    /// Resets the environments that are marked.
    ///
    /// # Errors
    /// Not one mark per environment.
    pub fn reset_where(&mut self, is_marked: &[bool]) -> Result<(), BatchError> {
        self.check_length("marks", is_marked.len(), 1)?;
        let worlds = self.blocks.iter_mut().flat_map(|block| &mut block.worlds);
        let marked = worlds.zip(is_marked).filter(|(_, is_marked)| **is_marked);
        marked.for_each(|(world, _)| world.restore(&self.start));
        Ok(())
    }

    /// Sets the motions that take commands, in the order of columns of [`Self::set_commands`]. Commands of earlier actuators no longer act.
    ///
    /// # Errors
    /// Joints that do not exist, motions that they do not have; positions or velocities for a motion without a drive (or motor).
    pub fn set_actuators(&mut self, actuators: &[Actuator]) -> Result<(), BatchError> {
        for world in self.worlds() {
            (0..).zip(actuators).try_for_each(|(number, actuator)| check(world, number, actuator))?;
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
                self.actuators.iter().zip(row).for_each(|(actuator, value)| set_target(world, actuator, *value));
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
        for (world, row) in self.worlds().zip(numbers.chunks_exact_mut(self.columns(quantity).max(1))) {
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

/// An environment by its number.
fn find_mut(blocks: &mut [Block], environment: usize, count: usize) -> Result<&mut World, BatchError> {
    let found = blocks.get_mut(environment / MOST).and_then(|block| block.worlds.get_mut(environment % MOST));
    found.ok_or(BatchError::Environment { found: environment, count })
}

/// The motion of an actuator exists, and has what its commands set.
fn check(world: &World, number: usize, actuator: &Actuator) -> Result<(), BatchError> {
    let Actuator { joint, axis, command } = *actuator;
    let joint = world.joint(joint).filter(|joint| axis < joint.motion_count());
    let law = joint.and_then(|joint| joint.definition().parameters.get(axis).copied());
    let Some(mut law) = law else { return Err(BatchError::NoMotion { number, axis }) };
    let has_motor = law.drive.is_some() || law.motor.max_force > 0.0;
    if command == Command::Force || has_motor && target(&mut law, command).is_some() {
        return Ok(());
    }
    Err(BatchError::NoDrive { number, axis, is_position: command == Command::Position })
}

/// Sets the target of a drive or a motor.
fn set_target(world: &mut World, actuator: &Actuator, value: f64) {
    if actuator.command == Command::Force {
        return;
    }
    let law = world.joint_parameters_mut(actuator.joint, actuator.axis);
    if let Some(target) = law.and_then(|law| target(law, actuator.command)) {
        *target = value;
    }
}

/// What commands of a kind set in the law of a motion; none for forces, and for positions without a drive.
fn target(law: &mut AxisParameters, command: Command) -> Option<&mut f64> {
    match (command, &mut law.drive) {
        (Command::Position, Some(drive)) => Some(&mut drive.position),
        (Command::Velocity, Some(drive)) => Some(&mut drive.velocity),
        (Command::Velocity, None) => Some(&mut law.motor.velocity),
        _ => None,
    }
}
