//! `<physics>` as parameters of the engine.

use stiction::integrators::Scheme;
use stiction::material::{FrictionModel, SimbodyMaterial};
use stiction::math::DVec3;
use stiction::world::{CompliantParameters, HybridRule, Preset, SolverKind, WorldParameters};

use crate::description::{OdeDescription, WorldDescription};
use crate::engine_blocks::{BulletDescription, SimbodyDescription};

/// Parameters that a world file asks for of an engine: what `<physics>` says in general, what makes the engine, and what
/// the file says to it.
#[must_use]
pub fn engine_parameters(description: &WorldDescription, preset: Preset) -> WorldParameters {
    let mut parameters = world_parameters(description);
    preset.apply(&mut parameters);
    set_by_file(description, preset, &mut parameters);
    parameters
}

/// Sets what a file says to an engine other than ODE. Under Simbody a step of the world is the largest of the integrator.
pub fn set_by_file(description: &WorldDescription, preset: Preset, parameters: &mut WorldParameters) {
    let physics = &description.physics;
    match preset {
        Preset::Bullet | Preset::BulletFeatherstone => bullet(&physics.bullet, parameters),
        Preset::Dart if physics.dart.solver_type.value == "pgs" => parameters.solver = SolverKind::Iterative,
        // Bodies rest where they touch, unless the file says otherwise.
        Preset::Stiction => stiction(&physics.ode, parameters),
        Preset::Simbody => simbody(&physics.simbody, parameters),
        _ => {}
    }
}

/// Gazebo classic where it differs from its documents: the layer of the world does not count, and the direct solver has no bound on
/// the correcting velocity, and wind blows only with a wind plugin (`--compat gazebo-classic`).
pub fn make_classic(description: &WorldDescription, parameters: &mut WorldParameters) {
    parameters.classic = true;
    if !description.wind.has_plugin {
        parameters.wind = DVec3::ZERO;
    }
    parameters.contact_surface_layer_truncates = false;
    if parameters.solver == SolverKind::Direct {
        parameters.contact_max_correcting_velocity = f64::INFINITY;
    }
}

/// What the file says to ODE holds where it says it: bodies rest where they touch otherwise, and friction is a cone.
fn stiction(ode: &OdeDescription, parameters: &mut WorldParameters) {
    if let Some(layer) = ode.contact_surface_layer.given() {
        parameters.contact_surface_layer = *layer;
    }
    if let Some(model) = ode.friction_model.given() {
        parameters.friction_model = friction_model(model);
    }
    if let Some(erp) = ode.erp.given() {
        parameters.erp = *erp;
    }
    if let Some(cfm) = ode.cfm.given() {
        parameters.cfm = *cfm;
    }
}

fn bullet(bullet: &BulletDescription, parameters: &mut WorldParameters) {
    parameters.iterations = bullet.iters.value;
    parameters.sor = bullet.sor.value;
    parameters.erp = bullet.erp.value;
    parameters.cfm = bullet.cfm.value;
    parameters.split_impulse_depth =
        split_depth(bullet.split_impulse.value, bullet.split_impulse_penetration_threshold.value);
    // Gazebo reads the layer and does not use it: its default changes nothing.
    if let Some(layer) = bullet.contact_surface_layer.given() {
        parameters.contact_surface_layer = *layer;
    }
}

/// Depth from which a split impulse corrects: the threshold is a distance.
pub(super) fn split_depth(is_split: bool, threshold: f64) -> f64 {
    if is_split { (-threshold).max(0.0) } else { f64::INFINITY }
}

fn simbody(simbody: &SimbodyDescription, parameters: &mut WorldParameters) {
    // SDFormat's 1e-3 leaves a light box that rests at 5 mm/s, where steps are as long as stability allows; a tenth of that
    // takes no more of them.
    if let Some(accuracy) = simbody.accuracy.given() {
        parameters.integrator.accuracy = *accuracy;
    }
    if let Some(step) = simbody.min_step_size.given() {
        // A least step is beyond what an explicit scheme may take on a stiff contact.
        parameters.integrator.min_step = step.min(parameters.integrator.max_step);
        parameters.integrator.scheme = Scheme::Radau3;
    }
    let transition = simbody.stiction_transition_velocity.given().unwrap_or(&simbody.max_transient_velocity.value);
    if *transition > 0.0 {
        parameters.compliant.stiction_tolerance = *transition;
    }
    parameters.simbody = SimbodyMaterial {
        stiffness: simbody.stiffness.value,
        dissipation: dissipation(simbody),
        viscous_friction: simbody.viscous_friction.value,
    };
}

/// The dissipation, or the one of which an impact at `plastic_impact_velocity` leaves `plastic_coef_restitution`.
fn dissipation(simbody: &SimbodyDescription) -> f64 {
    let [restitution, speed] = [&simbody.plastic_coef_restitution, &simbody.plastic_impact_velocity];
    let is_plastic = restitution.is_given() || speed.is_given();
    if simbody.dissipation.is_given() || !is_plastic || speed.value <= 0.0 {
        return simbody.dissipation.value;
    }
    SimbodyMaterial::dissipation_of(restitution.value, speed.value)
}

fn friction_model(name: &str) -> FrictionModel {
    match name {
        "cone_model" => FrictionModel::Cone,
        "box_model" => FrictionModel::Box,
        _ => FrictionModel::Pyramid,
    }
}

/// Parameters that a world file asks for.
#[must_use]
pub fn world_parameters(description: &WorldDescription) -> WorldParameters {
    let physics = &description.physics;
    let ode = &physics.ode;
    let solver = match ode.solver_type.value.as_str() {
        "world" => SolverKind::Direct,
        _ => SolverKind::Iterative,
    };
    // Bodies of lumped links are heavier than any link; allowances are for links.
    let masses = |is_static: bool| {
        let of_kind = description.links.iter().filter(|l| description.models[l.model].is_static == is_static);
        of_kind.map(|l| l.inertial.mass.value).fold(0.0, f64::max)
    };
    let heaviest = masses(false);
    let compliant = CompliantParameters {
        heaviest_link: Some(heaviest).filter(|m| *m > 0.0),
        heaviest_static_link: masses(true),
        ..CompliantParameters::default()
    };
    let defaults = WorldParameters::default();
    let reduction_bins = physics.reduction_bins.as_ref().map_or(defaults.reduction_bins, |bins| bins.value);
    let reduction_threshold =
        physics.reduction_threshold.as_ref().map_or(defaults.reduction_threshold, |threshold| threshold.value);
    WorldParameters {
        reduction_bins,
        reduction_threshold,
        compliant,
        surface_compliance: super::surface::default_compliance(),
        gravity: description.gravity.value,
        wind: description.wind.linear_velocity.value,
        erp: ode.erp.value,
        cfm: ode.cfm.value,
        contact_max_correcting_velocity: ode.contact_max_correcting_vel.value,
        contact_surface_layer: ode.contact_surface_layer.value,
        contact_surface_layer_truncates: ode.contact_surface_layer.is_given(),
        max_contacts: physics.max_contacts.value,
        solver,
        // Where a file says `quick`, `iters` and `sor` mean what they say as far as they solve.
        hybrid: if ode.solver_type.is_given() { HybridRule::Unsolved } else { HybridRule::On },
        // Sweeps in force space come before the others in Gazebo's ODE: ours need no other space, and are that many more.
        iterations: ode.iters.value.saturating_add(ode.precon_iters.value),
        // The correction of positions in a thread of its own is one more that works.
        threads: (ode.island_threads.value.max(1).saturating_add(u32::from(ode.thread_position_correction.value)))
            .min(1024),
        sor: ode.sor.value,
        friction_model: friction_model(&ode.friction_model.value),
        inertia_rescaling: ode.use_dynamic_moi_rescaling.value,
        ..defaults
    }
}
