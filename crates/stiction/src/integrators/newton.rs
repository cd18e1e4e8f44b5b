//! Simplified Newton's method: one Jacobian and its factors serve as long as it converges well (Hairer, Wanner II, IV.8).

use super::collocation::Method;
use super::jacobian::Jacobian;
use super::lu::Factors;
use super::slope::FirstOrder;
use super::{Statistics, System};

/// Part of the accuracy that the iteration may leave.
const TOLERANCE: f64 = 0.02;
/// Changes this small beside the unknowns are rounding.
const ROUNDING: f64 = 1e-14;
/// Iterations at most.
pub(super) const MOST_ITERATIONS: u32 = 10;
/// Contraction above which the Jacobian is worn.
const WORN: f64 = 0.2;

/// Jacobian and factors that are kept from step to step.
#[derive(Clone, Debug, Default)]
pub(super) struct Newton {
    jacobian: Jacobian,
    /// It converged too slowly the last time.
    is_worn: bool,
    /// Counts Jacobians.
    generation: u64,
    /// Factors for two steps: the whole one and its half.
    factored: [Factored; 2],
}

/// Factors, and what they are of.
#[derive(Clone, Debug, Default)]
struct Factored {
    factors: Factors,
    h: f64,
    generation: u64,
    is_regular: bool,
}

/// How far an iteration is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// The unknowns are solved for.
    Converged,
    /// Another iteration.
    Continues,
    /// The iteration will not converge in time.
    Diverges,
}

/// Watches the changes of the unknowns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Convergence {
    tolerance: f64,
    last_change: f64,
    /// Worst contraction so far.
    contraction: f64,
    iterations: u32,
}

impl Convergence {
    /// Of unknowns that a step needs to `accuracy`.
    pub fn new(accuracy: f64) -> Self {
        Self { tolerance: TOLERANCE * accuracy, last_change: 0.0, contraction: 0.0, iterations: 0 }
    }

    /// Error that may be left.
    pub fn tolerance(&self) -> f64 {
        self.tolerance
    }

    /// Judges the latest change, a finite number, by the error that it leaves, `θ/(1 − θ)` of it for a contraction θ.
    pub fn judge(&mut self, change: f64, size: f64) -> Progress {
        self.iterations += 1;
        if change <= ROUNDING * size.max(1.0) {
            return Progress::Converged;
        }
        if self.iterations == 1 {
            self.last_change = change;
            // Nothing is known of the contraction: suppose 1/2.
            return if change <= self.tolerance { Progress::Converged } else { Progress::Continues };
        }
        let contraction = change / self.last_change;
        self.last_change = change;
        self.contraction = self.contraction.max(contraction);
        if contraction >= 1.0 {
            return Progress::Diverges;
        }
        let left = contraction / (1.0 - contraction) * change;
        if left <= self.tolerance {
            return Progress::Converged;
        }
        let iterations_left = MOST_ITERATIONS.saturating_sub(self.iterations);
        let end = left * (0..iterations_left).fold(1.0, |product, _| product * contraction);
        if iterations_left == 0 || end > self.tolerance { Progress::Diverges } else { Progress::Continues }
    }
}

impl Newton {
    /// There is no Jacobian.
    pub fn forget(&mut self) {
        self.jacobian.forget();
    }

    /// The Jacobian that is kept, or a new one where there is none or it is worn. False if it is not finite.
    pub fn prepare<S: System + ?Sized>(
        &mut self,
        f: &mut FirstOrder<S>,
        t: f64,
        y: &[f64],
        statistics: &mut Statistics,
    ) -> bool {
        self.jacobian.is_known() && !self.is_worn || self.renew(f, t, y, statistics)
    }

    /// The Jacobian of this state. False if it is not finite.
    pub fn renew<S: System + ?Sized>(
        &mut self,
        f: &mut FirstOrder<S>,
        t: f64,
        y: &[f64],
        statistics: &mut Statistics,
    ) -> bool {
        if self.is_of(t, y) {
            return true;
        }
        self.is_worn = false;
        self.generation += 1;
        statistics.jacobians += 1;
        let is_finite = self.jacobian.take(f, t, y);
        if !is_finite {
            self.jacobian.forget();
        }
        is_finite
    }

    /// The Jacobian is that of this state.
    pub fn is_of(&self, t: f64, y: &[f64]) -> bool {
        self.jacobian.is_of(t, y)
    }

    /// Notes how well the Jacobian served.
    pub fn served(&mut self, convergence: &Convergence) {
        self.is_worn = convergence.contraction > WORN;
    }

    /// Factors of the method's matrix for a step, kept in one of two places. `None` if it is singular.
    pub fn factors<const S: usize>(
        &mut self,
        method: &Method<S>,
        h: f64,
        place: usize,
        statistics: &mut Statistics,
    ) -> Option<&Factors> {
        let factored = &mut self.factored[place];
        if factored.h != h || factored.generation != self.generation {
            statistics.factorizations += 1;
            method.fill(&self.jacobian, h, &mut factored.factors);
            factored.is_regular = factored.factors.factor();
            factored.h = h;
            factored.generation = self.generation;
        }
        factored.is_regular.then_some(&factored.factors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn convergence_is_judged_by_what_is_left() {
        let after = |changes: &[f64]| {
            let mut convergence = Convergence::new(1e-4 / TOLERANCE);
            changes.iter().map(|&c| convergence.judge(c, 1.0)).last()
        };
        assert_eq!(after(&[0.9e-4]), Some(Progress::Converged));
        assert_eq!(after(&[1.0]), Some(Progress::Continues));
        // A contraction of 0.01 leaves a hundredth of the last change.
        assert_eq!(after(&[1.0, 0.9e-2]), Some(Progress::Converged));
        assert_eq!(after(&[1.0, 0.2]), Some(Progress::Continues));
        assert_eq!(after(&[1.0, 1.0]), Some(Progress::Diverges));
        // Ten iterations are not enough for a contraction of 0.5.
        assert_eq!(after(&[1.0, 0.5]), Some(Progress::Diverges));
        assert_eq!(after(&[0.0]), Some(Progress::Converged));
    }
}
