//! All friction: where its bounds come from and how impulses are kept inside them.
//!
//! A friction axis is a product: where its bound comes from ({a force, μ times the normal}), a slip, a wanted
//! surface speed; two axes are coupled or not (pyramid: each on its own; cone: as an ellipse). ODE's constant-force
//! box, its pyramids per direction and Gazebo's cone are points of this space.

/// Where the bound of one friction axis comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum FrictionBound {
    /// A force \[N\], whatever the normal force (the guide's mode without `dContactApprox`).
    Force(f64),
    /// A coefficient times the normal force now.
    Coefficient(f64),
    /// A coefficient times the normal force of the step before; of a new contact times an estimate from its mass, approach
    /// and gravity.
    LastNormal(f64),
}

impl FrictionBound {
    /// The number itself, force or coefficient.
    #[must_use]
    pub const fn value(self) -> f64 {
        match self {
            Self::Force(x) | Self::Coefficient(x) | Self::LastNormal(x) => x,
        }
    }
}

/// How the two axes go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Coupling {
    /// Each on its own: a pyramid or a box.
    Independent,
    /// `(λ₁/μ₁)² + (λ₂/μ₂)² ≤ λ_n²`; where it slides, the friction that dissipates most.
    Ellipse,
}

/// `μ max(0, λ_n)` with `∞ · 0 = 0`: no normal force, no friction.
#[inline(always)]
#[must_use]
#[doc(alias = "mu")]
#[doc(alias = "findex")]
pub fn bound(coefficient: f64, normal_impulse: f64) -> f64 {
    if normal_impulse > 0.0 { coefficient * normal_impulse } else { 0.0 }
}

/// Projects a pair of tangential impulses onto the ellipse of the two bounds, along the ray to the origin.
#[inline(always)]
#[must_use]
pub fn project_ellipse(first: f64, second: f64, bound1: f64, bound2: f64) -> (f64, f64) {
    let at_least_tiny = |bound: f64| if bound > f64::MIN_POSITIVE { bound } else { f64::MIN_POSITIVE };
    let a = first / at_least_tiny(bound1);
    let b = second / at_least_tiny(bound2);
    let length = (a * a + b * b).sqrt();
    // A bound of zero makes the ratio infinite and the scale zero: exactly no friction.
    let scale = if length > 1.0 { 1.0 / length } else { 1.0 };
    let is_open = bound1 > 0.0 || bound2 > 0.0;
    if is_open { (first * scale, second * scale) } else { (0.0, 0.0) }
}

/// `10x³ − 15x⁴ + 6x⁵`: from 0 to 1 with flat ends.
#[inline]
#[must_use]
pub fn step5(x: f64) -> f64 {
    x * x * x * (10.0 + x * (-15.0 + 6.0 * x))
}

/// Friction of a compliant contact: Stribeck's curve over the slip speed, with a tolerance in place of stiction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stribeck {
    /// Static coefficient μₛ.
    pub static_coefficient: f64,
    /// Dynamic coefficient μ_d ≤ μₛ.
    pub dynamic_coefficient: f64,
    /// Stiction tolerance vₛ: slip speed below which bodies count as sticking \[m/s\].
    pub tolerance: f64,
    /// Viscous friction: what the coefficient grows by with the slip speed \[s/m\] (Simbody).
    pub viscous: f64,
}

impl Stribeck {
    /// Coefficient at a slip speed \[m/s\], of `s = |v| / vₛ`: `μₛ step5(s)` to s = 1, falling to `μ_d` at s = 3
    /// (Drake, continuous time), and the viscous part `μᵥ |v|` (Simbody's `CompliantContactSubsystem`).
    #[inline]
    #[must_use]
    pub fn coefficient(&self, speed: f64) -> f64 {
        let dry = self.dry_coefficient(speed);
        if self.viscous > 0.0 { dry + self.viscous * speed } else { dry }
    }

    #[inline]
    fn dry_coefficient(&self, speed: f64) -> f64 {
        let s = speed / self.tolerance;
        if s >= 3.0 {
            self.dynamic_coefficient
        } else if s >= 1.0 {
            self.static_coefficient - (self.static_coefficient - self.dynamic_coefficient) * step5(0.5 * (s - 1.0))
        } else {
            self.static_coefficient * step5(s)
        }
    }
}

/// `s (2 − s)` to s = 1, then 1, and its derivative: the regularisation of Drake's discrete friction.
#[inline]
#[must_use]
pub fn regularized(s: f64) -> (f64, f64) {
    if s >= 1.0 { (1.0, 0.0) } else { (s * (2.0 - s), 2.0 * (1.0 - s)) }
}

/// `s / √(1 + s²)` and its derivative: the regularisation of convex formulations.
#[inline]
#[must_use]
pub fn convex_regularized(s: f64) -> (f64, f64) {
    let root = (1.0 + s * s).sqrt();
    (s / root, 1.0 / (root * root * root))
}

/// Coefficients of two surfaces: `2 μ₁ μ₂ / (μ₁ + μ₂)`; zero with a surface without friction, infinite coefficients leave
/// twice the other's.
#[must_use]
pub(crate) fn harmonic_mean(first: f64, second: f64) -> f64 {
    if first.is_infinite() && second.is_infinite() {
        return f64::INFINITY;
    }
    if first.is_infinite() {
        return 2.0 * second;
    }
    if second.is_infinite() {
        return 2.0 * first;
    }
    let sum = first + second;
    if sum <= 0.0 { 0.0 } else { 2.0 * first * second / sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_normal_force_no_friction_even_with_infinite_coefficient() {
        assert_eq!(bound(f64::INFINITY, 0.0), 0.0);
        assert_eq!(bound(f64::INFINITY, -1.0), 0.0);
        assert_eq!(bound(0.5, 2.0), 1.0);
    }

    #[test]
    fn the_ellipse_keeps_directions_and_is_idempotent() {
        let (x, y) = project_ellipse(3.0, 4.0, 1.0, 1.0);
        assert!((x - 0.6).abs() < 1e-15 && (y - 0.8).abs() < 1e-15);
        let again = project_ellipse(x, y, 1.0 + 1e-15, 1.0 + 1e-15);
        assert_eq!(again, (x, y));
        assert_eq!(project_ellipse(3.0, 4.0, 0.0, 0.0), (0.0, 0.0));
        assert_eq!(project_ellipse(0.3, 0.4, 1.0, 1.0), (0.3, 0.4));
    }

    #[test]
    fn step5_is_flat_at_its_ends() {
        assert_eq!((step5(0.0), step5(1.0)), (0.0, 1.0));
        let e = 1e-4;
        for x in [0.0, 1.0] {
            assert!(((step5(x + e) - step5(x - e)) / (2.0 * e)).abs() < 1e-6);
            assert!(((step5(x + e) - 2.0 * step5(x) + step5(x - e)) / (e * e)).abs() < 1e-2);
        }
    }

    #[test]
    fn stribeck_rises_to_static_and_falls_to_dynamic() {
        let f = Stribeck { static_coefficient: 1.0, dynamic_coefficient: 0.5, tolerance: 1e-3, viscous: 0.0 };
        assert_eq!([0.0, 1e-3, 3e-3, 1.0].map(|v| f.coefficient(v)), [0.0, 1.0, 0.5, 0.5]);
        assert!((f.coefficient(2e-3) - 0.75).abs() < 1e-15 && (f.coefficient(0.5e-3) - 0.5).abs() < 1e-15);
    }

    #[test]
    fn coefficients_combine_as_drake_says() {
        assert!((harmonic_mean(0.8, 0.7) - 0.746_666_666_666_666_7).abs() < 1e-15);
        assert_eq!(harmonic_mean(0.3, 0.5), harmonic_mean(0.5, 0.3));
        assert!((harmonic_mean(0.3, 0.5) - 0.375).abs() < 1e-15);
        assert_eq!(harmonic_mean(0.0, 0.0), 0.0);
        assert_eq!(harmonic_mean(0.0, 0.9), 0.0);
        assert!((harmonic_mean(0.7, 0.7) - 0.7).abs() < 5.0 * f64::EPSILON);
    }
}
