//! `elements` of a link: shapes, rigid bodies, devices, and the transforms around them.

use stiction::math::{DVec3, Pose};
use stiction::shape::MassProperties;

use crate::diagnostic::{Diagnostic, Location};
use crate::mesh::{Form, Frame};
use crate::sdf::report::Report;
use crate::suggest::did_you_mean;
use crate::yaml::Node;

use super::device::{self, Device};
use super::fields::Fields;
use super::geometry::{self, DIVISIONS, Geometry};
use super::keys;
use super::mass;
use super::pose::{self, AngleUnit};
use super::resource::Resources;
use super::solid::{self, Solid};

/// A shape that collides and has a mass.
#[derive(Clone, Debug)]
pub(super) struct ShapePart {
    pub(super) solid: Solid,
    /// Pose in the link.
    pub(super) pose: Pose,
    pub(super) location: Location,
}

/// What the elements of a link hold.
#[derive(Clone, Debug, Default)]
pub(super) struct Contents {
    pub(super) shapes: Vec<ShapePart>,
    /// Rigid bodies in the frame of the link.
    pub(super) bodies: Vec<MassProperties>,
    /// Devices with data of their own.
    pub(super) devices: Vec<Device>,
}

/// Where a node stands in its link.
#[derive(Clone, Copy)]
struct Place {
    frame: Frame,
    /// It is seen and does not collide.
    is_visual: bool,
}

/// Reads the elements of a link.
pub(super) fn read(node: &Node, unit: AngleUnit, resources: &mut Resources<'_>, report: &mut Report) -> Contents {
    let mut walker = Walker { unit, resources, report, contents: Contents::default() };
    walker.elements(node, Place { frame: Frame::IDENTITY, is_visual: false });
    walker.contents
}

struct Walker<'w, 'r> {
    unit: AngleUnit,
    resources: &'w mut Resources<'r>,
    report: &'w mut Report,
    contents: Contents,
}

impl Walker<'_, '_> {
    /// A list of nodes with types, one such node, or a mapping of types to nodes.
    fn elements(&mut self, node: &Node, outer: Place) {
        if let Some(items) = node.items() {
            items.iter().for_each(|item| self.typed(item, outer));
        } else if node.mapping().is_some_and(|mapping| mapping.get("type").is_some_and(|kind| kind.text().is_some())) {
            self.typed(node, outer);
        } else if let Some(mapping) = node.mapping() {
            for entry in mapping.iter().filter(|entry| !entry.value.is_null()) {
                let Some(fields) = Fields::of(&entry.value, "an element", self.report) else { continue };
                self.node(&entry.key, &entry.key_location, &fields, outer);
            }
        } else if !node.is_null() {
            let message = format!("`elements` is {}", node.kind());
            let label = "expected a list of elements or a mapping of types to them";
            self.report.add(Diagnostic::error("wrong-type", message).at(&node.location).label(label));
        }
    }

    /// A node that says what it is.
    fn typed(&mut self, node: &Node, outer: Place) {
        let Some(fields) = Fields::of(node, "an element", self.report) else { return };
        match fields.text("type", self.report) {
            Some(kind) => self.node(kind, fields.place("type"), &fields, outer),
            None => {
                let message = "an element has no `type`";
                self.report.add(Diagnostic::error("missing-key", message).at(fields.location));
            }
        }
    }

    fn node(&mut self, kind: &str, place: &Location, fields: &Fields<'_>, outer: Place) {
        let with = |own: &[&'static str]| [keys::NODE, own].concat();
        match kind {
            "Skip" => return,
            "Group" | "Transform" => fields.check(keys::NODE, &[], self.report),
            "Visual" | "Collision" => fields.check(&with(&["resource"]), &[], self.report),
            "Resource" => fields.check(&with(&["uri", "fragment", "node", "exclude"]), &[], self.report),
            "Shape" => fields.check(&with(&["geometry", "appearance"]), &[], self.report),
            "RigidBody" => fields.check(&with(&["mass", "center_of_mass", "inertia"]), &[], self.report),
            _ => {
                if !self.device(kind, place) {
                    return;
                }
                let device = device::read(kind, fields, self.unit, self.report);
                self.contents.devices.extend(device);
            }
        }
        let mut inner = self.place(fields, outer);
        inner.is_visual |= kind == "Visual";
        match kind {
            "Shape" => self.shape(fields, inner),
            "RigidBody" => {
                let body = mass::rigid_body(fields, self.report);
                let pose = inner.frame.pose;
                let moved = body.rotated(pose.rotation).translated(pose.position);
                self.contents.bodies.push(moved);
            }
            "Resource" => self.resource(fields, inner),
            "Visual" | "Collision" => {
                if let Some(node) = fields.get("resource")
                    && let Some(resource) = Fields::of(node, "a resource", self.report)
                {
                    let own = self.place(&resource, inner);
                    self.resource(&resource, own);
                }
            }
            _ => {}
        }
        if let Some(elements) = fields.get("elements") {
            self.elements(elements, inner);
        }
    }

    /// Says what a device is; false for a word that means nothing.
    fn device(&mut self, kind: &str, place: &Location) -> bool {
        let key = format!("{kind}@{}", place.file.display());
        if keys::PASSIVE.contains(&kind) {
            let is_sensor = ["Sensor", "IMU", "Imu", "Camera", "Livox"].iter().any(|word| kind.contains(word));
            let reading = if is_sensor { ", and no reading here" } else { "" };
            let message = format!("`{kind}` has no part in the motion{reading}");
            self.report.once(key, Diagnostic::note("device", message).at(place));
            return true;
        }
        if keys::ACTING.contains(&kind) {
            return true;
        }
        if let Some((_, meaning)) = keys::ACTIVE.iter().find(|(word, _)| *word == kind) {
            let message = format!("`{kind}` is left out: {meaning}");
            self.report.once(key, Diagnostic::note("device", message).at(place));
            return true;
        }
        let devices = keys::ACTIVE.iter().map(|(word, _)| *word);
        let known = keys::STRUCTURE.iter().chain(keys::PASSIVE).chain(keys::ACTING).copied().chain(devices);
        let message = format!("`{kind}` is not a type of element");
        let mut finding = Diagnostic::warning("unknown-element", message).at(place).label("skipped");
        finding.help = did_you_mean(kind, known);
        self.report.once(key, finding);
        false
    }

    /// The place of a node in another.
    fn place(&mut self, fields: &Fields<'_>, outer: Place) -> Place {
        let own = pose::read(fields, self.unit, self.report);
        let scale = match fields.get("scale") {
            Some(node) if node.number().is_some() => DVec3::splat(fields.number("scale", self.report).unwrap_or(1.0)),
            Some(_) => fields.vector("scale", self.report).unwrap_or(DVec3::ONE),
            None => DVec3::ONE,
        };
        if scale.to_array().contains(&0.0) {
            fields.refuse("scale", "factors that are not 0", self.report);
        }
        Place { frame: outer.frame.child(own.position, own.rotation).scaled(scale), ..outer }
    }

    fn shape(&mut self, fields: &Fields<'_>, outer: Place) {
        let Some(node) = fields.get("geometry") else {
            let message = "a shape has no `geometry`";
            self.report.add(Diagnostic::error("missing-key", message).at(fields.location));
            return;
        };
        if outer.is_visual {
            return;
        }
        match geometry::read(node, self.unit, self.report) {
            Some(Geometry::Form(form, divisions)) => self.add(&form, &outer.frame, divisions, fields.location),
            Some(Geometry::Resource(resource)) => self.resource(&resource, outer),
            None => {}
        }
    }

    fn add(&mut self, form: &Form, frame: &Frame, divisions: u32, place: &Location) {
        if let Some((solid, pose)) = solid::of(form, frame, divisions, place, self.report) {
            self.contents.shapes.push(ShapePart { solid, pose, location: place.clone() });
        }
    }

    /// A file of shapes.
    fn resource(&mut self, fields: &Fields<'_>, outer: Place) {
        let Some(uri) = fields.text("uri", self.report) else {
            if fields.get("uri").is_none() {
                let message = "a resource has no `uri`";
                self.report.add(Diagnostic::error("missing-key", message).at(fields.location));
            }
            return;
        };
        if outer.is_visual {
            return;
        }
        let place = fields.get("uri").map_or(fields.location, |node| &node.location);
        let key = if fields.get("fragment").is_some() { "fragment" } else { "node" };
        let name = fields.text(key, self.report);
        for shape in self.resources.shapes(uri, name, place, self.report).unwrap_or_default() {
            let frame = outer.frame.followed_by(&shape.frame);
            self.add(&shape.form, &frame, DIVISIONS, place);
        }
    }
}
