//! `<surface>` as a surface of the engine.

use stiction::contact::restitution::Restitution;
use stiction::material::{PointContact, Surface, SurfaceCompliance, TorsionalSurface};

use crate::description::{CollisionDescription, Setting, SurfaceDescription};
use crate::sdf::spec;

/// Compliance of SDFormat's surfaces that give none: `kp` and `kd` at the defaults of the table of elements.
pub(super) fn default_compliance() -> Option<SurfaceCompliance> {
    let number = |name| spec::lookup("surface/contact/ode", name)?.default.parse().ok();
    Some(SurfaceCompliance::Spring { stiffness: number("kp")?, damping: number("kd")? })
}

/// Surface of a collision. The defaults of `max_vel` and `min_depth` do not count on what does not move (`moves`): a floor
/// without values of its own does not limit what lies on it.
pub(super) fn surface(collision: &CollisionDescription, moves: bool) -> Surface {
    let s = &collision.surface;
    // A negative coefficient is no limit, in Gazebo classic and with `--lenient`.
    let coefficient = |mu: f64| if mu < 0.0 { f64::INFINITY } else { mu };
    let counts = |setting: &Setting<f64>| Some(setting.value).filter(|_| moves || setting.is_given());
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
            static_friction: s.proximity.static_friction.given().copied(),
            dynamic_friction: s.proximity.dynamic_friction.given().copied(),
        },
        // A negative bound is the world's.
        max_correcting_velocity: counts(&s.max_vel).filter(|v| *v >= 0.0),
        min_depth: counts(&s.min_depth),
        max_contacts: collision.max_contacts.given().copied(),
        is_sensor: s.collide_without_contact.value,
        collide_bitmask: s.collide_bitmask.value,
        sensor_bitmask: s.collide_without_contact_bitmask.value,
    }
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
