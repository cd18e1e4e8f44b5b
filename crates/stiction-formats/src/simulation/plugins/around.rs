//! What plugins see when they are asked for forces that follow the motion, and how they act.

use stiction::math::{DVec3, Pose};
use stiction::world::{BodyId, ForceField, Motion, TimeAdvancement};

use super::super::{SimulatedLink, Simulation};
use super::Plugins;
use super::axis::{Axis, Part};

/// The beginning of a discrete step, or a state that the integrator of continuous time asks for.
pub(in super::super) enum Around<'a> {
    /// With the size of the step \[s\]: a force acts through all of it.
    Step(&'a mut Simulation, f64),
    /// Forces act at this moment only.
    Moment(&'a mut dyn Motion, &'a Surroundings<'a>),
}

/// What does not change within a step.
pub(in super::super) struct Surroundings<'a> {
    links: &'a [SimulatedLink],
    gravity: DVec3,
    wind: DVec3,
}

impl Around<'_> {
    pub(super) fn pose(&self, part: Part) -> Pose {
        match self {
            Self::Step(simulation, step) => simulation
                .world
                .pose_for_forces(part.body, *step)
                .map_or(Pose::IDENTITY, |pose| pose.compose(&simulation.links[part.link].pose)),
            Self::Moment(motion, around) => {
                motion.pose(part.body).map_or(Pose::IDENTITY, |pose| pose.compose(&around.links[part.link].pose))
            }
        }
    }

    /// Velocity of the origin, and angular velocity.
    pub(super) fn velocity(&self, part: Part) -> (DVec3, DVec3) {
        match self {
            Self::Step(simulation, _) => part.velocity(simulation),
            Self::Moment(motion, around) => motion.velocity(part.body, around.links[part.link].pose.position),
        }
    }

    /// Position and rate of an axis.
    pub(super) fn axis(&self, axis: Axis) -> [f64; 2] {
        match self {
            Self::Step(simulation, _) => {
                let joint = simulation.world.joint(axis.id());
                joint.map_or([0.0; 2], |joint| [joint.position(axis.motion()), joint.rate(axis.motion())])
            }
            Self::Moment(motion, _) => motion.joint(axis.id(), axis.motion()),
        }
    }

    /// Anchor and direction of an axis in the world; `None` once the joint is gone.
    pub(super) fn frame(&self, axis: Axis) -> Option<[DVec3; 2]> {
        let index = axis.motion();
        match self {
            Self::Step(simulation, _) => {
                let joint = simulation.world.joint(axis.id())?;
                Some([joint.anchor(0), joint.axis(usize::from(index == 1), index)])
            }
            Self::Moment(motion, _) => motion.joint_axis(axis.id(), index),
        }
    }

    /// Direction of an axis in the world; zero once the joint is gone.
    pub(super) fn direction(&self, axis: Axis) -> DVec3 {
        self.frame(axis).map_or(DVec3::ZERO, |[_, direction]| direction)
    }

    /// Centre of mass of a body.
    pub(super) fn center_of(&self, body: BodyId) -> Option<DVec3> {
        match self {
            Self::Step(simulation, step) => {
                simulation.world.body(body).map(|seen| seen.center_of_mass() + way(simulation, body, *step))
            }
            Self::Moment(motion, _) => motion.center(body),
        }
    }

    /// Adds a force or torque along an axis.
    pub(super) fn drive(&mut self, axis: Axis, force: f64) {
        match self {
            Self::Step(simulation, _) => axis.push(&mut simulation.world, force),
            Self::Moment(motion, _) => motion.drive(axis.id(), axis.motion(), force),
        }
    }

    pub(super) fn gravity(&self) -> DVec3 {
        match self {
            Self::Step(simulation, _) => simulation.world.parameters.gravity,
            Self::Moment(_, around) => around.gravity,
        }
    }

    pub(super) fn wind(&self) -> DVec3 {
        match self {
            Self::Step(simulation, _) => simulation.world.parameters.wind,
            Self::Moment(_, around) => around.wind,
        }
    }

    /// Adds a wrench whose force acts at a point of the world; what is not finite is left out.
    pub(super) fn push(&mut self, part: Part, force: DVec3, torque: DVec3, point: DVec3) {
        match self {
            Self::Step(simulation, step) => {
                let point = point - way(simulation, part.body, *step);
                part.push(simulation, force, torque, point);
            }
            Self::Moment(motion, _) => {
                if force.is_finite() && torque.is_finite() && point.is_finite() {
                    motion.push(part.body, force, torque, point);
                }
            }
        }
    }

    /// The same of a wrench that takes energy off a motion, no more of it than there is ([`Part::resist`]).
    pub(super) fn resist(&mut self, part: Part, wrench: [DVec3; 2], motion: [DVec3; 2], point: DVec3) {
        match self {
            Self::Step(simulation, step) => {
                let point = point - way(simulation, part.body, *step);
                part.resist(simulation, wrench, motion, point, *step);
            }
            // The integrator sees how it dies away.
            Self::Moment(..) => self.push(part, wrench[0], wrench[1], point),
        }
    }

    /// Velocity that a force at a point gives it there until it is evaluated again \[m/s\].
    pub(super) fn answer(&self, part: Part, force: DVec3, point: DVec3) -> DVec3 {
        match self {
            Self::Step(simulation, step) => {
                part.answer(simulation, force, point - way(simulation, part.body, *step), *step)
            }
            Self::Moment(..) => DVec3::ZERO,
        }
    }
}

/// Way of a body's centre of mass from where it is to where forces of its pose belong ([`stiction::world::World::pose_for_forces`]).
fn way(simulation: &Simulation, body: BodyId, step: f64) -> DVec3 {
    let (Some(seen), Some(pose)) = (simulation.world.body(body), simulation.world.pose_for_forces(body, step)) else {
        return DVec3::ZERO;
    };
    let center = seen.pose().inverse().point(seen.center_of_mass());
    pose.point(center) - seen.center_of_mass()
}

/// Forces of all plugins.
struct Field<'a> {
    plugins: &'a Plugins,
    around: Surroundings<'a>,
}

impl ForceField for Field<'_> {
    fn push(&self, motion: &mut dyn Motion) {
        self.plugins.list.iter().for_each(|plugin| plugin.field(&mut Around::Moment(motion, &self.around)));
    }
}

/// A step of the world under the forces of its plugins.
pub(in super::super) fn step(simulation: &mut Simulation, plugins: &Plugins, step: f64) {
    let parameters = &simulation.world.parameters;
    if parameters.time != TimeAdvancement::Continuous || !plugins.list.iter().any(|plugin| plugin.has_field()) {
        simulation.world.step(step);
        return;
    }
    let around = Surroundings { links: &simulation.links, gravity: parameters.gravity, wind: parameters.wind };
    simulation.world.step_in_field(step, &Field { plugins, around });
}
