//! Two surfaces become one compliant contact: Drake's rules.
//!
//! | parameter | combination |
//! | --- | --- |
//! | stiffness | in series, `k₁ k₂ / (k₁ + k₂)` |
//! | relaxation time, with the convex solver | `τ₁ + τ₂` in the place of dissipation |
//! | dissipation | `(k₂ d₁ + k₁ d₂) / (k₁ + k₂)` |
//! | static and dynamic friction | `2 μ₁ μ₂ / (μ₁ + μ₂)` each |
//!
//! What a surface does not say is the world's: a stiffness that combines with its like to the world's own.

use super::surface::{ContactSurface, Elasticity, NormalLaw, Surface, SurfaceCompliance};
use crate::contact::compliance::{NormalForce, combine_point_contact};
use crate::contact::friction::{Coupling, FrictionBound, Stribeck, harmonic_mean};

/// What the world says of compliant contacts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CompliantRule {
    /// Stiffness of a pair that specifies none \[N/m\], or per effective mass \[1/s²\].
    pub stiffness: f64,
    /// Dissipation of a pair that specifies none \[s/m\].
    pub dissipation: f64,
    /// The stiffness is per effective mass of the contact.
    pub is_per_mass: bool,
    /// Stiffness of every pair, whatever its surfaces say \[N/m\].
    pub every_stiffness: Option<f64>,
    /// Dissipation of every pair, whatever its surfaces say \[s/m\].
    pub every_dissipation: Option<f64>,
    /// Stiffness above which `kp` of SDFormat, a number for *hard*, is cut \[N/m\].
    pub most_stiffness: f64,
    /// Stiction tolerance \[m/s\].
    pub tolerance: f64,
    /// Friction of discrete steps is the dynamic coefficient.
    pub is_dynamic: bool,
    /// Relaxation times count in the place of dissipations (the convex solver).
    pub relaxes: bool,
    /// The contact point divides the depth by stiffness; else it is in the middle.
    pub is_weighted: bool,
}

/// Parameters of the compliant contact of two surfaces.
/// `radius` is that of curvature of the two shapes \[m\], infinite of two flat ones.
pub(super) fn combine_compliant(a: &Surface, b: &Surface, rule: &CompliantRule, radius: f64) -> ContactSurface {
    let friction = [a, b].map(coefficients);
    let [static_coefficient, dynamic_coefficient] = [0, 1].map(|i| harmonic_mean(friction[0][i], friction[1][i]));
    let discrete = if rule.is_dynamic { dynamic_coefficient } else { static_coefficient };
    let own = [a, b].map(|s| {
        let p = &s.point_contact;
        [p.stiffness.unwrap_or(2.0 * rule.stiffness), p.dissipation.unwrap_or(rule.dissipation)]
    });
    let says_nothing = |s: &Surface| s.point_contact.stiffness.is_none();
    let [stiffness, dissipation] = combine_point_contact(own[0], own[1]);
    let is_default = says_nothing(a) && says_nothing(b) && rule.every_stiffness.is_none();
    let dissipation = rule.every_dissipation.unwrap_or(dissipation);
    let force = if let Some((a, b)) = a.elasticity.zip(b.elasticity).filter(|_| is_default && radius.is_finite()) {
        hertz(a, b, radius, dissipation)
    } else if let Some(time) = relaxation_time(a, b).filter(|_| rule.relaxes) {
        let stiffness = rule.every_stiffness.unwrap_or(stiffness);
        NormalForce::KelvinVoigt { stiffness, damping: stiffness * time }
    } else if let Some([stiffness, damping]) = spring(a, b).filter(|_| is_default) {
        NormalForce::KelvinVoigt { stiffness: stiffness.min(rule.most_stiffness), damping }
    } else {
        NormalForce::HuntCrossley { stiffness: rule.every_stiffness.unwrap_or(stiffness), dissipation }
    };
    let is_per_mass = rule.is_per_mass && is_default && matches!(force, NormalForce::HuntCrossley { .. });
    ContactSurface {
        friction: [FrictionBound::Coefficient(discrete); 2],
        coupling: Coupling::Ellipse,
        normal: NormalLaw::Compliant { force, is_per_mass },
        stribeck: Some(Stribeck { static_coefficient, dynamic_coefficient, tolerance: rule.tolerance, viscous: 0.0 }),
        point_shift: if rule.is_weighted { weighted_shift(own[0][0], own[1][0]) } else { 0.0 },
        surface_layer: Some(0.0),
        ..ContactSurface::default()
    }
}

/// The relaxation time of two surfaces of which one gives it, `τ = τ₁ + τ₂` (Drake's SAP): Kelvin and Voigt's damping is `k τ`.
fn relaxation_time(a: &Surface, b: &Surface) -> Option<f64> {
    let given = [a, b].map(|s| s.point_contact.relaxation_time);
    (given != [None; 2]).then(|| given.map(|time| time.unwrap_or(RELAXATION_TIME)).iter().sum())
}

/// Drake's relaxation time of a surface that gives none \[s\].
const RELAXATION_TIME: f64 = 0.1;

/// Hertz's contact of two elastic bodies: `f = 4/3 E* √R x^(3/2) (1 + 3/2 d ẋ)`, with E* of [`Elasticity::contact_modulus`].
fn hertz(a: Elasticity, b: Elasticity, radius: f64, dissipation: f64) -> NormalForce {
    let stiffness = 4.0 / 3.0 * a.contact_modulus(b) * radius.sqrt();
    NormalForce::Hertz { stiffness, exponent: 1.5, dissipation: 1.5 * dissipation, damping: 0.0 }
}

/// Static and dynamic coefficient of a surface: of the two that Drake's properties have, one given stands for both;
/// without them SDFormat's `mu` is static and `mu2` dynamic, as Drake reads it.
pub(super) fn coefficients(s: &Surface) -> [f64; 2] {
    let p = &s.point_contact;
    let static_friction = p.static_friction.or(p.dynamic_friction).unwrap_or(s.friction[0]);
    let dynamic = p.dynamic_friction.or(p.static_friction).unwrap_or(s.friction[1]);
    [static_friction, dynamic.min(static_friction)]
}

/// A given `kp`, `kd` of SDFormat as one spring and damper.
pub(super) fn spring(a: &Surface, b: &Surface) -> Option<[f64; 2]> {
    let given = |s: &Surface| match s.compliance {
        Some(SurfaceCompliance::Spring { stiffness, damping }) => Some([stiffness, damping]),
        _ => None,
    };
    match [given(a), given(b)] {
        [Some([k1, c1]), Some([k2, c2])] => Some([1.0 / (1.0 / k1 + 1.0 / k2), c1 + c2]),
        [one, other] => one.or(other),
    }
}

impl CompliantRule {
    /// Force over depth and speed of any normal law, and whether it is per effective mass. What is hard is as stiff as
    /// surfaces that say nothing.
    #[must_use]
    pub fn force(&self, law: &NormalLaw) -> (NormalForce, bool) {
        match *law {
            NormalLaw::Compliant { force, is_per_mass } => (force, is_per_mass),
            NormalLaw::Spring { stiffness, damping } => {
                (NormalForce::KelvinVoigt { stiffness: stiffness.min(self.most_stiffness), damping }, false)
            }
            NormalLaw::Spook { compliance, damping_time, .. } => {
                let stiffness = (1.0 / compliance).min(self.most_stiffness);
                (NormalForce::KelvinVoigt { stiffness, damping: stiffness * damping_time }, false)
            }
            NormalLaw::ErpCfm { .. } => {
                let stiffness = self.every_stiffness.unwrap_or(self.stiffness);
                let dissipation = self.every_dissipation.unwrap_or(self.dissipation);
                let is_per_mass = self.is_per_mass && self.every_stiffness.is_none();
                (NormalForce::HuntCrossley { stiffness, dissipation }, is_per_mass)
            }
        }
    }
}

/// `C = w_A A_w + w_B B_w` with `w_A = k_A / (k_A + k_B)`: half the difference of the weights, from the middle towards
/// the second surface's witness point.
fn weighted_shift(first: f64, second: f64) -> f64 {
    match (first.is_infinite(), second.is_infinite()) {
        (true, true) => 0.0,
        (true, false) => -0.5,
        (false, true) => 0.5,
        _ if first + second <= 0.0 => 0.0,
        _ => 0.5 * (second - first) / (first + second),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::material::PointContact;

    /// What a world says that is Drake's in all.
    pub(crate) const RULE: CompliantRule = CompliantRule {
        stiffness: 1e4,
        dissipation: 10.0,
        is_per_mass: false,
        every_stiffness: None,
        every_dissipation: None,
        most_stiffness: 1e6,
        tolerance: 1e-3,
        is_dynamic: false,
        relaxes: false,
        is_weighted: true,
    };

    fn surface(stiffness: Option<f64>, static_friction: f64, dynamic_friction: f64) -> Surface {
        let point_contact = PointContact {
            stiffness,
            dissipation: None,
            relaxation_time: None,
            static_friction: Some(static_friction),
            dynamic_friction: Some(dynamic_friction),
        };
        Surface { point_contact, ..Surface::default() }
    }

    #[test]
    fn silent_surfaces_have_the_worlds_stiffness_and_frictions_their_harmonic_means() {
        let c = combine_compliant(&surface(None, 0.8, 0.3), &surface(None, 0.7, 0.5), &RULE, f64::INFINITY);
        let NormalLaw::Compliant { force: NormalForce::HuntCrossley { stiffness, dissipation }, .. } = c.normal else {
            panic!("{:?}", c.normal)
        };
        assert!((stiffness - 1e4).abs() < 1e-9 && (dissipation - 10.0).abs() < 1e-12);
        let stribeck = c.stribeck.unwrap();
        assert!((stribeck.static_coefficient - 0.746_666_666_666_666_7).abs() < 1e-15);
        assert!((stribeck.dynamic_coefficient - 0.375).abs() < 1e-15);
        assert_eq!(c.friction[0].value(), stribeck.static_coefficient);
    }

    #[test]
    fn the_weighted_point_lies_nearer_to_the_stiffer_surface() {
        // The softer surface gives way: the point moves to the witness point of the stiffer one.
        let c = combine_compliant(&surface(Some(1e4), 0.5, 0.5), &surface(Some(3e4), 0.5, 0.5), &RULE, f64::INFINITY);
        assert!((c.point_shift - 0.25).abs() < 1e-15);
    }
}
