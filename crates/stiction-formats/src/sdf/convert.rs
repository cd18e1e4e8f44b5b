//! Files of older versions, rewritten as the newest version says the same.

use crate::diagnostic::Diagnostic;

use super::element::Element;
use super::report::Report;

/// Version of a file, such as (1, 6).
pub(crate) type Version = (u32, u32);

/// The newest version that is known.
pub(crate) const NEWEST: Version = (1, 12);

/// `1.6` as a version.
pub(crate) fn parse_version(text: &str) -> Option<Version> {
    let mut parts = text.trim().split('.');
    let major = parts.next()?.parse().ok()?;
    let minor = parts.next().map_or(Some(0), |m| m.parse().ok())?;
    Some((major, minor))
}

/// Rewrites a whole file (its `<sdf>` element) in place.
pub(crate) fn convert(root: &mut Element, version: Version, report: &mut Report) {
    if version > NEWEST {
        let message = format!("SDFormat {}.{} is newer than the newest known, 1.12", version.0, version.1);
        report.add(Diagnostic::warning("newer-version", message).at(&root.location));
    }
    if version < (1, 3) {
        let message = format!("SDFormat {}.{} is older than 1.3: it is read as 1.3", version.0, version.1);
        report.add(Diagnostic::warning("old-version", message).at(&root.location));
    }
    if version < (1, 6) {
        root.children.iter_mut().filter(|c| c.name == "world").for_each(move_gravity);
    }
    walk(root, version, report);
}

fn walk(element: &mut Element, version: Version, report: &mut Report) {
    for child in element.children.iter_mut().filter(|c| !c.is_foreign() && c.name != "plugin") {
        match child.name.as_str() {
            "mesh" => name_file(child, report),
            "physics" if version < (1, 4) && element.name == "world" => convert_physics(child),
            "joint" if version < (1, 7) => convert_joint(child, version),
            "pose" if version < (1, 7) => rename_attribute(child, "frame", "relative_to"),
            _ => {}
        }
        if version >= (1, 8) && matches!(child.name.as_str(), "link" | "joint" | "frame" | "model" | "collision") {
            refuse_delimiter(child, report);
        }
        walk(child, version, report);
    }
}

/// Before 1.3, and in URDF, the file of a mesh is an attribute: `<mesh filename="…"/>` says `<uri>`, which wins where both stand.
fn name_file(mesh: &mut Element, report: &mut Report) {
    let Some(attribute) = mesh.attribute("filename").cloned().filter(|_| mesh.child("uri").is_none()) else { return };
    let message = "`filename` of a <mesh> is read as <uri>, which it is since version 1.3 of the format";
    report.add(Diagnostic::note("old-attribute", message).at(&attribute.location));
    mesh.children.push(Element::with_text("uri", &attribute.value, &attribute.location));
    if let Some(scale) = mesh.attribute("scale").cloned().filter(|_| mesh.child("scale").is_none()) {
        mesh.children.push(Element::with_text("scale", &scale.value, &scale.location));
    }
}

/// Before 1.8, flattened models have such names; they are kept as they are and found as such.
fn refuse_delimiter(element: &Element, report: &mut Report) {
    if element.named().contains("::") {
        let message =
            format!("the name `{}` contains `::`, which separates the names of nested models", element.named());
        report.add(Diagnostic::error("reserved-name", message).at(&element.location));
    }
}

/// 1.5 to 1.6: gravity and magnetic field of the physics in force belong to the world.
fn move_gravity(world: &mut Element) {
    let chosen = world
        .children_named("physics")
        .find(|p| p.value("default").is_some_and(|d| d == "true" || d == "1"))
        .or_else(|| world.child("physics"))
        .cloned();
    for name in ["gravity", "magnetic_field"] {
        if world.child(name).is_none()
            && let Some(moved) = chosen.as_ref().and_then(|p| p.child(name))
        {
            world.children.push(moved.clone());
        }
        for physics in world.children.iter_mut().filter(|c| c.name == "physics") {
            physics.children.retain(|c| c.name != name);
        }
    }
}

/// 1.3 to 1.4: `update_rate` and `ode/solver/dt` have other names.
fn convert_physics(physics: &mut Element) {
    if let Some(rate) = physics.child_mut("update_rate") {
        "real_time_update_rate".clone_into(&mut rate.name);
    }
    let step = physics.child_mut("ode").and_then(|o| o.child_mut("solver")).and_then(|solver| {
        let position = solver.children.iter().position(|c| c.name == "dt")?;
        Some(solver.children.remove(position))
    });
    if let Some(mut step) = step
        && physics.child("max_step_size").is_none()
    {
        "max_step_size".clone_into(&mut step.name);
        physics.children.push(step);
    }
}

fn convert_joint(joint: &mut Element, version: Version) {
    for child in &mut joint.children {
        match child.name.as_str() {
            // 1.3 to 1.4: the link was an attribute.
            "parent" | "child" if version < (1, 4) && child.text.is_empty() => {
                if let Some(link) = child.attribute("link").cloned() {
                    child.text = link.value;
                    child.text_location = link.location;
                }
            }
            "axis" | "axis2" => convert_axis(child, version),
            _ => {}
        }
    }
}

/// 1.4 to 1.5: every axis is meant in the model frame; 1.6 to 1.7: that is said by `expressed_in`.
fn convert_axis(axis: &mut Element, version: Version) {
    let flag = axis.children.iter().position(|c| c.name == "use_parent_model_frame").map(|p| axis.children.remove(p));
    let in_model_frame = match &flag {
        Some(f) => matches!(f.text.trim().to_ascii_lowercase().as_str(), "true" | "1"),
        None => version < (1, 5),
    };
    if in_model_frame {
        let place = flag.map_or_else(|| axis.location.clone(), |f| f.location);
        if axis.child("xyz").is_none() {
            axis.children.push(Element::with_text("xyz", "0 0 1", &place));
        }
        if let Some(xyz) = axis.child_mut("xyz") {
            xyz.set_attribute("expressed_in", "__model__", &place);
        }
    }
}

fn rename_attribute(element: &mut Element, old: &str, new: &str) {
    for attribute in element.attributes.iter_mut().filter(|a| a.name == old) {
        new.clone_into(&mut attribute.name);
    }
}
