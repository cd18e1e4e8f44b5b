//! A link: its place in the tree, its joint, its mass and its shapes.

use std::rc::Rc;
use std::sync::Arc;

use stiction::math::{DVec3, Pose};

use crate::description::{DensityDescription, JointSpookDescription, Origin, Setting};
use crate::diagnostic::{Diagnostic, Location};
use crate::materials::{Key, MATERIAL_KEYS, MaterialTable};
use crate::sdf::report::Report;
use crate::suggest::did_you_mean;
use crate::yaml::Node;

use super::elements::{self, Contents};
use super::fields::{Fields, snake};
use super::joint_spook;
use super::keys;
use super::mass::{self, LinkMass};
use super::pose::{self, AngleUnit};
use super::resource::Resources;

/// Density \[kg/m³\] of a material that is not known.
const DEFAULT_DENSITY: f64 = 1000.0;
/// The word for a material of the link's own.
const USE_LINK_INFO: &str = "useLinkInfo";

/// How a link moves in its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Motion {
    Revolute,
    Prismatic,
    Free,
    Fixed,
}

/// A name and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Named {
    pub(super) name: String,
    pub(super) location: Location,
}

/// A link.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub(super) name: Named,
    pub(super) joint_name: Option<String>,
    pub(super) parent: Option<Named>,
    /// Pose in the parent where the joint stands at zero.
    pub(super) offset: Pose,
    pub(super) motion: Motion,
    /// Its surface runs about the joint's axis, as the joint is commanded.
    pub(super) is_track: bool,
    /// Unit vector in the frame of the link.
    pub(super) axis: DVec3,
    /// Lowest and highest position \[rad or m\].
    pub(super) range: [f64; 2],
    /// \[rad/s or m/s\].
    pub(super) max_velocity: Option<f64>,
    /// \[N m or N\].
    pub(super) max_effort: Option<f64>,
    /// Number among the joints of the body.
    pub(super) joint_id: Option<usize>,
    /// Position at the start \[rad or m\].
    pub(super) position: f64,
    /// What AGX's solver is given for the joint.
    pub(super) spook: Option<Arc<JointSpookDescription>>,
    /// Inertia of the rotor on the axis \[kg m² or kg\].
    pub(super) armature: f64,
    pub(super) material: Option<Named>,
    /// Values of the link's own material, by key, if it has one.
    pub(super) own_material: Option<Vec<(&'static str, f64, Location)>>,
    pub(super) mass: LinkMass,
    pub(super) contents: Contents,
    pub(super) location: Location,
}

/// What links are read with.
pub(super) struct LinkContext {
    pub(super) unit: AngleUnit,
    /// Where densities of materials are looked up.
    pub(super) materials: Rc<MaterialTable>,
}

/// Reads a link; `None` if it has no name.
pub(super) fn read(
    node: &Node,
    context: &LinkContext,
    resources: &mut Resources<'_>,
    report: &mut Report,
) -> Option<Link> {
    let fields = Fields::of(node, "a link", report)?;
    fields.check(&keys::link(), keys::LINK_WITHOUT_EFFECT, report);
    let Some(name) = fields.text("name", report).filter(|name| !name.is_empty()) else {
        report.add(Diagnostic::error("missing-name", "a link has no `name`").at(fields.location));
        return None;
    };
    let named = |key: &str, name: &str| Named {
        name: name.to_owned(),
        location: fields.get(key).map_or_else(|| fields.location.clone(), |node| node.location.clone()),
    };
    let motion = motion(&fields, report);
    let angle = if motion == Motion::Revolute { context.unit.0 } else { 1.0 };
    let contents = match fields.get("elements") {
        Some(node) => elements::read(node, context.unit, resources, report),
        None => Contents::default(),
    };
    let material = fields.text("material", report).map(|word| named("material", word));
    let uses_own = material.as_ref().is_some_and(|material| material.name == USE_LINK_INFO);
    let density = density(&fields, material.as_ref(), context, report);
    let mass = mass::of_link(&fields, &contents, &density, report);
    Some(Link {
        name: named("name", name),
        joint_name: fields.text("joint_name", report).map(str::to_owned),
        parent: fields.text("parent", report).map(|parent| named("parent", parent)),
        offset: pose::read(&fields, context.unit, report),
        motion,
        is_track: is_track(&fields, report),
        axis: axis(&fields, report),
        range: range(&fields, "joint_range", angle, report),
        max_velocity: max_velocity(&fields, angle, report),
        max_effort: limit(&fields, "max_joint_effort", 1.0, report),
        joint_id: joint_id(&fields, report),
        position: start(&fields, angle, report),
        spook: joint_spook::read(&fields, report).map(Arc::new),
        armature: armature(&fields, report),
        own_material: uses_own.then(|| own_material(&fields, report)),
        material,
        mass,
        contents,
        location: fields.location.clone(),
    })
}

/// Words of joint types, in snake_case.
const MOTIONS: [(&str, Motion); 7] = [
    ("revolute", Motion::Revolute),
    ("prismatic", Motion::Prismatic),
    ("slide", Motion::Prismatic),
    ("free", Motion::Free),
    ("fixed", Motion::Fixed),
    ("pseudo_continuous_track", Motion::Fixed),
    ("crawler", Motion::Fixed),
];

fn motion(fields: &Fields<'_>, report: &mut Report) -> Motion {
    let Some(word) = fields.text("joint_type", report) else { return Motion::Fixed };
    let place = fields.get("joint_type").map_or(fields.location, |node| &node.location);
    let own = snake(word);
    motion_of(word).unwrap_or_else(|| {
        let known = MOTIONS.iter().map(|(word, _)| *word);
        let help = did_you_mean(&own, known.clone());
        let help = help.unwrap_or_else(|| format!("one of: {}", known.collect::<Vec<_>>().join(", ")));
        report.add(Diagnostic::error("joint-type", format!("`{word}` is not a type of joint")).at(place).help(help));
        Motion::Fixed
    })
}

/// The link is fixed, and its surface runs.
fn is_track(fields: &Fields<'_>, report: &mut Report) -> bool {
    let word = fields.text("joint_type", report).map(snake);
    word.is_some_and(|word| matches!(word.as_str(), "pseudo_continuous_track" | "crawler"))
}

/// The meaning of a joint type's word.
pub(super) fn motion_of(word: &str) -> Option<Motion> {
    let own = snake(word);
    MOTIONS.iter().find(|(known, _)| *known == own).map(|(_, motion)| *motion)
}

/// A direction or one of the words X, -X, Y …; z without one.
pub(super) fn axis(fields: &Fields<'_>, report: &mut Report) -> DVec3 {
    let Some(node) = fields.get("joint_axis") else { return DVec3::Z };
    let unit = |word: &str| {
        let (sign, letter) = word.strip_prefix('-').map_or((1.0, word), |letter| (-1.0, letter));
        let axis = match letter.to_ascii_uppercase().as_str() {
            "X" => DVec3::X,
            "Y" => DVec3::Y,
            "Z" => DVec3::Z,
            _ => return None,
        };
        Some(axis * sign)
    };
    let axis = match node.text() {
        Some(word) => unit(word.trim()),
        None => node
            .numbers()
            .and_then(|numbers| <[f64; 3]>::try_from(numbers).ok())
            .and_then(|numbers| DVec3::from_array(numbers).try_normalize()),
    };
    axis.unwrap_or_else(|| {
        fields.refuse("joint_axis", "a direction, [ x, y, z ], or one of X, -X, Y, -Y, Z, -Z", report);
        DVec3::Z
    })
}

/// A bound, which may be infinite, or the word for that.
pub(super) fn bound(node: &Node, unit: f64) -> Option<f64> {
    let word = node.text()?.trim().to_ascii_lowercase();
    let (sign, size) = word.strip_prefix('-').map_or((1.0, word.trim_start_matches('+')), |size| (-1.0, size));
    match size {
        "inf" | ".inf" | "unlimited" => Some(sign * f64::INFINITY),
        _ => node.number().filter(|number| !number.is_nan()).map(|number| number * unit),
    }
}

/// `[ low, high ]`, or one number for both sides, or `unlimited`.
pub(super) fn range(fields: &Fields<'_>, key: &str, unit: f64, report: &mut Report) -> [f64; 2] {
    let free = [f64::NEG_INFINITY, f64::INFINITY];
    let Some(node) = fields.get(key) else { return free };
    let range = match node.items() {
        Some([low, high]) => bound(low, unit).zip(bound(high, unit)).map(|(low, high)| {
            // A lower end without a limit is written as the upper one is.
            let is_word = low == f64::INFINITY && low == high;
            [if is_word { f64::NEG_INFINITY } else { low }, high]
        }),
        Some(_) => None,
        None => bound(node, unit).map(|bound| [-libm::fabs(bound), libm::fabs(bound)]),
    };
    match range {
        Some([low, high]) if low <= high => [low, high],
        _ => {
            fields.refuse(key, "[ low, high ], a number for both sides, or `unlimited`", report);
            free
        }
    }
}

/// A limit of 0 or more; none if it is infinite.
fn limit(fields: &Fields<'_>, key: &str, unit: f64, report: &mut Report) -> Option<f64> {
    let limit = bound(fields.get(key)?, unit).filter(|limit| *limit >= 0.0);
    if limit.is_none() {
        fields.refuse(key, "a number, 0 or more, or `unlimited`", report);
    }
    limit.filter(|limit| limit.is_finite())
}

/// The largest speed in either direction, which is one number in this engine.
fn max_velocity(fields: &Fields<'_>, unit: f64, report: &mut Report) -> Option<f64> {
    if fields.get("max_joint_velocity").is_some() {
        return limit(fields, "max_joint_velocity", unit, report);
    }
    let [low, high] = range(fields, "joint_velocity_range", unit, report).map(libm::fabs);
    if low != high {
        let message = "`joint_velocity_range` has another limit for each direction: the larger one counts for both";
        report.add(Diagnostic::warning("velocity-range", message).at(fields.place("joint_velocity_range")));
    }
    Some(low.max(high)).filter(|limit| limit.is_finite())
}

fn joint_id(fields: &Fields<'_>, report: &mut Report) -> Option<usize> {
    let id = fields.number("joint_id", report)?;
    if id.fract() != 0.0 || id > 1e6 {
        fields.refuse("joint_id", "a whole number", report);
        return None;
    }
    // Numbers below 0 are none.
    (id >= 0.0).then_some(id as usize)
}

fn start(fields: &Fields<'_>, angle: f64, report: &mut Report) -> f64 {
    let turned = fields.number("joint_angle", report).map(|position| position * angle);
    let moved = fields.number("joint_displacement", report).map(|position| position * angle);
    moved.or(turned).unwrap_or(0.0)
}

/// `joint_axis_inertia`, or the inertia of the rotor times the square of the gear ratio.
fn armature(fields: &Fields<'_>, report: &mut Report) -> f64 {
    let on_axis = fields.non_negative("joint_axis_inertia", report);
    let rotor = fields.non_negative("rotor_inertia", report).unwrap_or(0.0);
    let ratio = fields.number("gear_ratio", report).unwrap_or(1.0);
    on_axis.unwrap_or(rotor * ratio * ratio)
}

/// What the shapes of a link are made of: the link's own density, else that of its material.
fn density(
    fields: &Fields<'_>,
    material: Option<&Named>,
    context: &LinkContext,
    report: &mut Report,
) -> DensityDescription {
    if let Some(own) = fields.non_negative("density", report).filter(|density| *density > 0.0) {
        let place = fields.get("density").map_or(fields.location, |node| &node.location);
        let density = Setting { value: own, origin: Origin::File(place.clone()) };
        return DensityDescription { density, material: None };
    }
    let name = material.map_or(crate::materials::DEFAULT, |material| material.name.as_str());
    let density = context.materials.material(name).map_or(Setting::default(DEFAULT_DENSITY), |material| Setting {
        value: material.density,
        origin: material.origins.get("density").cloned().unwrap_or(Origin::Default),
    });
    DensityDescription { density, material: (name != USE_LINK_INFO).then(|| name.to_owned()) }
}

/// Keys of a link's own material.
const OWN_MATERIAL: [&str; 7] =
    ["density", "youngs_modulus", "viscosity", "roughness", "surface_viscosity", "adhesion_force", "adhesiv_overlap"];

/// The values that a link gives its own material, as Choreonoid reads them: the overlap only beside the force.
fn own_material(fields: &Fields<'_>, report: &mut Report) -> Vec<(&'static str, f64, Location)> {
    let mut values = Vec::new();
    for name in OWN_MATERIAL {
        let Some(key) = Key::find(MATERIAL_KEYS, name) else { continue };
        let Some(node) = fields.get(name) else { continue };
        if name == "adhesiv_overlap" && fields.get("adhesion_force").is_none() {
            let message = "`adhesivOverlap` has no effect without `adhesionForce`";
            report.add(Diagnostic::warning("no-effect", message).at(fields.place(name)));
            continue;
        }
        match node.number().filter(|number| key.range.has(*number)) {
            Some(value) => values.push((name, value, fields.place(name).clone())),
            None => fields.refuse(name, key.range.words(), report),
        }
    }
    values
}
