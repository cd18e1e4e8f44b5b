//! A rotor with its motor (`MulticopterMotorModel`).

use stiction::math::DVec3;

use super::super::Simulation;
use super::axis::{Axis, Part};
use super::{Acts, Around, InputKind, Visit};
use crate::plugins::MotorDescription;

/// A rotor.
#[derive(Clone)]
pub(super) struct Motor {
    name: String,
    axis: Axis,
    rotor: Part,
    parent: Option<Part>,
    motor: MotorDescription,
    /// Commanded speed, and that behind the motor's first-order lag \[rad/s\].
    command: f64,
    speed: f64,
}

impl Motor {
    pub(super) fn new(simulation: &Simulation, motor: &MotorDescription) -> Option<Self> {
        Some(Self {
            name: simulation.joints[motor.joint].name.clone(),
            axis: Axis::new(simulation, motor.joint, 0)?,
            rotor: Part::new(simulation, motor.link)?,
            parent: motor.parent.and_then(|link| Part::new(simulation, link)),
            motor: motor.clone(),
            command: 0.0,
            speed: 0.0,
        })
    }
}

impl Acts for Motor {
    fn has_field(&self) -> bool {
        true
    }

    fn field(&self, around: &mut Around) {
        let m = &self.motor;
        let turn = m.slowdown * around.axis(self.axis)[1];
        let thrust = m.direction * turn * turn.abs() * m.motor_constant;
        let pose = around.pose(self.rotor);
        let Some(center) = around.center_of(self.rotor.body) else { return };
        let up = pose.rotation * DVec3::Z;
        around.push(self.rotor, thrust * up, DVec3::ZERO, center);
        let velocity = around.velocity(self.rotor).0 - around.wind();
        let axis = around.direction(self.axis);
        let across = velocity - velocity.dot(axis) * axis;
        let drag = -turn.abs() * m.rotor_drag * across;
        around.resist(self.rotor, [drag, DVec3::ZERO], [across, DVec3::ZERO], center);
        if let Some(parent) = self.parent {
            let reaction = -m.direction * thrust * m.moment_constant * up;
            let rolling = -turn.abs() * m.rolling_moment * across;
            around.push(parent, DVec3::ZERO, reaction + rolling, center);
        }
    }

    fn before(&mut self, simulation: &mut Simulation, step: f64) {
        if let Some(command) = simulation.rotor_commands.get(&self.axis.id()) {
            self.command = *command;
        }
        let m = &self.motor;
        let time = m.time_constants[usize::from(self.command < self.speed)];
        let kept = if time > 0.0 { libm::exp(-step / time) } else { 0.0 };
        self.speed = kept * self.speed + (1.0 - kept) * self.command.min(m.max_speed);
        self.axis.drive(&mut simulation.world, m.direction * self.speed / m.slowdown, f64::INFINITY);
    }

    fn visit(&mut self, visit: Visit) {
        visit(&mut self.command);
        visit(&mut self.speed);
    }

    fn inputs(&self) -> Vec<(String, InputKind, usize)> {
        vec![(self.name.clone(), InputKind::MotorSpeed, 0)]
    }

    fn set(&mut self, _part: usize, _channel: usize, value: f64) {
        self.command = value;
    }
}
