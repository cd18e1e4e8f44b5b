//! Joints that follow targets, and springs.

use super::super::Simulation;
use super::axis::Axis;
use super::pid::Pid;
use super::{Acts, Around, InputKind, Visit};
use crate::plugins::{PidDescription, ServoDescription, ServoLaw, SpringDescription};

/// Time in which a motor of bounded effort closes an error of position \[s\].
const POSITION_TIME: f64 = 0.02;

#[derive(Clone)]
struct Servo {
    name: String,
    number: usize,
    axis: Axis,
    law: ServoLaw,
    pid: Pid,
    target: f64,
}

impl Servo {
    const fn has_gains(&self) -> bool {
        matches!(self.law, ServoLaw::VelocityPid { .. } | ServoLaw::PositionPid(_))
    }
}

/// Joints of a controller.
#[derive(Clone)]
pub(super) struct Servos(Vec<Servo>);

impl Servos {
    pub(super) fn new(simulation: &Simulation, list: &[ServoDescription]) -> Self {
        let servo = |s: &ServoDescription| {
            let pid = match s.law {
                ServoLaw::VelocityPid { pid, .. } | ServoLaw::PositionPid(pid) => pid,
                _ => PidDescription::new([0.0; 3], 0.0, 0.0),
            };
            let axis = Axis::new(simulation, s.joint, s.axis)?;
            let name = simulation.joints[s.joint].name.clone();
            Some(Servo { name, number: s.axis, axis, law: s.law, pid: Pid::new(pid), target: s.target })
        };
        Self(list.iter().filter_map(servo).collect())
    }
}

impl Acts for Servos {
    fn before(&mut self, simulation: &mut Simulation, step: f64) {
        let world = &mut simulation.world;
        // Several controllers of one axis add up.
        for servo in self.0.iter().filter(|servo| servo.has_gains()) {
            servo.axis.set_drive(world, None);
        }
        for servo in &mut self.0 {
            let (axis, target) = (servo.axis, servo.target);
            match servo.law {
                ServoLaw::Force => axis.push(world, target),
                ServoLaw::Velocity => axis.drive(world, target, f64::INFINITY),
                ServoLaw::VelocityPid { brakes, .. } => {
                    let rate = axis.rate(world);
                    // Without a brake it only speeds the joint up towards its target.
                    let drive = (brakes || (target != 0.0 && target.signum() * (rate - target) <= 0.0)).then(|| {
                        let mut drive = servo.pid.of_velocity(rate, target, step);
                        if !brakes {
                            let side = if target > 0.0 { [0.0, f64::INFINITY] } else { [f64::NEG_INFINITY, 0.0] };
                            drive.range = drive.range.map(|bound| bound.clamp(side[0], side[1]));
                        }
                        drive
                    });
                    drive.iter().for_each(|drive| axis.add_drive(world, drive));
                }
                ServoLaw::PositionPid(_) => {
                    let drive = servo.pid.of_position(axis.position(world), target, step);
                    axis.add_drive(world, &drive);
                }
                ServoLaw::PositionByVelocity(most) => {
                    // As in Gazebo the whole error in a step, unless a bound on the effort would let it swing about it.
                    let time = if axis.is_unbounded(world) { step } else { POSITION_TIME };
                    let rate = (target - axis.position(world)) / time;
                    let most = most.unwrap_or(f64::INFINITY);
                    axis.drive(world, rate.clamp(-most, most), f64::INFINITY);
                }
            }
        }
    }

    fn visit(&mut self, visit: Visit) {
        for servo in &mut self.0 {
            visit(&mut servo.target);
            servo.pid.visit(visit);
        }
    }

    fn inputs(&self) -> Vec<(String, InputKind, usize)> {
        let input = |servo: &Servo| {
            let kind = match servo.law {
                ServoLaw::PositionPid(_) | ServoLaw::PositionByVelocity(_) => InputKind::Position,
                _ => InputKind::Velocity,
            };
            // A force adds to the joint's own command.
            let name = if servo.law == ServoLaw::Force { String::new() } else { servo.name.clone() };
            (name, kind, servo.number)
        };
        self.0.iter().map(input).collect()
    }

    fn set(&mut self, part: usize, _channel: usize, value: f64) {
        if let Some(servo) = self.0.get_mut(part) {
            servo.target = value;
        }
    }
}

/// Springs that are forces of the motion, in discrete steps at their beginning; implicit ones are rows of the solver.
#[derive(Clone)]
pub(super) struct Springs(Vec<(Axis, SpringDescription)>);

impl Springs {
    pub(super) fn new(simulation: &mut Simulation, list: &[SpringDescription]) -> Self {
        let mut springs = Vec::new();
        for spring in list {
            let Some(axis) = Axis::new(simulation, spring.joint, 0) else { continue };
            if spring.is_explicit {
                springs.push((axis, *spring));
            } else if let Some(parameters) = simulation.world.joint_parameters_mut(axis.id(), axis.motion()) {
                (parameters.stiffness, parameters.damping) = (spring.stiffness, spring.damping);
                parameters.spring_reference = 0.0;
            }
        }
        Self(springs)
    }
}

impl Acts for Springs {
    fn has_field(&self) -> bool {
        true
    }

    fn field(&self, around: &mut Around) {
        for (axis, spring) in &self.0 {
            let [position, rate] = around.axis(*axis);
            around.drive(*axis, -spring.stiffness * position - spring.damping * rate);
        }
    }
}
