//! Faults in what does not act on physics: visuals, materials, lights, sensors. `run` continues with any of them.

use std::collections::BTreeMap;

use crate::diagnostic::Diagnostic;

use super::element::Element;
use super::report::Report;
use super::scope;
use super::value;

const SHADERS: [&str; 4] = ["vertex", "pixel", "normal_map_object_space", "normal_map_tangent_space"];

/// Elements of a world that have a name and are no frames: their names are unique among all siblings but plugins.
const OF_WORLD: [&str; 5] = ["light", "actor", "physics", "road", "population"];

/// Checks the names of the lights and the like of a world; those of models, frames and joints are checked with their scope.
pub(crate) fn check_world(world: &Element, report: &mut Report) {
    let mut first: BTreeMap<&str, &Element> = BTreeMap::new();
    let is_of_world = |element: &Element| OF_WORLD.contains(&element.name.as_str());
    let is_named = |child: &&Element| is_of_world(child) || matches!(child.name.as_str(), "model" | "frame" | "joint");
    for child in world.children.iter().filter(is_named).filter(|child| !child.named().is_empty()) {
        match first.get(child.named()) {
            Some(other) if is_of_world(child) || is_of_world(other) => scope::report_duplicate(child, other, report),
            Some(_) => {}
            None => {
                first.insert(child.named(), child);
            }
        }
    }
}

/// Checks the visuals, sensors and lights of a link.
pub(crate) fn check_link(link: &Element, report: &mut Report) {
    for kind in ["visual", "sensor", "light"] {
        let mut first: BTreeMap<&str, &Element> = BTreeMap::new();
        for child in link.children_named(kind) {
            let name = child.named();
            if name.is_empty() {
                let message = format!("<{kind}> has no name");
                report.tolerated(
                    Diagnostic::error("missing-name", message).at(&child.location).element(child.path.as_str()),
                );
            } else if let Some(other) = first.get(name) {
                scope::report_duplicate(child, other, report);
            } else {
                first.insert(name, child);
                check_name(child, report);
            }
            check_below(child, report);
        }
    }
}

fn check_name(child: &Element, report: &mut Report) {
    let name = child.named();
    if name == "world" || (name.len() >= 4 && name.starts_with("__") && name.ends_with("__")) {
        let place = child.attribute("name").map_or(&child.location, |a| &a.location);
        let message = format!("the name `{name}` is reserved");
        report.tolerated(Diagnostic::error("reserved-name", message).at(place).element(child.path.as_str()));
    }
}

/// Checks materials and colours anywhere below an element.
pub(crate) fn check_below(element: &Element, report: &mut Report) {
    for child in element.children.iter().filter(|c| !c.is_foreign() && c.name != "plugin") {
        match child.name.as_str() {
            "material" => check_material(child, report),
            "ambient" | "diffuse" | "specular" | "emissive" | "background" if element.name != "material" => {
                check_colour(child, report);
            }
            // There, `diffuse` is the name of a picture.
            "texture" => {}
            _ => check_below(child, report),
        }
    }
}

fn check_material(material: &Element, report: &mut Report) {
    let fault = |code, message: &str, place: &Element| {
        Diagnostic::error(code, message.to_owned()).at(&place.location).element(material.path.as_str())
    };
    for child in &material.children {
        match child.name.as_str() {
            "ambient" | "diffuse" | "specular" | "emissive" => check_colour(child, report),
            "script" if child.child("uri").is_none_or(|u| u.text.is_empty()) => {
                let finding = fault("script-uri", "<script> has no <uri>", child);
                report.tolerated(finding.help("Gazebo classic finds its own materials without one"));
            }
            "shader" => {
                let kind = child.value("type").unwrap_or("pixel");
                if !SHADERS.contains(&kind) {
                    let message = format!("`{kind}` is not a type of shader");
                    report.tolerated(fault("shader", &message, child).help(format!("one of: {}", SHADERS.join(", "))));
                } else if kind.starts_with("normal_map") && child.child("normal_map").is_none() {
                    report.tolerated(fault("shader", "a normal map shader needs a <normal_map>", child));
                }
            }
            _ => {}
        }
    }
}

fn check_colour(element: &Element, report: &mut Report) {
    if element.text.is_empty() {
        return;
    }
    let values = value::reals(&element.text);
    let is_good = values.is_some_and(|v| matches!(v.len(), 3 | 4) && v.iter().all(|c| (0.0..=1.0).contains(c)));
    if !is_good {
        let message = format!("<{}> is `{}`, not a colour", element.name, element.text);
        report.tolerated(
            Diagnostic::error("invalid-colour", message)
                .at(&element.text_location)
                .label("expected 3 or 4 numbers from 0 to 1")
                .element(element.path.as_str()),
        );
    }
}
