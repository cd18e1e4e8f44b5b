//! Values that another value of the same file makes void.

use stiction::material::Combination;
use stiction_formats::description::{JointType, Origin};
use stiction_formats::usage::Leaf;
use stiction_formats::{ParameterPath, elastic_without_radius};

use crate::engine::Engine;
use crate::setup::Project;

/// The parameters of the element that a parameter belongs to.
pub(super) struct Siblings<'a> {
    /// Neighbours in the list of parameters.
    near: &'a [ParameterPath],
    /// The path of the element, with a dot behind it.
    stem: &'a str,
}

/// No element has more parameters than this.
const MOST: usize = 100;

impl<'a> Siblings<'a> {
    /// Those of the parameter at an index.
    pub(super) fn of(paths: &'a [ParameterPath], index: usize, leaf: &Leaf) -> Self {
        let near = &paths[index.saturating_sub(MOST)..(index + MOST).min(paths.len())];
        Self { near, stem: paths[index].path.strip_suffix(leaf.path().as_str()).unwrap_or_default() }
    }

    fn find(&self, tail: &str) -> Option<&'a ParameterPath> {
        self.near.iter().find(|p| p.path.strip_prefix(self.stem) == Some(tail))
    }

    pub(super) fn is_given(&self, tail: &str) -> bool {
        self.find(tail).is_some_and(|p| p.origin != Origin::Default)
    }

    /// Another flag of the same element is off: `0`, `false` or `False`.
    fn is_off(&self, tail: &str) -> bool {
        let off = |text: &str| text == "0" || text.eq_ignore_ascii_case("false");
        self.find(tail).is_some_and(|p| off(p.value.trim()))
    }

    /// A number beside it.
    pub(super) fn number(&self, tail: &str) -> Option<f64> {
        self.find(tail)?.value.trim().parse().ok()
    }
}

/// Laws of contact that a material table gives in place of the surfaces.
const OF_SURFACES: [&str; 4] =
    ["surface/friction", "surface/bounce", "surface/contact/ode", "collision/drake.proximity_properties"];

/// Why a value has no effect although the engine uses the parameter.
pub(super) fn overruled(
    project: &Project,
    path: &ParameterPath,
    leaf: &Leaf,
    beside: &Siblings<'_>,
    engine: &Engine,
) -> Option<&'static str> {
    let context = leaf.context();
    if project.materials.is_some() && OF_SURFACES.iter().any(|of| context.starts_with(of)) {
        return Some("the material table has the law of every pair");
    }
    let is_drake = engine.preset.is_drake();
    let ode = |name| format!("surface.contact.ode.{name}");
    match leaf.key.as_str() {
        "surface/contact/ode soft_erp" | "surface/contact/ode soft_cfm"
            if beside.is_given(&ode("kp")) || beside.is_given(&ode("kd")) =>
        {
            Some("kp or kd of the same surface is given, and wins")
        }
        "physics/ode/constraints contact_surface_layer" if path.origin == Origin::Default => {
            Some("the file does not give it: min_depth of the surfaces holds")
        }
        "surface/contact/ode kp" | "surface/contact/ode kd"
            if is_drake && beside.is_given("drake:proximity_properties.drake:point_contact_stiffness") =>
        {
            Some("`drake:point_contact_stiffness` of the same collision is given, and wins")
        }
        "surface/contact/ode kp" | "surface/contact/ode kd"
            if path.origin == Origin::Default
                && !is_drake
                && engine.name() != "agx"
                && (beside.is_given(&ode("soft_erp")) || beside.is_given(&ode("soft_cfm")))
                && !beside.is_given(&ode("kp"))
                && !beside.is_given(&ode("kd")) =>
        {
            Some("soft_erp or soft_cfm of the same surface is given, and kp and kd are not")
        }
        "surface/friction/ode mu" if is_drake && beside.is_given("drake:proximity_properties.drake:mu_static") => {
            Some("`drake:mu_static` of the same collision is given, and wins")
        }
        "surface/friction/ode mu2" if is_drake && beside.is_given("drake:proximity_properties.drake:mu_dynamic") => {
            Some("`drake:mu_dynamic` of the same collision is given, and wins")
        }
        "surface/friction/ode mu2" if !is_drake && in_cone(project) && engine.name() != "agx" => {
            Some("cone friction has one coefficient, mu")
        }
        "joint gearbox_ratio" if !is_joint(project, beside, |t| t == JointType::Gearbox) => {
            Some("only a joint of type gearbox has it")
        }
        "joint thread_pitch" | "joint screw_thread_pitch" if !is_joint(project, beside, |t| t == JointType::Screw) => {
            Some("only a joint of type screw has it")
        }
        "joint thread_pitch" if beside.is_given("screw_thread_pitch") => {
            Some("`screw_thread_pitch` of the same joint is given, and wins")
        }
        "joint/physics/ode/suspension cfm" | "joint/physics/ode/suspension erp"
            if !is_joint(project, beside, |t| t == JointType::Revolute2) =>
        {
            Some("only a joint of type revolute2 has a suspension")
        }
        "joint/axis/limit lower" | "joint/axis/limit upper" if are_crossed(path, beside) => {
            Some("lower lies above upper: there is no limit")
        }
        "surface/contact elastic_modulus" | "surface/contact poissons_ratio"
            if engine.parameters.combination != Combination::Simbody && is_without_radius(project, beside) =>
        {
            Some("a radius is missing: Hertz's law needs a round shape, or a patch_radius, in the pair")
        }
        "surface/friction/torsional patch_radius" if beside.is_off("surface.friction.torsional.use_patch_radius") => {
            Some("use_patch_radius is false: the patch follows from surface_radius and depth")
        }
        "surface/friction/torsional surface_radius"
            if !beside.is_off("surface.friction.torsional.use_patch_radius") && path.origin != Origin::Default =>
        {
            Some("use_patch_radius is true: the patch has the radius patch_radius, unless the other surface says false")
        }
        _ => None,
    }
}

/// What a value out of its range acts as.
pub(super) fn acts_as(path: &ParameterPath, leaf: &Leaf) -> Option<&'static str> {
    let value: f64 = path.value.trim().parse().ok().filter(|_| path.origin != Origin::Default)?;
    let is_below = value < 0.0;
    match leaf.key.as_str() {
        "surface/contact/ode min_depth"
        | "surface/bounce threshold"
        | "surface/friction/bullet rolling_friction"
        | "surface/friction/torsional/ode slip"
        | "joint/axis/dynamics damping"
            if is_below =>
        {
            Some("0, as it is below")
        }
        "surface/contact/ode max_vel" if is_below => Some("the world's contact_max_correcting_vel, as it is below 0"),
        "surface/friction/ode mu"
        | "surface/friction/ode mu2"
        | "surface/friction/bullet friction"
        | "surface/friction/bullet friction2"
        | "surface/friction/torsional coefficient"
        | "joint/axis/limit effort"
        | "joint/axis/limit velocity"
            if is_below =>
        {
            Some("no limit, as it is below 0")
        }
        "surface/contact elastic_modulus" if value <= 0.0 => Some("no modulus, as it is not above 0"),
        "surface/contact poissons_ratio" if value > 0.5 => Some("0.5, the largest of solids"),
        _ => None,
    }
}

/// The joint that a parameter belongs to is of such a type.
fn is_joint(project: &Project, beside: &Siblings<'_>, is: fn(JointType) -> bool) -> bool {
    let joints = project.loaded.world.iter().flat_map(|world| &world.joints);
    joints.filter(|joint| element_of(&joint.name, "joint") == beside.stem).any(|joint| is(joint.joint_type))
}

/// The path of an element of a model, with a dot behind it, by its scoped name.
fn element_of(name: &str, kind: &str) -> String {
    let (models, own) = name.rsplit_once("::").unwrap_or(("", name));
    let models = models.split("::").filter(|model| !model.is_empty()).map(|model| format!("model.{model}."));
    format!("{}{kind}.{own}.", models.collect::<String>())
}

/// Limits of the axis of a parameter, of which the lower is the larger.
fn are_crossed(path: &ParameterPath, beside: &Siblings<'_>) -> bool {
    let axis = if path.path.contains(".axis2.") { "axis2" } else { "axis" };
    let limit = |name: &str| beside.number(&format!("{axis}.limit.{name}"));
    limit("lower").zip(limit("upper")).is_some_and(|(lower, upper)| lower > upper)
}

/// The collision of a parameter has a modulus that acts in no pair.
fn is_without_radius(project: &Project, beside: &Siblings<'_>) -> bool {
    let found = project.loaded.world.iter().flat_map(elastic_without_radius);
    found
        .filter_map(|collision| collision.name.rsplit_once("::"))
        .any(|(link, own)| format!("{}collision.{own}.", element_of(link, "link")) == beside.stem)
}

fn in_cone(project: &Project) -> bool {
    let paths = &project.loaded.parameter_paths;
    paths.iter().any(|p| p.path == "physics.ode.solver.friction_model" && p.value == "cone_model")
}
