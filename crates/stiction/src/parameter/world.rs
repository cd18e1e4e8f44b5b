//! Parameters of the whole world that SDFormat has.

use super::{Access, Parameter, Scope, Values, number, values};
use crate::material::FrictionModel;
use crate::model::SolverKind;

const fn world(
    path: &'static str,
    values: Values,
    meaning: &'static str,
    equation: &'static str,
    feeds: &'static str,
    access: Option<Access>,
) -> Parameter {
    let source = "SDFormat, Gazebo's physics parameters";
    Parameter {
        path,
        scope: Scope::World,
        unit: values.unit,
        default: values.default,
        library_default: values.library_default,
        range: values.range,
        combination: "",
        meaning,
        equation,
        source,
        feeds,
        access,
    }
}

macro_rules! float {
    ($field:ident) => {
        Some(Access { get: |w| w.$field.to_string(), set: |w, text| number(text).map(|x| w.$field = x) })
    };
}

macro_rules! vector {
    ($field:ident) => {
        Some(Access {
            get: |w| w.$field.to_array().map(|x| x.to_string()).join(" "),
            set: |w, text| {
                let numbers: Vec<f64> = text.split_whitespace().map(number).collect::<Result<_, _>>()?;
                w.$field = <[f64; 3]>::try_from(numbers).map_err(|_| "three numbers")?.into();
                Ok(())
            },
        })
    };
}

pub(super) const TABLE: &[Parameter] = &[
    world(
        "gravity",
        values("m/s²", "0 0 -9.8", "three numbers").in_library("0 0 0"),
        "Gravity, world axes.",
        "f = m g",
        "WorldParameters::gravity",
        vector!(gravity),
    ),
    world(
        "wind.linear_velocity",
        values("m/s", "0 0 0", "three numbers"),
        "Velocity of the wind, world axes; it acts on links with `enable_wind`.",
        "F = m k (w − v), k = 1/s (`force_approximation_scaling_factor` of a wind plugin)",
        "WorldParameters::wind",
        vector!(wind),
    ),
    world("physics.max_step_size", values("s", "0.001", "more than 0"), "Step.", "", "World::step", None),
    world(
        "physics.max_contacts",
        values("1", "20", "0 or more").in_library("10"),
        "Contact points of one pair at most, where the collisions do not say.",
        "",
        "WorldParameters::max_contacts",
        Some(Access {
            get: |w| w.max_contacts.to_string(),
            set: |w, text| text.trim().parse().map(|x| w.max_contacts = x).map_err(|_| "a whole number"),
        }),
    ),
    world(
        "physics.real_time_update_rate",
        values("Hz", "1000", "0 or more"),
        "Steps per second of wall time under `--real-time`; 0 is as fast as possible.",
        "",
        "the command's pace",
        None,
    ),
    world(
        "physics.ode.solver.type",
        values("", "quick", "quick, world"),
        "Iterative sweeps, or the direct solver.",
        "",
        "WorldParameters::solver",
        Some(Access {
            get: |w| if w.solver == SolverKind::Direct { "world" } else { "quick" }.to_owned(),
            set: |w, text| {
                w.solver = match text {
                    "quick" => SolverKind::Iterative,
                    "world" => SolverKind::Direct,
                    _ => return Err("`quick` or `world`"),
                };
                Ok(())
            },
        }),
    ),
    world(
        "physics.ode.solver.iters",
        values("1", "50", "0 or more").in_library("20"),
        "Sweeps of the iterative solver; with 0 it leaves all to the exact solution of what is unsolved.",
        "",
        "WorldParameters::iterations",
        Some(Access {
            get: |w| w.iterations.to_string(),
            set: |w, text| text.trim().parse().map(|x| w.iterations = x).map_err(|_| "a whole number"),
        }),
    ),
    world(
        "physics.ode.solver.sor",
        values("1", "1.3", "more than 0, less than 2"),
        "Over-relaxation of the iterative solver.",
        "x = λ + sor (b − Γ λ − u) / A",
        "WorldParameters::sor",
        float!(sor),
    ),
    world(
        "physics.ode.solver.friction_model",
        values("", "pyramid_model", "pyramid_model, cone_model, box_model"),
        "Friction bounds: each direction times the normal force, both together, or a constant force.",
        "|λᵢ| ≤ μᵢ λ_n;  |λ_t| ≤ μ λ_n;  |λᵢ| ≤ h μᵢ",
        "WorldParameters::friction_model",
        Some(Access {
            get: |w| {
                match w.friction_model {
                    FrictionModel::Pyramid => "pyramid_model",
                    FrictionModel::Cone => "cone_model",
                    FrictionModel::Box => "box_model",
                }
                .to_owned()
            },
            set: |w, text| {
                w.friction_model = match text {
                    "pyramid_model" => FrictionModel::Pyramid,
                    "cone_model" => FrictionModel::Cone,
                    "box_model" => FrictionModel::Box,
                    _ => return Err("`pyramid_model`, `cone_model` or `box_model`"),
                };
                Ok(())
            },
        }),
    ),
    world(
        "physics.ode.constraints.cfm",
        values("s/kg", "0", "0 or more").in_library("0.0000000001"),
        "Constraint force mixing: softness of every constraint that has none of its own.",
        "Γ = cfm / h",
        "WorldParameters::cfm",
        float!(cfm),
    ),
    world(
        "physics.ode.constraints.erp",
        values("1", "0.2", "0 to 1"),
        "Error reduction: share of a position error that is removed in a step.",
        "b = −erp g / h",
        "WorldParameters::erp",
        float!(erp),
    ),
    world(
        "physics.ode.constraints.contact_max_correcting_vel",
        values("m/s", "100", "0 or more").in_library("inf"),
        "Bound on the velocity that error correction of contacts leaves in a body.",
        "u⁺ = min(b − Γ λ, max(cap, w))",
        "WorldParameters::contact_max_correcting_velocity",
        Some(Access {
            get: |w| w.contact_max_correcting_velocity.to_string(),
            set: |w, text| {
                let value = if text.trim() == "inf" { Ok(f64::INFINITY) } else { number(text) };
                value.map(|x| w.contact_max_correcting_velocity = x)
            },
        }),
    ),
    world(
        "physics.ode.constraints.contact_surface_layer",
        values("m", "0.001", "0 or more").in_library("0"),
        "Penetration left alone: the most that a collision's `min_depth` can ask for, where the file gives it; without it the collisions' values hold.",
        "g counted from min(min_depth₁, min_depth₂, layer)",
        "WorldParameters::contact_surface_layer",
        Some(Access {
            get: |w| w.contact_surface_layer.to_string(),
            set: |w, text| {
                number(text).map(|x| {
                    w.contact_surface_layer = x;
                    w.contact_surface_layer_truncates = true;
                })
            },
        }),
    ),
];
