//! The way through a stretch of time: trials, steps, and the bounds that let every integration end.

use super::error_control::{Length, Order, Trial, fit, judge};
use super::nodes::Nodes;
use super::slope::FirstOrder;
use super::step::Step;
use super::{Integrator, IntegratorParameters, Statistics, System};

/// First step that is tried \[s\].
const FIRST_STEP: f64 = 1e-4;
/// Smallest step beside the time, so that every step advances it.
const LEAST_STEP: f64 = 1e-14;
/// A step is tiny if it is less than this part of the duration and of the largest step …
const TINY: f64 = 1e-6;
/// … and after so many tiny steps none may be tiny, so that every integration ends.
const MOST_TINY_STEPS: u32 = 100_000;
/// Calls whose trials may be used in one before an explicit scheme hands over to an implicit one …
const CALLS_TO_SWITCH: u32 = 10;
/// … and before a scheme that has no other to follow gives up: what leans, slides or lands on stiff edges asks for many, and
/// the run is over then.
const CALLS_TO_GIVE_UP: u32 = 100;
/// Quotients of duration and step are whole numbers up to this part.
const WHOLE: f64 = 1e-9;

/// A stretch of time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    /// Its start \[s\].
    pub start: f64,
    /// Its length \[s\].
    pub length: f64,
    /// Its end; `start + length` up to rounding \[s\].
    pub end: f64,
}

/// No step from the state gives finite numbers, or no more trials are allowed.
#[derive(Debug)]
pub(super) struct Stopped;

/// What follows from a trial.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Decision {
    /// The step is taken, and the next one is to be so long \[s\].
    Take { next: f64 },
    /// As [`Self::Take`], in spite of the error.
    Force { next: f64 },
    /// Another trial of this length \[s\].
    Retry { h: f64 },
    /// There is no shorter step.
    Stop,
}

/// Smallest steps \[s\].
#[derive(Clone, Copy, Debug)]
struct Floor {
    /// What the error may ask for.
    of_error: f64,
    /// What a trial without a result may lead to.
    of_failure: f64,
}

/// Decides about a trial of length `h`, with at most `longest` to come; without an order the error does not count.
#[inline]
fn decide(trial: Trial, h: f64, longest: f64, accuracy: f64, order: Option<Order>, floor: Floor) -> Decision {
    match (trial, order) {
        (Trial::Error(error), Some(order)) => {
            let verdict = judge(h, longest, error, accuracy, order);
            if verdict.is_accurate {
                Decision::Take { next: verdict.next }
            } else if h <= floor.of_error {
                Decision::Force { next: h }
            } else {
                Decision::Retry { h: verdict.next.max(floor.of_error) }
            }
        }
        (Trial::Error(_), None) => Decision::Take { next: 2.0 * h },
        (Trial::NotFinite | Trial::Diverged, _) if h <= floor.of_failure => Decision::Stop,
        (Trial::NotFinite | Trial::Diverged, _) => {
            Decision::Retry { h: (trial.change_after_failure() * h).max(floor.of_failure) }
        }
    }
}

/// One call of [`Integrator::advance`].
pub(super) struct Crossing<'a, 's, S: ?Sized, A> {
    integrator: &'a mut Integrator,
    f: FirstOrder<'s, S>,
    parameters: &'a IntegratorParameters,
    on_accept: &'a mut A,
    statistics: Statistics,
    /// Largest step \[s\].
    max_step: f64,
    /// Steps below are tiny \[s\].
    tiny_step: f64,
    tiny_steps_left: u32,
}

impl<'a, 's, S: System + ?Sized, A: FnMut(f64, &[f64], &[f64])> Crossing<'a, 's, S, A> {
    #[inline]
    pub fn new(
        integrator: &'a mut Integrator,
        f: FirstOrder<'s, S>,
        parameters: &'a IntegratorParameters,
        duration: f64,
        on_accept: &'a mut A,
    ) -> Self {
        // Not zero beside the duration either, or there would be no end of equal steps.
        let max_step =
            if parameters.max_step > 0.0 { parameters.max_step.max(LEAST_STEP * duration) } else { duration };
        Self {
            integrator,
            f,
            parameters,
            on_accept,
            statistics: Statistics::default(),
            max_step,
            tiny_step: TINY * max_step.min(duration),
            tiny_steps_left: MOST_TINY_STEPS,
        }
    }

    /// What it took, and the nodes of its steps.
    #[inline]
    pub fn finish(self) -> (Statistics, Nodes) {
        (Statistics { evaluations: self.f.evaluations, ..self.statistics }, self.f.nodes)
    }

    /// Equal steps, as few as the largest step allows.
    #[inline]
    pub fn equal_steps(&mut self, span: Span) -> Result<(), Stopped> {
        // Whole numbers as f64, which a quotient never overflows.
        let count = (span.length / self.max_step * (1.0 - WHOLE)).ceil().max(1.0);
        let length = span.length / count;
        let mut done = 0.0;
        while done < count {
            let start = span.start + done * length;
            done += 1.0;
            let end = if done < count { span.start + done * length } else { span.end };
            self.cross(Span { start, length, end }, None)?;
        }
        Ok(())
    }

    /// Steps as the error allows; without an order one step, or several where it fails.
    #[inline]
    pub fn cross(&mut self, span: Span, order: Option<Order>) -> Result<(), Stopped> {
        let mut wanted = match order {
            Some(_) if self.integrator.carry.step > 0.0 => self.integrator.carry.step,
            Some(_) => FIRST_STEP.min(span.length),
            None => span.length,
        };
        let mut elapsed = 0.0;
        while elapsed < span.length {
            let floor = self.floor(span.start + elapsed);
            let shortest = if order.is_some() { floor.of_error } else { floor.of_failure };
            let first = fit(wanted.max(shortest).min(self.max_step), span.length - elapsed);
            let (taken, next) = self.step(span, elapsed, first, order)?;
            if order.is_some() && !taken.is_cut {
                self.integrator.carry.step = next;
            }
            wanted = next;
            elapsed = if taken.arrives { span.length } else { elapsed + taken.h };
        }
        Ok(())
    }

    /// Trials until one is taken; its length, and the length of the next one.
    #[inline]
    fn step(
        &mut self,
        span: Span,
        elapsed: f64,
        first: Length,
        order: Option<Order>,
    ) -> Result<(Length, f64), Stopped> {
        let mut length = first;
        loop {
            let h = length.h;
            if order.is_some() && self.parameters.max_trials > 0 {
                // A short hard stretch, such as an impact, may use what many calls have.
                let IntegratorParameters { implicit_when_stiff, scheme, max_trials, .. } = *self.parameters;
                let switches = implicit_when_stiff && !scheme.is_implicit();
                let calls = if switches { CALLS_TO_SWITCH } else { CALLS_TO_GIVE_UP };
                let debt = &mut self.integrator.carry.debt;
                if *debt >= calls.saturating_mul(max_trials) {
                    self.statistics.unfinished = h;
                    return Err(Stopped);
                }
                *debt += 1;
            }
            let end = if length.arrives { span.end } else { span.start + (elapsed + h) };
            let step = Step { start: span.start + elapsed, h, end };
            let floor = self.floor(step.start);
            let estimates = order.is_some();
            self.f.nodes.begin_trial();
            let trial = self.integrator.attempt(&mut self.f, self.parameters, step, estimates, &mut self.statistics);
            // A cut step has no say in the next one.
            let longest = if length.is_cut { h } else { self.max_step };
            let decision = decide(trial, h, longest, self.parameters.accuracy, order, floor);
            if h < self.tiny_step {
                self.tiny_steps_left = self.tiny_steps_left.saturating_sub(1);
            }
            match decision {
                Decision::Take { next } | Decision::Force { next } => {
                    self.statistics.forced += u64::from(matches!(decision, Decision::Force { .. }));
                    self.statistics.count_step(h);
                    self.integrator.accept(end);
                    self.f.nodes.take();
                    let (q, v) = self.integrator.y.split_at(self.f.position_count);
                    (self.on_accept)(end, q, v);
                    return Ok((length, next));
                }
                Decision::Retry { h } => {
                    self.statistics.rejections += 1;
                    length = Length { h, arrives: false, is_cut: false };
                }
                Decision::Stop => {
                    self.statistics.rejections += 1;
                    return Err(Stopped);
                }
            }
        }
    }

    /// Smallest steps at a time.
    #[inline]
    fn floor(&self, time: f64) -> Floor {
        let least = LEAST_STEP * time.abs().max(1.0);
        let of_failure = if self.tiny_steps_left == 0 { least.max(self.tiny_step) } else { least };
        Floor { of_error: of_failure.max(self.parameters.min_step), of_failure }
    }
}
