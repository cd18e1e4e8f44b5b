//! What an integration cost.

use std::ops::AddAssign;

/// Counts of one or several integrations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Statistics {
    /// Steps that were taken.
    pub steps: u64,
    /// Trials that were not.
    pub rejections: u64,
    /// Calls of [`super::System::accelerations`], those for Jacobians included.
    pub evaluations: u64,
    /// Iterations of Newton's method.
    pub newton_iterations: u64,
    /// Jacobians of the accelerations.
    pub jacobians: u64,
    /// Factorizations of the matrix of Newton's method.
    pub factorizations: u64,
    /// Steps that were taken in spite of their error as no smaller ones are allowed, and integrations that ended early.
    pub forced: u64,
    /// Time that was passed over with the system at rest in its last finite state, as no step out of it gives finite
    /// numbers \[s\].
    pub skipped: f64,
    /// Time that is left of integrations that came to [`super::IntegratorParameters::max_trials`]; the state is that of the
    /// time reached \[s\].
    pub unfinished: f64,
    /// Calls that were implicit for a part or as a whole, since the motion was stiff
    /// ([`super::IntegratorParameters::implicit_when_stiff`]).
    pub implicit_calls: u64,
    /// Shortest step, those cut to arrive included; infinite without steps \[s\].
    pub smallest_step: f64,
    /// Longest step \[s\].
    pub largest_step: f64,
}

impl Default for Statistics {
    fn default() -> Self {
        Self {
            steps: 0,
            rejections: 0,
            evaluations: 0,
            newton_iterations: 0,
            jacobians: 0,
            factorizations: 0,
            forced: 0,
            skipped: 0.0,
            unfinished: 0.0,
            implicit_calls: 0,
            smallest_step: f64::INFINITY,
            largest_step: 0.0,
        }
    }
}

impl AddAssign for Statistics {
    fn add_assign(&mut self, other: Self) {
        self.steps += other.steps;
        self.rejections += other.rejections;
        self.evaluations += other.evaluations;
        self.newton_iterations += other.newton_iterations;
        self.jacobians += other.jacobians;
        self.factorizations += other.factorizations;
        self.forced += other.forced;
        self.skipped += other.skipped;
        self.unfinished += other.unfinished;
        self.implicit_calls += other.implicit_calls;
        self.smallest_step = self.smallest_step.min(other.smallest_step);
        self.largest_step = self.largest_step.max(other.largest_step);
    }
}

impl Statistics {
    /// Notes a step that was taken.
    #[inline]
    pub(super) fn count_step(&mut self, h: f64) {
        self.steps += 1;
        self.smallest_step = self.smallest_step.min(h);
        self.largest_step = self.largest_step.max(h);
    }
}
