//! The driver: steps from a time to another, fixed or as the error allows.

use super::collocation::Implicit;
use super::crossing::{Crossing, Span};
use super::error_control::{Order, Trial};
use super::explicit::Explicit;
use super::implicit_euler::IMPLICIT_EULER;
use super::nodes::Nodes;
use super::radau::{RADAU1, RADAU3};
use super::slope::{FirstOrder, largest};
use super::step::Step;
use super::{IntegratorParameters, Scheme, Statistics, System};

/// The time that an integration covers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Time at its start \[s\].
    pub start: f64,
    /// Its length \[s\].
    pub duration: f64,
}

/// What of an integration changes the bits of the next one: part of a snapshot.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Carry {
    /// Step that the error allows next \[s\]; 0 before the first step.
    pub step: f64,
    /// Trials that went beyond what their calls have of [`IntegratorParameters::max_trials`].
    pub debt: u32,
    /// Calls to come that are implicit, since the motion was stiff.
    pub implicit_calls: u32,
}

impl Carry {
    /// So many calls stay implicit once an explicit scheme has used up its trials: of the ten calls' trials that it has then, the
    /// next attempt spends one for each fiftieth of a call.
    pub const IMPLICIT_CALLS: u32 = 1000;
}

/// Integrates a [`System`]; keeps memory, the step size, and the last slope where a scheme needs it again.
#[derive(Clone, Debug, Default)]
pub struct Integrator {
    /// What must be restored to repeat the next integration bit for bit.
    pub carry: Carry,
    /// State at the start of the step to come.
    pub(super) y: Vec<f64>,
    /// State at its end.
    next: Vec<f64>,
    /// Error estimate, and its size in velocity coordinates.
    error: Vec<f64>,
    error_of_q: Vec<f64>,
    /// Time of `y` \[s\].
    pub(super) time: f64,
    explicit: Explicit,
    implicit: Implicit,
    /// Of the steps of the last call.
    pub(crate) nodes: Nodes,
}

impl Integrator {
    /// Nothing is known of any system; `carry` is that of a snapshot, or the default.
    #[must_use]
    pub fn new(carry: Carry) -> Self {
        Self { carry, ..Self::default() }
    }

    /// Forgets the slope that is kept for an unchanged state. Due whenever `a(t, q, v)` itself has changed between two
    /// calls of [`Self::advance`]: other parameters, other forces, another system. The carry stays.
    pub fn forget(&mut self) {
        self.explicit.has_first = false;
    }

    /// Advances `q` and `v` through an interval, exactly to its end. `on_accept` sees the time and the state after every
    /// step, the last included.
    ///
    /// With error control steps are as long as [`IntegratorParameters::accuracy`] allows; otherwise they are equal, at
    /// most [`IntegratorParameters::max_step`], and shorter only where an implicit scheme finds no solution. Implicit
    /// schemes solve their equations to a part of the accuracy in either case, with a Jacobian that serves for many
    /// steps but not beyond the call. After [`IntegratorParameters::max_trials`] trials it stops at the time reached,
    /// [`Statistics::unfinished`], or goes on implicitly ([`IntegratorParameters::implicit_when_stiff`]). Where no step gives finite numbers, the state stays the last finite one and the rest of the time is passed over:
    /// [`Statistics::skipped`]. A duration that is not positive and finite does nothing.
    #[inline]
    pub fn advance<S: System + ?Sized>(
        &mut self,
        system: &mut S,
        parameters: &IntegratorParameters,
        interval: Interval,
        q: &mut [f64],
        v: &mut [f64],
        mut on_accept: impl FnMut(f64, &[f64], &[f64]),
    ) -> Statistics {
        if !(interval.duration > 0.0 && interval.duration.is_finite()) {
            return Statistics::default();
        }
        self.nodes.clear(q.len() + v.len());
        if !parameters.implicit_when_stiff || parameters.scheme.is_implicit() {
            return self.advance_by(system, parameters, interval, q, v, &mut on_accept);
        }
        let implicit = IntegratorParameters { scheme: Scheme::Radau3, ..*parameters };
        if self.carry.implicit_calls > 0 {
            self.carry.implicit_calls -= 1;
            let statistics = self.advance_by(system, &implicit, interval, q, v, &mut on_accept);
            return Statistics { implicit_calls: 1, ..statistics };
        }
        let mut statistics = self.advance_by(system, parameters, interval, q, v, &mut on_accept);
        if statistics.unfinished > 0.0 {
            self.carry = Carry { debt: 0, implicit_calls: Carry::IMPLICIT_CALLS, ..self.carry };
            let rest = Interval { start: self.time, duration: statistics.unfinished };
            statistics.unfinished = 0.0;
            statistics += self.advance_by(system, &implicit, rest, q, v, &mut on_accept);
            statistics.implicit_calls = 1;
        }
        statistics
    }

    /// [`Self::advance`] by one scheme.
    fn advance_by<S: System + ?Sized>(
        &mut self,
        system: &mut S,
        parameters: &IntegratorParameters,
        interval: Interval,
        q: &mut [f64],
        v: &mut [f64],
        mut on_accept: impl FnMut(f64, &[f64], &[f64]),
    ) -> Statistics {
        let Interval { start: t, duration } = interval;
        debug_assert_eq!((q.len(), v.len()), (system.position_count(), system.velocity_count()));
        self.load(t, q, v);
        self.carry.debt = self.carry.debt.saturating_sub(parameters.max_trials);
        let end = t + duration;
        let nodes = std::mem::take(&mut self.nodes);
        let f = FirstOrder { position_count: q.len(), system, evaluations: 0, nodes };
        let span = Span { start: t, length: duration, end };
        let mut crossing = Crossing::new(self, f, parameters, duration, &mut on_accept);
        let outcome = if parameters.is_error_controlled() {
            crossing.cross(span, Some(Order::of(parameters.scheme)))
        } else {
            crossing.equal_steps(span)
        };
        let (mut statistics, nodes) = crossing.finish();
        self.nodes = nodes;
        if outcome.is_err() && statistics.unfinished > 0.0 {
            statistics.unfinished = end - self.time;
            self.forget();
        } else if outcome.is_err() {
            statistics.forced += 1;
            statistics.skipped = end - self.time;
            self.forget();
        }
        if statistics.unfinished == 0.0 {
            self.time = end;
        }
        let (next_q, next_v) = self.y.split_at(q.len());
        q.copy_from_slice(next_q);
        v.copy_from_slice(next_v);
        statistics
    }

    /// The velocity with the largest error estimate in the last trial: what asks for the smallest steps.
    #[must_use]
    pub(crate) fn hardest(&self) -> Option<usize> {
        let velocities = self.error.len().checked_sub(self.error_of_q.len())?;
        let errors = self.error[velocities..].iter().map(|e| e.abs()).enumerate();
        errors.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(index, _)| index)
    }

    /// Takes the state over; the slope that is kept is for this time and these bits only.
    fn load(&mut self, t: f64, q: &[f64], v: &[f64]) {
        // A Jacobian of another call would change the bits of this one, and is no part of the carry.
        self.implicit.forget();
        let n = q.len() + v.len();
        let is_same = self.explicit.has_first
            && self.y.len() == n
            && self.error_of_q.len() == v.len()
            && self.time.to_bits() == t.to_bits()
            && self.y.iter().zip(q.iter().chain(v)).all(|(a, b)| a.to_bits() == b.to_bits());
        if is_same {
            return;
        }
        self.time = t;
        self.y.clear();
        self.y.extend_from_slice(q);
        self.y.extend_from_slice(v);
        self.next.resize(n, 0.0);
        self.error.resize(n, 0.0);
        self.error_of_q.resize(v.len(), 0.0);
        self.explicit.forget(n);
    }

    /// The trial is taken: `next` becomes `y`.
    #[inline]
    pub(super) fn accept(&mut self, time: f64) {
        std::mem::swap(&mut self.y, &mut self.next);
        self.explicit.accept();
        self.time = time;
    }

    /// One trial of a step, from `y` to `next`.
    #[inline]
    pub(super) fn attempt<S: System + ?Sized>(
        &mut self,
        f: &mut FirstOrder<S>,
        parameters: &IntegratorParameters,
        step: Step,
        estimates: bool,
        statistics: &mut Statistics,
    ) -> Trial {
        let Self { y, next, error, error_of_q, explicit, implicit, .. } = self;
        let wanted = estimates.then_some(error.as_mut_slice());
        let mut solved = Ok(());
        match parameters.scheme {
            Scheme::SemiExplicitEuler => explicit.semi_explicit_euler(f, step, y, next),
            Scheme::RungeKutta2 => explicit.runge_kutta2(f, step, y, next),
            Scheme::RungeKutta3 => explicit.runge_kutta3(f, step, y, next, wanted),
            Scheme::BogackiShampine3 => explicit.bogacki_shampine3(f, step, y, next, wanted),
            Scheme::RungeKutta5 => explicit.runge_kutta5(f, step, y, next, wanted),
            Scheme::ImplicitEuler => {
                solved =
                    implicit.step(f, &IMPLICIT_EULER.equations(step, parameters.accuracy), y, next, wanted, statistics);
            }
            Scheme::Radau1 => {
                solved = implicit.step(f, &RADAU1.equations(step, parameters.accuracy), y, next, wanted, statistics)
            }
            Scheme::Radau3 => {
                solved = implicit.step(f, &RADAU3.equations(step, parameters.accuracy), y, next, wanted, statistics)
            }
        }
        if let Err(failure) = solved {
            return failure;
        }
        if largest(next) == f64::INFINITY {
            return Trial::NotFinite;
        }
        let error = if estimates { f.size(y, error, error_of_q) } else { 0.0 };
        if error < f64::INFINITY { Trial::Error(error) } else { Trial::NotFinite }
    }
}
