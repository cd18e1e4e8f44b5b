//! A propeller in water (`Thruster`).

use super::super::Simulation;
use super::axis::{Axis, Part};
use super::pid::Pid;
use super::{Acts, Around, InputKind, Visit};
use crate::plugins::ThrusterDescription;

/// A propeller: `T = ρ K D⁴ ω |ω|` (Fossen, Guidance and Control of Ocean Vehicles).
#[derive(Clone)]
pub(super) struct Thruster {
    name: String,
    axis: Axis,
    part: Part,
    thruster: ThrusterDescription,
    pid: Pid,
    command: f64,
    coefficient: f64,
    /// In this step \[N\], and the torque of the controller \[N m\].
    thrust: f64,
    torque: f64,
}

/// Errors of the speed below it are left alone by the controller \[rad/s\].
const LEAST_ERROR: f64 = 0.1;

impl Thruster {
    pub(super) fn new(simulation: &Simulation, thruster: &ThrusterDescription) -> Option<Self> {
        let mut own = Self {
            name: simulation.joints[thruster.joint].name.clone(),
            axis: Axis::new(simulation, thruster.joint, 0)?,
            part: Part::new(simulation, thruster.link)?,
            thruster: thruster.clone(),
            pid: Pid::new(thruster.pid),
            command: 0.0,
            coefficient: thruster.coefficient.unwrap_or(thruster.alpha[0]),
            thrust: 0.0,
            torque: 0.0,
        };
        // The range of the torque is, as in Gazebo, the speed at the largest command.
        let mut gains = thruster.pid;
        let ends = thruster.range.map(|thrust| own.speed(thrust));
        (gains.cmd_min, gains.cmd_max) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        own.pid = Pid::new(gains);
        Some(own)
    }

    /// `ρ D⁴`.
    fn scale(&self) -> f64 {
        let d = self.thruster.diameter;
        self.thruster.fluid_density * d * d * d * d
    }

    fn command(&self) -> f64 {
        self.command.clamp(self.thruster.range[0], self.thruster.range[1])
    }

    /// Thrust of the command at a coefficient.
    fn thrust_of(&self, coefficient: f64) -> f64 {
        let command = self.command();
        if self.thruster.is_speed { self.scale() * coefficient * command * command.abs() } else { command }
    }

    fn is_dead(&self, thrust: f64) -> bool {
        thrust.abs() < self.thruster.deadband
    }

    /// Coefficient at a speed of the link in the water \[m/s\] and of the propeller \[rad/s\]: it falls with the advance.
    fn coefficient_at(&self, velocity: f64, speed: f64) -> f64 {
        if self.thruster.coefficient.is_some() || speed.abs() <= f64::EPSILON {
            return self.coefficient;
        }
        let [a1, a2] = self.thruster.alpha;
        let advance = (1.0 - self.thruster.wake_fraction) * velocity;
        let updated = a1 + a2 * advance / (speed * self.thruster.diameter);
        if updated == 0.0 { self.coefficient } else { updated }
    }

    /// Speed of the propeller for a thrust.
    fn speed(&self, thrust: f64) -> f64 {
        let square = thrust / (self.scale() * self.coefficient);
        if square.is_finite() { libm::sqrt(square.abs()).copysign(square) } else { 0.0 }
    }
}

impl Acts for Thruster {
    fn before(&mut self, simulation: &mut Simulation, step: f64) {
        let (velocity, omega) = self.part.velocity(simulation);
        let command = self.command();
        let mut speed = if self.thruster.is_speed { command } else { self.speed(command) };
        self.thrust = self.thrust_of(self.coefficient);
        self.coefficient = self.coefficient_at(velocity.length(), speed);
        if self.is_dead(self.thrust) {
            (self.thrust, speed) = (0.0, 0.0);
        }
        let axis = self.axis.direction(&simulation.world);
        self.torque = 0.0;
        if self.thruster.velocity_control {
            self.axis.drive(&mut simulation.world, speed, f64::INFINITY);
        } else {
            let error = omega.dot(axis) - speed;
            if error.abs() > LEAST_ERROR {
                self.torque = self.pid.update(error, step);
            }
        }
    }

    fn has_field(&self) -> bool {
        true
    }

    /// The thrust of a discrete step is that of the coefficient before it, as in Gazebo; in continuous time it goes with the speed.
    fn field(&self, around: &mut Around) {
        let (pose, axis) = (around.pose(self.part), around.direction(self.axis));
        let mut thrust = self.thrust;
        if matches!(around, Around::Moment(..)) && self.thruster.is_speed {
            let speed = around.velocity(self.part).0.length();
            thrust = self.thrust_of(self.coefficient_at(speed, self.command()));
            thrust = if self.is_dead(thrust) { 0.0 } else { thrust };
        }
        around.push(self.part, thrust * axis, self.torque * axis, pose.position);
    }

    fn visit(&mut self, visit: Visit) {
        visit(&mut self.command);
        visit(&mut self.coefficient);
        self.pid.visit(visit);
    }

    fn inputs(&self) -> Vec<(String, InputKind, usize)> {
        let kind = if self.thruster.is_speed { InputKind::MotorSpeed } else { InputKind::Thrust };
        vec![(self.name.clone(), kind, 0)]
    }

    fn set(&mut self, _part: usize, _channel: usize, value: f64) {
        self.command = value;
    }
}
