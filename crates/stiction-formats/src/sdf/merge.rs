//! `<include merge="true">`: the elements of a model move into the enclosing model or world.
//!
//! A frame takes the place of the model frame, so that everything stays where it was.

use stiction::math::Pose;

use super::element::Element;
use super::frames;
use super::value;

/// Moves what `model` holds into `parent`.
pub(crate) fn merge(parent: &mut Element, model: Element) {
    let frame = format!("_merged__{}__model__", model.named());
    let place = model.place().clone();
    let mut proxy = Element::new("frame", &place);
    proxy.set_attribute("name", &frame, &place);
    if parent.name == "model" {
        let anchor = canonical_link(&model);
        if let Some(link) = anchor {
            proxy.set_attribute("attached_to", &link, &place);
        }
    }
    let mut pose = model.child("pose").cloned().unwrap_or_else(|| Element::new("pose", &place));
    if pose.value("relative_to").is_none() {
        let outer = if parent.name == "world" { "world" } else { "__model__" };
        pose.set_attribute("relative_to", outer, &place);
    }
    if let Some(in_model) = model.value("placement_frame").and_then(|f| frames::pose_in_model(&model, f)) {
        shift(&mut pose, &in_model.inverse());
    }
    proxy.children.push(pose);
    parent.children.push(proxy);
    for mut child in model.children {
        match child.name.as_str() {
            "pose" | "static" | "self_collide" | "allow_auto_disable" | "enable_wind" => continue,
            "link" | "model" | "frame" => anchor_pose(&mut child, &frame),
            _ => {}
        }
        rename_model_frame(&mut child, &frame);
        parent.children.push(child);
    }
}

/// The pose of the placement frame becomes that of the model frame.
fn shift(pose: &mut Element, to_model: &Pose) {
    let shifted = value::pose(pose).unwrap_or(Pose::IDENTITY).compose(to_model);
    pose.set_pose(&shifted);
}

fn canonical_link(model: &Element) -> Option<String> {
    let given = model.value("canonical_link").map(str::to_owned);
    given.or_else(|| model.child("link").map(|l| l.named().to_owned()))
}

/// A pose that was relative to the model frame by default says so.
fn anchor_pose(child: &mut Element, frame: &str) {
    let is_attached = child.name == "frame" && child.value("attached_to").is_some();
    if child.name == "frame" && !is_attached {
        let place = child.location.clone();
        child.set_attribute("attached_to", frame, &place);
        return;
    }
    if is_attached {
        return;
    }
    let place = child.location.clone();
    if child.child("pose").is_none() {
        child.children.push(Element::new("pose", &place));
    }
    if let Some(pose) = child.child_mut("pose").filter(|p| p.value("relative_to").is_none()) {
        pose.set_attribute("relative_to", frame, &place);
    }
}

/// `__model__` now means the proxy, but not inside nested models, which have their own.
fn rename_model_frame(element: &mut Element, frame: &str) {
    for attribute in &mut element.attributes {
        if matches!(attribute.name.as_str(), "relative_to" | "attached_to" | "expressed_in")
            && attribute.value == "__model__"
        {
            frame.clone_into(&mut attribute.value);
        }
    }
    if element.name == "parent" && element.text == "__model__" {
        frame.clone_into(&mut element.text);
    }
    let is_model = element.name == "model";
    for child in &mut element.children {
        if !is_model || child.name == "pose" {
            rename_model_frame(child, frame);
        }
    }
}
