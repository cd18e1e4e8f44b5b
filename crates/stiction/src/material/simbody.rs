//! Two surfaces become one elastic contact: Simbody's rules (`CompliantContactSubsystem`).
//!
//! | parameter | combination |
//! | --- | --- |
//! | stiffness, a plane-strain modulus | `E*^(2/3) = E₁^(2/3) E₂^(2/3) / (E₁^(2/3) + E₂^(2/3))`; of two surfaces with an elastic modulus of their own Hertz's `1/E* = 1/E₁ + 1/E₂` |
//! | dissipation | `d₁ s₂ + d₂ s₁`, by the shares `s₁ = E₁^(2/3) / (E₁^(2/3) + E₂^(2/3))` |
//! | radius of curvature | `1 / R = 1 / R₁ + 1 / R₂` |
//! | static, dynamic and viscous friction | `2 μ₁ μ₂ / (μ₁ + μ₂)` each |
//!
//! Round shapes press on each other as Hertz says, `f = 4/3 E* √R x^(3/2) (1 + 3/2 d ẋ)`; flat ones as a layer of 1 m of elastic
//! columns, `f = E A x (1 + d ẋ)` over the face A, a quarter of which each point has.

use super::compliant::{coefficients, spring};
use super::surface::{ContactSurface, NormalLaw, Surface};
use super::{ContactRules, Elasticity};
use crate::contact::compliance::{NormalForce, combine_point_contact};
use crate::contact::friction::{Coupling, FrictionBound, Stribeck, harmonic_mean};

/// Thickness of the elastic layer of flat faces, as Gazebo gives it to its meshes \[m\].
const THICKNESS: f64 = 1.0;
/// No dissipation takes all of an impact's speed.
const LEAST_RESTITUTION: f64 = 0.01;
/// Points that carry a face.
const CORNERS: f64 = 4.0;

/// The one material of all bodies in Simbody (SDFormat's `<simbody><contact>`); surfaces may say otherwise, and have the
/// coefficients of dry friction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SimbodyMaterial {
    /// Plane-strain modulus E \[Pa\].
    pub stiffness: f64,
    /// Dissipation d: the slope of the restitution over the speed of impact \[s/m\].
    pub dissipation: f64,
    /// Viscous coefficient \[s/m\].
    pub viscous_friction: f64,
}

impl SimbodyMaterial {
    /// SDFormat's defaults.
    pub const DEFAULT: Self = Self { stiffness: 1e8, dissipation: 100.0, viscous_friction: 0.0 };

    /// Dissipation \[s/m\] of which an impact of round bodies at `speed` \[m/s\], above 0, leaves the share `restitution` of it;
    /// of less than 0.01, that of 0.01. Of the force `f(x) (1 + a ẋ)` with any f, Newton's law gives from the approach at v to
    /// the departure at e v (Hunt and Crossley, 1975; Marhefka and Orin, 1999)
    ///
    /// `a v (1 + e) = ln((1 + a v) / (1 − a v e))`,
    ///
    /// and Hertz's contact has a = 3/2 d.
    #[must_use]
    pub fn dissipation_of(restitution: f64, speed: f64) -> f64 {
        let e = restitution.clamp(LEAST_RESTITUTION, 1.0);
        // Between 0 and 1/e the difference falls from 0 and then rises without bound; at e = 1 it only rises.
        let (mut low, mut high) = (0.0, 1.0 / e);
        for _ in 0..100 {
            let y = 0.5 * (low + high);
            let over = libm::log1p(y) - libm::log1p(-y * e) - y * (1.0 + e);
            if over > 0.0 { high = y } else { low = y }
        }
        low / (1.5 * speed)
    }
}

impl Default for SimbodyMaterial {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Form of a shape as elastic contact sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Roundness {
    /// Radius of curvature \[m\]; infinite where it is flat.
    pub radius: f64,
    /// Area of its faces \[m²\]; infinite for a plane.
    pub face: f64,
}

impl Roundness {
    /// A plane.
    pub(crate) const FLAT: Self = Self { radius: f64::INFINITY, face: f64::INFINITY };

    /// `1 / (1/R₁ + 1/R₂)`; infinite of two flat shapes.
    pub(crate) fn of_pair([a, b]: [Self; 2]) -> f64 {
        1.0 / (1.0 / a.radius + 1.0 / b.radius)
    }
}

/// Parameters of the elastic contact of two surfaces.
pub(super) fn combine_simbody(pair: [&Surface; 2], rules: &ContactRules<'_>, rounds: [Roundness; 2]) -> ContactSurface {
    let material = rules.simbody;
    let friction = pair.map(coefficients);
    let [static_coefficient, dynamic_coefficient] = [0, 1].map(|i| harmonic_mean(friction[0][i], friction[1][i]));
    ContactSurface {
        friction: [FrictionBound::Coefficient(static_coefficient); 2],
        coupling: Coupling::Ellipse,
        normal: NormalLaw::Compliant { force: normal(pair, rules, rounds), is_per_mass: false },
        stribeck: Some(Stribeck {
            static_coefficient,
            dynamic_coefficient,
            tolerance: rules.compliant.tolerance,
            viscous: material.viscous_friction,
        }),
        surface_layer: Some(0.0),
        ..ContactSurface::default()
    }
}

fn normal(pair: [&Surface; 2], rules: &ContactRules<'_>, rounds: [Roundness; 2]) -> NormalForce {
    let material = rules.simbody;
    if let Some([stiffness, damping]) = spring(pair[0], pair[1]) {
        return NormalForce::KelvinVoigt { stiffness, damping };
    }
    let points = pair.map(|s| s.point_contact);
    if points.iter().any(|p| p.stiffness.is_some()) {
        let own = points.map(|p| [p.stiffness.unwrap_or(f64::INFINITY), p.dissipation.unwrap_or(material.dissipation)]);
        let [stiffness, dissipation] = combine_point_contact(own[0], own[1]);
        return NormalForce::HuntCrossley { stiffness, dissipation };
    }
    let moduli = pair.map(|s| s.elasticity.map_or(material.stiffness, Elasticity::plane_strain_modulus));
    let [k1, k2] = moduli.map(|modulus| libm::cbrt(modulus * modulus));
    let [d1, d2] = points.map(|p| p.dissipation.unwrap_or(material.dissipation));
    let sum = k1 + k2;
    let dissipation = if sum > 0.0 { (d1 * k2 + d2 * k1) / sum } else { material.dissipation };
    let radius = Roundness::of_pair(rounds);
    if radius.is_finite() {
        let modulus = match pair[0].elasticity.zip(pair[1].elasticity) {
            Some((a, b)) => a.contact_modulus(b),
            None if sum > 0.0 => (k1 * k2 / sum) * (k1 * k2 / sum).sqrt(),
            None => 0.0,
        };
        let stiffness = 4.0 / 3.0 * modulus * radius.sqrt();
        return NormalForce::Hertz { stiffness, exponent: 1.5, dissipation: 1.5 * dissipation, damping: 0.0 };
    }
    let face = rounds[0].face.min(rounds[1].face);
    let face = if face.is_finite() { face } else { 1.0 };
    let [stiffness, _] = combine_point_contact([moduli[0], 0.0], [moduli[1], 0.0]);
    NormalForce::HuntCrossley { stiffness: stiffness * face / (THICKNESS * CORNERS), dissipation }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::rule::tests::rules;
    use crate::material::{Combination, ContactTable};

    fn of(a: &Surface, b: &Surface, rounds: [Roundness; 2]) -> ContactSurface {
        let table = ContactTable::default();
        let rules = ContactRules { combination: Combination::Simbody, ..rules(&table) };
        rules.resolve(a, b, rounds).unwrap().law().surface
    }

    #[test]
    fn like_materials_have_a_modulus_of_two_to_the_minus_three_halves() {
        let ball = Roundness { radius: 0.25, face: f64::INFINITY };
        let found = of(&Surface::default(), &Surface::default(), [ball, Roundness::FLAT]);
        let NormalLaw::Compliant { force: NormalForce::Hertz { stiffness, dissipation, .. }, .. } = found.normal else {
            panic!("{:?}", found.normal)
        };
        let expected = 4.0 / 3.0 * 1e8 * libm::pow(2.0, -1.5) * 0.5;
        assert!((stiffness / expected - 1.0).abs() < 1e-12 && (dissipation - 150.0).abs() < 1e-12);
    }

    #[test]
    fn surfaces_with_moduli_press_as_hertz_says() {
        let of_modulus =
            |modulus| Surface { elasticity: Some(Elasticity { modulus, poissons_ratio: 0.35 }), ..Surface::default() };
        let ball = Roundness { radius: 0.3, face: f64::INFINITY };
        let found = of(&of_modulus(4e6), &of_modulus(1e7), [ball, Roundness::FLAT]);
        let NormalLaw::Compliant { force: NormalForce::Hertz { stiffness, .. }, .. } = found.normal else {
            panic!("{:?}", found.normal)
        };
        let expected = 4.0 / 3.0 / ((1.0 - 0.35 * 0.35) * (1.0 / 4e6 + 1.0 / 1e7)) * libm::sqrt(0.3);
        assert!((stiffness / expected - 1.0).abs() < 1e-12);
    }

    #[test]
    fn dissipations_leave_the_restitution_that_they_are_of() {
        for (e, v) in [(0.1, 0.5), (0.5, 0.5), (0.9, 2.0), (0.999, 1.0)] {
            let d = SimbodyMaterial::dissipation_of(e, v);
            let y = 1.5 * d * v;
            let over = libm::log((1.0 + y) / (1.0 - y * e)) - y * (1.0 + e);
            assert!(over.abs() < 1e-9 && d > 0.0, "{e}: {d}");
        }
        assert!(SimbodyMaterial::dissipation_of(1.0, 1.0) < 1e-4);
        let gentle = SimbodyMaterial::dissipation_of(0.99, 1.0);
        assert!((gentle / 0.01 - 1.0).abs() < 0.02, "{gentle}: of gentle impacts e = 1 − d v");
    }

    #[test]
    fn flat_faces_press_as_columns() {
        let cube = Roundness { radius: f64::INFINITY, face: 1.0 };
        let found = of(&Surface::default(), &Surface::default(), [cube, Roundness::FLAT]);
        let NormalLaw::Compliant { force: NormalForce::HuntCrossley { stiffness, dissipation }, .. } = found.normal
        else {
            panic!("{:?}", found.normal)
        };
        assert!((stiffness - 1.25e7).abs() < 1e-3 && (dissipation - 100.0).abs() < 1e-9);
    }
}
