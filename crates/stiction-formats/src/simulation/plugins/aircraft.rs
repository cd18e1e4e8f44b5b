//! Forces and moments of the air on an aircraft as one body (`AdvancedLiftDrag`), by the derivatives that AVL writes.

use stiction::math::DVec3;

use super::super::Simulation;
use super::axis::{Axis, Part};
use super::{Acts, Around};
use crate::plugins::AircraftDescription;

/// How sharply the wing stalls \[1/rad\] (Beard and McLain, *Small Unmanned Aircraft*, 2012, 4.2).
const SHARPNESS: f64 = 15.0;
/// Below this speed there are no forces \[m/s\].
const LEAST_SPEED: f64 = 1e-9;
/// Drag of a flat plate by its aspect ratio, `2 / (1 + exp(k₁ + k₂ AR))`.
const FLAT_PLATE: [f64; 2] = [-0.224, -0.115];

/// An aircraft.
#[derive(Clone)]
pub(super) struct Aircraft {
    part: Option<Part>,
    controls: Vec<Option<Axis>>,
    aircraft: AircraftDescription,
}

impl Aircraft {
    pub(super) fn new(simulation: &Simulation, aircraft: &AircraftDescription) -> Self {
        let axis = |joint| Axis::new(simulation, joint, 0);
        let controls = aircraft.surfaces.iter().map(|surface| axis(surface.joint)).collect();
        Self { part: Part::new(simulation, aircraft.link), controls, aircraft: aircraft.clone() }
    }

    /// Share of the stalled wing at an angle of attack.
    fn stalled(&self, alpha: f64) -> f64 {
        let stall = self.aircraft.alpha_stall;
        let (a, b) = (libm::exp(-SHARPNESS * (alpha - stall)), libm::exp(SHARPNESS * (alpha + stall)));
        (1.0 + a + b) / ((1.0 + a) * (1.0 + b))
    }

    /// Coefficients of drag, side force, lift, roll, pitch and yaw: by angles and surfaces.
    fn coefficients(&self, around: &Around, alpha: f64, beta: f64) -> [f64; 6] {
        let own = &self.aircraft;
        let mut by_surfaces = [0.0; 6];
        for (surface, axis) in own.surfaces.iter().zip(&self.controls) {
            let angle = axis.map_or(0.0, |axis| around.axis(axis)[0]).to_degrees() * surface.direction;
            by_surfaces.iter_mut().zip(surface.effects).for_each(|(sum, effect)| *sum += effect * angle);
        }
        let linear = own.derivatives.map(|d| d.by_angles[0] * alpha + d.by_angles[1] * beta);
        let sigma = self.stalled(alpha);
        let [lift_at_zero, drag_at_zero] = own.lift_drag_at_zero;
        let (sine, cosine) = (libm::sin(alpha), libm::cos(alpha));
        let plate = if alpha == 0.0 { 0.0 } else { 2.0 * sine * sine * cosine * alpha.signum() };
        let attached = lift_at_zero + own.derivatives[2].by_angles[0] * alpha;
        let slip = own.derivatives[2].by_angles[1] * beta;
        let lift = (1.0 - sigma) * attached + sigma * plate + slip + by_surfaces[2];
        let [k1, k2] = FLAT_PLATE;
        let ratio = own.aspect_ratio;
        let flat = 2.0 / (1.0 + libm::exp(k1 + k2 * ratio.max(1.0 / ratio)));
        let induced = lift * lift / (core::f64::consts::PI * ratio * own.efficiency);
        let drag = (1.0 - sigma) * (drag_at_zero + induced) + sigma * (flat * sine * sine).abs() + by_surfaces[0];
        let [_, side, _, roll, _, yaw] = std::array::from_fn(|i| linear[i] + by_surfaces[i]);
        // Without sideslip the program has no pitching moment of the wing.
        let pitch = own.derivatives[4].by_angles[1] * beta + by_surfaces[4];
        [drag, side, lift, roll, pitch, yaw]
    }
}

impl Acts for Aircraft {
    fn has_field(&self) -> bool {
        true
    }

    fn field(&self, around: &mut Around) {
        let Some(part) = self.part else { return };
        let own = &self.aircraft;
        let pose = around.pose(part);
        let (linear, omega) = around.velocity(part);
        let arm = pose.rotation * own.cp;
        let velocity = linear + omega.cross(arm) - around.wind();
        // Ahead, out of the right wing, down.
        let (ahead, down) = (pose.rotation * own.forward, -(pose.rotation * own.upward));
        let right = down.cross(ahead);
        let in_plane = velocity - velocity.dot(right) * right;
        let speed = in_plane.length();
        if speed <= LEAST_SPEED || right == DVec3::ZERO {
            return;
        }
        let along = in_plane / speed;
        let below = along.cross(right);
        let alpha = libm::atan2(along.dot(down), along.dot(ahead));
        let beta = libm::atan2(velocity.dot(right), velocity.dot(ahead));
        let span = libm::sqrt(own.area * own.aspect_ratio);
        // AVL's axes: pitch and yaw turn the other way around y and z of the link.
        let turning = pose.rotation.conjugate() * omega;
        let rates = [turning.x * span, -turning.y * own.chord, -turning.z * span].map(|rate| 0.5 * rate);
        let (pressure, by_rate) = (0.5 * own.air_density * speed * speed, 0.5 * own.air_density * speed);
        let steady = self.coefficients(around, alpha, beta);
        let total: [f64; 6] = std::array::from_fn(|i| {
            let damping: f64 = own.derivatives[i].by_rates.iter().zip(rates).map(|(c, rate)| c * rate).sum();
            own.area * (steady[i] * pressure + damping * by_rate)
        });
        let [drag, side, lift, roll, pitch, yaw] = total;
        let moment = span * roll * ahead + own.chord * pitch * right + span * yaw * down;
        let point = pose.position + arm;
        around.push(part, side * right - lift * below, moment, point);
        around.resist(part, [-drag * along, DVec3::ZERO], [in_plane, omega], point);
    }
}
