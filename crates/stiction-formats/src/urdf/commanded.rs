//! `<transmission>` and `<ros2_control>`: which joints controllers command, by which interfaces.

use crate::diagnostic::Diagnostic;
use crate::sdf::element::Element;
use crate::sdf::plugins::COMMANDED;
use crate::sdf::report::Report;
use crate::sdf::value;
use crate::suggest::did_you_mean;

use super::structure::Structure;

/// Elements of a transmission that name a joint which it moves; the last three are those of the PR2.
const JOINTS: [&str; 4] = ["joint", "gap_joint", "flexJoint", "rollJoint"];
/// Reductions have been written in both ways.
const REDUCTIONS: [&str; 2] = ["mechanicalReduction", "mechanical_reduction"];

/// The joints that an element commands, as marks for the model.
pub(super) fn convert(holder: &Element, structure: &Structure<'_>, report: &mut Report) -> Vec<Element> {
    match holder.name.as_str() {
        "transmission" => transmission(holder, structure, report),
        _ => ros2_control(holder, structure, report),
    }
}

/// `transmission_interface` of ROS, and the older one of the PR2, whose motors all give efforts.
fn transmission(holder: &Element, structure: &Structure<'_>, report: &mut Report) -> Vec<Element> {
    let joints: Vec<&Element> = holder.children.iter().filter(|c| JOINTS.contains(&&*c.name)).collect();
    if joints.is_empty() {
        let message = format!("<transmission> `{}` names no joint", holder.named());
        report.add(nowhere(message, holder));
    }
    let actuator = holder.child("actuator");
    let mut made = Vec::new();
    for joint in joints {
        if !is_good(joint, structure, report) {
            continue;
        }
        let hardware: Vec<&Element> =
            joint.children_named("hardwareInterface").filter(|interface| !interface.text.is_empty()).collect();
        // Older files have it in the actuator only.
        let hardware = match (hardware.is_empty(), actuator) {
            (true, Some(actuator)) => actuator.children_named("hardwareInterface").collect(),
            _ => hardware,
        };
        let mut mark = mark(holder, joint, hardware.first().map_or("", |first| first.text.as_str()));
        let is_pr2 = holder.value("type").is_some_and(|kind| kind.starts_with("pr2_mechanism_model/"));
        if hardware.is_empty() && is_pr2 {
            mark.children.push(Element::with_text("command", "effort", &joint.location));
        }
        let commands = hardware.iter().map(|e| Element::with_text("command", interface(&e.text), &e.text_location));
        mark.children.extend(commands);
        let reduction = [Some(joint), actuator, Some(holder)].into_iter().flatten().find_map(reduction);
        add_reduction(&mut mark, reduction, report);
        made.push(mark);
    }
    made
}

/// `hardware_interface/EffortJointInterface` is `effort`.
fn interface(word: &str) -> &str {
    match word.rsplit('/').next().unwrap_or(word) {
        "EffortJointInterface" => "effort",
        "VelocityJointInterface" => "velocity",
        "PositionJointInterface" => "position",
        _ => word,
    }
}

/// Of ROS 2: joints with their interfaces, and transmissions of their own.
fn ros2_control(holder: &Element, structure: &Structure<'_>, report: &mut Report) -> Vec<Element> {
    let plugin = holder.child("hardware").and_then(|h| h.child("plugin")).map_or("", |p| p.text.as_str());
    let gears: Vec<&Element> = holder.children_named("transmission").collect();
    let mut made = Vec::new();
    for joint in holder.children_named("joint") {
        if !is_good(joint, structure, report) {
            continue;
        }
        let mut mark = mark(holder, joint, plugin);
        for (element, short) in [("command_interface", "command"), ("state_interface", "state")] {
            for interface in joint.children_named(element).filter(|interface| !interface.named().is_empty()) {
                mark.children.push(Element::with_text(short, interface.named(), interface.place()));
            }
        }
        let of_joint = |gear: &&Element| gear.children_named("joint").find(|j| j.named() == joint.named()).cloned();
        let geared = gears.iter().find_map(of_joint);
        add_reduction(&mut mark, geared.as_ref().and_then(reduction), report);
        made.push(mark);
    }
    made
}

fn mark(holder: &Element, joint: &Element, hardware: &str) -> Element {
    let mut mark = Element::new(COMMANDED, joint.place());
    let texts =
        [("kind", holder.name.as_str()), ("holder", holder.named()), ("joint", joint.named()), ("hardware", hardware)];
    for (name, text) in texts {
        mark.set_attribute(name, text, &joint.location);
    }
    mark
}

/// Text and place of a reduction: an attribute or an element.
fn reduction(holder: &Element) -> Option<Element> {
    REDUCTIONS.iter().find_map(|name| {
        let attribute = holder.attribute(name).map(|a| Element::with_text("reduction", a.value.trim(), &a.location));
        attribute.or_else(|| {
            let element = holder.child(name)?;
            Some(Element::with_text("reduction", &element.text, &element.text_location))
        })
    })
}

fn add_reduction(mark: &mut Element, reduction: Option<Element>, report: &mut Report) {
    let Some(reduction) = reduction else { return };
    if value::real(&reduction.text).is_some_and(|r| r.is_finite() && r != 0.0) {
        mark.children.push(reduction);
        return;
    }
    let message = format!("the mechanical reduction is `{}`, not a number other than 0", reduction.text);
    report.add(Diagnostic::warning("invalid-value", message).at(&reduction.location).label("skipped"));
}

/// The joint exists and can move; else a finding says so.
fn is_good(joint: &Element, structure: &Structure<'_>, report: &mut Report) -> bool {
    let name = joint.named();
    let message = match structure.joint(name) {
        Some(known) => match known.value("type").unwrap_or("") {
            kind @ ("fixed" | "floating") => format!("joint `{name}` cannot be commanded: its type is `{kind}`"),
            _ => return true,
        },
        None if structure.names_joint(name) => return false,
        None => format!("`{name}` is commanded and is no joint"),
    };
    let mut finding = nowhere(message, joint);
    finding.help = did_you_mean(name, structure.joint_names());
    report.add(finding);
    false
}

fn nowhere(message: String, element: &Element) -> Diagnostic {
    Diagnostic::warning("commanded-joint", message).at(element.place()).label("skipped").element(element.path.as_str())
}
