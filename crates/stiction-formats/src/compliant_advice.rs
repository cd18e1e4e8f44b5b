//! What is legal and unwise in compliant contact: steps against the times of springs and of stiction.

use stiction::contact::compliance::from_allowance;
use stiction::material::{Combination, ManifoldRule};
use stiction::world::{TimeAdvancement, WorldParameters};

use crate::description::{CollisionDescription, GeometryDescription, JointType, Origin, WorldDescription};
use crate::diagnostic::Diagnostic;

/// Explicit steps above this share of the time scale of contact are unstable or nearly so (Drake's rule).
const STABLE_SHARE: f64 = 0.1;
/// Tolerances below this are missed by fixed steps (Drake, *Choice of time advancement strategy*) \[m/s\].
const FINE_TOLERANCE: f64 = 1e-3;

/// Advice on the engine's parameters for this world, with the step that would be taken \[s\].
#[must_use]
pub fn compliant_advice(world: &WorldDescription, parameters: &WorldParameters, step: f64) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if parameters.combination.is_force() {
        wheel_slip(world, &mut found);
    }
    if parameters.combination != Combination::Compliant {
        return found;
    }
    let gravity = parameters.gravity.length();
    let gravity = if gravity > 0.0 { gravity } else { 9.81 };
    let continuous = parameters.time == TimeAdvancement::Continuous;
    if continuous && !parameters.integrator.is_error_controlled() {
        fixed_steps(world, parameters, gravity, step.min(parameters.integrator.max_step), &mut found);
    }
    let (_, dissipation) = from_allowance(1.0, gravity, parameters.compliant.penetration_allowance);
    let time_scale = dissipation * parameters.compliant.penetration_allowance;
    if !continuous && step > time_scale {
        let message = format!(
            "steps of {step} s are longer than the time scale of contact, √(δ/g) = {time_scale:.1e} s of the penetration allowance {} m",
            parameters.compliant.penetration_allowance
        );
        let finding = Diagnostic::note("contact-unresolved", message);
        found.push(finding.help("contacts will be inelastic; restitution needs shorter steps or a larger allowance"));
    }
    if parameters.manifold == ManifoldRule::Single {
        flat_shapes(world, &mut found);
    }
    if continuous {
        smooth_joints(world, &mut found);
    }
    rigid_joints(world, &mut found);
    torsional_friction(world, &mut found);
    found
}

/// Softness of joints that are rigid here, as Drake's are.
fn rigid_joints(world: &WorldDescription, found: &mut Vec<Diagnostic>) {
    let soft: Vec<_> = world.joints.iter().filter(|j| j.cfm.given().is_some_and(|cfm| *cfm > 0.0)).collect();
    let Some(first) = soft.first() else { return };
    let message = format!(
        "cfm {} s/kg of joint `{}` has no effect: with this engine the {} joints that ask for softness are rigid",
        first.cfm.value,
        first.name,
        soft.len()
    );
    found.push(Diagnostic::warning("rigid-joint", message).at(&first.location));
}

/// Slip of wheels, which contact by force does not have.
fn wheel_slip(world: &WorldDescription, found: &mut Vec<Diagnostic>) {
    let Some(first) = world.wheel_slips.first() else { return };
    let message = format!(
        "the plugin WheelSlip has no effect on {} wheels: with this engine friction is regularized by `contact.stiction_tolerance`",
        world.wheel_slips.len()
    );
    found.push(Diagnostic::warning("no-wheel-slip", message).at(&first.location));
}

/// Torsional friction, which Drake's contact does not have.
fn torsional_friction(world: &WorldDescription, found: &mut Vec<Diagnostic>) {
    let patch = |c: &CollisionDescription| {
        let s = &c.surface;
        let given = [("patch_radius", &s.patch_radius), ("surface_radius", &s.surface_radius)];
        given
            .into_iter()
            .find(|(_, radius)| radius.given().is_some_and(|r| *r > 0.0))
            .map(|(name, r)| (name, r.clone()))
    };
    let collisions = world.links.iter().flat_map(|link| &link.collisions);
    let mut given = collisions.filter_map(|c| Some((c, patch(c)?)));
    let Some((first, (name, radius))) = given.next() else { return };
    let others = match given.count() {
        0 => String::new(),
        1 => ", and 1 other collision".to_owned(),
        n => format!(", and {n} other collisions"),
    };
    let message = format!(
        "{name} {} m of `{}`{others}: Drake's contact has no torsional friction, it has no effect",
        radius.value, first.name
    );
    let mut finding =
        Diagnostic::warning("no-torsional-friction", message).help("`ode`, `ode-world`, `ode-quick` and `agx` have it");
    finding.location = match radius.origin {
        Origin::File(location) => Some(location),
        _ => Some(first.location.clone()),
    };
    found.push(finding);
}

/// Fixed explicit steps against stiction and against the spring of contact.
fn fixed_steps(
    world: &WorldDescription,
    parameters: &WorldParameters,
    gravity: f64,
    step: f64,
    found: &mut Vec<Diagnostic>,
) {
    let tolerance = parameters.compliant.stiction_tolerance;
    let friction =
        |c: &CollisionDescription| c.surface.proximity.static_friction.given().copied().unwrap_or(c.surface.mu.value);
    let mu = world.links.iter().flat_map(|l| &l.collisions).map(friction).fold(0.0, f64::max).min(10.0);
    // At rest friction is a damper of at most 15/8 μ m g / v_s: an explicit step must be below 2 m over it.
    let longest = tolerance / (15.0 / 16.0 * mu * gravity);
    if mu > 0.0 && step > longest {
        let message = format!(
            "a fixed step of {step} s is too long for the stiction tolerance {tolerance} m/s: bodies chatter instead of sticking"
        );
        found.push(Diagnostic::warning("step-too-long-for-stiction", message).help(format!(
            "use steps below {longest:.1e} s (friction {mu}), a tolerance above {:.1e} m/s, error control, or `drake-discrete`",
            step * 15.0 / 16.0 * mu * gravity
        )));
    } else if tolerance < FINE_TOLERANCE {
        let message = format!(
            "fixed steps can miss the transition between slip and stick with a stiction tolerance of {tolerance} m/s"
        );
        found.push(Diagnostic::warning("fixed-step-misses-stiction", message).help("use error control"));
    }
    let (_, dissipation) = from_allowance(1.0, gravity, parameters.compliant.penetration_allowance);
    let time_scale = dissipation * parameters.compliant.penetration_allowance;
    if step > STABLE_SHARE * time_scale {
        let message = format!(
            "a fixed step of {step} s is longer than a tenth of the time scale of contact, √(δ/g) = {time_scale:.1e} s: the springs may be unstable"
        );
        found.push(Diagnostic::warning("step-too-long-for-contact", message).help(format!(
            "steps below {:.1e} s, a larger contact.penetration_allowance, error control, or `drake-discrete`",
            STABLE_SHARE * time_scale
        )));
    }
}

/// Boxes and cylinders that stand on one point.
fn flat_shapes(world: &WorldDescription, found: &mut Vec<Diagnostic>) {
    let moves = |model: usize| !world.models[model].is_static;
    let is_flat = |g: &GeometryDescription| {
        matches!(
            g,
            GeometryDescription::Box(_) | GeometryDescription::Cylinder { .. } | GeometryDescription::ConvexHull(_)
        )
    };
    for link in world.links.iter().filter(|l| moves(l.model)) {
        let has_spheres = link.collisions.iter().any(|c| matches!(c.geometry, GeometryDescription::Sphere(_)));
        let Some(flat) = link.collisions.iter().find(|c| is_flat(&c.geometry)).filter(|_| !has_spheres) else {
            continue;
        };
        let message = format!(
            "`{}` is flat but has a single contact point, which jumps between its corners: it will rock and creep",
            flat.name
        );
        let finding = Diagnostic::note("flat-shape-on-one-point", message);
        let mut finding =
            finding.help("use `--set contact.manifold=face`, or spheres at the corners with the box inset");
        finding.location = Some(flat.location.clone());
        found.push(finding);
        return;
    }
}

/// Laws of joints that jump are smooth in continuous time.
fn smooth_joints(world: &WorldDescription, found: &mut Vec<Diagnostic>) {
    for joint in world.joints.iter().filter(|j| j.joint_type != JointType::Fixed) {
        let mut laws = Vec::new();
        if joint.axes.iter().any(|a| a.friction.value > 0.0) {
            laws.push("dry friction");
        }
        if joint.motor_max_force.value > 0.0 {
            laws.push("its motor");
        }
        if joint.axes.iter().any(|a| a.lower.value.is_finite() || a.upper.value.is_finite()) {
            laws.push("its stops");
        }
        if laws.is_empty() {
            continue;
        }
        let message = format!("joint `{}`: {} act as smooth forces in continuous time", joint.name, laws.join(", "));
        let mut finding = Diagnostic::note("smooth-joint-law", message);
        finding.location = Some(joint.location.clone());
        found.push(finding);
    }
}
