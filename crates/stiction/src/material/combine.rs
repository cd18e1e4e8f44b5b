//! Two surfaces become one contact. The rules are Gazebo's (`ODEPhysics::Collide`), where the documents do not say
//! otherwise.
//!
//! | parameter | combination |
//! | --- | --- |
//! | friction coefficients | the smaller, each direction on its own |
//! | first direction | the first surface's; the second's if the first has none |
//! | slip | sum × number of contact points of the pair |
//! | restitution, threshold | the smaller |
//! | stiffness | in series, `1 / (1/k₁ + 1/k₂)` |
//! | damping | sum |
//! | ERP | the smaller; CFM: sum |
//! | maximum correcting velocity | the smaller; then the world's bounds it |
//! | minimum depth | the smaller; then a layer that the file gives truncates it |

use crate::contact::friction::{Coupling, FrictionBound};
use crate::contact::restitution::Restitution;
use crate::math::Pose;

use super::surface::{ContactSurface, NormalLaw, Surface, SurfaceCompliance};

/// How friction of the whole world is approximated (SDFormat's `friction_model`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrictionModel {
    /// Each direction on its own, times the normal force.
    #[default]
    Pyramid,
    /// Both directions together, times the normal force; one coefficient, the first.
    Cone,
    /// Each direction on its own, a constant force: the coefficient in newtons.
    Box,
}

/// A surface with the pose of its shape, and whether its body can move.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// The surface.
    pub surface: &'a Surface,
    /// Pose of the shape in the world.
    pub pose: &'a Pose,
    /// The shape belongs to a body that moves.
    pub moves: bool,
}

/// Parameters of the contact of two surfaces with `points` contact points.
#[must_use]
pub fn combine(first: Side<'_>, second: Side<'_>, model: FrictionModel, points: usize) -> ContactSurface {
    let (a, b) = (first.surface, second.surface);
    let coefficients = [a.friction[0].min(b.friction[0]), a.friction[1].min(b.friction[1])];
    let (friction, coupling) = match model {
        FrictionModel::Pyramid => (coefficients.map(FrictionBound::Coefficient), Coupling::Independent),
        FrictionModel::Cone => ([FrictionBound::Coefficient(coefficients[0]); 2], Coupling::Ellipse),
        FrictionModel::Box => (coefficients.map(FrictionBound::Force), Coupling::Independent),
    };
    let direction = [(a, first.pose), (b, second.pose)]
        .into_iter()
        .find_map(|(s, pose)| s.direction.filter(|d| d.length_squared() > 0.0).map(|d| pose.direction(d)));
    ContactSurface {
        friction,
        coupling,
        direction,
        slip: [0, 1].map(|i| (a.slip[i] + b.slip[i]) * points as f64),
        motion: [0.0; 2],
        normal_motion: 0.0,
        bounce: bounce(a.bounce, b.bounce),
        normal: normal(a, b),
        stribeck: None,
        point_shift: 0.0,
        max_correcting_velocity: smaller([
            a.max_correcting_velocity.filter(|_| first.moves || a.max_correcting_velocity_is_given),
            b.max_correcting_velocity.filter(|_| second.moves || b.max_correcting_velocity_is_given),
        ]),
        surface_layer: smaller([
            a.min_depth.filter(|_| first.moves || a.min_depth_is_given),
            b.min_depth.filter(|_| second.moves || b.min_depth_is_given),
        ]),
        rolling: [0.0; 3],
    }
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

/// A given compliance wins over a default one; two of one kind are combined; of a spring and an ERP the spring wins.
fn normal(a: &Surface, b: &Surface) -> NormalLaw {
    use SurfaceCompliance::{ErpCfm, Spring};
    let given = [a, b].map(|s| s.compliance.filter(|_| s.compliance_is_given));
    let pair = match given {
        [Some(Spring { .. }), _] | [_, Some(Spring { .. })] => [a.compliance, b.compliance],
        [None, None] => [a.compliance, b.compliance],
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

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    fn with(surface: &Surface) -> Side<'_> {
        Side { surface, pose: &Pose::IDENTITY, moves: true }
    }

    #[test]
    fn springs_are_in_series_and_slips_add_times_points() {
        let spring = |stiffness| Surface {
            compliance: Some(SurfaceCompliance::Spring { stiffness, damping: 2.0 }),
            compliance_is_given: true,
            slip: [0.1, 0.0],
            friction: [0.5, 0.9],
            ..Surface::default()
        };
        let (a, b) = (spring(1000.0), spring(3000.0));
        let c = combine(with(&a), with(&b), FrictionModel::Pyramid, 4);
        assert_eq!(c.normal, NormalLaw::Spring { stiffness: 750.0, damping: 4.0 });
        assert_eq!(c.slip, [0.8, 0.0]);
        assert_eq!(c.friction, [FrictionBound::Coefficient(0.5), FrictionBound::Coefficient(0.9)]);
    }

    #[test]
    fn the_second_direction_counts_when_the_first_has_none() {
        let a = Surface { direction: Some(DVec3::ZERO), ..Surface::default() };
        let b = Surface { direction: Some(DVec3::X), ..Surface::default() };
        let turned = Pose::from_xyz_rpy(DVec3::ZERO, DVec3::new(0.0, 0.0, std::f64::consts::FRAC_PI_2));
        let c = combine(with(&a), Side { surface: &b, pose: &turned, moves: true }, FrictionModel::Pyramid, 1);
        assert!((c.direction.unwrap() - DVec3::Y).length() < 1e-15);
    }

    #[test]
    fn a_default_on_a_static_shape_does_not_count() {
        let given = Surface {
            max_correcting_velocity: Some(10.0),
            max_correcting_velocity_is_given: true,
            ..Surface::default()
        };
        let default = Surface { max_correcting_velocity: Some(0.01), ..Surface::default() };
        let ground = Side { surface: &default, pose: &Pose::IDENTITY, moves: false };
        assert_eq!(combine(with(&given), ground, FrictionModel::Pyramid, 1).max_correcting_velocity, Some(10.0));
        assert_eq!(
            combine(with(&given), with(&default), FrictionModel::Pyramid, 1).max_correcting_velocity,
            Some(0.01)
        );
    }
}
