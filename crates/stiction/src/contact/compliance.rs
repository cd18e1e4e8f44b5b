//! All compliance: each system's pair of parameters as `(Γ, α)` of `J v⁺ + Γ λ = −α g / h`.

/// Compliance of a row and the share of its position error that is removed in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Softness {
    /// Γ \[velocity per impulse: m/s per N s\].
    pub compliance: f64,
    /// α \[1\].
    pub correction: f64,
}

/// ODE's reading: `Γ = cfm / h`, `α = erp`; cfm in velocity per force \[s/kg\].
/// The guide's equation 3.8.1 prints `J v = c + CFM λ`; what is solved is `J v + CFM λ = c`.
#[inline]
#[must_use]
pub fn erp_cfm(erp: f64, cfm: f64, step: f64) -> Softness {
    Softness { compliance: cfm / step, correction: erp }
}

/// An implicit spring and damper: `Γ = 1 / (h² k + h c)`, `α = h k / (h k + c)`;
/// the same as `erp = h k / (h k + c)`, `cfm = 1 / (h k + c)`.
/// With both at zero there is no force: Γ = ∞, which the caller leaves out.
#[inline]
#[must_use]
pub fn spring_damper(stiffness: f64, damping: f64, step: f64) -> Softness {
    let implicit = step * stiffness + damping;
    Softness { compliance: 1.0 / (step * implicit), correction: step * stiffness / implicit }
}

/// Slip of a friction axis: velocity per force γ gives `Γ = γ / h`.
#[inline]
#[must_use]
pub fn slip(velocity_per_force: f64, step: f64) -> f64 {
    velocity_per_force / step
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
}
