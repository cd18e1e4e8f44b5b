//! What must hold of contacts in every step, whatever solved them.
//!
//! Of hard contacts, with the impulse λ along the normal and the normal velocity u⁺ of the point after the step:
//!
//! - `λ ≥ 0`; friction stays within its bounds; friction does not drive what slips: `f · u_t⁺ ≤ 0`; what it holds within
//!   its bounds does not slip.
//! - `u⁺ ≥ 0` where shapes touch, `u⁺ ≥ d/h` over a gap d; and where λ > 0 no more than the correction or the bounce
//!   asks for, `u⁺ ≤ max(erp d/h, e u⁻)`.
//! - Each body changes its momentum by the impulses that are told, `Δp = h (m g + Σ f)`, the force on the second body of
//!   a contact being the opposite of that on the first.
//!
//! Steps in which a fast body is stopped where it first touches something are judged by their energy alone.
//!
//! A solver that stops early misses these by what it tells as its residual. What is judged is the difference: nothing may
//! be wrong by more than the report says. Velocities are those of the arms before the step, as rows have them, and
//! `1/m + (r × n) · I⁻¹ (r × n)` is the measure in which a small impulse counts as a small velocity.

use stiction::math::{DMat3, DVec3};
use stiction::world::{BodyId, BoundsRule, ContactReport, World};

use super::ContactScene;
use crate::energy::{Energy, closure, energy};
use crate::mechanism::{CLOSURE, GAIN};
use crate::verdict::Verdict;

/// Error of forces, over the largest of the step.
const FORCE: f64 = 1e-6;
/// Velocity that an exact solution may be wrong by, beyond what is told, over the speeds there are.
const VELOCITY: f64 = 1e-6;
/// The same for compliant contacts, whose solver is content with a share of the speeds.
const COMPLIANT: f64 = 1e-3;
/// Error of a body's change of momentum.
const MOMENTUM: f64 = 1e-7;
/// Depth, over the smallest half length, that shapes may come to beside what they move in two steps.
const DEPTH: f64 = 0.5;
/// Depth at the start, over the same, above which push-out may make energy.
const OVERLAP: f64 = 0.02;
/// Residual that is told as large \[m/s\].
const LARGE: f64 = 1e-2;

/// A body at one time.
#[derive(Clone, Copy)]
struct BodySample {
    center: DVec3,
    velocity: DVec3,
    omega: DVec3,
    inertia: DMat3,
    mass: f64,
    is_awake: bool,
    /// The frame's origin is the centre of mass.
    is_centered: bool,
}

/// Motions by slot.
fn motions(world: &World, motions: &mut Vec<Option<BodySample>>) {
    motions.clear();
    for id in world.body_ids() {
        let Some(body) = world.body(id) else { continue };
        motions.resize(motions.len().max(id.slot() + 1), None);
        motions[id.slot()] = Some(BodySample {
            center: body.center_of_mass(),
            velocity: body.velocity(),
            omega: body.omega(),
            inertia: body.world_inertia(),
            mass: body.mass(),
            is_awake: body.is_enabled(),
            is_centered: body.mass_properties().center_of_mass.length() < 1e-9,
        });
    }
}

struct Judge {
    scene: ContactScene,
    start: Energy,
    energy: Energy,
    scale: f64,
    before: Vec<Option<BodySample>>,
    after: Vec<Option<BodySample>>,
    /// Impulses of contacts on each body in this step \[N s\].
    impulses: Vec<DVec3>,
    has_overlap: bool,
    /// Largest energy of any kind so far \[J\].
    largest: f64,
}

pub(super) fn judge(mut scene: ContactScene, steps: usize) -> Verdict {
    let mut verdict = Verdict { description: std::mem::take(&mut scene.description), ..Verdict::default() };
    let start = energy(&scene.world);
    let scale = start.kinetic.max(1e-6);
    let (before, after, impulses) = (Vec::new(), Vec::new(), Vec::new());
    let mut judge =
        Judge { scene, start, energy: start, scale, before, after, impulses, has_overlap: false, largest: 0.0 };
    motions(&judge.scene.world, &mut judge.before);
    for number in 0..steps {
        judge.scene.world.step(judge.scene.step);
        verdict.steps += 1;
        motions(&judge.scene.world, &mut judge.after);
        if number == 0 && judge.scene.world.report().penetration > OVERLAP * judge.scene.size {
            judge.has_overlap = true;
            verdict.note("overlap at start");
        }
        if !judge.look(&mut verdict) {
            verdict.fail("not finite", format!("step {number}"));
            break;
        }
        std::mem::swap(&mut judge.before, &mut judge.after);
    }
    verdict
}

impl Judge {
    fn look(&mut self, verdict: &mut Verdict) -> bool {
        let report = self.scene.world.report();
        let told = report.residual();
        if !report.quarantined.is_empty() {
            verdict.fail("quarantine", format!("{} bodies", report.quarantined.len()));
        }
        for (is_so, what) in [
            (report.gave_up > 0, "gave up"),
            (told > LARGE, "residual > 1e-2"),
            (report.integration.unfinished > 0.0, "cut short"),
            (!report.passed_through.is_empty(), "passed through"),
        ] {
            if is_so {
                verdict.note(what);
            }
        }
        let now = energy(&self.scene.world);
        if !now.total().is_finite() {
            return false;
        }
        match closure(report, &self.energy, &now, &mut self.largest) {
            Some(error) => verdict.bound("closure", error, CLOSURE),
            None => verdict.note("no balance"),
        }
        self.penetration(verdict);
        let fallen = (self.start.total() - now.potential).max(0.0);
        self.scale = self.scale.max(fallen.min(10.0 * self.scale));
        let gain = (now.total() - self.start.total()) / self.scale;
        if self.has_overlap {
            if gain > GAIN {
                verdict.note("gain from overlap");
            }
        } else {
            verdict.bound("energy", gain, GAIN);
        }
        self.energy = now;
        if self.scene.world.report().stopped_at_impact > 0 {
            // What is stopped on its way has no forces after that, which no contact tells.
            verdict.note("stopped at impact");
            return true;
        }
        self.impulses.clear();
        self.impulses.resize(self.before.len(), DVec3::ZERO);
        let contacts = self.scene.world.contact_reports();
        let largest = contacts.iter().map(|c| c.force.length()).fold(1e-9, f64::max);
        let mut impulses = std::mem::take(&mut self.impulses);
        for contact in contacts {
            self.forces(contact, largest, verdict);
            if !self.scene.is_continuous && !self.scene.is_in_substeps {
                self.velocities(contact, largest, told, verdict);
            }
            for (body, sign) in contact.bodies.into_iter().zip([1.0, -1.0]) {
                if let Some(body) = body {
                    impulses[body.slot()] += sign * self.scene.step * contact.force;
                }
            }
        }
        self.impulses = impulses;
        if !self.scene.is_continuous {
            self.momentum(verdict);
        }
        true
    }

    fn penetration(&mut self, verdict: &mut Verdict) {
        let report = self.scene.world.report();
        let fastest = self.before.iter().flatten().map(|m| m.velocity.length()).fold(0.0, f64::max);
        let bound = DEPTH * self.scene.size + 2.0 * self.scene.step * fastest;
        if report.penetration > bound && !self.has_overlap {
            let figure = format!("{:.2e} m of {:.2e} m", report.penetration, self.scene.size);
            if self.scene.has_meshes {
                // A solid and a closed mesh that moves: depths along faces at the far side come and go.
                verdict.note("depth of a mesh");
                self.has_overlap = true;
            } else if self.scene.is_hard && report.passed_through.is_empty() {
                verdict.fail("depth", figure);
            } else {
                verdict.note("deep");
            }
        }
    }

    /// Bounds of forces.
    fn forces(&self, contact: &ContactReport, largest: f64, verdict: &mut Verdict) {
        let normal = contact.force.dot(contact.normal);
        let tangent = (contact.force - normal * contact.normal).length();
        verdict.bound("pull", -normal / largest, FORCE);
        if !self.scene.is_hard && !self.scene.is_swept {
            let beyond = (tangent - self.scene.friction * normal.max(0.0)) / largest;
            verdict.bound("cone", beyond, COMPLIANT);
        }
    }

    /// Velocity of the contact before and after the step, and what a unit impulse along a direction adds to it.
    fn relative(&self, contact: &ContactReport) -> Option<([DVec3; 2], impl Fn(DVec3) -> f64)> {
        let side = |id: Option<BodyId>| id.map(|id| (self.before[id.slot()], self.after[id.slot()]));
        let mut velocities = [DVec3::ZERO; 2];
        let mut moved = [None; 2];
        for (number, (id, sign)) in contact.bodies.into_iter().zip([1.0, -1.0]).enumerate() {
            let Some((before, after)) = side(id) else { continue };
            let (before, after) = (before?, after?);
            // Under LinkOrigin a step's speed is that of the frame's origin.
            if !after.is_awake || !(self.scene.is_hard || after.is_centered) {
                return None;
            }
            let arm = contact.position - before.center;
            velocities[0] += sign * (before.velocity + before.omega.cross(arm));
            velocities[1] += sign * (after.velocity + after.omega.cross(arm));
            moved[number] = Some((before, arm));
        }
        let ease = move |direction: DVec3| {
            moved.into_iter().flatten().fold(0.0, |sum, (motion, arm): (BodySample, DVec3)| {
                let turn = arm.cross(direction);
                sum + 1.0 / motion.mass + turn.dot(motion.inertia.inverse() * turn)
            })
        };
        Some((velocities, ease))
    }

    fn velocities(&self, contact: &ContactReport, largest: f64, told: f64, verdict: &mut Verdict) {
        let Some(([before, after], ease)) = self.relative(contact) else { return };
        let (step, n) = (self.scene.step, contact.normal);
        let parameters = &self.scene.world.parameters;
        let speed = before.length().max(after.length()) + step * parameters.gravity.length();
        let normal = contact.force.dot(n);
        let (u, u_before) = (after.dot(n), before.dot(n));
        let tangent = contact.force - normal * n;
        let slip = after - u * n;
        let tolerance = if self.scene.is_hard { VELOCITY } else { COMPLIANT } * (1.0 + speed);
        // Rows are told one by one: two of them make a vector.
        let beyond = |velocity: f64| velocity - std::f64::consts::SQRT_2 * told;
        if tangent.length() > 1e-6 * largest && !self.scene.is_swept {
            let along = tangent.normalize();
            let driven = after.dot(along).min(step * tangent.length() * ease(along));
            verdict.bound("friction drives", beyond(driven), tolerance);
        }
        if !self.scene.is_hard {
            return;
        }
        // Bounds of normals alone are those of the first solution, which reports do not have.
        if tangent.length() > 0.0 && parameters.bounds != BoundsRule::Once {
            let excess = tangent.length() - self.scene.friction * normal.max(0.0);
            verdict.bound("cone", beyond(step * excess * ease(tangent.normalize())), tolerance);
        }
        let correction = if contact.depth > 0.0 { parameters.erp * contact.depth / step } else { 0.0 };
        let bounce = self.scene.bounce * (-u_before).max(0.0);
        let apart = (u - correction.max(bounce)).min(step * normal * ease(n));
        verdict.bound("separates", beyond(apart), tolerance);
        let floor = (contact.depth / step).min(0.0);
        verdict.bound("approaches", beyond(floor - u - parameters.cfm * normal.max(0.0)), tolerance);
        if slip.length() > 0.0 && self.scene.friction > 0.0 && parameters.bounds != BoundsRule::Once {
            // A pyramid holds in each of its directions with the coefficient, which is the larger over √2.
            let bound = self.scene.friction / std::f64::consts::SQRT_2 * normal;
            let left = step * (bound - tangent.length()) * ease(slip.normalize());
            verdict.bound("slips", beyond(slip.length().min(left)), tolerance);
        }
    }

    /// Newton's second law of each body, and with it the third.
    fn momentum(&self, verdict: &mut Verdict) {
        let h = self.scene.step;
        for (slot, (before, after)) in self.before.iter().zip(&self.after).enumerate() {
            let (Some(before), Some(after)) = (before, after) else { continue };
            if !before.is_awake || !after.is_awake || !(self.scene.is_hard || before.is_centered) {
                continue;
            }
            let weight = h * before.mass * self.scene.world.parameters.gravity;
            let error = before.mass * (after.velocity - before.velocity) - weight - self.impulses[slot];
            let size = before.mass * (before.velocity.length() + after.velocity.length())
                + weight.length()
                + self.impulses[slot].length();
            let bound = if self.scene.is_hard { MOMENTUM } else { COMPLIANT };
            verdict.bound("momentum", error.length() / size, bound);
        }
    }
}
