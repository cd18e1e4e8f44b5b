//! Lift and drag of a link by its angle of attack (`LiftDrag`).

use stiction::math::DVec3;

use super::super::Simulation;
use super::axis::{Axis, Part};
use super::{Acts, Around};
use crate::plugins::LiftDragDescription;

/// A wing.
#[derive(Clone)]
pub(super) struct LiftDrag {
    part: Option<Part>,
    control: Option<Axis>,
    wing: LiftDragDescription,
}

/// Below this speed there are no forces \[m/s\].
const LEAST_SPEED: f64 = 0.01;

impl LiftDrag {
    pub(super) fn new(simulation: &Simulation, wing: &LiftDragDescription) -> Self {
        let control = wing.control_joint.and_then(|joint| Axis::new(simulation, joint, 0));
        Self { part: Part::new(simulation, wing.link), control, wing: wing.clone() }
    }

    /// A coefficient at an angle of attack: its slope up to the stall, another beyond it.
    fn coefficient(&self, which: usize, alpha: f64) -> f64 {
        let (slope, beyond, stall) = (self.wing.slopes[which], self.wing.slopes_stall[which], self.wing.alpha_stall);
        if alpha.abs() <= stall {
            return slope * alpha;
        }
        let stalled = slope * stall + beyond * (alpha.abs() - stall);
        // Lift and moment do not change their sign by the stall; drag is taken as its absolute value.
        let stalled = if which == 1 { stalled } else { stalled.max(0.0) };
        stalled.copysign(stalled * alpha)
    }
}

/// An angle within a quarter turn of 0, by half turns.
fn within_quarter(angle: f64) -> f64 {
    use core::f64::consts::{FRAC_PI_2, PI};
    let turned = angle - PI * libm::round(angle / PI);
    turned.clamp(-FRAC_PI_2, FRAC_PI_2)
}

impl Acts for LiftDrag {
    fn has_field(&self) -> bool {
        true
    }

    fn field(&self, around: &mut Around) {
        let Some(part) = self.part else { return };
        let wing = &self.wing;
        let pose = around.pose(part);
        let (linear, omega) = around.velocity(part);
        let point = pose.point(wing.cp);
        let velocity = linear + omega.cross(point - pose.position) - around.wind();
        let forward = pose.rotation * wing.forward;
        if velocity.length() <= LEAST_SPEED || (!wing.reversible && forward.dot(velocity) <= 0.0) {
            return;
        }
        let upward = if wing.radial_symmetry {
            forward.cross(forward.cross(velocity)).normalize_or_zero()
        } else {
            pose.rotation * wing.upward
        };
        let span = forward.cross(upward).normalize_or_zero();
        let sweep = span.dot(velocity.normalize()).clamp(-1.0, 1.0);
        let in_plane = velocity - velocity.dot(span) * span;
        let (along, lift) = (in_plane.normalize_or_zero(), span.cross(in_plane).normalize_or_zero());
        if span == DVec3::ZERO || lift == DVec3::ZERO {
            return;
        }
        let angle = libm::acos(lift.dot(upward).clamp(-1.0, 1.0));
        let alpha = within_quarter(wing.a0 + if lift.dot(forward) >= 0.0 { angle } else { -angle });
        let pressure = 0.5 * wing.air_density * in_plane.length_squared() * wing.area;
        let straight = 1.0 - sweep * sweep;
        let control = self.control.map_or(0.0, |axis| around.axis(axis)[0]);
        let cl = straight * self.coefficient(0, alpha) + wing.control_to_lift * control;
        let cd = (straight * self.coefficient(1, alpha)).abs();
        let cm = straight * self.coefficient(2, alpha) + wing.control_to_moment * control;
        // A force across the velocity turns it in a step by its own length at most; across the mean velocity of the step, not
        // that of its beginning, it makes no energy: v·Δ + Δ²/2 = 0 with Δ = h F/m takes F Δ/2v off ahead.
        let lift = cl * pressure * lift;
        let speed = in_plane.length();
        let answer = around.answer(part, lift, point).length();
        let share = if answer > speed { speed / answer } else { 1.0 };
        let lift = share * lift;
        around.push(part, lift, cm * pressure * span, point);
        let drag = -(cd * pressure + lift.length() * share * answer / (2.0 * speed)) * along;
        around.resist(part, [drag, DVec3::ZERO], [in_plane, omega], point);
    }
}
