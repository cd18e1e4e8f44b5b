//! Links of a URDF file that fixed joints make one body, as one link of SDFormat: shapes move to the link that carries them, and
//! their own frames stay as frames (what Gazebo's own converter does).

use stiction::math::Pose;
use stiction::shape::MassProperties;

use crate::bodies;
use crate::description::WorldDescription;
use crate::diagnostic::Location;
use crate::sdf::element::Element;

use super::xml::{number, numbers};

/// Lumps the links of each model of a tree that was not SDFormat.
pub(super) fn lump(tree: &mut Element, world: &WorldDescription) {
    let masses = bodies::masses(world);
    for model in tree.children.iter_mut().filter(|child| child.name == "model" && child.from_urdf) {
        lump_model(model, world, &masses);
    }
}

fn lump_model(model: &mut Element, world: &WorldDescription, masses: &[Option<MassProperties>]) {
    let scope = model.named().to_owned();
    let index = |name: &str| world.links.iter().position(|link| link.name == format!("{scope}::{name}"));
    let lumped_joint = |joint: &Element| {
        let name = format!("{scope}::{}", joint.named());
        world.joints.iter().find(|j| j.name == name).is_some_and(|j| j.is_lumped && j.parent.is_some())
    };
    let mut moved: Vec<(usize, Element)> = Vec::new();
    let mut frames = Vec::new();
    let mut anchored = Vec::new();
    for child in std::mem::take(&mut model.children) {
        let link = (child.name == "link").then(|| index(child.named())).flatten();
        match link {
            None if child.name == "joint" && lumped_joint(&child) => {}
            None => model.children.push(child),
            Some(link) => match world.links[link].lumped_into {
                None => model.children.push(child),
                Some(carrier) => {
                    let offset = world.links[carrier].pose.inverse().compose(&world.links[link].pose);
                    frames.push(frame(&child, &world.links[carrier].name, &scope, &offset));
                    let own = child.named().to_owned();
                    for mut part in child.children {
                        if matches!(&*part.name, "collision" | "visual" | "sensor" | "light") {
                            move_part(&mut part, &own, &offset);
                            moved.push((carrier, part));
                        }
                    }
                }
            },
        }
    }
    for element in model.children.iter_mut().filter(|child| child.name == "link") {
        let Some(link) = index(element.named()) else { continue };
        let is_carrier = moved.iter().any(|(carrier, _)| *carrier == link)
            || world.links.iter().any(|other| other.lumped_into == Some(link));
        if let Some(mass) = masses[link].as_ref().filter(|mass| is_carrier && mass.mass > 0.0) {
            let place = element.location.clone();
            element.children.retain(|child| child.name != "inertial");
            element.children.push(inertial(mass, &place));
        }
        for (carrier, part) in &moved {
            if *carrier == link {
                element.children.push(part.clone());
            }
        }
        let hangs = world.joints.iter().any(|j| j.child == Some(link) && j.parent.is_none());
        if world.links[link].is_fixed_to_world && !hangs {
            anchored.push(anchor(element));
        }
    }
    model.children.extend(frames);
    model.children.extend(anchored);
}

/// A frame in the place of a lumped link.
fn frame(link: &Element, carrier: &str, scope: &str, offset: &Pose) -> Element {
    let place = &link.location;
    let mut frame = Element::new("frame", place);
    frame.set_attribute("name", link.named(), place);
    let own = carrier.strip_prefix(scope).and_then(|rest| rest.strip_prefix("::")).unwrap_or(carrier);
    frame.set_attribute("attached_to", own, place);
    frame.children.push(Element::of_pose(offset, place));
    frame
}

/// A shape or sensor moves with its link.
fn move_part(part: &mut Element, link: &str, offset: &Pose) {
    let place = part.location.clone();
    let name = format!("{link}_fixed_joint_lump__{}", part.named());
    part.set_attribute("name", &name, &place);
    // Poses of parts are relative to the frame that has the name of their link now.
    match part.child_mut("pose") {
        Some(pose) => pose.set_attribute("relative_to", link, &place),
        None => part.children.push(Element::of_pose(offset, &place)),
    }
}

/// Mass properties in the axes of the link.
fn inertial(mass: &MassProperties, place: &Location) -> Element {
    let mut inertial = Element::new("inertial", place);
    let center = mass.center_of_mass;
    let text = numbers(&[center.x, center.y, center.z, 0.0, 0.0, 0.0]);
    inertial.children.push(Element::with_text("pose", &text, place));
    inertial.children.push(Element::with_text("mass", &number(mass.mass), place));
    inertial.children.push(Element::of_inertia(&mass.inertia, place));
    inertial
}

/// A fixed joint of a link that was part of the static environment.
fn anchor(link: &Element) -> Element {
    let place = &link.location;
    let mut joint = Element::new("joint", place);
    joint.set_attribute("name", &format!("{}_to_world", link.named()), place);
    joint.set_attribute("type", "fixed", place);
    joint.children.push(Element::with_text("parent", "world", place));
    joint.children.push(Element::with_text("child", link.named(), place));
    joint
}
