//! Joint axes and links that plugins act on.

use stiction::joints::{Drive, DriveGains, JointKind};
use stiction::math::DVec3;
use stiction::world::{BodyId, JointId, World};

use super::super::Simulation;
use super::compliance::Compliance;

/// An axis of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Axis {
    joint: JointId,
    axis: usize,
    slides: bool,
}

impl Axis {
    /// An axis, from 0, of a joint by its index; `None` where it does not move.
    pub(super) fn new(simulation: &Simulation, joint: usize, axis: usize) -> Option<Self> {
        let simulated = &simulation.joints[joint];
        let (id, axis) = (simulated.id?, *simulated.axes.get(axis)?);
        let slides = matches!(simulation.world.joint(id)?.definition().kind, JointKind::Slider);
        Some(Self { joint: id, axis, slides })
    }

    /// Position \[m or rad\]; 0 once the joint is gone.
    pub(super) fn position(&self, world: &World) -> f64 {
        world.joint(self.joint).map_or(0.0, |joint| joint.position(self.axis))
    }

    /// Rate \[m/s or rad/s\].
    pub(super) fn rate(&self, world: &World) -> f64 {
        world.joint(self.joint).map_or(0.0, |joint| joint.rate(self.axis))
    }

    /// Where it is.
    pub(super) fn anchor(&self, world: &World) -> DVec3 {
        world.joint(self.joint).map_or(DVec3::ZERO, |joint| joint.anchor(0))
    }

    /// Its unit vector in the world.
    pub(super) fn direction(&self, world: &World) -> DVec3 {
        world.joint(self.joint).map_or(DVec3::ZERO, |joint| joint.axis(usize::from(self.axis == 1), self.axis))
    }

    /// It slides, and does not turn.
    pub(super) fn slides(&self) -> bool {
        self.slides
    }

    /// Lets a drive reach a rate at the end of the next step, with a largest force in addition to the joint's own limit.
    pub(super) fn drive(&self, world: &mut World, rate: f64, force: f64) {
        let drive = Drive::new(0.0, rate, DriveGains::Rigid { closing: 0.0 });
        self.set_drive(world, Some(Drive { range: [-force, force], ..drive }));
    }

    /// What drives it in the next steps, within the joint's limits.
    pub(super) fn set_drive(&self, world: &mut World, drive: Option<Drive>) {
        if let Some(parameters) = world.joint_parameters_mut(self.joint, self.axis) {
            parameters.drive = drive;
        }
    }

    /// Drives it beside what drives it already in this step.
    pub(super) fn add_drive(&self, world: &mut World, drive: &Drive) {
        if let Some(parameters) = world.joint_parameters_mut(self.joint, self.axis) {
            parameters.drive = Some(parameters.drive.map_or(*drive, |first| first.and(drive)));
        }
    }

    /// No force of the joint's own bounds a drive.
    pub(super) fn is_unbounded(&self, world: &World) -> bool {
        world.joint(self.joint).is_some_and(|j| j.definition().parameters[self.axis].effort_limit.is_infinite())
    }

    /// A force or torque along it in the next step.
    pub(super) fn push(&self, world: &mut World, force: f64) {
        // False only for a joint that is gone.
        let _ = world.add_joint_force(self.joint, self.axis, force);
    }

    pub(super) fn id(&self) -> JointId {
        self.joint
    }

    pub(super) fn motion(&self) -> usize {
        self.axis
    }
}

/// A link of a body, with what forces on it need.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) link: usize,
    pub(super) body: BodyId,
}

impl Part {
    /// A link by its index; `None` for one that does not move.
    pub(super) fn new(simulation: &Simulation, link: usize) -> Option<Self> {
        simulation.links[link].body.map(|body| Self { link, body })
    }

    pub(super) fn pose(&self, simulation: &Simulation) -> stiction::math::Pose {
        simulation.link_pose(&simulation.links[self.link])
    }

    /// Velocity of the origin, and angular velocity.
    pub(super) fn velocity(&self, simulation: &Simulation) -> (DVec3, DVec3) {
        simulation.link_velocity(&simulation.links[self.link])
    }

    /// Adds a wrench whose force acts at a point of the world; what is not finite is left out.
    pub(super) fn push(&self, simulation: &mut Simulation, force: DVec3, torque: DVec3, point: DVec3) {
        if !(force.is_finite() && torque.is_finite() && point.is_finite()) {
            return;
        }
        if let Some(mut body) = simulation.world.body_mut(self.body) {
            body.add_force_at(force, point);
            body.add_torque(torque);
        }
    }

    /// Adds a wrench that takes energy off a motion, as much as it can in a step: a wrench W on the body at its motion u
    /// changes the kinetic energy by `h W·u + h² W·A W / 2` with its [`Compliance`] A, which is least at the share
    /// `−W·u / (h W·A W)`. `u` is the motion of the point against the fluid.
    pub(super) fn resist(
        &self,
        simulation: &mut Simulation,
        [force, torque]: [DVec3; 2],
        [velocity, omega]: [DVec3; 2],
        point: DVec3,
        step: f64,
    ) {
        let Some(compliance) = Compliance::new(simulation, self.body) else { return };
        let about_center = torque + (point - compliance.center).cross(force);
        let power = force.dot(velocity) + torque.dot(omega);
        let (turn, shift) = compliance.answer(about_center, force);
        let answer = about_center.dot(turn) + force.dot(shift);
        let share = if power < 0.0 && answer > 0.0 { (-power / (step * answer)).min(1.0) } else { 1.0 };
        self.push(simulation, share * force, share * torque, point);
    }

    /// Velocity that a force at a point gives it there in a step \[m/s\].
    pub(super) fn answer(&self, simulation: &Simulation, force: DVec3, point: DVec3, step: f64) -> DVec3 {
        let Some(compliance) = Compliance::new(simulation, self.body) else { return DVec3::ZERO };
        let arm = point - compliance.center;
        let (turn, shift) = compliance.answer(arm.cross(force), force);
        step * (shift + turn.cross(arm))
    }
}
