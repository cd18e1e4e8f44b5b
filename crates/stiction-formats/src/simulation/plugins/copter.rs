//! Rotor speeds for a twist (`MulticopterVelocityControl`, after Lee, Leok and McClamroch).

use stiction::math::{DMat3, DVec3};
use stiction::world::BodyId;

use super::super::Simulation;
use super::axis::{Axis, Part};
use super::{Acts, InputKind, Visit};
use crate::plugins::CopterDescription;

/// A controller of a vehicle with rotors.
#[derive(Clone)]
pub(super) struct Copter {
    model: String,
    part: Part,
    copter: CopterDescription,
    /// Joints of the rotors, whose motors take the speeds.
    rotors: Vec<Axis>,
    mass: f64,
    inertia: DMat3,
    /// For each rotor: square of its speed by the three moments and the thrust.
    allocation: Vec<[f64; 4]>,
    twist: [f64; 6],
    is_commanded: bool,
}

impl Copter {
    /// Mass and inertia are those of the whole model about its centre, in the axes of the link.
    pub(super) fn new(
        simulation: &Simulation,
        model: &str,
        copter: &CopterDescription,
        bodies: Vec<BodyId>,
    ) -> Option<Self> {
        let part = Part::new(simulation, copter.link)?;
        let pose = part.pose(simulation);
        let all: Vec<_> = bodies.iter().filter_map(|body| simulation.world.body(*body)).collect();
        let mass: f64 = all.iter().map(|b| b.mass()).sum();
        let center = all.iter().map(|b| b.mass() * b.center_of_mass()).sum::<DVec3>() / mass;
        let mut inertia = DMat3::ZERO;
        for body in &all {
            let r = body.center_of_mass() - center;
            let outer = DMat3::from_cols(r * r.x, r * r.y, r * r.z);
            inertia +=
                body.world_inertia() + (DMat3::from_diagonal(DVec3::splat(r.length_squared())) - outer) * body.mass();
        }
        let turn = DMat3::from_quat(pose.rotation);
        let inertia = turn.transpose() * inertia * turn;
        let (mut rows, mut rotors) = (Vec::new(), Vec::new());
        for rotor in &copter.rotors {
            let axis = Axis::new(simulation, rotor.joint, 0)?;
            let arm = pose.rotation.conjugate() * (axis.anchor(&simulation.world) - center);
            let up = pose.rotation.conjugate() * axis.direction(&simulation.world);
            let moment = rotor.force_constant * (arm.cross(up) - rotor.direction * rotor.moment_constant * up);
            rows.push([moment.x, moment.y, moment.z, rotor.force_constant]);
            rotors.push(axis);
        }
        let allocation = pseudo_inverse(&rows)?;
        let copter = copter.clone();
        let (model, twist) = (model.to_owned(), [0.0; 6]);
        Some(Self { model, part, copter, rotors, mass, inertia, allocation, twist, is_commanded: false })
    }
}

/// `Aᵀ (A Aᵀ)⁻¹` of the matrix whose columns are given; `None` where the rotors cannot give every moment.
fn pseudo_inverse(columns: &[[f64; 4]]) -> Option<Vec<[f64; 4]>> {
    let mut square = [[0.0; 8]; 4];
    for i in 0..4 {
        for j in 0..4 {
            square[i][j] = columns.iter().map(|c| c[i] * c[j]).sum();
        }
        square[i][4 + i] = 1.0;
    }
    for k in 0..4 {
        let pivot = (k..4).max_by(|i, j| square[*i][k].abs().total_cmp(&square[*j][k].abs()))?;
        square.swap(k, pivot);
        let scale = square[k][k];
        if scale.abs() < 1e-300 {
            return None;
        }
        square[k].iter_mut().for_each(|x| *x /= scale);
        for i in (0..4).filter(|i| *i != k) {
            let factor = square[i][k];
            for j in 0..8 {
                square[i][j] -= factor * square[k][j];
            }
        }
    }
    let row = |c: &[f64; 4]| std::array::from_fn(|j| (0..4).map(|i| c[i] * square[i][4 + j]).sum());
    let inverse: Vec<[f64; 4]> = columns.iter().map(row).collect();
    inverse.iter().flatten().all(|x: &f64| x.is_finite()).then_some(inverse)
}

/// Half of the antisymmetric part of `aᵀ b`, as a vector.
fn turn_between(wanted: &DMat3, now: &DMat3) -> DVec3 {
    let m = wanted.transpose() * *now - now.transpose() * *wanted;
    0.5 * DVec3::new(m.y_axis.z, m.z_axis.x, m.x_axis.y)
}

impl Acts for Copter {
    fn before(&mut self, simulation: &mut Simulation, _step: f64) {
        // As in Gazebo, it waits for the first command.
        if !self.is_commanded {
            return;
        }
        let c = &self.copter;
        let rotation = DMat3::from_quat(self.part.pose(simulation).rotation);
        let (velocity, omega) = self.part.velocity(simulation);
        let [vx, vy, vz, wx, wy, wz] = self.twist;
        let wanted = DVec3::new(vx, vy, vz).clamp(-c.max_velocity, c.max_velocity);
        let rate = DVec3::new(wx, wy, wz).clamp(-c.max_rate, c.max_rate).z;
        let error = velocity - rotation * wanted;
        let limited = (error * c.velocity_gain / self.mass).clamp(-c.max_acceleration, c.max_acceleration);
        // Points down: what the thrust is to give, with the other sign.
        let acceleration = limited + simulation.world.parameters.gravity;
        let up = -acceleration.normalize_or(-rotation.z_axis);
        let ahead = if rotation.x_axis.cross(up).length_squared() < 1e-3 { rotation.y_axis } else { rotation.x_axis };
        let left = up.cross(ahead).normalize_or(rotation.y_axis);
        let attitude = DMat3::from_cols(left.cross(up), left, up);
        let angle = turn_between(&attitude, &rotation);
        let rate_error = rotation.transpose() * omega - rotation.transpose() * (attitude * DVec3::new(0.0, 0.0, rate));
        let inverse = self.inertia.inverse();
        let gain = |gain: DVec3| inverse.transpose() * gain;
        let angular = -angle * gain(c.attitude_gain) - rate_error * gain(c.rate_gain);
        let moment = self.inertia * angular;
        let thrust = -self.mass * acceleration.dot(rotation.z_axis);
        for (row, rotor) in self.allocation.iter().zip(&self.rotors) {
            let square = row[0] * moment.x + row[1] * moment.y + row[2] * moment.z + row[3] * thrust;
            simulation.rotor_commands.insert(rotor.id(), libm::sqrt(square.max(0.0)));
        }
    }

    fn visit(&mut self, visit: Visit) {
        self.twist.iter_mut().for_each(&mut *visit);
        super::visit_flag(&mut self.is_commanded, visit);
    }

    fn inputs(&self) -> Vec<(String, InputKind, usize)> {
        vec![(self.model.clone(), InputKind::Twist, 0)]
    }

    fn set(&mut self, _part: usize, channel: usize, value: f64) {
        self.twist[channel] = value;
        self.is_commanded = true;
    }
}
