//! Reads `<bullet>`, `<simbody>` and `<dart>`.

use crate::engine_blocks::{BulletDescription, BulletSurfaceDescription, DartDescription, SimbodyDescription};

use super::physics::check_word;
use super::read::Reader;
use super::report::Report;

/// `<bullet>` of `<physics>`.
pub(super) fn bullet(r: &Reader<'_>, report: &mut Report) -> BulletDescription {
    let bullet = BulletDescription {
        solver_type: r.text("bullet/solver/type"),
        min_step_size: r.real("bullet/solver/min_step_size"),
        iters: r.unsigned("bullet/solver/iters"),
        sor: r.real("bullet/solver/sor"),
        cfm: r.real("bullet/constraints/cfm"),
        erp: r.real("bullet/constraints/erp"),
        contact_surface_layer: r.real("bullet/constraints/contact_surface_layer"),
        split_impulse: r.boolean("bullet/constraints/split_impulse"),
        split_impulse_penetration_threshold: r.real("bullet/constraints/split_impulse_penetration_threshold"),
    };
    check_word(&bullet.solver_type, "solver type of bullet", &["sequential_impulse"], report);
    bullet
}

/// `<simbody>` of `<physics>`.
pub(super) fn simbody(r: &Reader<'_>) -> SimbodyDescription {
    SimbodyDescription {
        min_step_size: r.real("simbody/min_step_size"),
        accuracy: r.real("simbody/accuracy"),
        max_transient_velocity: r.real("simbody/max_transient_velocity"),
        stiffness: r.real("simbody/contact/stiffness"),
        dissipation: r.real("simbody/contact/dissipation"),
        plastic_coef_restitution: r.real("simbody/contact/plastic_coef_restitution"),
        plastic_impact_velocity: r.real("simbody/contact/plastic_impact_velocity"),
        static_friction: r.real("simbody/contact/static_friction"),
        dynamic_friction: r.real("simbody/contact/dynamic_friction"),
        viscous_friction: r.real("simbody/contact/viscous_friction"),
        impact_capture_velocity: r.real("simbody/contact/override_impact_capture_velocity"),
        stiction_transition_velocity: r.real("simbody/contact/override_stiction_transition_velocity"),
    }
}

/// `<dart>` of `<physics>`.
pub(super) fn dart(r: &Reader<'_>, report: &mut Report) -> DartDescription {
    let dart = DartDescription {
        solver_type: r.text("dart/solver/solver_type"),
        collision_detector: r.text("dart/collision_detector"),
    };
    check_word(&dart.solver_type, "solver type of dart", &["dantzig", "pgs"], report);
    check_word(&dart.collision_detector, "collision detector of dart", &["fcl", "dart", "bullet", "ode"], report);
    dart
}

/// `<bullet>` of a surface's `<friction>` and `<contact>`.
pub(super) fn bullet_surface(r: &Reader<'_>) -> BulletSurfaceDescription {
    BulletSurfaceDescription {
        friction: r.unlimited_if_negative("friction/bullet/friction"),
        friction2: r.unlimited_if_negative("friction/bullet/friction2"),
        fdir1: r.vector("friction/bullet/fdir1"),
        rolling_friction: r.real("friction/bullet/rolling_friction"),
        soft_cfm: r.real("contact/bullet/soft_cfm"),
        soft_erp: r.real("contact/bullet/soft_erp"),
        kp: r.real("contact/bullet/kp"),
        kd: r.real("contact/bullet/kd"),
        split_impulse: r.boolean("contact/bullet/split_impulse"),
        split_impulse_penetration_threshold: r.real("contact/bullet/split_impulse_penetration_threshold"),
    }
}
