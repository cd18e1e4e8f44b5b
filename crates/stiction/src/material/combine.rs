//! Two surfaces become one contact. The rules are Gazebo's (`ODEPhysics::Collide`), where the documents do not say
//! otherwise.
//!
//! | parameter | combination |
//! | --- | --- |
//! | friction coefficients | the smaller, each direction on its own |
//! | first direction | the first surface's; the second's if the first has none (Gazebo classic: the first's only) |
//! | slip | sum × number of contact points of the pair |
//! | torsional friction | see `torsional.rs` |
//! | restitution, threshold | the smaller |
//! | stiffness | in series, `1 / (1/k₁ + 1/k₂)`; of two elastic moduli a force that grows with the depth, in its place |
//! | damping | sum |
//! | ERP | the smaller; CFM: sum |
//! | maximum correcting velocity | the smaller; then the world's bounds it |
//! | minimum depth | the smaller; then a layer that the file gives truncates it |

use glam::DVec3;

use crate::contact::friction::{Coupling, FrictionBound};
use crate::contact::restitution::Restitution;

use super::{
    ContactRules, ContactSurface, Elasticity, NormalLaw, Roundness, Surface, SurfaceCompliance, combine_torsional,
};
use crate::contact::compliance::NormalForce;
use crate::contact::torsional::Patch;

/// How friction of the whole world is approximated (SDFormat's `friction_model`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum FrictionModel {
    /// Each direction on its own, times the normal force.
    #[default]
    Pyramid,
    /// Both directions together, times the normal force; one coefficient, the first.
    Cone,
    /// Each direction on its own, a constant force: the coefficient in newtons.
    Box,
}

/// Parameters of a contact of two surfaces, its slip that of one point, and its first friction direction with the surface
/// in whose frame it is.
#[inline]
pub(super) fn combine(
    a: &Surface,
    b: &Surface,
    rules: &ContactRules<'_>,
    rounds: [Roundness; 2],
) -> (ContactSurface, Option<(usize, DVec3)>) {
    let coefficients = [a.friction[0].min(b.friction[0]), a.friction[1].min(b.friction[1])];
    let (friction, coupling) = match rules.friction_model {
        FrictionModel::Pyramid => (coefficients.map(FrictionBound::Coefficient), Coupling::Independent),
        FrictionModel::Cone if rules.classic || rules.elliptic => {
            (coefficients.map(FrictionBound::Coefficient), Coupling::Ellipse)
        }
        FrictionModel::Cone => ([FrictionBound::Coefficient(coefficients[0]); 2], Coupling::Ellipse),
        FrictionModel::Box => (coefficients.map(FrictionBound::Force), Coupling::Independent),
    };
    let direction = direction(a).map(|d| (0, d)).or_else(|| direction(b).map(|d| (1, d)));
    let torsional = combine_torsional([&a.torsional, &b.torsional]);
    let mut normal = normal([a.compliance, b.compliance], rules.compliance);
    if let Some(moduli) = a.elasticity.zip(b.elasticity) {
        normal = elastic(moduli, torsional.patch, rounds, normal);
    }
    let surface = ContactSurface {
        friction,
        coupling,
        slip: [0, 1].map(|i| a.slip[i] + b.slip[i]),
        torsional,
        bounce: bounce(a.bounce, b.bounce),
        normal,
        max_correcting_velocity: smaller([a.max_correcting_velocity, b.max_correcting_velocity]),
        surface_layer: smaller([a.min_depth, b.min_depth]),
        ..ContactSurface::default()
    };
    (surface, direction)
}

/// First friction direction that a surface gives.
pub(super) fn direction(surface: &Surface) -> Option<DVec3> {
    surface.direction.filter(|d| d.length_squared() > 0.0)
}

fn smaller(values: [Option<f64>; 2]) -> Option<f64> {
    match values {
        [Some(a), Some(b)] => Some(a.min(b)),
        [a, b] => a.or(b),
    }
}

fn bounce(a: Option<Restitution>, b: Option<Restitution>) -> Option<Restitution> {
    let (a, b) = (a?, b?);
    Some(Restitution { coefficient: a.coefficient.min(b.coefficient), threshold: a.threshold.min(b.threshold) })
}

/// What is given wins over the world's default; two of one kind are combined; of a spring and an ERP the spring wins, and
/// is combined with the default.
fn normal(given: [Option<SurfaceCompliance>; 2], default: Option<SurfaceCompliance>) -> NormalLaw {
    use SurfaceCompliance::{ErpCfm, Spring};
    let pair = match given {
        [Some(Spring { .. }), _] | [_, Some(Spring { .. })] | [None, None] => given.map(|g| g.or(default)),
        _ => given,
    };
    match pair {
        [Some(Spring { stiffness: k1, damping: c1 }), Some(Spring { stiffness: k2, damping: c2 })] => {
            NormalLaw::Spring { stiffness: 1.0 / (1.0 / k1 + 1.0 / k2), damping: c1 + c2 }
        }
        [Some(Spring { stiffness, damping }), _] | [_, Some(Spring { stiffness, damping })] => {
            NormalLaw::Spring { stiffness, damping }
        }
        [Some(ErpCfm { erp: e1, cfm: c1 }), Some(ErpCfm { erp: e2, cfm: c2 })] => NormalLaw::ErpCfm {
            erp: smaller([e1, e2]),
            cfm: match [c1, c2] {
                [Some(a), Some(b)] => Some(a + b),
                [a, b] => a.or(b),
            },
        },
        [Some(ErpCfm { erp, cfm }), None] | [None, Some(ErpCfm { erp, cfm })] => NormalLaw::ErpCfm { erp, cfm },
        [None, None] => NormalLaw::ErpCfm { erp: None, cfm: None },
    }
}

/// Gazebo's contact of two elastic surfaces (`dContactEM`): `f = 4/3 E* √a x^(3/2)`, with [`Elasticity::contact_modulus`]
/// E* and the radius of the patch a, which is given or `√(R x)`: `f = 4/3 E* R^(1/4) x^(7/4)`. R is that of the surfaces, of the shapes
/// where they give none; two flat ones keep their `kp`. The damping is that of `kd`.
fn elastic(moduli: (Elasticity, Elasticity), patch: Patch, rounds: [Roundness; 2], otherwise: NormalLaw) -> NormalLaw {
    let damping = if let NormalLaw::Spring { damping, .. } = otherwise { damping } else { 0.0 };
    let (scale, exponent) = match patch {
        Patch::Radius(radius) if radius > 0.0 => (radius.sqrt(), 1.5),
        Patch::Curvature(radius) if radius > 0.0 => (radius.sqrt().sqrt(), 1.75),
        _ => match Roundness::of_pair(rounds) {
            radius if radius.is_finite() => (radius.sqrt().sqrt(), 1.75),
            _ => return otherwise,
        },
    };
    let stiffness = 4.0 / 3.0 * moduli.0.contact_modulus(moduli.1) * scale;
    let force = NormalForce::Hertz { stiffness, exponent, dissipation: 0.0, damping };
    NormalLaw::Compliant { force, is_per_mass: false }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::ContactTable;
    use crate::material::rule::tests::{FLAT, rules};
    use crate::math::Pose;

    #[test]
    fn springs_are_in_series_and_slips_add_times_points() {
        let spring = |stiffness| Surface {
            compliance: Some(SurfaceCompliance::Spring { stiffness, damping: 2.0 }),
            slip: [0.1, 0.0],
            friction: [0.5, 0.9],
            ..Surface::default()
        };
        let table = ContactTable::default();
        let c = rules(&table).resolve(&spring(1000.0), &spring(3000.0), FLAT).unwrap().law().at(
            [&Pose::IDENTITY; 2],
            4,
            glam::DVec3::Z,
            |_| glam::DQuat::IDENTITY,
        );
        assert_eq!(c.normal, NormalLaw::Spring { stiffness: 750.0, damping: 4.0 });
        assert_eq!(c.slip, [0.8, 0.0]);
        assert_eq!(c.friction, [FrictionBound::Coefficient(0.5), FrictionBound::Coefficient(0.9)]);
    }

    #[test]
    fn the_second_direction_counts_when_the_first_has_none() {
        let a = Surface { direction: Some(DVec3::ZERO), ..Surface::default() };
        let b = Surface { direction: Some(DVec3::X), ..Surface::default() };
        let turned = Pose::from_xyz_rpy(DVec3::ZERO, DVec3::new(0.0, 0.0, std::f64::consts::FRAC_PI_2));
        let table = ContactTable::default();
        let c = rules(&table).resolve(&a, &b, FLAT).unwrap().law().at(
            [&Pose::IDENTITY, &turned],
            1,
            glam::DVec3::Z,
            |_| glam::DQuat::IDENTITY,
        );
        assert!((c.direction.unwrap() - DVec3::Y).length() < 1e-15);
    }

    #[test]
    fn a_given_compliance_wins_over_the_default_and_a_spring_over_both() {
        let spring = |stiffness, damping| SurfaceCompliance::Spring { stiffness, damping };
        let default = Some(spring(1e12, 1.0));
        let soft = SurfaceCompliance::ErpCfm { erp: Some(0.3), cfm: None };
        assert_eq!(normal([None, None], default), NormalLaw::Spring { stiffness: 0.5e12, damping: 2.0 });
        assert_eq!(normal([Some(soft), None], default), NormalLaw::ErpCfm { erp: Some(0.3), cfm: None });
        let law = normal([None, Some(spring(1e12, 4.0))], default);
        assert_eq!(law, NormalLaw::Spring { stiffness: 0.5e12, damping: 5.0 });
        assert_eq!(normal([None, None], None), NormalLaw::ErpCfm { erp: None, cfm: None });
    }
}
