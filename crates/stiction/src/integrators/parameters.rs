//! Parameters of continuous time.

use super::Scheme;

/// Parameters of continuous time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IntegratorParameters {
    /// Scheme.
    pub scheme: Scheme,
    /// Largest weighted change of positions and velocities that a step may be wrong by.
    pub accuracy: f64,
    /// Largest step \[s\].
    pub max_step: f64,
    /// Smallest step \[s\].
    pub min_step: f64,
    /// Trials of steps in one call of [`super::Integrator::advance`] before it gives up, where steps follow the error;
    /// what calls leave over serves later ones, up to a hundred times this in one,
    /// or ten times where [`Self::implicit_when_stiff`] follows. 0 is no bound.
    pub max_trials: u32,
    /// Where an explicit scheme has used up its trials, Radau's third order goes on, in this and the next
    /// [`super::Carry::IMPLICIT_CALLS`] calls, instead of giving up.
    pub implicit_when_stiff: bool,
    /// Steps follow the error estimate; off takes the largest step.
    pub error_control: bool,
}

impl Default for IntegratorParameters {
    fn default() -> Self {
        Self {
            scheme: Scheme::default(),
            accuracy: 1e-6,
            max_step: 0.1,
            min_step: 1e-14,
            max_trials: 0,
            implicit_when_stiff: false,
            error_control: true,
        }
    }
}

impl IntegratorParameters {
    /// Steps follow the error: it is asked for, and the scheme estimates it.
    #[must_use]
    pub const fn is_error_controlled(&self) -> bool {
        self.error_control && self.scheme.has_error_estimate()
    }
}
