//! What a file says to engines other than ODE: `<bullet>`, `<simbody>` and `<dart>` of `<physics>`, `<bullet>` of surfaces.

use stiction::math::DVec3;

use crate::description::Setting;

/// `<physics><bullet>`.
#[derive(Clone, Debug)]
pub struct BulletDescription {
    /// `solver/type`: `sequential_impulse`.
    pub solver_type: Setting<String>,
    /// `solver/min_step_size` \[s\]; steps are fixed.
    pub min_step_size: Setting<f64>,
    /// `solver/iters`: sweeps.
    pub iters: Setting<u32>,
    /// `solver/sor`: over-relaxation.
    pub sor: Setting<f64>,
    /// `constraints/cfm`.
    pub cfm: Setting<f64>,
    /// `constraints/erp`.
    pub erp: Setting<f64>,
    /// `constraints/contact_surface_layer` \[m\].
    pub contact_surface_layer: Setting<f64>,
    /// `constraints/split_impulse`.
    pub split_impulse: Setting<bool>,
    /// `constraints/split_impulse_penetration_threshold` \[m\]: a distance, negative inside.
    pub split_impulse_penetration_threshold: Setting<f64>,
}

/// `<physics><simbody>`.
#[derive(Clone, Debug)]
pub struct SimbodyDescription {
    /// `min_step_size` \[s\].
    pub min_step_size: Setting<f64>,
    /// `accuracy` of the integrator.
    pub accuracy: Setting<f64>,
    /// `max_transient_velocity` \[m/s\]: slip at which friction is fully there.
    pub max_transient_velocity: Setting<f64>,
    /// `contact/stiffness` \[Pa\].
    pub stiffness: Setting<f64>,
    /// `contact/dissipation` \[s/m\].
    pub dissipation: Setting<f64>,
    /// `contact/plastic_coef_restitution`: the least restitution, of fast impacts.
    pub plastic_coef_restitution: Setting<f64>,
    /// `contact/plastic_impact_velocity` \[m/s\]: speed from which an impact has it.
    pub plastic_impact_velocity: Setting<f64>,
    /// `contact/static_friction`.
    pub static_friction: Setting<f64>,
    /// `contact/dynamic_friction`.
    pub dynamic_friction: Setting<f64>,
    /// `contact/viscous_friction` \[s/m\].
    pub viscous_friction: Setting<f64>,
    /// `contact/override_impact_capture_velocity` \[m/s\]: slower impacts do not bounce.
    pub impact_capture_velocity: Setting<f64>,
    /// `contact/override_stiction_transition_velocity` \[m/s\]: in place of `max_transient_velocity`.
    pub stiction_transition_velocity: Setting<f64>,
}

/// `<physics><dart>`.
#[derive(Clone, Debug)]
pub struct DartDescription {
    /// `solver/solver_type`: `dantzig` or `pgs`.
    pub solver_type: Setting<String>,
    /// `collision_detector`: `fcl`, `dart`, `bullet` or `ode`.
    pub collision_detector: Setting<String>,
}

/// `<bullet>` of `<friction>` and `<contact>` of a surface.
#[derive(Clone, Debug)]
pub struct BulletSurfaceDescription {
    /// `friction/bullet/friction`.
    pub friction: Setting<f64>,
    /// `friction/bullet/friction2`.
    pub friction2: Setting<f64>,
    /// `friction/bullet/fdir1`, in the collision frame.
    pub fdir1: Setting<DVec3>,
    /// `friction/bullet/rolling_friction` \[m\].
    pub rolling_friction: Setting<f64>,
    /// `contact/bullet/soft_cfm`.
    pub soft_cfm: Setting<f64>,
    /// `contact/bullet/soft_erp`.
    pub soft_erp: Setting<f64>,
    /// `contact/bullet/kp` \[N/m\].
    pub kp: Setting<f64>,
    /// `contact/bullet/kd` \[N s/m\].
    pub kd: Setting<f64>,
    /// `contact/bullet/split_impulse`.
    pub split_impulse: Setting<bool>,
    /// `contact/bullet/split_impulse_penetration_threshold` \[m\]: a distance, negative inside.
    pub split_impulse_penetration_threshold: Setting<f64>,
}
