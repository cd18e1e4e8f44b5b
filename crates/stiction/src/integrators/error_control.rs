//! The step rule: which step follows from an error estimate (Drake's `integrator_base`; Hairer, Nørsett, Wanner,
//! *Solving Ordinary Differential Equations I*, II.4).

use super::Scheme;

/// Part of the step at which the accuracy is expected to be met exactly.
const SAFETY: f64 = 0.9;
/// Strongest change down in one go; also the change after numbers that are not finite.
const LEAST_CHANGE: f64 = 0.1;
/// Strongest change up in one go.
const MOST_CHANGE: f64 = 5.0;
/// Smaller growth is not worth a change.
const LEAST_GROWTH: f64 = 1.2;
/// Weaker shrinking would be likely to fail again.
const LEAST_SHRINKING: f64 = 0.9;
/// A step at most this much longer reaches the end in one.
const STRETCH: f64 = 1.001;
/// A step shorter than this part of the wanted one says nothing about the wanted one.
const CUT: f64 = 0.95;
/// Change of the step after equations that Newton's method did not solve.
const AFTER_DIVERGENCE: f64 = 0.5;

/// How a trial of a step ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Trial {
    /// With finite numbers, and this error estimate (zero where none was asked for).
    Error(f64),
    /// With numbers that are not finite.
    NotFinite,
    /// With equations that Newton's method did not solve.
    Diverged,
}

impl Trial {
    /// Change of the step after a trial; 1 after one that gave a state.
    #[inline]
    pub fn change_after_failure(self) -> f64 {
        match self {
            Self::Error(_) => 1.0,
            Self::NotFinite => LEAST_CHANGE,
            Self::Diverged => AFTER_DIVERGENCE,
        }
    }
}

/// What the error estimate says about a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Verdict {
    /// The step is accurate enough.
    pub is_accurate: bool,
    /// Step to try next, from the state after the step or again \[s\].
    pub next: f64,
}

/// The step rule `h⁺ = 0.9 h (accuracy / error)^(1/p)`, with its bounds: that of `order`, p, and `longest`.
#[inline]
pub(super) fn judge(h: f64, longest: f64, error: f64, accuracy: f64, order: Order) -> Verdict {
    let is_accurate = error <= accuracy;
    if is_accurate && h >= longest {
        // Without the root, which costs as much as a stage of a small system.
        return Verdict { is_accurate, next: h };
    }
    let wanted = if error == 0.0 { MOST_CHANGE * h } else { SAFETY * h * order.root(accuracy / error) };
    let next = if !is_accurate {
        wanted.min(LEAST_SHRINKING * h).max(LEAST_CHANGE * h)
    } else if wanted < LEAST_GROWTH * h {
        h
    } else {
        wanted.min(MOST_CHANGE * h).min(longest)
    };
    Verdict { is_accurate, next }
}

/// Order of an error estimate: the estimate falls as this power of the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Order(u32);

impl Order {
    /// Order of the estimate of a scheme.
    pub const fn of(scheme: Scheme) -> Self {
        Self(match scheme {
            Scheme::SemiExplicitEuler => 1,
            // Two half steps: the difference is the local error, one order above the scheme's.
            Scheme::RungeKutta2 | Scheme::ImplicitEuler | Scheme::Radau1 => 2,
            Scheme::RungeKutta3 | Scheme::BogackiShampine3 => 3,
            Scheme::Radau3 => 4,
            Scheme::RungeKutta5 => 5,
        })
    }

    /// `x^(1/p)`.
    #[inline]
    fn root(self, x: f64) -> f64 {
        match self.0 {
            1 => x,
            2 => x.sqrt(),
            3 => libm::cbrt(x),
            4 => x.sqrt().sqrt(),
            order => libm::pow(x, 1.0 / f64::from(order)),
        }
    }
}

/// Length of a step, given what is wanted and what is left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Length {
    /// Step \[s\].
    pub h: f64,
    /// It ends at the end.
    pub arrives: bool,
    /// It is so much shorter than wanted that it says nothing about the next one.
    pub is_cut: bool,
}

/// Cuts a step to what is left, or stretches it a little.
#[inline]
pub(super) fn fit(wanted: f64, left: f64) -> Length {
    if left <= STRETCH * wanted {
        Length { h: left, arrives: true, is_cut: left < CUT * wanted }
    } else {
        Length { h: wanted, arrives: false, is_cut: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_and_its_bounds() {
        let third = Order(3);
        let next = |error| judge(1.0, 9.0, error, 1e-3, third).next;
        assert!((next(1e-3 / 64.0) - 0.9 * 4.0).abs() < 1e-12);
        assert_eq!(next(0.0), 5.0);
        assert_eq!(next(1e-12), 5.0);
        // Growth by less than 1.2, and shrinking while the error is in bounds, are left alone.
        assert_eq!(next(0.5e-3), 1.0);
        assert_eq!(next(1e-3), 1.0);
        assert_eq!(next(1.0001e-3), 0.9 * (1.0 / 1.0001_f64).cbrt());
        assert!((next(8e-3) - 0.45).abs() < 1e-12);
        assert_eq!(next(1e6), 0.1);
        assert_eq!(next(f64::INFINITY), 0.1);
        assert_eq!(judge(1.0, 2.0, 1e-9, 1e-3, third).next, 2.0);
        assert_eq!(judge(1.0, 1.0, 1e-9, 1e-3, third).next, 1.0);
        let is_accurate = |error| judge(1.0, 1.0, error, 1e-3, third).is_accurate;
        assert!(is_accurate(1e-3) && !is_accurate(1.0001e-3));
    }

    #[test]
    fn every_order_takes_its_root() {
        for order in 1..=5 {
            let x = libm::pow(1.7, f64::from(order));
            assert!((Order(order).root(x) - 1.7).abs() < 1e-14);
        }
    }

    #[test]
    fn the_last_step_is_cut_or_stretched() {
        assert_eq!(fit(1.0, 3.0), Length { h: 1.0, arrives: false, is_cut: false });
        assert_eq!(fit(1.0, 1.0009), Length { h: 1.0009, arrives: true, is_cut: false });
        assert_eq!(fit(1.0, 0.96), Length { h: 0.96, arrives: true, is_cut: false });
        assert_eq!(fit(1.0, 0.94), Length { h: 0.94, arrives: true, is_cut: true });
    }
}
