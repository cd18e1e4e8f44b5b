//! `<physics>` as parameters of the engine.

use stiction::material::FrictionModel;
use stiction::world::{SolverKind, WorldParameters};

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
    WorldParameters {
        gravity: description.gravity.value,
        erp: ode.erp.value,
        cfm: ode.cfm.value,
        contact_max_correcting_velocity: ode.contact_max_correcting_vel.value,
        contact_surface_layer: ode.contact_surface_layer.value,
        max_contacts: physics.max_contacts.value,
        solver,
        // Where a file says `quick`, `iters` and `sor` must mean what they say.
        hybrid: !ode.solver_type.is_given(),
        iterations: ode.iters.value,
        sor: ode.sor.value,
        friction_model: match ode.friction_model.value.as_str() {
            "cone_model" => FrictionModel::Cone,
            "box_model" => FrictionModel::Box,
            _ => FrictionModel::Pyramid,
        },
        ..WorldParameters::default()
    }
}
