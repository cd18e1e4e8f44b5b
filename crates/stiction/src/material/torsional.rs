//! Torsional friction of two surfaces: Gazebo's rules.
//!
//! | parameter | combination |
//! | --- | --- |
//! | coefficient | the smaller |
//! | `use_patch_radius` | both must say so |
//! | patch radius | the larger |
//! | surface radius | `1 / (1/R₁ + 1/R₂)`, a radius of 0 is no term |
//! | slip | sum × number of contact points of the pair; less than 0 counts as 0, which would drive |

use super::TorsionalSurface;
use crate::contact::torsional::{Patch, TorsionalFriction};

/// Torsional friction of a contact of two surfaces, its slip that of one point.
#[inline]
pub(super) fn combine_torsional([a, b]: [&TorsionalSurface; 2]) -> TorsionalFriction {
    let patch = if a.use_patch_radius && b.use_patch_radius {
        Patch::Radius(a.patch_radius.max(b.patch_radius))
    } else {
        Patch::Curvature(radius_of_pair(a.surface_radius, b.surface_radius))
    };
    TorsionalFriction { coefficient: a.coefficient.min(b.coefficient), patch, slip: (a.slip + b.slip).max(0.0) }
}

fn radius_of_pair(first: f64, second: f64) -> f64 {
    match (first > 0.0, second > 0.0) {
        (true, true) => 1.0 / (1.0 / first + 1.0 / second),
        (true, false) => first,
        (false, true) => second,
        (false, false) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::rule::tests::{FLAT, rules};
    use crate::material::{Combination, ContactTable, Surface};
    use crate::math::Pose;

    #[test]
    fn two_surfaces_become_one_patch() {
        let of = |coefficient, use_patch_radius, patch_radius, surface_radius, slip| TorsionalSurface {
            coefficient,
            use_patch_radius,
            patch_radius,
            surface_radius,
            slip,
        };
        let a = of(0.3, true, 0.1, 2.0, 0.1);
        let friction = combine_torsional([&a, &of(0.5, true, 0.4, 3.0, 0.2)]);
        assert_eq!((friction.coefficient, friction.patch), (0.3, Patch::Radius(0.4)));
        assert!((friction.slip - 0.3).abs() < 1e-15);
        let friction = combine_torsional([&a, &of(0.2, false, 0.4, 3.0, -0.5)]);
        let Patch::Curvature(radius) = friction.patch else { panic!("{friction:?}") };
        assert!((radius - 1.2).abs() < 1e-15);
        assert_eq!((friction.coefficient, friction.slip), (0.2, 0.0));
        let flat = of(1.0, false, 0.0, 0.0, 0.0);
        assert_eq!(combine_torsional([&a, &flat]).patch, Patch::Curvature(2.0));
        assert_eq!(combine_torsional([&flat, &flat]).moment_arm(0.1), 0.0);
        assert_eq!(combine_torsional([&TorsionalSurface::default(); 2]).moment_arm(0.1), 0.0);
    }

    #[test]
    fn the_slip_counts_the_points_under_every_combination_that_has_it() {
        let torsional = TorsionalSurface { patch_radius: 0.1, slip: 0.25, ..TorsionalSurface::default() };
        let own = Surface { torsional, ..Surface::default() };
        let table = ContactTable::default();
        for (combination, slip) in [(Combination::Hard, 2.0), (Combination::Spook, 2.0), (Combination::Compliant, 0.0)]
        {
            let rules = crate::material::ContactRules { combination, ..rules(&table) };
            let law = rules.resolve(&own, &own, FLAT).unwrap().law();
            let surface = law.at([&Pose::IDENTITY; 2], 4, glam::DVec3::Z, |_| glam::DQuat::IDENTITY);
            assert_eq!(surface.torsional.slip, slip, "{combination:?}");
            assert_eq!(surface.torsional.moment_arm(0.0) > 0.0, slip > 0.0, "{combination:?}");
        }
    }
}
