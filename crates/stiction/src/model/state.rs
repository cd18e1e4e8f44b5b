//! The state: everything that can influence the next step, separate from the model.

use glam::{DQuat, DVec3};

use super::{BodyId, ContactCache, ContactReport, PatchCache, WireState};
use crate::dynamics::rigid::RigidMotion;
use crate::integrators::Carry;

/// State of one body, by slot.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyState {
    /// Pose of the centre of mass and velocities.
    pub motion: RigidMotion,
    /// Force accumulator \[N\], world axes, at the centre of mass.
    pub force: DVec3,
    /// Torque accumulator \[N m\], world axes.
    pub torque: DVec3,
    /// Takes part in steps.
    pub is_enabled: bool,
    /// Work of the hard joints of the mechanism whose first body this is, brought forward \[J\].
    pub joint_work: f64,
    /// Kinetic energy that this mechanism had of late \[J\].
    pub joint_energy: f64,
    /// Idle steps that are left before it sleeps.
    pub idle_steps_left: u32,
    /// Idle time that is left before it sleeps \[s\].
    pub idle_time_left: f64,
    /// Last velocities, linear and angular, oldest overwritten first.
    pub samples: Vec<(DVec3, DVec3)>,
    /// Next entry of `samples` to overwrite.
    pub sample_index: usize,
}

impl BodyState {
    /// At rest at the origin.
    #[must_use]
    pub fn at_rest() -> Self {
        Self {
            motion: RigidMotion {
                position: DVec3::ZERO,
                rotation: DQuat::IDENTITY,
                velocity: DVec3::ZERO,
                omega: DVec3::ZERO,
            },
            force: DVec3::ZERO,
            torque: DVec3::ZERO,
            is_enabled: true,
            joint_work: 0.0,
            joint_energy: 0.0,
            idle_steps_left: 0,
            idle_time_left: 0.0,
            samples: Vec::new(),
            sample_index: 0,
        }
    }
}

/// State of one joint, by slot.
#[derive(Clone, Debug, PartialEq)]
pub struct JointState {
    /// Positions of its free motions; angles do not wrap \[m or rad\].
    pub positions: [f64; 3],
    /// Rates of its free motions \[m/s or rad/s\].
    pub rates: [f64; 3],
    /// Forces or torques that the user put on its motions for the next step \[N or N m\].
    pub forces: [f64; 3],
    /// Generalized force along each motion in the last step, by motor, stop, spring and damper \[N or N m\].
    pub efforts: [f64; 3],
    /// The part of them that is of drives \[N or N m\].
    pub drives: [f64; 3],
    /// Accelerations that the full force of a drive made along each motion, downwards and upwards; ∞ as long as nothing is
    /// known \[m/s² or rad/s²\].
    pub accelerations: [[f64; 2]; 3],
    /// Impulses of its rows in the last step, in the order of rows.
    pub impulses: [f64; crate::joints::MAX_ROWS],
    /// Number of rows in the last step.
    pub row_count: usize,
    /// Energy that its soft rows have taken up and may give back \[J\]; for the balance of energy only.
    pub stored: f64,
    /// How far it was off its stops, its leader or itself at the start of the run and still is, as long as that grows less, 0
    /// from then on \[m or rad\]: what closing it gives is of the file; for the balance of energy only.
    pub placed: f64,
    /// What it is off is closed at a bounded rate ([`crate::world::World::close_start`]), until it is closed.
    pub is_led: bool,
    /// Square of the relative velocity of its bodies, linear and angular, that it does not allow, after a step that moved them as a tree that nothing
    /// touches \[m²/s² and rad²/s²\]. More than that at the start of the next step was given by the user, and is removed.
    pub squared_velocity_error: f64,
}

impl Default for JointState {
    fn default() -> Self {
        Self {
            positions: [0.0; 3],
            rates: [0.0; 3],
            forces: [0.0; 3],
            efforts: [0.0; 3],
            drives: [0.0; 3],
            accelerations: [[f64::INFINITY; 2]; 3],
            impulses: [0.0; crate::joints::MAX_ROWS],
            row_count: 0,
            stored: 0.0,
            placed: 0.0,
            is_led: false,
            squared_velocity_error: 0.0,
        }
    }
}

impl State {
    /// A step has been made.
    pub(crate) fn advance_clock(&mut self, step: f64) {
        self.time += step;
        self.steps += 1;
        self.last_step = step;
    }

    /// Rotation of a body; none for one that does not exist.
    pub(crate) fn rotation(&self, body: BodyId) -> DQuat {
        self.bodies.get(body.slot()).map_or(DQuat::IDENTITY, |body| body.motion.rotation)
    }
}

/// State of a world.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Simulated time \[s\].
    pub time: f64,
    /// Steps taken.
    pub steps: u64,
    /// Step of the last step \[s\]; impulses scale with it.
    pub last_step: f64,
    /// What continuous time carries from step to step.
    pub carry: Carry,
    /// Bodies by slot.
    pub bodies: Vec<BodyState>,
    /// Joints by slot.
    pub joints: Vec<JointState>,
    /// Wires by slot.
    pub wires: Vec<WireState>,
    /// Impulses of the last step's contacts, for the warm start.
    pub contacts: ContactCache,
    /// Patches of the last step's rigid contacts, under sub-steps.
    pub patches: PatchCache,
    /// Contact points of the last step; those between bodies that sleep are as they were when they fell asleep.
    pub reports: Vec<ContactReport>,
    /// Bodies that were moved by hand since the last step.
    pub moved: Vec<BodyId>,
}
