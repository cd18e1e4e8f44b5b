//! `<surface>` as a surface of the engine.

use stiction::contact::restitution::Restitution;
use stiction::material::{PointContact, Surface, SurfaceCompliance};

use crate::description::{CollisionDescription, SurfaceDescription};

/// Surface of a collision.
pub(super) fn surface(collision: &CollisionDescription) -> Surface {
    let s = &collision.surface;
    let (compliance, compliance_is_given) = compliance(s);
    // A negative coefficient is no limit, in Gazebo classic and with `--lenient`.
    let coefficient = |mu: f64| if mu < 0.0 { f64::INFINITY } else { mu };
    Surface {
        friction: [coefficient(s.mu.value), coefficient(s.mu2.value)],
        direction: Some(s.fdir1.value).filter(|d| d.length_squared() > 0.0),
        slip: [s.slip1.value, s.slip2.value],
        bounce: Some(Restitution { coefficient: s.restitution.value, threshold: s.restitution_threshold.value }),
        compliance: Some(compliance),
        compliance_is_given,
        point_contact: PointContact {
            stiffness: s.proximity.stiffness.given().copied(),
            dissipation: s.proximity.dissipation.given().copied(),
            static_friction: s.proximity.static_friction.given().copied(),
            dynamic_friction: s.proximity.dynamic_friction.given().copied(),
        },
        // A negative bound is the world's.
        max_correcting_velocity: Some(s.max_vel.value).filter(|v| *v >= 0.0),
        max_correcting_velocity_is_given: s.max_vel.is_given(),
        min_depth: Some(s.min_depth.value),
        min_depth_is_given: s.min_depth.is_given(),
        max_contacts: collision.max_contacts.given().copied(),
        is_sensor: s.collide_without_contact.value,
        collide_bitmask: s.collide_bitmask.value,
        sensor_bitmask: s.collide_without_contact_bitmask.value,
    }
}

/// `kp` and `kd` win over `soft_erp` and `soft_cfm`; what is given wins over defaults.
fn compliance(s: &SurfaceDescription) -> (SurfaceCompliance, bool) {
    let spring = SurfaceCompliance::Spring { stiffness: s.kp.value, damping: s.kd.value };
    if s.kp.is_given() || s.kd.is_given() {
        return (spring, true);
    }
    if s.soft_erp.is_given() || s.soft_cfm.is_given() {
        let soft = SurfaceCompliance::ErpCfm { erp: s.soft_erp.given().copied(), cfm: s.soft_cfm.given().copied() };
        return (soft, true);
    }
    (spring, false)
}
