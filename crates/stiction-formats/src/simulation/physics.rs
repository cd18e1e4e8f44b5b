//! `<physics>` as parameters of the engine.

use stiction::material::FrictionModel;
use stiction::world::{CompliantParameters, HybridRule, SolverKind, WorldParameters};

use crate::description::WorldDescription;

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
        erp: ode.erp.value,
        cfm: ode.cfm.value,
        contact_max_correcting_velocity: ode.contact_max_correcting_vel.value,
        contact_surface_layer: ode.contact_surface_layer.value,
        contact_surface_layer_truncates: ode.contact_surface_layer.is_given(),
        max_contacts: physics.max_contacts.value,
        solver,
        // Where a file says `quick`, `iters` and `sor` mean what they say as far as they solve.
        hybrid: if ode.solver_type.is_given() { HybridRule::Unsolved } else { HybridRule::On },
        iterations: ode.iters.value,
        sor: ode.sor.value,
        friction_model: match ode.friction_model.value.as_str() {
            "cone_model" => FrictionModel::Cone,
            "box_model" => FrictionModel::Box,
            _ => FrictionModel::Pyramid,
        },
        ..defaults
    }
}
