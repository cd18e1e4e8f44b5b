//! A body as an SDFormat model.

use std::sync::Arc;

use stiction::math::{DQuat, DVec3, Pose};

use crate::description::{DensityDescription, JointSpookDescription, Origin};
use crate::devices::DeviceDescription;
use crate::diagnostic::{Diagnostic, Location};
use crate::sdf::collision::{BELT, OWN_MATERIAL};
use crate::sdf::element::{Element, Payload};
use crate::sdf::inertia::DENSITY;
use crate::sdf::report::Report;

use super::body::Body;
use super::device::Device;
use super::extra_joint::ExtraJoint;
use super::link::{Link, Motion};
use super::rules;
use super::solid::Solid;

/// Name of a material, an element that SDFormat does not have.
pub(super) const MATERIAL: &str = "stiction.material";

/// How a body is put into a world.
#[derive(Clone, Debug)]
pub(super) struct Placement {
    /// Name of the model.
    pub(super) name: String,
    /// Pose of the root in the world; the body's own without it.
    pub(super) root: Option<Pose>,
    /// Positions of the joints at the start \[rad or m\], by number.
    pub(super) positions: Vec<f64>,
    /// The root does not move, whatever the body says.
    pub(super) is_root_fixed: bool,
    /// No link moves.
    pub(super) is_static: bool,
    /// Its links touch other bodies.
    pub(super) collides: bool,
    /// Its links touch each other.
    pub(super) self_collides: bool,
    pub(super) location: Location,
}

impl Placement {
    /// Where no project says anything.
    pub(super) fn alone(body: &Body) -> Self {
        Self {
            name: body.name.clone(),
            root: None,
            positions: Vec::new(),
            is_root_fixed: false,
            is_static: false,
            collides: true,
            self_collides: false,
            location: body.location.clone(),
        }
    }
}

/// The model of a body. `positions_at` is where a list of joint positions stands.
pub(super) fn model(
    body: &Body,
    placement: &Placement,
    positions_at: Option<&Location>,
    report: &mut Report,
) -> Element {
    let place = &placement.location;
    let mut model = Element { from_urdf: true, ..Element::new("model", place) };
    model.set_attribute("name", &placement.name, place);
    if let Some(root) = &placement.root {
        model.children.push(Element::of_pose(root, place));
    }
    // Bodies of Choreonoid and AGX stay awake: `AutoSleep` is off there.
    model.children.push(Element::with_text("allow_auto_disable", "false", place));
    if placement.is_static {
        model.children.push(Element::with_text("static", "true", place));
    }
    model.children.push(Element::with_text(
        "self_collide",
        if placement.self_collides { "true" } else { "false" },
        place,
    ));
    if !placement.self_collides && placement.root.is_none() {
        rules::note_unused(body, report);
    }
    let positions = positions(body, placement, positions_at, report);
    let poses = poses(body, placement, &positions);
    let is_still = still(body, placement);
    for (index, link) in body.links.iter().enumerate() {
        let collides = placement.collides && !body.rules.without_collision.contains(&index);
        model.children.push(link_element(link, &poses[index], is_still[index], collides));
    }
    for (index, link) in body.links.iter().enumerate() {
        model.children.extend(joint_element(body, index, link, positions[index], placement));
    }
    for extra in &body.extra_joints {
        model.children.extend(extra_joint(body, extra, &poses, report));
    }
    for [a, b] in &body.rules.pairs {
        let mut pair = Element::new("stiction.no_collision", place);
        pair.set_attribute("first", &body.links[*a].name.name, place);
        pair.set_attribute("second", &body.links[*b].name.name, place);
        model.children.push(pair);
    }
    model
}

/// The position of each link's joint at the start.
fn positions(body: &Body, placement: &Placement, at: Option<&Location>, report: &mut Report) -> Vec<f64> {
    let mut positions: Vec<f64> = body.links.iter().map(|link| link.position).collect();
    let joints = body.joints();
    for (joint, position) in joints.iter().zip(&placement.positions) {
        if let Some(link) = joint {
            positions[*link] = *position;
        }
    }
    if placement.positions.len() > joints.len()
        && let Some(at) = at
    {
        let count = placement.positions.len();
        let message =
            format!("there are {count} joint positions and {} joints: the last ones are left out", joints.len());
        report.add(Diagnostic::note("joint-positions", message).at(at));
    }
    for (link, position) in body.links.iter().zip(&positions) {
        starts_in_range(link, *position, at, report);
    }
    positions
}

/// A warning for a joint that begins beyond a stop: it is thrown back. Projects that were saved with an older body have
/// lists of positions whose numbers are those of other joints.
fn starts_in_range(link: &Link, position: f64, at: Option<&Location>, report: &mut Report) {
    let [low, high] = link.range;
    let unit = match link.motion {
        Motion::Revolute => "°",
        Motion::Prismatic => " m",
        Motion::Free | Motion::Fixed => return,
    };
    if (low - 1e-6..=high + 1e-6).contains(&position) {
        return;
    }
    let shown = |x: f64| {
        let x = if link.motion == Motion::Revolute { x.to_degrees() } else { x };
        format!("{x:.4}").trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    let name = &link.name.name;
    let message = format!(
        "the joint of `{name}` begins at {}{unit}, outside of its range {} to {}{unit}",
        shown(position),
        shown(low),
        shown(high)
    );
    let finding = Diagnostic::warning("joint-start", message).at(at.unwrap_or(&link.location));
    report.add(finding.help("joint positions of a project go by `jointId`; was it saved with another body?"));
}

/// Pose of each link in the frame of the model.
fn poses(body: &Body, placement: &Placement, positions: &[f64]) -> Vec<Pose> {
    let mut poses: Vec<Option<Pose>> = vec![None; body.links.len()];
    for index in 0..body.links.len() {
        // From the next link above whose pose is known, downwards.
        let mut path = vec![index];
        let mut top = index;
        while let Some(parent) = body.parents[top].filter(|_| poses[top].is_none()) {
            path.push(parent);
            top = parent;
        }
        for link in path.into_iter().rev() {
            if poses[link].is_some() {
                continue;
            }
            let is_placed = link == body.root && placement.root.is_some();
            let offset = if is_placed { Pose::IDENTITY } else { body.links[link].offset };
            let local = offset.compose(&displacement(&body.links[link], positions[link]));
            let above = body.parents[link].and_then(|parent| poses[parent]).unwrap_or(Pose::IDENTITY);
            poses[link] = Some(above.compose(&local));
        }
    }
    poses.into_iter().map(|pose| pose.unwrap_or(Pose::IDENTITY)).collect()
}

/// What a joint at a position does to its link.
fn displacement(link: &Link, position: f64) -> Pose {
    match link.motion {
        Motion::Revolute => Pose { position: DVec3::ZERO, rotation: DQuat::from_axis_angle(link.axis, position) },
        Motion::Prismatic => Pose::from_position(link.axis * position),
        Motion::Free | Motion::Fixed => Pose::IDENTITY,
    }
}

/// Links of the static environment.
fn still(body: &Body, placement: &Placement) -> Vec<bool> {
    let is_root_fixed = placement.is_root_fixed || body.links[body.root].motion != Motion::Free;
    (0..body.links.len())
        .map(|index| {
            let mut top = index;
            while let Some(parent) = body.parents[top].filter(|_| body.links[top].motion == Motion::Fixed) {
                top = parent;
            }
            placement.is_static || (top == body.root && is_root_fixed)
        })
        .collect()
}

fn link_element(link: &Link, pose: &Pose, is_still: bool, collides: bool) -> Element {
    let place = &link.location;
    let mut element = Element { from_urdf: true, ..Element::new("link", place) };
    element.set_attribute("name", &link.name.name, &link.name.location);
    element.children.push(Element::of_pose(pose, place));
    // What never moves needs no mass.
    if link.mass.is_given || !is_still {
        element.children.push(inertial(link));
    }
    if let Some(values) = &link.own_material {
        let place = link.material.as_ref().map_or(place, |material| &material.location);
        let mut own = Element::new(OWN_MATERIAL, place);
        own.children.extend(values.iter().map(|(key, value, at)| Element::with_text(key, &value.to_string(), at)));
        element.children.push(own);
    }
    for (index, shape) in link.contents.shapes.iter().enumerate() {
        let mut collision = Element::new("collision", &shape.location);
        collision.set_attribute("name", &format!("shape{index}"), &shape.location);
        collision.children.push(Element::of_pose(&shape.pose, &shape.location));
        let mut geometry = Element::new("geometry", &shape.location);
        geometry.children.push(solid(&shape.solid, &shape.location));
        collision.children.push(geometry);
        if link.is_track {
            let axis = shape.pose.rotation.inverse() * link.axis;
            let mut belt = Element::new(BELT, place);
            belt.children.push(Element::with_text("axis", &format!("{} {} {}", axis.x, axis.y, axis.z), place));
            collision.children.push(belt);
        }
        if let Some(material) = &link.material {
            collision.children.push(Element::with_text(MATERIAL, &material.name, &material.location));
        }
        if !collides {
            let mask = Element::with_text("collide_bitmask", "0", &shape.location);
            collision.children.push(nested(&["surface", "contact"], mask, &shape.location));
        }
        element.children.push(collision);
    }
    for Device { name, kind, location } in &link.contents.devices {
        let (name, kind, location) = (name.clone(), kind.clone(), location.clone());
        let payload = Payload::Device(Box::new(DeviceDescription { name, link: 0, kind, location }));
        element.children.push(Element { payload: Some(payload), ..Element::new("stiction.device", place) });
    }
    element
}

/// An element within others.
fn nested(names: &[&str], inner: Element, place: &Location) -> Element {
    names.iter().rev().fold(inner, |inner, name| {
        let mut outer = Element::new(name, place);
        outer.children.push(inner);
        outer
    })
}

fn inertial(link: &Link) -> Element {
    let place = &link.location;
    let mass = &link.mass.properties;
    let mut element = Element::new("inertial", place);
    element.children.push(Element::with_text("mass", &mass.mass.to_string(), place));
    element.children.push(Element::of_pose(&Pose::from_position(mass.center_of_mass), place));
    element.children.push(Element::of_inertia(&mass.inertia, place));
    if let Some(DensityDescription { density, material }) = &link.mass.density {
        let at = if let Origin::File(location) = &density.origin { location } else { place };
        let mut made_of = Element::with_text(DENSITY, &density.value.to_string(), at);
        match &density.origin {
            Origin::Default => made_of.set_attribute("of", "default", place),
            Origin::Override(path) => made_of.override_path = Some(path.clone()),
            Origin::File(_) => {}
        }
        if let Some(material) = material {
            made_of.set_attribute("material", material, place);
        }
        element.children.push(made_of);
    }
    element
}

fn solid(solid: &Solid, place: &Location) -> Element {
    let vector = |v: &DVec3| format!("{} {} {}", v.x, v.y, v.z);
    let (kind, leaves) = match solid {
        Solid::Box(size) => ("box", vec![("size", vector(size))]),
        Solid::Sphere(radius) => ("sphere", vec![("radius", radius.to_string())]),
        Solid::Ellipsoid(semi_axes) => ("ellipsoid", vec![("radii", vector(semi_axes))]),
        Solid::Cylinder(radius, length) => {
            ("cylinder", vec![("radius", radius.to_string()), ("length", length.to_string())])
        }
        Solid::Capsule(radius, length) => {
            ("capsule", vec![("radius", radius.to_string()), ("length", length.to_string())])
        }
        Solid::Cone(radius, length) => ("cone", vec![("radius", radius.to_string()), ("length", length.to_string())]),
        Solid::Mesh(mesh, _) => {
            return Element { payload: Some(Payload::Mesh(Arc::clone(mesh))), ..Element::new("stiction.mesh", place) };
        }
    };
    let mut element = Element::new(kind, place);
    element.children.extend(leaves.into_iter().map(|(name, text)| Element::with_text(name, &text, place)));
    element
}

/// A joint with its two ends.
fn joint(name: &str, kind: &str, ends: [&str; 2], place: &Location) -> Element {
    let mut element = Element { from_urdf: true, ..Element::new("joint", place) };
    element.set_attribute("name", name, place);
    element.set_attribute("type", kind, place);
    for (which, end) in ["parent", "child"].into_iter().zip(ends) {
        element.children.push(Element::with_text(which, end, place));
    }
    element
}

/// The joint of a link to its parent, or of a fixed root to the world; none for a free link.
fn joint_element(body: &Body, index: usize, link: &Link, position: f64, placement: &Placement) -> Option<Element> {
    let place = &link.location;
    let name = link.joint_name.as_deref().unwrap_or(&link.name.name);
    let own = link.name.name.as_str();
    let parent = body.parents[index].map(|parent| body.links[parent].name.name.as_str());
    let Some(parent) = parent else {
        let is_fixed = placement.is_root_fixed || link.motion != Motion::Free;
        return (is_fixed && index == body.root).then(|| joint(name, "fixed", ["world", own], place));
    };
    let is_turning = link.motion == Motion::Revolute;
    let kind = match link.motion {
        Motion::Free => return None,
        Motion::Fixed => return Some(joint(name, "fixed", [parent, own], place)),
        Motion::Revolute => "revolute",
        Motion::Prismatic => "prismatic",
    };
    let mut element = joint(name, kind, [parent, own], place);
    let mut axis = Element::new("axis", place);
    let direction = link.axis;
    let leaf = |name: &str, value: f64| Element::with_text(name, &value.to_string(), place);
    axis.children.push(Element::with_text("xyz", &format!("{} {} {}", direction.x, direction.y, direction.z), place));
    if position != 0.0 {
        axis.children.push(leaf("stiction.position", position));
    }
    let mut limit = limits(link.range, place).unwrap_or_else(|| Element::new("limit", place));
    limit.children.extend(link.max_effort.map(|effort| leaf("effort", effort)));
    limit.children.extend(link.max_velocity.map(|velocity| leaf("velocity", velocity)));
    axis.children.push(limit);
    element.children.push(axis);
    if link.armature > 0.0 {
        element.children.push(leaf("drake.rotor_inertia", link.armature));
    }
    element.children.extend(link.spook.as_ref().map(|spook| spook_element(spook, place)));
    let is_endless = is_turning && link.range == [f64::NEG_INFINITY, f64::INFINITY];
    if is_endless {
        element.set_attribute("type", "continuous", place);
    }
    Some(element)
}

/// `<limit>` of a range; none where it has no end.
fn limits(range: [f64; 2], place: &Location) -> Option<Element> {
    let ends = ["lower", "upper"].into_iter().zip(range).filter(|(_, value)| value.is_finite());
    let leaves: Vec<Element> = ends.map(|(name, value)| Element::with_text(name, &value.to_string(), place)).collect();
    (!leaves.is_empty()).then(|| Element { children: leaves, ..Element::new("limit", place) })
}

/// What AGX's solver is given for a joint.
fn spook_element(spook: &Arc<JointSpookDescription>, place: &Location) -> Element {
    Element { payload: Some(Payload::Joint(Arc::clone(spook))), ..Element::new("stiction.spook", place) }
}

/// A joint that closes a loop, at its point in the first link. The points must meet at the start.
fn extra_joint(body: &Body, extra: &ExtraJoint, poses: &[Pose], report: &mut Report) -> Option<Element> {
    let [first, second] = extra.links;
    let place = &extra.location;
    if first == second {
        let message = format!("the extra joint `{}` joins a link to itself", extra.name);
        report.add(Diagnostic::error("joint-sides", message).at(place));
        return None;
    }
    let kind = match extra.kind.as_str() {
        "fixed" => "fixed",
        "ball" => "ball",
        // Choreonoid builds a piston as a hinge.
        _ => "continuous",
    };
    let ends = [body.links[first].name.name.as_str(), body.links[second].name.name.as_str()];
    let mut element = joint(&extra.name, kind, ends, place);
    // A fixed one keeps its two bodies: their poses need not match a tree.
    element.from_urdf = kind != "fixed";
    let points = [poses[first].point(extra.points[0]), poses[second].point(extra.points[1])];
    let gap = points[0].distance(points[1]);
    if gap > 1e-3 {
        let message = format!("the two points of the extra joint `{}` lie {gap:.4} m apart at the start", extra.name);
        report.add(Diagnostic::warning("joint-gap", message).at(place).help("it is made at the first one"));
    }
    let frame = Pose { position: points[0], rotation: poses[first].rotation };
    let within = poses[second].inverse().compose(&frame);
    element.children.push(Element::of_pose(&within, place));
    element.children.extend(extra.spook.as_ref().map(|spook| spook_element(spook, place)));
    if kind == "continuous" {
        let text = format!("{} {} {}", extra.axis.x, extra.axis.y, extra.axis.z);
        let mut axis = nested(&["axis"], Element::with_text("xyz", &text, place), place);
        axis.children.extend(limits(extra.range, place));
        if extra.range != [f64::NEG_INFINITY, f64::INFINITY] {
            element.set_attribute("type", "revolute", place);
        }
        element.children.push(axis);
    }
    Some(element)
}
