//! Known elements and attributes of URDF, and texts that their types accept.

use crate::diagnostic::Diagnostic;
use crate::sdf::element::{Attribute, Element};
use crate::sdf::report::Report;
use crate::sdf::spec::{self, Kind, Range};
use crate::sdf::value;
use crate::suggest::did_you_mean;

/// An attribute: name, kind, range, whether it must be there.
type Known = (&'static str, Kind, Range, Need);

/// What is missing without it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Need {
    /// Nothing.
    Optional,
    /// The file cannot be understood.
    Required,
    /// Required by the format; `run` continues without it.
    Formal,
}

use Need::{Formal, Optional, Required};

/// A known element, whatever it stands in.
struct KnownElement {
    name: &'static str,
    attributes: &'static [Known],
    children: &'static [&'static str],
}

const fn row(name: &'static str, attributes: &'static [Known], children: &'static [&'static str]) -> KnownElement {
    KnownElement { name, attributes, children }
}

const fn text(name: &'static str, need: Need) -> Known {
    (name, Kind::Text, Range::Finite, need)
}

const fn real(name: &'static str, range: Range, need: Need) -> Known {
    (name, Kind::Real, range, need)
}

const fn vector(name: &'static str, range: Range, need: Need) -> Known {
    (name, Kind::Vector3, range, need)
}

use Range::{Finite, Infinite, Positive, SoftNonNegative};

const TABLE: [KnownElement; 28] = [
    row(
        "robot",
        &[text("name", Optional), text("version", Optional)],
        &["link", "joint", "material", "transmission", "gazebo", "ros2_control", "origin"],
    ),
    row("link", &[text("name", Optional), text("type", Optional)], &["inertial", "visual", "collision"]),
    row("inertial", &[], &["origin", "mass", "inertia"]),
    row("origin", &[vector("xyz", Finite, Optional), vector("rpy", Finite, Optional), text(QUATERNION, Optional)], &[]),
    row("mass", &[real("value", Finite, Required)], &[]),
    row(
        "inertia",
        &[
            real("ixx", Finite, Required),
            real("iyy", Finite, Required),
            real("izz", Finite, Required),
            real("ixy", Finite, Optional),
            real("ixz", Finite, Optional),
            real("iyz", Finite, Optional),
        ],
        &[],
    ),
    row("collision", &[text("name", Optional)], &["origin", "geometry", "verbose"]),
    row("verbose", &[text("value", Optional)], &[]),
    row("visual", &[text("name", Optional)], &["origin", "geometry", "material"]),
    row("geometry", &[], &["box", "sphere", "cylinder", "capsule", "ellipsoid", "mesh"]),
    row("box", &[vector("size", Positive, Required)], &[]),
    row("sphere", &[real("radius", Positive, Required)], &[]),
    row("cylinder", &[real("radius", Positive, Required), real("length", Positive, Required)], &[]),
    row("capsule", &[real("radius", Positive, Required), real("length", Positive, Required)], &[]),
    row(
        "ellipsoid",
        &[real("a", Positive, Required), real("b", Positive, Required), real("c", Positive, Required)],
        &[],
    ),
    row("mesh", &[text("filename", Required), vector("scale", Finite, Optional)], &[]),
    row("material", &[text("name", Optional)], &["color", "texture"]),
    row("color", &[text("rgba", Optional)], &[]),
    row("texture", &[text("filename", Optional)], &[]),
    row(
        "joint",
        &[text("name", Optional), text("type", Optional)],
        &["origin", "parent", "child", "axis", "limit", "dynamics", "mimic", "safety_controller", "calibration"],
    ),
    row("parent", &[text("link", Required)], &[]),
    row("child", &[text("link", Required)], &[]),
    row("axis", &[vector("xyz", Finite, Required)], &[]),
    row(
        "limit",
        &[
            real("lower", Infinite, Optional),
            real("upper", Infinite, Optional),
            real("effort", Infinite, Formal),
            real("velocity", Infinite, Formal),
            real("acceleration", Infinite, Optional),
            real("deceleration", Infinite, Optional),
            real("jerk", Infinite, Optional),
        ],
        &[],
    ),
    row("dynamics", &[real("damping", SoftNonNegative, Optional), real("friction", SoftNonNegative, Optional)], &[]),
    row(
        "mimic",
        &[text("joint", Required), real("multiplier", Finite, Optional), real("offset", Finite, Optional)],
        &[],
    ),
    row(
        "safety_controller",
        &[
            real("soft_lower_limit", Infinite, Optional),
            real("soft_upper_limit", Infinite, Optional),
            real("k_position", Finite, Optional),
            real("k_velocity", Finite, Formal),
        ],
        &[],
    ),
    row(
        "calibration",
        &[
            real("rising", Finite, Optional),
            real("falling", Finite, Optional),
            real("reference_position", Finite, Optional),
        ],
        &[],
    ),
];

/// In place of `rpy`, in newer files.
pub(super) const QUATERNION: &str = "quat_xyzw";

/// Elements that may stand beside others of their name.
const SEVERAL: [&str; 8] =
    ["link", "joint", "material", "transmission", "gazebo", "ros2_control", "collision", "visual"];
/// Elements whose faults do not act on physics.
const COSMETIC: [&str; 4] = ["visual", "material", "safety_controller", "calibration"];

fn find(name: &str) -> Option<&'static KnownElement> {
    TABLE.iter().find(|r| r.name == name)
}

/// The text of an attribute, if there is one and its type accepts it; faults are reported by [`check`].
pub(super) fn good<'a>(element: &'a Element, attribute: &str) -> Option<&'a Attribute> {
    let found = element.attribute(attribute).filter(|a| !a.value.trim().is_empty())?;
    let known = find(&element.name)?.attributes.iter().find(|(n, ..)| *n == attribute)?;
    verdict(found, known).is_ok().then_some(found)
}

fn verdict(found: &Attribute, known: &Known) -> Result<(), value::BadValue> {
    let (name, kind, range, _) = *known;
    if name == QUATERNION {
        let numbers = value::reals(&found.value).filter(|n| n.len() == 4 && n.iter().all(|x| x.is_finite()));
        let is_turn = numbers.is_some_and(|n| n.iter().any(|x| x.abs() > 1e-6));
        let expected = "four finite numbers, not all 0: x y z w".to_owned();
        return if is_turn { Ok(()) } else { Err(value::BadValue { code: "invalid-value", expected, is_soft: false }) };
    }
    let trial = Element::with_text(&found.name, found.value.trim(), &found.location);
    value::check(&trial, spec::Entry { kind, default: "", range, unit: "", is_unused: false })
}

/// Checks everything below a robot.
pub(super) fn check(robot: &Element, report: &mut Report) {
    check_element(robot, false, report);
}

fn check_element(element: &Element, is_cosmetic: bool, report: &mut Report) {
    let Some(known) = find(&element.name) else { return };
    let is_cosmetic = is_cosmetic || COSMETIC.contains(&known.name);
    for attribute in known.attributes {
        check_attribute(element, attribute, is_cosmetic, report);
    }
    for attribute in &element.attributes {
        let name = attribute.name.as_str();
        let is_known = name.contains('.') || name == "xmlns" || known.attributes.iter().any(|(n, ..)| *n == name);
        if !is_known {
            let message = format!("<{}> has no attribute `{name}`", element.name);
            let mut finding = Diagnostic::warning("unknown-attribute", message)
                .at(&attribute.location)
                .label("skipped")
                .element(element.path.as_str());
            finding.help = did_you_mean(name, known.attributes.iter().map(|(n, ..)| *n));
            report.once(format!("{} {name}", element.name), finding);
        }
    }
    let mut seen: Vec<&str> = Vec::new();
    for child in element.children.iter().filter(|c| !c.is_foreign()) {
        let name = child.name.as_str();
        if !known.children.contains(&name) {
            let message = format!("<{name}> is not known in <{}>", element.name);
            let mut finding = Diagnostic::warning("unknown-element", message)
                .at(&child.location)
                .label("skipped")
                .element(child.path.as_str());
            finding.help = did_you_mean(name, known.children.iter().copied());
            report.once(format!("{} {name}", element.name), finding);
            continue;
        }
        if !SEVERAL.contains(&name) {
            if seen.contains(&name) {
                let message = format!("<{}> has a second <{name}>", element.name);
                report.add(
                    Diagnostic::warning("duplicate-element", message)
                        .at(&child.location)
                        .label("skipped")
                        .element(child.path.as_str()),
                );
            }
            seen.push(name);
        }
        check_element(child, is_cosmetic, report);
    }
}

fn check_attribute(element: &Element, known: &Known, is_cosmetic: bool, report: &mut Report) {
    let (name, _, _, need) = *known;
    let is_kept = |soft: bool| is_cosmetic || soft;
    let Some(found) = element.attribute(name).filter(|a| !a.value.trim().is_empty()) else {
        if need != Optional {
            let finding =
                Diagnostic::error("missing-attribute", format!("<{}> has no attribute `{name}`", element.name))
                    .at(&element.location)
                    .element(element.path.as_str());
            if is_kept(need == Formal) { report.tolerated(finding) } else { report.add(finding) }
        }
        return;
    };
    let Err(bad) = verdict(found, known) else { return };
    let shown: String = found.value.chars().take(60).collect();
    let finding =
        Diagnostic::error(bad.code, format!("`{name}` of <{}> is `{shown}`, not {}", element.name, bad.expected))
            .at(&found.location)
            .label(format!("expected {}", bad.expected))
            .element(element.path.as_str());
    if is_kept(bad.is_soft) { report.tolerated(finding) } else { report.add(finding) }
}
