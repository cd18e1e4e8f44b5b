//! All compliance: each system's pair of parameters as `(Γ, α, β)` of `J v⁺ + Γ λ = −α g / h + β J v⁰`.

/// Compliance of a row and the share of its position error that is removed in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Softness {
    /// Γ \[velocity per impulse: m/s per N s\].
    pub compliance: f64,
    /// α \[1\].
    pub correction: f64,
    /// β, the share of the velocity before the step that is wanted after it \[1\].
    pub kept: f64,
}

/// ODE's reading: `Γ = cfm / h`, `α = erp`; cfm in velocity per force \[s/kg\].
/// The guide's equation 3.8.1 prints `J v = c + CFM λ`; what is solved is `J v + CFM λ = c`.
#[inline]
#[must_use]
pub fn erp_cfm(erp: f64, cfm: f64, step: f64) -> Softness {
    Softness { compliance: cfm / step, correction: erp, kept: 0.0 }
}

/// An implicit spring and damper: `Γ = 1 / (h² k + h c)`, `α = h k / (h k + c)`;
/// the same as `erp = h k / (h k + c)`, `cfm = 1 / (h k + c)`.
/// With both at zero there is no force: Γ = ∞, which the caller leaves out.
#[inline]
#[must_use]
pub fn spring_damper(stiffness: f64, damping: f64, step: f64) -> Softness {
    let implicit = step * stiffness + damping;
    Softness { compliance: 1.0 / (step * implicit), correction: step * stiffness / implicit, kept: 0.0 }
}

/// SPOOK (Lacoursière): a spring `k = 1/ε` on the mean violation of the step and a damper `k τ`, taken implicitly, with
/// `Υ = 1 / (1 + 4 τ / h)`: `Γ = 4 ε Υ / h²`, `α = 4 Υ`, `β = Υ`. At rest `g = −ε F` for every step and damping time; stable at
/// any stiffness.
///
/// `compliance` is ε \[m/N\], `damping_time` τ \[s\].
#[inline]
#[must_use]
pub(crate) fn spook(compliance: f64, damping_time: f64, step: f64) -> Softness {
    let share = 1.0 / (1.0 + 4.0 * damping_time / step);
    Softness { compliance: 4.0 * compliance * share / (step * step), correction: 4.0 * share, kept: share }
}

/// Slip of a friction axis: velocity per force γ gives `Γ = γ / h`.
#[inline]
#[must_use]
pub fn slip(velocity_per_force: f64, step: f64) -> f64 {
    velocity_per_force / step
}

/// Force of a compliant contact along its normal, as a function of depth x and separation speed v (ẋ = −v).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum NormalForce {
    /// Hunt and Crossley: `f = k x (1 − d v)₊`, from Drake's point contact (`multibody_plant.cc`).
    HuntCrossley {
        /// k \[N/m\].
        stiffness: f64,
        /// d \[s/m\].
        dissipation: f64,
    },
    /// Kelvin and Voigt: `f = (k x − c v)₊`, SDFormat's `kp` and `kd`: no constant d equals it.
    KelvinVoigt {
        /// k \[N/m\].
        stiffness: f64,
        /// c \[N s/m\].
        damping: f64,
    },
    /// Hertz: `f = (k xᵖ (1 − d v)₊ − c v)₊`, with p = 3/2 for round bodies on each other.
    Hertz {
        /// k \[N/mᵖ\].
        stiffness: f64,
        /// p, more than 1.
        exponent: f64,
        /// d \[s/m\].
        dissipation: f64,
        /// c \[N s/m\].
        damping: f64,
    },
}

/// Least implicit damping of a row \[N s/m\].
const LEAST: f64 = 1e-150;

/// `xᵖ` of a depth; with p = 3/2 by a root.
#[inline]
fn power(x: f64, exponent: f64) -> f64 {
    if exponent == 1.5 { x * x.sqrt() } else { libm::pow(x, exponent) }
}

impl NormalForce {
    /// Force at a depth \[m\] and a separation speed \[m/s\] \[N\].
    #[inline]
    #[must_use]
    pub fn force(&self, depth: f64, speed: f64) -> f64 {
        match *self {
            Self::HuntCrossley { stiffness, dissipation } => {
                stiffness * depth.max(0.0) * (1.0 - dissipation * speed).max(0.0)
            }
            Self::KelvinVoigt { stiffness, damping } if depth > 0.0 => (stiffness * depth - damping * speed).max(0.0),
            Self::Hertz { stiffness, exponent, dissipation, damping } if depth > 0.0 => {
                let elastic = stiffness * power(depth, exponent);
                (elastic * (1.0 - dissipation * speed).max(0.0) - damping * speed).max(0.0)
            }
            Self::KelvinVoigt { .. } | Self::Hertz { .. } => 0.0,
        }
    }

    /// Impulse over a step that ends with the separation speed v, from the depth x₀ at its start, and its derivative by
    /// v: the depth follows, `x = x₀ − h v`, so that `λ = h (1 − d v)₊ (k x₀ − h k v)₊` (two-way coupling of Drake's
    /// TAMSI).
    #[inline]
    #[must_use]
    pub(crate) fn implicit_impulse(&self, depth: f64, speed: f64, step: f64) -> (f64, f64) {
        match *self {
            Self::HuntCrossley { stiffness, dissipation } => {
                let elastic = stiffness * depth - step * stiffness * speed;
                let damping = 1.0 - dissipation * speed;
                if elastic <= 0.0 || damping <= 0.0 {
                    return (0.0, 0.0);
                }
                (step * damping * elastic, -step * (dissipation * elastic + step * stiffness * damping))
            }
            Self::KelvinVoigt { stiffness, damping } => {
                let force = stiffness * depth - (step * stiffness + damping) * speed;
                if force > 0.0 { (step * force, -step * (step * stiffness + damping)) } else { (0.0, 0.0) }
            }
            Self::Hertz { stiffness, exponent, dissipation, damping } => {
                let x = depth - step * speed;
                let rate = 1.0 - dissipation * speed;
                if x <= 0.0 || rate <= 0.0 {
                    return (0.0, 0.0);
                }
                let elastic = stiffness * power(x, exponent);
                let force = elastic * rate - damping * speed;
                if force <= 0.0 {
                    return (0.0, 0.0);
                }
                let slope = step * exponent * elastic / x * rate + dissipation * elastic + damping;
                (step * force, -step * slope)
            }
        }
    }

    /// The law of a number of times the stiffness and damping.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        match self {
            Self::HuntCrossley { stiffness, dissipation } => {
                Self::HuntCrossley { stiffness: factor * stiffness, dissipation }
            }
            Self::KelvinVoigt { stiffness, damping } => {
                Self::KelvinVoigt { stiffness: factor * stiffness, damping: factor * damping }
            }
            Self::Hertz { stiffness, exponent, dissipation, damping } => {
                Self::Hertz { stiffness: factor * stiffness, exponent, dissipation, damping: factor * damping }
            }
        }
    }

    /// The law linearized at the present depth for solvers of linear rows: a spring k and a damper, `k x d` for Hunt and
    /// Crossley.
    #[must_use]
    pub fn linearized(&self, depth: f64, step: f64) -> Softness {
        match *self {
            Self::HuntCrossley { stiffness, dissipation } => {
                spring_damper(stiffness, stiffness * depth.max(0.0) * dissipation, step)
            }
            Self::KelvinVoigt { stiffness, damping } => spring_damper(stiffness, damping, step),
            Self::Hertz { .. } => {
                let (target, compliance) = self.tangent(depth, 0.0, step);
                let correction = if depth > 0.0 { target * step / depth } else { 0.0 };
                Softness { compliance, correction, kept: 0.0 }
            }
        }
    }

    /// Target \[m/s\] and compliance Γ of a row that follows the law's tangent at the depth that the approach \[m/s, negative
    /// when closing\] would reach in the step: `f(x*) + f′(x*) (x − x*)` with `x = x₀ − h u⁺`. The law curves upwards, so that the
    /// tangent is never more than the force.
    #[must_use]
    pub(crate) fn tangent(&self, depth: f64, approach: f64, step: f64) -> (f64, f64) {
        let reached = (depth - step * approach.min(0.0)).max(f64::MIN_POSITIVE);
        let (force, slope, damping) = match *self {
            Self::Hertz { stiffness, exponent, dissipation, damping } => {
                let elastic = stiffness * power(reached, exponent);
                (elastic, exponent * elastic / reached, dissipation * elastic + damping)
            }
            Self::HuntCrossley { stiffness, dissipation } => {
                let elastic = stiffness * reached;
                (elastic, stiffness, dissipation * elastic)
            }
            Self::KelvinVoigt { stiffness, damping } => (stiffness * reached, stiffness, damping),
        };
        // Without a force the row gives way to all.
        let implicit = (step * slope + damping).max(LEAST);
        ((force - slope * (reached - depth)) / implicit, 1.0 / (step * implicit))
    }
}

/// Stiffness and dissipation from a penetration allowance δ: the depth at which a mass m rests under gravity g, critically
/// damped: `k = m g / δ`, `d = 1 / √(g δ)` (Drake's `EstimatePointContactParameters`, ζ = 1).
#[must_use]
pub fn from_allowance(mass: f64, gravity: f64, allowance: f64) -> (f64, f64) {
    (mass * gravity / allowance, 1.0 / (gravity * allowance).sqrt())
}

/// Stiffness and dissipation of two surfaces: `k = k₁ k₂ / (k₁ + k₂)`, `d = (k₂ d₁ + k₁ d₂) / (k₁ + k₂)`: the softer
/// body dominates. Of an infinite stiffness the other's k and d remain; both zero is zero.
#[must_use]
pub(crate) fn combine_point_contact(first: [f64; 2], second: [f64; 2]) -> [f64; 2] {
    let ([k1, d1], [k2, d2]) = (first, second);
    if k1.is_infinite() {
        return second;
    }
    if k2.is_infinite() {
        return first;
    }
    let sum = k1 + k2;
    if sum <= 0.0 { [0.0; 2] } else { [k1 * k2 / sum, (k2 * d1 + k1 * d2) / sum] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spring_is_the_erp_and_cfm_that_the_guide_gives_for_it() {
        let (k, c, h) = (1000.0, 5.0, 0.01);
        let (a, b) = (spring_damper(k, c, h), erp_cfm(h * k / (h * k + c), 1.0 / (h * k + c), h));
        assert!(
            (a.correction - b.correction).abs() < 1e-15 && (a.compliance - b.compliance).abs() < 1e-14 * a.compliance
        );
    }

    #[test]
    fn spook_is_a_spring_on_the_mean_violation_and_an_implicit_damper() {
        // One body on one row: m (u⁺ − u) = h F with F = −(g₋ + 2 g₀ + g₊) / 4 ε − τ u⁺ / ε, g₊ = g₀ + h u⁺.
        let (mass, epsilon, tau, h): (f64, f64, f64, f64) = (2.0, 1.0 / 800.0, 0.05, 1.0 / 60.0);
        let soft = spook(epsilon, tau, h);
        let (mut g, mut u, mut before) = (0.1, -0.3, 0.1 + 0.3 * h);
        for _ in 0..100 {
            // λ of (1/m + Γ) λ = −α g / h + β u − u.
            let lambda = (-soft.correction * g / h + soft.kept * u - u) / (1.0 / mass + soft.compliance);
            let next = u + lambda / mass;
            let force = -(before + 2.0 * g + g + h * next) / (4.0 * epsilon) - tau / epsilon * next;
            assert!((lambda - h * force).abs() < 1e-12, "{lambda} {}", h * force);
            (before, g, u) = (g, g + h * next, next);
        }
    }

    #[test]
    fn the_implicit_impulse_has_the_slope_it_says() {
        let laws = [
            NormalForce::HuntCrossley { stiffness: 1e4, dissipation: 5.0 },
            NormalForce::HuntCrossley { stiffness: 1e4, dissipation: 0.0 },
            NormalForce::KelvinVoigt { stiffness: 1e4, damping: 30.0 },
            NormalForce::Hertz { stiffness: 1e5, exponent: 1.5, dissipation: 5.0, damping: 0.0 },
            NormalForce::Hertz { stiffness: 1e5, exponent: 1.75, dissipation: 0.0, damping: 30.0 },
        ];
        let (x, h, e) = (1e-3, 1e-3, 1e-6);
        for law in laws {
            for v in [-2.0, -0.3, 0.0, 0.15, 0.5, 1.5] {
                let slope = law.implicit_impulse(x, v, h).1;
                let by_impulse =
                    (law.implicit_impulse(x, v + e, h).0 - law.implicit_impulse(x, v - e, h).0) / (2.0 * e);
                assert!((slope - by_impulse).abs() < 1e-6 * (1.0 + slope.abs()), "{law:?} {v}");
            }
        }
    }

    #[test]
    fn surfaces_combine_as_springs_in_series() {
        assert!((combine_point_contact([1e4, 1.0], [2e4, 1.0])[0] - 6_666.666_666_666_667).abs() < 1e-9);
        assert_eq!(combine_point_contact([1e4, 3.0], [f64::INFINITY, 7.0]), [1e4, 3.0]);
        assert_eq!(combine_point_contact([0.0, 3.0], [0.0, 7.0]), [0.0, 0.0]);
        let [k, d] = combine_point_contact([1e4, 1.0], [4e4, 4.5]);
        assert!((k - 8e3).abs() < 1e-9 && (d - 1.7).abs() < 1e-15);
    }

    #[test]
    fn an_allowance_gives_the_depth_of_rest() {
        let (k, d) = from_allowance(10.0, 9.81, 5e-4);
        assert!((k - 196_200.0).abs() < 1e-9 && (d - 14.278_431_229_270_645).abs() < 1e-12);
    }
}
