//! Parameters of compliant contact, coordinates and continuous time, which no file format has.

use super::engine::engine;
use super::{Access, Parameter, Values, number, on_off, switch, values};
use crate::integrators::Scheme;
use crate::material::{Combination, ManifoldRule};
use crate::model::{AllowanceMass, Coordinates, DiscreteFriction, PointRule, SolverKind, TimeAdvancement};

const DRAKE: &str = "Drake, contact modelling";

const fn row(
    path: &'static str,
    values: Values,
    meaning: &'static str,
    equation: &'static str,
    feeds: &'static str,
    access: Access,
) -> Parameter {
    Parameter { equation, source: DRAKE, ..engine(path, values, meaning, feeds, access) }
}

const CONTACT_MODELS: [(Combination, &str); 6] = [
    (Combination::Hard, "hard"),
    (Combination::Compliant, "compliant"),
    (Combination::Spook, "spook"),
    (Combination::Bullet, "bullet"),
    (Combination::Dart, "dart"),
    (Combination::Simbody, "simbody"),
];

pub(super) const TABLE: &[Parameter] = &[
    row(
        "contact.model",
        values("", "hard", "hard, compliant, spook, bullet, dart, simbody"),
        "What a contact is: hard, softened by ERP and CFM or kp and kd (ODE); a force of depth and speed (Drake); SPOOK (AGX); hard by \
         the rules of Bullet or DART; or an elastic force by the shapes' radii (Simbody).",
        "f_n = k x (1 + d ẋ)₊",
        "WorldParameters::combination",
        Access {
            get: |w| {
                let known = CONTACT_MODELS.iter().find(|(model, _)| *model == w.combination);
                known.map_or_else(String::new, |(_, name)| (*name).to_owned())
            },
            set: |w, text| {
                let known = CONTACT_MODELS.iter().find(|(_, name)| *name == text.trim());
                let (model, _) = known.ok_or("`hard`, `compliant`, `spook`, `bullet`, `dart` or `simbody`")?;
                w.combination = *model;
                Ok(())
            },
        },
    ),
    row(
        "contact.stiffness",
        values("N/m", "surfaces", "0 or more, surfaces"),
        "Stiffness of every compliant pair, combined; `surfaces` is what the surfaces say.",
        "f_n = k x (1 + d ẋ)₊",
        "CompliantParameters::stiffness",
        Access {
            get: |w| w.compliant.stiffness.map_or_else(|| "surfaces".to_owned(), |x| x.to_string()),
            set: |w, text| {
                w.compliant.stiffness = if text.trim() == "surfaces" { None } else { Some(number(text)?) };
                Ok(())
            },
        },
    ),
    row(
        "contact.dissipation",
        values("s/m", "surfaces", "0 or more, surfaces"),
        "Hunt-Crossley dissipation of every compliant pair, combined; `surfaces` is what the surfaces say.",
        "f_n = k x (1 + d ẋ)₊",
        "CompliantParameters::dissipation",
        Access {
            get: |w| w.compliant.dissipation.map_or_else(|| "surfaces".to_owned(), |x| x.to_string()),
            set: |w, text| {
                w.compliant.dissipation = if text.trim() == "surfaces" { None } else { Some(number(text)?) };
                Ok(())
            },
        },
    ),
    row(
        "contact.penetration_allowance",
        values("m", "0.001", "more than 0"),
        "Depth at which the allowance's mass rests, for surfaces that say nothing.",
        "k = m g / δ;  d = 1 / √(g δ)",
        "CompliantParameters::penetration_allowance",
        Access {
            get: |w| w.compliant.penetration_allowance.to_string(),
            set: |w, text| number(text).map(|x| w.compliant.penetration_allowance = x),
        },
    ),
    row(
        "contact.allowance_mass",
        values("", "movable", "movable, all, effective"),
        "Mass of the penetration allowance: the heaviest link that moves, the heaviest of all, or the effective mass of each contact.",
        "",
        "CompliantParameters::allowance_mass",
        Access {
            get: |w| {
                match w.compliant.allowance_mass {
                    AllowanceMass::Movable => "movable",
                    AllowanceMass::All => "all",
                    AllowanceMass::Effective => "effective",
                }
                .to_owned()
            },
            set: |w, text| {
                w.compliant.allowance_mass = match text.trim() {
                    "movable" => AllowanceMass::Movable,
                    "all" => AllowanceMass::All,
                    "effective" => AllowanceMass::Effective,
                    _ => return Err("`movable`, `all` or `effective`"),
                };
                Ok(())
            },
        },
    ),
    row(
        "contact.stiction_tolerance",
        values("m/s", "0.001", "more than 0"),
        "Slip speed below which compliant contacts count as sticking.",
        "s = |v_t| / v_s",
        "CompliantParameters::stiction_tolerance",
        Access {
            get: |w| w.compliant.stiction_tolerance.to_string(),
            set: |w, text| number(text).map(|x| w.compliant.stiction_tolerance = x),
        },
    ),
    row(
        "contact.point",
        values("", "midpoint", "midpoint, stiffness_weighted"),
        "Where a compliant contact acts: midway between the witness points, or divided by stiffness.",
        "C = w_A A_w + w_B B_w;  w_A = k_A / (k_A + k_B)",
        "CompliantParameters::point",
        Access {
            get: |w| {
                match w.compliant.point {
                    PointRule::Midpoint => "midpoint",
                    PointRule::StiffnessWeighted => "stiffness_weighted",
                }
                .to_owned()
            },
            set: |w, text| {
                w.compliant.point = match text.trim() {
                    "midpoint" => PointRule::Midpoint,
                    "stiffness_weighted" => PointRule::StiffnessWeighted,
                    _ => return Err("`midpoint` or `stiffness_weighted`"),
                };
                Ok(())
            },
        },
    ),
    row(
        "contact.discrete_friction",
        values("", "static", "static, dynamic"),
        "Friction coefficient of compliant contacts in discrete steps.",
        "",
        "CompliantParameters::discrete_friction",
        Access {
            get: |w| {
                match w.compliant.discrete_friction {
                    DiscreteFriction::Static => "static",
                    DiscreteFriction::Dynamic => "dynamic",
                }
                .to_owned()
            },
            set: |w, text| {
                w.compliant.discrete_friction = match text.trim() {
                    "static" => DiscreteFriction::Static,
                    "dynamic" => DiscreteFriction::Dynamic,
                    _ => return Err("`static` or `dynamic`"),
                };
                Ok(())
            },
        },
    ),
    row(
        "contact.manifold",
        values("", "face", "face, single"),
        "Contact points of a pair: the whole face that touches, or one point.",
        "",
        "WorldParameters::manifold",
        Access {
            get: |w| {
                match w.manifold {
                    ManifoldRule::Face => "face",
                    ManifoldRule::Single => "single",
                }
                .to_owned()
            },
            set: |w, text| {
                w.manifold = match text.trim() {
                    "face" => ManifoldRule::Face,
                    "single" => ManifoldRule::Single,
                    _ => return Err("`face` or `single`"),
                };
                Ok(())
            },
        },
    ),
    row(
        "physics.coordinates",
        values("", "maximal", "maximal, reduced"),
        "Bodies joined by rows, or trees in the coordinates of their joints.",
        "",
        "WorldParameters::coordinates",
        Access {
            get: |w| {
                match w.coordinates {
                    Coordinates::Maximal => "maximal",
                    Coordinates::Reduced => "reduced",
                }
                .to_owned()
            },
            set: |w, text| {
                w.coordinates = match text.trim() {
                    "maximal" => Coordinates::Maximal,
                    "reduced" => Coordinates::Reduced,
                    _ => return Err("`maximal` or `reduced`"),
                };
                Ok(())
            },
        },
    ),
    row(
        "physics.time",
        values("", "discrete", "discrete, continuous"),
        "Steps of a fixed size, or continuous motion by an integrator.",
        "",
        "WorldParameters::time",
        Access {
            get: |w| {
                match w.time {
                    TimeAdvancement::Discrete => "discrete",
                    TimeAdvancement::Continuous => "continuous",
                }
                .to_owned()
            },
            set: |w, text| {
                w.time = match text.trim() {
                    "discrete" => TimeAdvancement::Discrete,
                    "continuous" => TimeAdvancement::Continuous,
                    _ => return Err("`discrete` or `continuous`"),
                };
                Ok(())
            },
        },
    ),
    row(
        "solver.kind",
        values("", "iterative", "iterative, direct, substeps, tamsi, convex"),
        "Which solver finds the impulses of a discrete step: sweeps, direct, sub-steps, implicit Stribeck, convex.",
        "",
        "WorldParameters::solver",
        Access {
            get: |w| {
                match w.solver {
                    SolverKind::Iterative => "iterative",
                    SolverKind::Direct => "direct",
                    SolverKind::Substeps => "substeps",
                    SolverKind::Tamsi => "tamsi",
                    SolverKind::Convex => "convex",
                }
                .to_owned()
            },
            set: |w, text| {
                w.solver = match text.trim() {
                    "iterative" => SolverKind::Iterative,
                    "direct" => SolverKind::Direct,
                    "substeps" => SolverKind::Substeps,
                    "tamsi" => SolverKind::Tamsi,
                    "convex" => SolverKind::Convex,
                    _ => return Err("`iterative`, `direct`, `substeps`, `tamsi` or `convex`"),
                };
                Ok(())
            },
        },
    ),
    row(
        "physics.sleeping",
        values("", "on", "on, off"),
        "Bodies may fall asleep.",
        "",
        "WorldParameters::sleeping",
        flag!(sleeping),
    ),
    row(
        "integrator.scheme",
        values(
            "",
            "runge_kutta3",
            "semi_explicit_euler, runge_kutta2, runge_kutta3, bogacki_shampine3, runge_kutta5, implicit_euler, radau1, radau3",
        ),
        "Scheme of continuous motion.",
        "",
        "IntegratorParameters::scheme",
        Access {
            get: |w| w.integrator.scheme.name().to_owned(),
            set: |w, text| {
                w.integrator.scheme = Scheme::from_name(text.trim()).ok_or("the name of a scheme")?;
                Ok(())
            },
        },
    ),
    row(
        "integrator.accuracy",
        values("1", "0.000001", "more than 0"),
        "Largest weighted change of positions and velocities that a step may be wrong by.",
        "h_new = 0.9 h (accuracy / error)^(1/p)",
        "IntegratorParameters::accuracy",
        Access {
            get: |w| w.integrator.accuracy.to_string(),
            set: |w, text| number(text).map(|x| w.integrator.accuracy = x),
        },
    ),
    row(
        "integrator.max_step",
        values("s", "0.1", "more than 0"),
        "Largest step of continuous motion; a step of the world is the most in any case.",
        "",
        "IntegratorParameters::max_step",
        Access {
            get: |w| w.integrator.max_step.to_string(),
            set: |w, text| number(text).map(|x| w.integrator.max_step = x),
        },
    ),
    row(
        "integrator.min_step",
        values("s", "0.00000000000001", "0 or more"),
        "Smallest step of continuous motion: what would need a smaller one is taken as it is, and reported.",
        "",
        "IntegratorParameters::min_step",
        Access {
            get: |w| w.integrator.min_step.to_string(),
            set: |w, text| number(text).map(|x| w.integrator.min_step = x),
        },
    ),
    row(
        "integrator.max_trials",
        values("1", "2000", "0 or more"),
        "Trials of steps of continuous motion within a step of the world, beyond which a run ends; one step may use those of a hundred. 0 is no bound.",
        "",
        "IntegratorParameters::max_trials",
        Access {
            get: |w| w.integrator.max_trials.to_string(),
            set: |w, text| text.trim().parse().map(|x| w.integrator.max_trials = x).map_err(|_| "a whole number"),
        },
    ),
    row(
        "integrator.error_control",
        values("", "on", "on, off"),
        "Steps follow the error estimate; off takes the largest step.",
        "",
        "IntegratorParameters::error_control",
        Access {
            get: |w| on_off(w.integrator.error_control),
            set: |w, text| switch(text).map(|x| w.integrator.error_control = x),
        },
    ),
];
