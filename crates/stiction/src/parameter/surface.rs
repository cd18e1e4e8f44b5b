//! Parameters of surfaces and joints that SDFormat has.

use super::{Parameter, Scope};

const fn entry(
    scope: Scope,
    path: &'static str,
    unit: &'static str,
    default: &'static str,
    combination: &'static str,
    meaning: &'static str,
    equation: &'static str,
    feeds: &'static str,
) -> Parameter {
    Parameter {
        path,
        scope,
        unit,
        default,
        range: "0 or more",
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
    unit: &'static str,
    default: &'static str,
    combination: &'static str,
    meaning: &'static str,
    equation: &'static str,
    feeds: &'static str,
) -> Parameter {
    entry(Scope::Surface, path, unit, default, combination, meaning, equation, feeds)
}

const fn joint(
    path: &'static str,
    unit: &'static str,
    default: &'static str,
    meaning: &'static str,
    equation: &'static str,
    feeds: &'static str,
) -> Parameter {
    entry(Scope::Joint, path, unit, default, "", meaning, equation, feeds)
}

pub(super) const SURFACE: &[Parameter] = &[
    surface("surface.friction.ode.mu", "1", "1", "minimum", "Coefficient along the first direction.", "|λ₁| ≤ μ λ_n", "Surface::friction"),
    surface("surface.friction.ode.mu2", "1", "1", "minimum", "Coefficient along the second direction.", "|λ₂| ≤ μ₂ λ_n", "Surface::friction"),
    surface("surface.friction.ode.fdir1", "", "0 0 0", "the first collision's, else the second's", "First friction direction, collision frame.", "", "Surface::direction"),
    surface("surface.friction.ode.slip1", "m/s/N", "0", "sum × points", "Force-dependent slip along the first direction.", "Γ = slip / h", "Surface::slip"),
    surface("surface.friction.ode.slip2", "m/s/N", "0", "sum × points", "Force-dependent slip along the second direction.", "Γ = slip / h", "Surface::slip"),
    surface("surface.bounce.restitution_coefficient", "1", "0", "minimum", "Restitution.", "w = e a", "Surface::bounce"),
    surface("surface.bounce.threshold", "m/s", "100000", "minimum", "Approach speed above which it bounces.", "a > threshold", "Surface::bounce"),
    surface("surface.contact.ode.kp", "N/m", "1e12", "in series", "Stiffness of the contact.", "α = h kp / (h kp + kd), Γ = 1 / (h² kp + h kd)", "Surface::compliance"),
    surface("surface.contact.ode.kd", "N s/m", "1", "sum", "Damping of the contact.", "α = h kp / (h kp + kd), Γ = 1 / (h² kp + h kd)", "Surface::compliance"),
    surface("surface.contact.ode.soft_erp", "1", "0.2", "minimum", "Error reduction of the contact, where kp and kd are not given.", "b = soft_erp depth / h", "Surface::compliance"),
    surface("surface.contact.ode.soft_cfm", "s/kg", "0", "sum", "Softness of the contact, where kp and kd are not given.", "Γ = soft_cfm / h", "Surface::compliance"),
    surface("surface.contact.ode.max_vel", "m/s", "0.01", "minimum", "Bound on the velocity that error correction leaves.", "u⁺ = min(b − Γ λ, max(max_vel, w))", "Surface::max_correcting_velocity"),
    surface("surface.contact.ode.min_depth", "m", "0", "minimum", "Penetration left alone.", "depth − min_depth", "Surface::min_depth"),
    surface("surface.contact.collide_bitmask", "", "65535", "and", "Two surfaces touch if they share a bit.", "", "Surface::collide_bitmask"),
    surface("max_contacts", "1", "10", "minimum of those given", "Contact points of a pair at most.", "", "Surface::max_contacts"),
];

pub(super) const JOINT: &[Parameter] = &[
    joint("axis.dynamics.damping", "N s/m or N m s/rad", "0", "Viscous damping, implicit.", "Γ = 1 / (h² k + h c)", "AxisParameters::damping"),
    joint("axis.dynamics.friction", "N or N m", "0", "Dry friction.", "|λ| ≤ h F", "AxisParameters::friction"),
    joint("axis.dynamics.spring_stiffness", "N/m or N m/rad", "0", "Spring, implicit.", "Γ = 1 / (h² k + h c)", "AxisParameters::stiffness"),
    joint("axis.dynamics.spring_reference", "m or rad", "0", "Position where the spring is at rest.", "", "AxisParameters::spring_reference"),
    joint("axis.limit.lower", "m or rad", "-inf", "Lower stop.", "", "AxisParameters::lower"),
    joint("axis.limit.upper", "m or rad", "inf", "Upper stop.", "", "AxisParameters::upper"),
    joint("axis.limit.effort", "N or N m", "inf", "Bound on the effort of commands.", "", "AxisParameters::effort_limit"),
    joint("axis.limit.velocity", "m/s or rad/s", "inf", "Rate beyond which commands no longer accelerate.", "", "AxisParameters::velocity_limit"),
    joint("physics.ode.limit.erp", "1", "0.2", "Error reduction of the stops.", "b = −erp g / h", "AxisParameters::stop_erp"),
    joint("physics.ode.limit.cfm", "s/kg", "0", "Softness of the stops.", "Γ = cfm / h", "AxisParameters::stop_cfm"),
    joint("physics.ode.erp", "1", "0.2", "Error reduction of the joint; the world's where it is not given.", "b = −erp g / h", "JointDefinition::erp"),
    joint("physics.ode.cfm", "s/kg", "0", "Softness of the joint's motor (as in Gazebo classic); the world's where it is not given.", "Γ = cfm / h", "Motor::cfm"),
];
