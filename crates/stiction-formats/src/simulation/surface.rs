//! `<surface>` as a surface of the engine.

use stiction::contact::restitution::Restitution;
use stiction::material::{Combination, Elasticity, PointContact, Surface, SurfaceCompliance, TorsionalSurface};
use stiction::world::{SolverKind, WorldParameters};

use crate::description::{CollisionDescription, PhysicsDescription, Setting, SurfaceDescription};
use crate::engine_blocks::{BulletSurfaceDescription, SimbodyDescription};
use crate::sdf::spec;

use super::physics::split_depth;

/// Compliance of SDFormat's surfaces that give none: `kp` and `kd` at the defaults of the table of elements.
pub(super) fn default_compliance() -> Option<SurfaceCompliance> {
    let number = |name| spec::lookup("surface/contact/ode", name)?.default.parse().ok();
    Some(SurfaceCompliance::Spring { stiffness: number("kp")?, damping: number("kd")? })
}

/// Surface of a collision. The defaults of `max_vel` and `min_depth` do not count on what does not move (`moves`): a floor
/// without values of its own does not limit what lies on it. Nor does that of `max_vel` count under sub-steps.
pub(super) fn surface(
    collision: &CollisionDescription,
    moves: bool,
    parameters: &WorldParameters,
    physics: &PhysicsDescription,
) -> Surface {
    // ODE corrects an overlap in full and bounds the velocity that is left. Sub-steps leave none, and 1 cm/s is too slow for the correction itself:
    // the default, unlike a bound that a file gives, does not count for them.
    let surface = general(collision, moves, moves && parameters.solver != SolverKind::Substeps);
    match parameters.combination {
        Combination::Bullet => bullet(&collision.surface.bullet, surface),
        Combination::Simbody => simbody(&collision.surface, &physics.simbody, surface),
        Combination::Hard if parameters.classic => classic(collision, parameters, physics, surface),
        _ => surface,
    }
}

/// What Gazebo classic makes of a surface: the least of all `max_contacts`, no softness but by `kp` and `kd`, and no `max_vel` with the
/// direct solver.
fn classic(
    collision: &CollisionDescription,
    parameters: &WorldParameters,
    physics: &PhysicsDescription,
    general: Surface,
) -> Surface {
    let is_direct = parameters.solver == SolverKind::Direct;
    Surface {
        max_contacts: Some(collision.max_contacts.value.min(physics.max_contacts.value)),
        compliance: general.compliance.filter(|c| matches!(c, SurfaceCompliance::Spring { .. })),
        max_correcting_velocity: general.max_correcting_velocity.filter(|_| !is_direct),
        ..general
    }
}

/// What Bullet is told stands in the place of what ODE is told.
fn bullet(s: &BulletSurfaceDescription, general: Surface) -> Surface {
    let given = |setting: &Setting<f64>, other: f64| coefficient(setting.given().copied().unwrap_or(other));
    let split = s.split_impulse.is_given() || s.split_impulse_penetration_threshold.is_given();
    let spring = s.kp.is_given() || s.kd.is_given();
    let soft = s.soft_erp.is_given() || s.soft_cfm.is_given();
    let compliance = if spring {
        Some(SurfaceCompliance::Spring { stiffness: s.kp.value, damping: s.kd.value })
    } else if soft {
        Some(SurfaceCompliance::ErpCfm { erp: s.soft_erp.given().copied(), cfm: s.soft_cfm.given().copied() })
    } else {
        general.compliance
    };
    Surface {
        friction: [given(&s.friction, general.friction[0]), given(&s.friction2, general.friction[1])],
        direction: s.fdir1.given().copied().filter(|d| d.length_squared() > 0.0).or(general.direction),
        // The format's default, 1 m, is a wheel that does not roll.
        rolling: s.rolling_friction.given().map_or(0.0, |rolling| rolling.max(0.0)),
        split_depth: split.then(|| split_depth(s.split_impulse.value, s.split_impulse_penetration_threshold.value)),
        compliance,
        ..general
    }
}

/// A negative coefficient is no limit, in Gazebo classic and with `--lenient`.
const fn coefficient(mu: f64) -> f64 {
    if mu < 0.0 { f64::INFINITY } else { mu }
}

/// Of any engine. `min_depth` and `max_vel` say whether the defaults of these count.
fn general(collision: &CollisionDescription, min_depth: bool, max_vel: bool) -> Surface {
    let s = &collision.surface;
    let counts = |setting: &Setting<f64>, default: bool| Some(setting.value).filter(|_| default || setting.is_given());
    Surface {
        belt: None,
        material: None,
        friction: [coefficient(s.mu.value), coefficient(s.mu2.value)],
        direction: Some(s.fdir1.value).filter(|d| d.length_squared() > 0.0),
        slip: [s.slip1.value, s.slip2.value],
        torsional: TorsionalSurface {
            coefficient: coefficient(s.torsional_coefficient.value),
            use_patch_radius: s.use_patch_radius.value,
            patch_radius: s.patch_radius.value,
            surface_radius: s.surface_radius.value,
            slip: s.torsional_slip.value,
        },
        bounce: Some(Restitution { coefficient: s.restitution.value, threshold: s.restitution_threshold.value }),
        compliance: compliance(s),
        point_contact: PointContact {
            stiffness: s.proximity.stiffness.given().copied(),
            dissipation: s.proximity.dissipation.given().copied(),
            relaxation_time: s.proximity.relaxation_time.given().copied(),
            static_friction: s.proximity.static_friction.given().copied(),
            dynamic_friction: s.proximity.dynamic_friction.given().copied(),
        },
        split_depth: None,
        rolling: 0.0,
        elasticity: elasticity(s),
        // A negative bound is the world's.
        max_correcting_velocity: counts(&s.max_vel, max_vel).filter(|v| *v >= 0.0),
        min_depth: counts(&s.min_depth, min_depth).map(|depth| depth.max(0.0)),
        max_contacts: collision.max_contacts.given().copied(),
        is_sensor: s.collide_without_contact.value,
        collide_bitmask: s.collide_bitmask.value,
        category_bitmask: s.category_bitmask.given().copied(),
        sensor_bitmask: s.collide_without_contact_bitmask.value,
    }
}

/// A modulus of 0 or less is none (SDFormat's default is −1); a ratio beyond those of solids is cut.
fn elasticity(s: &SurfaceDescription) -> Option<Elasticity> {
    let modulus = s.elastic_modulus.value;
    let poissons_ratio = s.poissons_ratio.value.clamp(-1.0 + f64::EPSILON, 0.5);
    (modulus > 0.0).then_some(Elasticity { modulus, poissons_ratio })
}

/// The one material of Simbody has the friction of surfaces that give none.
fn simbody(s: &SurfaceDescription, world: &SimbodyDescription, general: Surface) -> Surface {
    let of = |own: &Setting<f64>, world: &Setting<f64>| coefficient(own.given().copied().unwrap_or(world.value));
    Surface { friction: [of(&s.mu, &world.static_friction), of(&s.mu2, &world.dynamic_friction)], ..general }
}

/// `kp` and `kd` win over `soft_erp` and `soft_cfm`.
fn compliance(s: &SurfaceDescription) -> Option<SurfaceCompliance> {
    if s.kp.is_given() || s.kd.is_given() {
        return Some(SurfaceCompliance::Spring { stiffness: s.kp.value, damping: s.kd.value });
    }
    (s.soft_erp.is_given() || s.soft_cfm.is_given())
        .then(|| SurfaceCompliance::ErpCfm { erp: s.soft_erp.given().copied(), cfm: s.soft_cfm.given().copied() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn surfaces_are_as_hard_as_the_format_says() {
        let spring = SurfaceCompliance::Spring { stiffness: 1e12, damping: 1.0 };
        assert_eq!(default_compliance(), Some(spring));
    }
}
