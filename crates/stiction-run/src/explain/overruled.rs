//! Values that another value of the same file makes void.

use stiction_formats::ParameterPath;
use stiction_formats::description::Origin;
use stiction_formats::usage::Leaf;

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

    fn is_given(&self, tail: &str) -> bool {
        self.find(tail).is_some_and(|p| p.origin != Origin::Default)
    }

    fn is(&self, tail: &str, value: &str) -> bool {
        self.find(tail).is_some_and(|p| p.value.trim() == value)
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
        "surface/friction/torsional patch_radius"
            if beside.is("surface.friction.torsional.use_patch_radius", "false") =>
        {
            Some("use_patch_radius is false: the patch follows from surface_radius and depth")
        }
        "surface/friction/torsional surface_radius"
            if !beside.is("surface.friction.torsional.use_patch_radius", "false") && path.origin != Origin::Default =>
        {
            Some("use_patch_radius is true: the patch has the radius patch_radius, unless the other surface says false")
        }
        _ => None,
    }
}

fn in_cone(project: &Project) -> bool {
    let paths = &project.loaded.parameter_paths;
    paths.iter().any(|p| p.path == "physics.ode.solver.friction_model" && p.value == "cone_model")
}
