//! `<link>` as SDFormat has it.

use std::collections::BTreeSet;

use crate::diagnostic::Diagnostic;
use crate::sdf::element::{Attribute, Element};
use crate::sdf::report::Report;
use crate::sdf::value;

use super::WORLD;
use super::check::{QUATERNION, good};
use super::gazebo::Extensions;
use super::structure::side;

/// A link with a parent joint, or at the origin of its model.
pub(super) fn convert(
    link: &Element,
    joint: Option<&Element>,
    extensions: &Extensions<'_>,
    report: &mut Report,
) -> Element {
    let mut made = Element { from_urdf: true, ..Element::new("link", &link.location) };
    copy_attribute(link, "name", &mut made, "name");
    if let Some(joint) = joint {
        let mut pose = pose(joint.child("origin")).unwrap_or_else(|| Element::new("pose", &joint.location));
        let parent = side(joint, "parent");
        if parent != WORLD {
            pose.set_attribute("relative_to", parent, &joint.location);
        }
        made.children.push(pose);
    }
    made.children.extend(link.child("inertial").and_then(|i| inertial(i, report)));
    let mut names: BTreeSet<String> =
        link.children_named("collision").map(|c| c.named().to_owned()).filter(|n| !n.is_empty()).collect();
    let mut used = BTreeSet::new();
    for element in link.children_named("collision") {
        let name = collision_name(element, &mut names, &mut used, report);
        let mut collision = collision(element, &name, report);
        extensions.extend_collision(link.named(), &mut collision);
        made.children.push(collision);
    }
    extensions.extend_link(link.named(), &mut made);
    made
}

/// `<pose>` of an `<origin>`; parts that are not there or not good are zero.
pub(super) fn pose(origin: Option<&Element>) -> Option<Element> {
    let origin = origin?;
    let (xyz, quaternion) = (good(origin, "xyz"), good(origin, QUATERNION));
    let turn = quaternion.or_else(|| good(origin, "rpy"));
    let text = |part: Option<&Attribute>| part.map_or("0 0 0", |a| a.value.trim()).to_owned();
    let place = xyz.or(turn).map_or(&origin.location, |a| &a.location);
    let mut pose = Element::with_text("pose", &format!("{} {}", text(xyz), text(turn)), place);
    if quaternion.is_some() {
        pose.set_attribute("rotation_format", QUATERNION, place);
    }
    Some(pose)
}

/// A leaf with the text of an attribute, if that is good.
pub(super) fn leaf(name: &str, element: Option<&Element>, attribute: &str) -> Option<Element> {
    let found = good(element?, attribute)?;
    Some(Element::with_text(name, found.value.trim(), &found.location))
}

pub(super) fn copy_attribute(from: &Element, name: &str, to: &mut Element, new: &str) {
    if let Some(found) = from.attribute(name) {
        to.set_attribute(new, found.value.trim(), &found.location);
    }
}

/// `None` for a mass of zero: that is how files say that a link has none.
fn inertial(inertial: &Element, report: &mut Report) -> Option<Element> {
    for name in ["mass", "inertia"] {
        if inertial.child(name).is_none() {
            report.add(
                Diagnostic::error("missing-element", format!("<inertial> has no <{name}>"))
                    .at(&inertial.location)
                    .element(inertial.path.as_str()),
            );
        }
    }
    let mass = leaf("mass", inertial.child("mass"), "value");
    if let Some(zero) = mass.as_ref().filter(|m| value::real(&m.text) == Some(0.0)) {
        report.add(
            Diagnostic::warning("massless-inertial", "the mass is 0: the link has no mass, and no inertia")
                .at(&zero.text_location)
                .help("leave <inertial> out if that is meant")
                .element(inertial.path.as_str()),
        );
        return None;
    }
    let mut made = Element::new("inertial", &inertial.location);
    made.children.extend(pose(inertial.child("origin")));
    made.children.extend(mass);
    if let Some(given) = inertial.child("inertia") {
        let mut inertia = Element::new("inertia", &given.location);
        let parts = ["ixx", "iyy", "izz", "ixy", "ixz", "iyz"];
        inertia.children.extend(parts.iter().filter_map(|n| leaf(n, Some(given), n)));
        made.children.push(inertia);
    }
    Some(made)
}

/// Its own name, or `collision`, `collision_1`, …; no name twice in a link.
fn collision_name(
    element: &Element,
    names: &mut BTreeSet<String>,
    used: &mut BTreeSet<String>,
    report: &mut Report,
) -> String {
    let own = element.named();
    let base = if own.is_empty() { "collision" } else { own };
    let is_taken = |name: &str, names: &BTreeSet<String>| names.contains(name) && (own.is_empty() || name != own);
    let mut name = base.to_owned();
    let mut count = 0;
    while used.contains(&name) || is_taken(&name, names) {
        count += 1;
        name = format!("{base}_{count}");
    }
    if !own.is_empty() && name != own {
        let message = format!("the name `{own}` is already used by another collision: this one is renamed to `{name}`");
        let place = element.attribute("name").map_or(&element.location, |a| &a.location);
        report.add(Diagnostic::warning("duplicate-name", message).at(place).element(element.path.as_str()));
    }
    names.insert(name.clone());
    used.insert(name.clone());
    name
}

fn collision(element: &Element, name: &str, report: &mut Report) -> Element {
    let mut made = Element::new("collision", &element.location);
    let place = element.attribute("name").map_or(&element.location, |a| &a.location);
    made.set_attribute("name", name, place);
    made.children.extend(pose(element.child("origin")));
    let Some(given) = element.child("geometry") else {
        report.add(missing_geometry("<collision> has no <geometry>", element));
        return made;
    };
    let mut geometry = Element::new("geometry", &given.location);
    match given.children.iter().find_map(shape) {
        Some(shape) => geometry.children.push(shape),
        None => report.add(missing_geometry("<geometry> has no shape that is known", given)),
    }
    made.children.push(geometry);
    made.children.extend(element.children_named("drake.proximity_properties").map(with_texts));
    made
}

fn missing_geometry(message: &str, element: &Element) -> Diagnostic {
    Diagnostic::error("missing-geometry", message)
        .at(&element.location)
        .help("one of: box, sphere, cylinder, capsule, ellipsoid, mesh")
        .element(element.path.as_str())
}

fn shape(given: &Element) -> Option<Element> {
    let mut made = Element::new(&given.name, &given.location);
    let leaves: &[(&str, &str)] = match given.name.as_str() {
        "box" => &[("size", "size")],
        "sphere" => &[("radius", "radius")],
        "cylinder" | "capsule" => &[("radius", "radius"), ("length", "length")],
        "ellipsoid" => {
            let parts = ["a", "b", "c"].map(|n| good(given, n).map_or("1", |a| a.value.trim()));
            made.children.push(Element::with_text("radii", &parts.join(" "), &given.location));
            &[]
        }
        "mesh" => &[("uri", "filename"), ("scale", "scale")],
        _ => return None,
    };
    made.children.extend(leaves.iter().filter_map(|(new, old)| leaf(new, Some(given), old)));
    Some(made)
}

/// Drake writes values as attributes here, and as texts in SDFormat.
pub(super) fn with_texts(element: &Element) -> Element {
    let mut made = element.clone();
    for child in &mut made.children {
        if let Some(value) = child.attribute("value").cloned() {
            child.text = value.value.trim().to_owned();
            child.text_location = value.location;
        }
    }
    made
}
