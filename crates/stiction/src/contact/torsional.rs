//! Torsional friction: the moment of a round patch of contact about its normal.
//!
//! Friction μ₃ under the pressure of Hertz, `p(r) = 3 λ_n / (2π a²) √(1 − r²/a²)`, over a patch of radius a has the moment
//! `∫ μ₃ p r dA = (3π/16) a μ₃ λ_n` about the normal (Gazebo's torsional friction). It is a row of its own at each point:
//! `|λ| ≤ (3π/16) a μ₃ λ_n`, with slip as its compliance.

/// `3π/16`: the moment of Hertz's pressure over a patch, by its radius and force.
const HERTZ: f64 = 3.0 * std::f64::consts::PI / 16.0;

/// What the radius of the patch comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Patch {
    /// The radius itself \[m\].
    Radius(f64),
    /// The radius of curvature R of the two surfaces \[m\]: `a = √(R depth)`.
    Curvature(f64),
}

/// Torsional friction of a contact point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TorsionalFriction {
    /// Coefficient μ₃ \[1\]; 0 for none, ∞ for no limit.
    pub coefficient: f64,
    /// The patch.
    pub patch: Patch,
    /// Rate about the normal by moment \[rad/s per N m\].
    pub slip: f64,
}

impl TorsionalFriction {
    /// No torsional friction.
    pub const NONE: Self = Self { coefficient: 0.0, patch: Patch::Radius(0.0), slip: 0.0 };

    /// It has no moment at any depth.
    #[must_use]
    pub(crate) fn is_none(&self) -> bool {
        let (Patch::Radius(radius) | Patch::Curvature(radius)) = self.patch;
        !(radius > 0.0 && self.coefficient > 0.0)
    }

    /// Largest moment about the normal by normal force, `(3π/16) a μ₃` \[m\], at a depth \[m\]. Without a patch it is 0 for
    /// every coefficient.
    #[inline(always)]
    #[must_use]
    pub fn moment_arm(&self, depth: f64) -> f64 {
        let radius = match self.patch {
            Patch::Radius(radius) => radius,
            Patch::Curvature(radius) if radius > 0.0 && depth > 0.0 => (radius * depth).sqrt(),
            Patch::Curvature(_) => 0.0,
        };
        if radius > 0.0 && self.coefficient > 0.0 { HERTZ * radius * self.coefficient } else { 0.0 }
    }
}

impl Default for TorsionalFriction {
    fn default() -> Self {
        Self::NONE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arm_is_the_moment_of_hertzs_pressure() {
        // ∫ p r dA over rings, in x = r / a, with x = sin t: 3 ∫ sin² t cos² t dt.
        let count = 10_000;
        let mut moment = 0.0;
        for ring in 0..count {
            let t = (f64::from(ring) + 0.5) / f64::from(count) * std::f64::consts::FRAC_PI_2;
            let (sin, cos) = (libm::sin(t), libm::cos(t));
            moment += 3.0 * sin * sin * cos * cos * std::f64::consts::FRAC_PI_2 / f64::from(count);
        }
        let friction = TorsionalFriction { coefficient: 0.4, patch: Patch::Radius(0.2), slip: 0.0 };
        assert!((friction.moment_arm(1e-3) - 0.4 * 0.2 * moment).abs() < 1e-9);
    }

    #[test]
    fn without_a_patch_there_is_no_moment() {
        let of = |coefficient, patch| TorsionalFriction { coefficient, patch, slip: 0.0 };
        assert_eq!(TorsionalFriction::NONE.moment_arm(1.0), 0.0);
        assert_eq!(of(f64::INFINITY, Patch::Radius(0.0)).moment_arm(1.0), 0.0);
        assert_eq!(of(f64::INFINITY, Patch::Curvature(1.0)).moment_arm(-1e-3), 0.0);
        assert_eq!(of(0.0, Patch::Radius(f64::INFINITY)).moment_arm(1.0), 0.0);
        assert_eq!(of(f64::INFINITY, Patch::Radius(1.0)).moment_arm(0.0), f64::INFINITY);
        assert_eq!(of(2.0, Patch::Curvature(4.0)).moment_arm(0.25), 2.0 * HERTZ);
    }
}
