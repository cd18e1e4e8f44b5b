//! Random programs of calls against a plain model of what there is.
//!
//! After each call handles are valid or stale as the model says, and after each step all numbers of bodies are finite,
//! the change of energy that is told is the one there was, a snapshot brings back the same bits, and a second world that
//! got the same calls has them too. Nothing panics. Half of the programs mix in numbers that no world has: zero, huge,
//! infinite, none.

mod calls;
mod hostile;
mod model;

use std::fmt::Debug;

use stiction::world::{Snapshot, World};

use self::hostile::Numbers;
use self::model::Model;
use crate::energy::{Energy, closure, energy};
use crate::mechanism::{CLOSURE, GAIN};
use crate::random::Draw;
use crate::setting::Setting;
use crate::verdict::Verdict;

/// Bodies at most.
const MOST_BODIES: usize = 14;

/// Way beyond a stop up to which a motion is at it \[m or rad\]: one that an edit has put farther beyond comes back at a rate by that way.
const BEYOND: f64 = 1e-2;

/// Trials of continuous time in a step: calls are what programs are about.
const MOST_TRIALS: u32 = 20;

/// A program of a seed.
pub struct Program {
    numbers: Numbers,
    world: World,
    /// Gets the same calls.
    twin: Option<World>,
    model: Model,
    snapshots: Vec<Snapshot>,
    verdict: Verdict,
    /// Largest energy of any kind since the last step that was judged \[J\].
    largest: f64,
}

impl Program {
    /// The program of a seed; it begins under a setting.
    #[must_use]
    pub fn new(seed: u64, setting: &Setting) -> Self {
        let mut numbers = Numbers { draw: Draw::new(seed ^ 0xca11_5eed), is_hostile: false };
        numbers.is_hostile = numbers.draw.chance(0.5);
        let gravity =
            if numbers.draw.chance(0.8) { -9.81 * stiction::math::DVec3::Z } else { stiction::math::DVec3::ZERO };
        let mut parameters = setting.parameters(gravity);
        if setting.is_continuous() {
            parameters.integrator.max_trials = MOST_TRIALS;
        }
        let twin = numbers.draw.chance(0.3).then(|| World::new(parameters.clone()));
        let description = format!("hostile {}, twin {}", numbers.is_hostile, twin.is_some());
        Self {
            numbers,
            world: World::new(parameters),
            twin,
            model: Model::default(),
            snapshots: Vec::new(),
            verdict: Verdict { description, ..Verdict::default() },
            largest: 0.0,
        }
    }

    /// Makes so many calls.
    #[must_use]
    pub fn judge(mut self, calls: usize) -> Verdict {
        self.begin();
        while (self.verdict.calls as usize) < calls {
            let name = self.call();
            self.verdict.calls += 1;
            if let Some(difference) = self.model.difference(&self.world) {
                self.fail("model", &format!("after {name}: {difference}"));
            }
            self.model.forget();
            if !self.verdict.failures.is_empty() {
                break;
            }
        }
        self.verdict
    }

    fn fail(&mut self, what: &'static str, text: &str) {
        let number = self.verdict.calls;
        self.verdict.fail(what, format!("call {number}: {text}"));
    }

    /// Makes a call on both worlds; their answers must be the same.
    fn both<T: Debug>(&mut self, call: impl Fn(&mut World) -> T) -> T {
        let answer = call(&mut self.world);
        if let Some(twin) = &mut self.twin {
            let other = call(twin);
            let (own, other) = (format!("{answer:?}"), format!("{other:?}"));
            if own != other {
                self.fail("twin", &format!("{own} and {other}"));
            }
        }
        answer
    }

    /// Holds an answer against what the model expects.
    fn expect(&mut self, name: &str, is_accepted: bool, should_be: Option<bool>) {
        if should_be.is_some_and(|s| s != is_accepted) {
            self.fail("answer", &format!("{name} accepted: {is_accepted}"));
        }
    }

    /// Steps and looks.
    fn steps(&mut self, count: usize, step: f64) {
        let mut start = energy(&self.world);
        let mut told = 0.0;
        let mut is_sound = !self.numbers.is_hostile;
        for number in 0..count {
            let before = energy(&self.world);
            let time = self.world.time();
            let (refused, quarantined) = self.both(|world| {
                let report = world.step(step);
                (report.refused, report.quarantined.len())
            });
            self.verdict.steps += 1;
            self.verdict.calls += 1;
            let is_sound_call = step.is_finite() && step > 0.0 && self.world.parameters.validate().is_ok();
            if refused == is_sound_call {
                self.fail("answer", &format!("step {step:e} refused: {refused}"));
            }
            if refused && self.world.time() != time {
                self.fail("answer", "time advanced in a step that was refused");
            }
            self.look(step, &before, refused || quarantined > 0);
            if self.twin.as_ref().is_some_and(|twin| twin.state_hash() != self.world.state_hash()) {
                self.fail("twin", "other bits after the same calls");
            }
            let report = self.world.report();
            let b = &report.energy;
            is_sound &=
                report.joint_error < 1e-2 && report.penetration < 1e-2 && quarantined == 0 && report.gave_up == 0;
            is_sound &= report.inconsistent_rows == 0 && report.passed_through.is_empty();
            is_sound &= is_within_stops(&self.world);
            told += b.forces.max(0.0) + b.motors.max(0.0) + b.placed + b.made_push_out.max(0.0) + b.made_drift.max(0.0);
            if !is_sound || number == 0 {
                // What pushes itself apart is no measure for the rest; nor are velocities that trees have yet to make fit.
                (start, told) = (energy(&self.world), 0.0);
                is_sound = !self.numbers.is_hostile && quarantined == 0;
                continue;
            }
            let mut now = energy(&self.world);
            // Springs of joints keep the energy at the middle of the step, the time of the velocities.
            now.springs += self.world.report().spring_swing;
            let scale = start.kinetic.max(start.springs) + (start.potential - now.potential).max(0.0) + told + 1e-3;
            if now.total() - start.total() - told > 4.0 * GAIN * scale && step < 0.02 {
                let gain = (now.total() - start.total() - told) / scale;
                self.verdict.note("gain");
                if gain > 10.0 {
                    self.fail("energy", &format!("{gain:.2e}"));
                }
            }
        }
    }

    fn look(&mut self, step: f64, before: &Energy, is_mended: bool) {
        let mut wrong = None;
        for id in self.world.body_ids() {
            let Some(body) = self.world.body(id) else { continue };
            let (pose, mass) = (body.pose(), body.mass());
            let is_finite =
                pose.is_finite() && body.velocity().is_finite() && body.omega().is_finite() && mass.is_finite();
            if !is_finite {
                wrong = Some(format!("body {} after a step of {step:e}", id.slot()));
            } else if (pose.rotation.length() - 1.0).abs() > 1e-6 {
                wrong = Some(format!("rotation of length {:e} after a step of {step:e}", pose.rotation.length()));
            }
        }
        if let Some(wrong) = wrong {
            self.fail("not finite", &wrong);
            return;
        }
        let now = energy(&self.world);
        // Programs come to all sizes of energy: each step has its own.
        self.largest = 0.0;
        let error = closure(self.world.report(), before, &now, &mut self.largest).unwrap_or(0.0);
        // Squares of what is huge are no numbers.
        let is_together = self.world.report().joint_error < 1e-2;
        if !is_mended
            && is_together
            && before.total().abs() < 1e200
            && now.total().abs() < 1e200
            && (error.is_nan() || error > CLOSURE)
        {
            self.fail("closure", &format!("{error:.3e}, step {step:e}"));
        }
    }
}

/// No joint of a body that moves is far beyond its stops.
fn is_within_stops(world: &World) -> bool {
    let mut joints = world.joint_ids().filter_map(|id| world.joint(id));
    joints.all(|joint| {
        (0..joint.motion_count()).all(|axis| {
            let stop = joint.definition().parameters[axis].stop(joint.position(axis));
            stop.is_none_or(|(_, beyond)| beyond.abs() < BEYOND)
        })
    })
}
