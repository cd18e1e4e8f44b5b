//! Random mechanisms: bodies on joints of every kind, as trees and with loops, judged by energy and momentum.
//!
//! Joints, stops, dampers and friction make no energy. Motors put in at most what their bound of force does over the way
//! travelled, `Σ F |q̇| h`; that sum comes from rates alone, so that it does not trust what the engine says of its motors.

mod build;
mod joints;

use stiction::StepReport;
use stiction::world::{Coordinates, World};

use crate::energy::{Energy, closure, energy, momentum, motor_power, reach};
use crate::setting::Setting;
use crate::verdict::Verdict;

/// Share of what moves that may be made.
pub const GAIN: f64 = 0.05;
/// Gap of a joint, over the size of the mechanism, beyond which it has come apart.
pub const APART: f64 = 0.02;
/// Share of the momentum that a free mechanism of single bodies may lose or win.
pub const MOMENTUM: f64 = 1e-6;
/// Share of the momentum of trees, whose coordinates are those of joints, and of all angular momentum: motions of a step
/// are of first order.
pub const FIRST_ORDER: f64 = 0.05;
/// Error of the balance that the report gives, over its largest term.
pub const CLOSURE: f64 = 1e-9;

/// A mechanism of a seed, as a world under a setting.
pub struct Mechanism {
    /// The world.
    pub world: World,
    /// Step \[s\].
    pub step: f64,
    /// Nothing holds it to the world and nothing pulls at it.
    pub is_free: bool,
    /// Joints close loops.
    pub has_loops: bool,
    /// In words.
    pub description: String,
}

/// What was come to in a run.
struct Run {
    start: Energy,
    before: Energy,
    /// Energy at play \[J\].
    scale: f64,
    /// Most that motors can have put in, from rates \[J\].
    motors: f64,
    /// What motors and forces have put in, as told \[J\].
    told: f64,
    /// Largest gain while the joints held, and after they came apart.
    gains: [f64; 2],
    is_apart: bool,
    size: f64,
    /// Largest energy of any kind so far \[J\].
    largest: f64,
}

impl Mechanism {
    /// The mechanism of a seed; the same bodies and joints under every setting.
    #[must_use]
    pub fn new(seed: u64, setting: &Setting) -> Self {
        build::build(seed, setting)
    }

    /// Length of the mechanism, at least 0.3 m.
    fn size(&self) -> f64 {
        let centers = self.world.body_ids().filter_map(|id| self.world.body(id)).map(|b| b.center_of_mass().length());
        centers.fold(0.3, f64::max)
    }

    /// Runs it and looks at every step.
    #[must_use]
    pub fn judge(mut self, steps: usize) -> Verdict {
        let mut verdict = Verdict { description: std::mem::take(&mut self.description), ..Verdict::default() };
        // The first step takes away what of the given velocities the joints do not allow: loss, never gain.
        let mut start = energy(&self.world);
        if self.world.parameters.coordinates == Coordinates::Reduced {
            // Trees read the motions of their joints off velocities that need not fit: the first step makes them fit.
            self.world.step(self.step);
            let fitting = energy(&self.world);
            start = if fitting.total() > start.total() { fitting } else { start };
        }
        let (linear, angular) = momentum(&self.world);
        let scale = start.kinetic.max(reach(&self.world)).max(start.springs);
        let size = self.size();
        let gains = [f64::NEG_INFINITY; 2];
        let mut run = Run {
            start,
            before: energy(&self.world),
            scale,
            motors: 0.0,
            told: 0.0,
            gains,
            is_apart: false,
            size,
            largest: 0.0,
        };
        for _ in 0..steps {
            let power = motor_power(&self.world);
            self.world.step(self.step);
            verdict.steps += 1;
            let power = power.max(motor_power(&self.world));
            if !run.look(&self.world, self.step * power, &mut verdict) {
                verdict.fail("not finite", format!("step {}", verdict.steps));
                return verdict;
            }
        }
        verdict.bound("energy", run.gains[0], GAIN);
        if run.gains[1] > GAIN {
            verdict.note("gain apart");
        }
        if run.gains[1] > 10.0 {
            verdict.note("burst apart");
        }
        if self.is_free {
            let mass: f64 = self.world.body_ids().filter_map(|id| self.world.body(id)).map(|b| b.mass()).sum();
            let (l, a) = momentum(&self.world);
            let speed = (2.0 * run.scale * mass).sqrt();
            verdict.note("free");
            let is_reduced = self.world.parameters.coordinates == Coordinates::Reduced;
            let bound = if is_reduced { FIRST_ORDER } else { MOMENTUM };
            verdict.bound("momentum", (l - linear).length() / speed, bound);
            if run.is_apart {
                return verdict;
            }
            verdict.bound("angular momentum", (a - angular).length() / (speed * size), FIRST_ORDER);
        }
        verdict
    }
}

impl Run {
    /// Looks at a step; false where numbers are none.
    fn look(&mut self, world: &World, motors: f64, verdict: &mut Verdict) -> bool {
        let report: &StepReport = world.report();
        if !report.quarantined.is_empty() {
            verdict.fail("quarantine", format!("{} bodies", report.quarantined.len()));
        }
        if report.gave_up > 0 {
            verdict.note("gave up");
        }
        if report.integration.unfinished > 0.0 {
            verdict.note("cut short");
        }
        if report.joint_error > APART * self.size {
            self.is_apart = true;
            verdict.note("apart");
        }
        let now = energy(world);
        if !now.total().is_finite() {
            return false;
        }
        match closure(report, &self.before, &now, &mut self.largest) {
            Some(error) => verdict.bound("closure", error, CLOSURE),
            None => verdict.note("no balance"),
        }
        let told = report.energy.motors + report.energy.forces;
        self.motors += motors;
        self.told += told;
        // What moves: grows with a fall and with motors, not with an explosion.
        let fallen = (self.start.total() - now.potential).max(0.0);
        self.scale = self.scale.max(fallen.min(10.0 * self.scale.max(1e-12)));
        let scale = self.scale + self.motors;
        if self.told > self.motors + GAIN * scale {
            verdict.fail("motors", format!("told {:.3e} J, possible {:.3e} J", self.told, self.motors));
        }
        // Springs of joints keep the energy at the middle of the step, the time of the velocities.
        let kept = now.total() + report.spring_swing;
        let gain = (kept - self.start.total() - self.told.min(self.motors)) / scale;
        let worst = &mut self.gains[usize::from(self.is_apart)];
        *worst = worst.max(gain);
        self.before = now;
        true
    }
}
