//! Two surfaces become one contact: Bullet's rules, as Gazebo's engine `bullet` has them.
//!
//! | parameter | combination |
//! | --- | --- |
//! | friction | the smaller coefficient (Gazebo's contact callback; Bullet's own rule is the product), along the slip; with a first direction or two coefficients along each direction |
//! | restitution | the product, above the solver's threshold of 0.2 m/s |
//! | rolling friction | `r₁ μ₂ + r₂ μ₁` (`btManifoldResult::calculateCombinedRollingFriction`) |
//! | stiffness, damping | in series, sum: `erp = h k / (h k + d)`, `cfm = 1 / (h k + d)` |
//! | split impulse | only if both surfaces that say something ask for it: the greater depth |

use glam::DVec3;

use super::{ContactRules, ContactSurface, FrictionModel, Roundness, Surface, combine};
use crate::contact::friction::Coupling;
use crate::contact::restitution::Restitution;

/// `btContactSolverInfo::m_restitutionVelocityThreshold` \[m/s\].
const BOUNCE_THRESHOLD: f64 = 0.2;
/// Bullet cuts combined coefficients here.
const MOST: f64 = 10.0;

/// Parameters of a contact of two surfaces, and its first friction direction with the surface in whose frame it is.
pub(super) fn combine_bullet(
    a: &Surface,
    b: &Surface,
    rules: &ContactRules<'_>,
    rounds: [Roundness; 2],
) -> (ContactSurface, Option<(usize, DVec3)>) {
    let rules = ContactRules { friction_model: FrictionModel::Pyramid, classic: false, ..*rules };
    let (mut surface, direction) = combine(a, b, &rules, rounds);
    if direction.is_none() && surface.friction[0] == surface.friction[1] {
        // The first direction of Bullet is that of the slip: no direction is preferred.
        surface.coupling = Coupling::Ellipse;
    }
    surface.bounce = product_of_bounces(a, b, BOUNCE_THRESHOLD);
    // Friction may be without a bound, and what does not roll hard does not for it.
    let of = |rolling: f64, friction: f64| if rolling > 0.0 { rolling * friction } else { 0.0 };
    let rolling = (of(a.rolling, b.friction[0]) + of(b.rolling, a.friction[0])).min(MOST);
    surface.rolling = [rolling, rolling, 0.0];
    surface.max_correcting_velocity = None;
    surface.surface_layer = None;
    surface.split_depth = match (a.split_depth, b.split_depth) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (a, b) => a.or(b),
    };
    (surface, direction)
}

/// Restitution as the product of two coefficients, above a threshold of the engine's own \[m/s\].
pub(super) fn product_of_bounces(a: &Surface, b: &Surface, threshold: f64) -> Option<Restitution> {
    let coefficient = a.bounce?.coefficient * b.bounce?.coefficient;
    Some(Restitution { coefficient, threshold })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::rule::tests::{FLAT, rules};
    use crate::material::{Combination, ContactTable};

    fn combined(a: &Surface, b: &Surface) -> ContactSurface {
        let table = ContactTable::default();
        let rules = ContactRules { combination: Combination::Bullet, ..rules(&table) };
        rules.resolve(a, b, FLAT).unwrap().law().surface
    }

    #[test]
    fn restitutions_multiply_and_the_threshold_is_the_solvers() {
        let of =
            |coefficient| Surface { bounce: Some(Restitution { coefficient, threshold: 1e5 }), ..Surface::default() };
        let bounce = combined(&of(0.8), &of(0.5)).bounce.unwrap();
        assert_eq!((bounce.coefficient, bounce.threshold), (0.4, 0.2));
    }

    #[test]
    fn friction_is_a_cone_until_directions_differ() {
        let of = |friction, direction| Surface { friction, direction, ..Surface::default() };
        assert_eq!(combined(&of([0.3; 2], None), &of([0.5; 2], None)).coupling, Coupling::Ellipse);
        assert_eq!(combined(&of([0.3, 0.1], None), &of([0.5; 2], None)).coupling, Coupling::Independent);
        assert_eq!(combined(&of([0.3; 2], Some(DVec3::X)), &of([0.5; 2], None)).coupling, Coupling::Independent);
    }

    #[test]
    fn rolling_lengths_count_with_the_others_friction_and_split_needs_both() {
        let of = |rolling, split_depth| Surface { rolling, split_depth, friction: [0.5; 2], ..Surface::default() };
        let found = combined(&of(0.01, Some(0.02)), &of(0.03, Some(f64::INFINITY)));
        assert_eq!(found.rolling, [0.02, 0.02, 0.0]);
        assert_eq!(found.split_depth, Some(f64::INFINITY));
        let unbounded = Surface { friction: [f64::INFINITY; 2], ..Surface::default() };
        assert_eq!(combined(&unbounded, &unbounded).rolling, [0.0; 3]);
    }
}
