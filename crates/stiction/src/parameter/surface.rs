//! Parameters of surfaces and joints that SDFormat has.

use super::{Parameter, Scope, Values, values};

const fn entry(
    scope: Scope,
    path: &'static str,
    values: Values,
    combination: &'static str,
    meaning: &'static str,
    equation: &'static str,
    feeds: &'static str,
) -> Parameter {
    Parameter {
        path,
        scope,
        unit: values.unit,
        default: values.default,
        library_default: values.library_default,
        range: values.range,
        combination,
        meaning,
        equation,
        source: "SDFormat, Gazebo's physics parameters",
        feeds,
        access: None,
    }
}

const fn surface(
    path: &'static str,
    values: Values,
    combination: &'static str,
    meaning: &'static str,
    equation: &'static str,
    feeds: &'static str,
) -> Parameter {
    entry(Scope::Surface, path, values, combination, meaning, equation, feeds)
}

const fn joint(
    path: &'static str,
    values: Values,
    meaning: &'static str,
    equation: &'static str,
    feeds: &'static str,
) -> Parameter {
    entry(Scope::Joint, path, values, "", meaning, equation, feeds)
}

pub(super) const SURFACE: &[Parameter] = &[
    surface(
        "surface.friction.ode.mu",
        values("1", "1", "0 or more"),
        "minimum",
        "Coefficient along the first direction.",
        "|λ₁| ≤ μ λ_n",
        "Surface::friction",
    ),
    surface(
        "surface.friction.ode.mu2",
        values("1", "1", "0 or more"),
        "minimum",
        "Coefficient along the second direction.",
        "|λ₂| ≤ μ₂ λ_n",
        "Surface::friction",
    ),
    surface(
        "surface.friction.ode.fdir1",
        values("", "0 0 0", "three numbers; 0 0 0 is none"),
        "the first collision's, else the second's",
        "First friction direction, collision frame.",
        "",
        "Surface::direction",
    ),
    surface(
        "surface.friction.ode.slip1",
        values("m/s/N", "0", "0 or more"),
        "sum × points",
        "Force-dependent slip along the first direction.",
        "Γ = slip / h",
        "Surface::slip",
    ),
    surface(
        "surface.friction.ode.slip2",
        values("m/s/N", "0", "0 or more"),
        "sum × points",
        "Force-dependent slip along the second direction.",
        "Γ = slip / h",
        "Surface::slip",
    ),
    surface(
        "surface.bounce.restitution_coefficient",
        values("1", "0", "0 to 1"),
        "minimum",
        "Restitution.",
        "w = e a",
        "Surface::bounce",
    ),
    surface(
        "surface.bounce.threshold",
        values("m/s", "100000", "0 or more"),
        "minimum",
        "Approach speed above which it bounces.",
        "a > threshold",
        "Surface::bounce",
    ),
    surface(
        "surface.contact.ode.kp",
        values("N/m", "1e12", "0 or more"),
        "in series",
        "Stiffness of the contact.",
        "α = h kp / (h kp + kd), Γ = 1 / (h² kp + h kd)",
        "Surface::compliance",
    ),
    surface(
        "surface.contact.ode.kd",
        values("N s/m", "1", "0 or more"),
        "sum",
        "Damping of the contact.",
        "α = h kp / (h kp + kd), Γ = 1 / (h² kp + h kd)",
        "Surface::compliance",
    ),
    surface(
        "surface.contact.ode.soft_erp",
        values("1", "0.2", "0 to 1"),
        "minimum",
        "Error reduction of the contact, where kp and kd are not given.",
        "b = soft_erp depth / h",
        "Surface::compliance",
    ),
    surface(
        "surface.contact.ode.soft_cfm",
        values("s/kg", "0", "0 or more"),
        "sum",
        "Softness of the contact, where kp and kd are not given.",
        "Γ = soft_cfm / h",
        "Surface::compliance",
    ),
    surface(
        "surface.contact.ode.max_vel",
        values("m/s", "0.01", "0 or more"),
        "minimum",
        "Bound on the velocity that error correction leaves.",
        "u⁺ = min(b − Γ λ, max(max_vel, w))",
        "Surface::max_correcting_velocity",
    ),
    surface(
        "surface.contact.ode.min_depth",
        values("m", "0", "0 or more"),
        "minimum",
        "Penetration left alone; a `contact_surface_layer` of the file truncates it.",
        "depth − min_depth",
        "Surface::min_depth",
    ),
    surface(
        "surface.contact.collide_bitmask",
        values("", "65535", "0 or more"),
        "and",
        "Two surfaces touch if they share a bit.",
        "",
        "Surface::collide_bitmask",
    ),
    surface(
        "max_contacts",
        values("1", "10", "0 or more"),
        "minimum of those given",
        "Contact points of a pair at most.",
        "",
        "Surface::max_contacts",
    ),
];

pub(super) const JOINT: &[Parameter] = &[
    joint(
        "axis.dynamics.damping",
        values("N s/m or N m s/rad", "0", "0 or more"),
        "Viscous damping, implicit.",
        "Γ = 1 / (h² k + h c)",
        "AxisParameters::damping",
    ),
    joint(
        "axis.dynamics.friction",
        values("N or N m", "0", "0 or more"),
        "Dry friction.",
        "|λ| ≤ h F",
        "AxisParameters::friction",
    ),
    joint(
        "axis.dynamics.spring_stiffness",
        values("N/m or N m/rad", "0", "0 or more"),
        "Spring, implicit.",
        "Γ = 1 / (h² k + h c)",
        "AxisParameters::stiffness",
    ),
    joint(
        "axis.dynamics.spring_reference",
        values("m or rad", "0", "any number"),
        "Position where the spring is at rest.",
        "",
        "AxisParameters::spring_reference",
    ),
    joint(
        "axis.limit.lower",
        values("m or rad", "-inf", "any number, or -inf"),
        "Lower stop.",
        "",
        "AxisParameters::lower",
    ),
    joint(
        "axis.limit.upper",
        values("m or rad", "inf", "any number, or inf"),
        "Upper stop.",
        "",
        "AxisParameters::upper",
    ),
    joint(
        "axis.limit.effort",
        values("N or N m", "inf", "0 or more"),
        "Bound on the effort of commands.",
        "",
        "AxisParameters::effort_limit",
    ),
    joint(
        "axis.limit.velocity",
        values("m/s or rad/s", "inf", "0 or more"),
        "Rate beyond which commands no longer accelerate.",
        "",
        "AxisParameters::velocity_limit",
    ),
    joint(
        "physics.ode.limit.erp",
        values("1", "0.2", "0 to 1"),
        "Error reduction of the stops; the world's for joints without `physics.ode`.",
        "b = −erp g / h",
        "AxisParameters::stop_erp",
    ),
    joint(
        "physics.ode.limit.cfm",
        values("s/kg", "0", "0 or more"),
        "Softness of the stops; the world's for joints without `physics.ode`.",
        "Γ = cfm / h",
        "AxisParameters::stop_cfm",
    ),
    joint(
        "physics.ode.erp",
        values("1", "0.2", "0 to 1"),
        "Error reduction of the joint; the world's where it is not given.",
        "b = −erp g / h",
        "JointDefinition::erp",
    ),
    joint(
        "physics.ode.cfm",
        values("s/kg", "0", "0 or more"),
        "Softness of the joint and of its motor: under a force F it gives way by cfm h F / erp; the world's where it is not given.",
        "Γ = cfm / h",
        "JointDefinition::cfm",
    ),
];
