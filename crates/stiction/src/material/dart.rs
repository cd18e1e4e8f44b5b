//! Two surfaces become one contact: DART's rules (`ContactConstraint` and `ContactSurfaceHandler`).
//!
//! | parameter | combination |
//! | --- | --- |
//! | friction | the smaller coefficient along each direction |
//! | first direction | of two the surface's with the smaller first coefficient, laid into the tangent plane |
//! | slip compliance | the sum × number of contact points of the pair |
//! | restitution | the product; it acts where the bounce is faster than 0.1 m/s |
//! | overlap | leaves with the world's ERP, at the world's largest correcting velocity; no spring |

use glam::DVec3;

use super::bullet::product_of_bounces;
use super::combine::direction as first_direction;
use super::{ContactRules, ContactSurface, FrictionModel, NormalLaw, Roundness, Surface, combine};

/// `DART_BOUNCING_VELOCITY_THRESHOLD`: a bounce is faster than this \[m/s\].
const LEAST_BOUNCE: f64 = 0.1;

/// Parameters of a contact of two surfaces, and its first friction direction with the surface in whose frame it is.
pub(super) fn combine_dart(
    a: &Surface,
    b: &Surface,
    rules: &ContactRules<'_>,
) -> (ContactSurface, Option<(usize, DVec3)>) {
    let rules = ContactRules { friction_model: FrictionModel::Pyramid, classic: false, ..*rules };
    let (mut surface, mut direction) = combine(a, b, &rules, [Roundness::FLAT; 2]);
    if let (Some(_), Some(second)) = (first_direction(a), first_direction(b))
        && b.friction[0] < a.friction[0]
    {
        direction = Some((1, second));
    }
    surface.projects_direction = direction.is_some();
    let product = product_of_bounces(a, b, 0.0);
    surface.bounce = product.map(|mut bounce| {
        bounce.threshold = LEAST_BOUNCE / bounce.coefficient;
        bounce
    });
    surface.normal = NormalLaw::ErpCfm { erp: None, cfm: None };
    surface.max_correcting_velocity = None;
    surface.surface_layer = None;
    (surface, direction)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::restitution::{Restitution, bounce_velocity};
    use crate::material::rule::tests::{FLAT, rules};
    use crate::material::{Combination, ContactTable};

    fn combined(a: &Surface, b: &Surface) -> (ContactSurface, Option<(usize, DVec3)>) {
        let table = ContactTable::default();
        let rules = ContactRules { combination: Combination::Dart, ..rules(&table) };
        let law = rules.resolve(a, b, FLAT).unwrap().law();
        (law.surface, law.direction)
    }

    #[test]
    fn a_bounce_is_faster_than_a_tenth() {
        let of =
            |coefficient| Surface { bounce: Some(Restitution { coefficient, threshold: 1e5 }), ..Surface::default() };
        let bounce = combined(&of(0.8), &of(0.5)).0.bounce.unwrap();
        assert_eq!(bounce_velocity(&bounce, -0.26, 0.0), Some(0.4 * 0.26));
        assert_eq!(bounce_velocity(&bounce, -0.24, 0.0), None);
    }

    #[test]
    fn the_direction_is_that_of_the_surface_with_less_friction() {
        let of = |mu, direction| Surface { friction: [mu; 2], direction: Some(direction), ..Surface::default() };
        assert_eq!(combined(&of(0.5, DVec3::X), &of(0.2, DVec3::Y)).1, Some((1, DVec3::Y)));
        assert_eq!(combined(&of(0.2, DVec3::X), &of(0.5, DVec3::Y)).1, Some((0, DVec3::X)));
    }
}
