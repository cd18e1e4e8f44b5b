//! Two surfaces become one SPOOK contact: AGX's laws with the values that SDFormat's surfaces give.
//!
//! | parameter | combination |
//! | --- | --- |
//! | stiffness | in series, `k₁ k₂ / (k₁ + k₂)`; 4e8 N/m for a surface that gives none |
//! | damping time | the larger; `kd / kp`, 0.075 s for a surface that gives none |
//! | friction | a cone of the smaller coefficients along each direction |
//! | slip | the sum; 1e-8 m/(N s) where neither gives one |
//! | restitution | the smaller, in the impact stage |

use glam::DVec3;

use super::{ContactRules, ContactSurface, NormalLaw, Roundness, SolveType, Surface, SurfaceCompliance, combine};
use crate::contact::friction::{Coupling, FrictionBound};

/// AGX's default material: Young's modulus of a contact point \[N/m\], damping time \[s\], slip \[m/(N s)\].
const STIFFNESS: f64 = 4e8;
const DAMPING_TIME: f64 = 0.075;
const SLIP: f64 = 1e-8;

/// Parameters of a contact of two surfaces, and its first friction direction with the surface in whose frame it is.
pub(super) fn combine_spook(
    a: &Surface,
    b: &Surface,
    rules: &ContactRules<'_>,
) -> (ContactSurface, Option<(usize, DVec3)>) {
    let (mut surface, direction) = combine(a, b, &ContactRules { classic: false, ..*rules }, [Roundness::FLAT; 2]);
    let [(k1, t1), (k2, t2)] = [a, b].map(spring);
    surface.normal = NormalLaw::spook(1.0 / k1 + 1.0 / k2, t1.max(t2));
    if surface.friction.iter().all(|bound| matches!(bound, FrictionBound::Coefficient(_))) {
        surface.coupling = Coupling::Ellipse;
    }
    surface.projects_direction = true;
    if surface.slip == [0.0; 2] {
        surface.slip = [SLIP; 2];
    }
    surface.solve_type = SolveType::Split;
    (surface, direction)
}

/// Stiffness and damping time of a surface.
fn spring(surface: &Surface) -> (f64, f64) {
    match surface.compliance {
        Some(SurfaceCompliance::Spring { stiffness, damping }) if stiffness > 0.0 => (stiffness, damping / stiffness),
        _ => (STIFFNESS, DAMPING_TIME),
    }
}
