//! `<joint>` as SDFormat has it.

use crate::diagnostic::Diagnostic;
use crate::sdf::element::Element;
use crate::sdf::report::Report;

use super::WORLD;
use super::gazebo::Extensions;
use super::link::{copy_attribute, leaf, with_texts};
use super::structure::side;

/// A joint; `None` for a floating one, whose child moves freely.
///
/// Its frame is that of the child link, which is where SDFormat has it too.
pub(super) fn convert(joint: &Element, robot: &Element, extensions: &Extensions<'_>) -> Option<Element> {
    let kind = joint.value("type").unwrap_or("");
    if kind == "floating" {
        return None;
    }
    let mut made = Element { from_urdf: true, ..Element::new("joint", &joint.location) };
    copy_attribute(joint, "name", &mut made, "name");
    copy_attribute(joint, "type", &mut made, "type");
    for which in ["parent", "child"] {
        let place = joint.child(which).map_or(&joint.location, |s| &s.location);
        let name = side(joint, which);
        made.children.push(Element::with_text(which, if name == WORLD { "world" } else { name }, place));
    }
    if kind != "fixed" {
        made.children.push(axis(joint, kind));
    }
    made.children.extend(rotor(joint, robot));
    extensions.extend_joint(joint.named(), &mut made);
    Some(made)
}

fn axis(joint: &Element, kind: &str) -> Element {
    let given = joint.child("axis");
    let place = given.map_or(&joint.location, |a| &a.location);
    let mut axis = Element::new("axis", place);
    let xyz = leaf("xyz", given, "xyz").unwrap_or_else(|| Element::with_text("xyz", "1 0 0", place));
    axis.children.push(xyz);
    if let Some(limit) = joint.child("limit") {
        let mut made = Element::new("limit", &limit.location);
        for name in ["lower", "upper", "effort", "velocity"] {
            let has_default = matches!(name, "lower" | "upper") && matches!(kind, "revolute" | "prismatic");
            let default = has_default.then(|| Element::with_text(name, "0", &limit.location));
            made.children.extend(leaf(name, Some(limit), name).or(default));
        }
        axis.children.push(made);
    }
    if let Some(dynamics) = joint.child("dynamics") {
        let mut made = Element::new("dynamics", &dynamics.location);
        made.children.extend(["damping", "friction"].iter().filter_map(|n| leaf(n, Some(dynamics), n)));
        axis.children.push(made);
    }
    if let Some(mimic) = joint.child("mimic") {
        let mut made = Element::new("mimic", &mimic.location);
        copy_attribute(mimic, "joint", &mut made, "joint");
        made.children.extend(["multiplier", "offset"].iter().filter_map(|n| leaf(n, Some(mimic), n)));
        axis.children.push(made);
    }
    axis
}

/// Drake's rotor inertia and gear ratio: on the joint, or on the actuator of its transmission.
fn rotor(joint: &Element, robot: &Element) -> Vec<Element> {
    let of_joint = |t: &&Element| t.child("joint").is_some_and(|j| j.named() == joint.named());
    let transmission = robot.children_named("transmission").find(of_joint);
    let holders = std::iter::once(joint).chain(transmission.and_then(|t| t.child("actuator")));
    holders
        .flat_map(|h| with_texts(h).children)
        .filter(|c| matches!(c.name.as_str(), "drake.rotor_inertia" | "drake.gear_ratio"))
        .collect()
}

/// Limits that the format asks for.
pub(super) fn check_limit(joint: &Element, report: &mut Report) {
    let kind = joint.value("type").unwrap_or("");
    if !matches!(kind, "revolute" | "prismatic") {
        return;
    }
    let Some(limit) = joint.child("limit") else {
        let message = format!("joint `{}` is {kind} and has no <limit>", joint.named());
        let other = if kind == "revolute" { "; a joint without limits is `continuous`" } else { "" };
        report.strict(
            Diagnostic::error("missing-element", message)
                .at(&joint.location)
                .help(format!("write `<limit lower=\"…\" upper=\"…\" effort=\"…\" velocity=\"…\"/>`{other}"))
                .element(joint.path.as_str()),
        );
        return;
    };
    if limit.value("lower").is_none() && limit.value("upper").is_none() {
        let message = format!("<limit> of joint `{}` has neither `lower` nor `upper`: both are 0", joint.named());
        report.add(
            Diagnostic::warning("joint-limits", message)
                .at(&limit.location)
                .label("the joint cannot move")
                .element(limit.path.as_str()),
        );
    }
}
