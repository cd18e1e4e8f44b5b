//! `<gazebo>`: what Gazebo reads beyond URDF, by the link or joint that it refers to.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Diagnostic, Location};
use crate::materials::MaterialTable;
use crate::sdf::collision::MATERIAL;
use crate::sdf::element::Element;
use crate::sdf::joint::KEPT_APART;
use crate::sdf::report::Report;
use crate::sdf::spec::{self, Kind};
use crate::sdf::value;
use crate::suggest::did_you_mean;

/// Element of Gazebo, and its place below a collision of SDFormat.
const COLLISION: [(&str, &str); 10] = [
    ("mu1", "surface/friction/ode/mu"),
    ("mu2", "surface/friction/ode/mu2"),
    ("fdir1", "surface/friction/ode/fdir1"),
    ("kp", "surface/contact/ode/kp"),
    ("kd", "surface/contact/ode/kd"),
    ("maxVel", "surface/contact/ode/max_vel"),
    ("max_vel", "surface/contact/ode/max_vel"),
    ("minDepth", "surface/contact/ode/min_depth"),
    ("min_depth", "surface/contact/ode/min_depth"),
    ("maxContacts", "max_contacts"),
];
/// Below a link.
const LINK: [(&str, &str); 5] = [
    ("selfCollide", "self_collide"),
    ("self_collide", "self_collide"),
    ("gravity", "gravity"),
    ("dampingFactor", "velocity_decay/linear"),
    ("dampingFactor", "velocity_decay/angular"),
];
/// Below a joint.
const JOINT: [(&str, &str); 10] = [
    ("implicitSpringDamper", "physics/ode/implicit_spring_damper"),
    ("cfmDamping", "physics/ode/implicit_spring_damper"),
    ("springStiffness", "axis/dynamics/spring_stiffness"),
    ("springReference", "axis/dynamics/spring_reference"),
    ("stopCfm", "physics/ode/limit/cfm"),
    ("stopErp", "physics/ode/limit/erp"),
    ("provideFeedback", "physics/provide_feedback"),
    ("fudgeFactor", "physics/ode/fudge_factor"),
    ("initialJointPosition", "axis/initial_position"),
    ("initial_joint_position", "axis/initial_position"),
];
/// Below a model.
const MODEL: [(&str, &str); 5] = [
    ("static", "static"),
    ("self_collide", "self_collide"),
    ("selfCollide", "self_collide"),
    ("allow_auto_disable", "allow_auto_disable"),
    ("allowAutoDisable", "allow_auto_disable"),
];
/// Read in other ways, of a link.
const OTHERS_OF_LINK: [&str; 4] = ["turnGravityOff", "collision", "material", MATERIAL];
/// Read in other ways, of a joint. Gazebo makes of the latter a hinge between stops at 0, which is a fixed joint too.
const OTHERS_OF_JOINT: [&str; 2] = ["preserveFixedJoint", "disableFixedJointLumping"];
/// What does not act on physics; Gazebo itself reads `canonicalBody` and leaves it at that.
const COSMETIC: [&str; 3] = ["visual", "laserRetro", "canonicalBody"];

/// The extensions of a robot.
pub(super) struct Extensions<'a> {
    of_model: Vec<&'a Element>,
    by_name: BTreeMap<&'a str, Vec<&'a Element>>,
    /// Where names of materials are looked up.
    table: Option<&'a MaterialTable>,
}

impl<'a> Extensions<'a> {
    /// Reports references that lead nowhere, and elements that have no effect where they stand.
    pub(super) fn new(robot: &'a Element, table: Option<&'a MaterialTable>, report: &mut Report) -> Self {
        let mut all = Self { of_model: Vec::new(), by_name: BTreeMap::new(), table };
        let names = |kind| robot.children_named(kind).map(Element::named).collect::<BTreeSet<&str>>();
        let (links, joints) = (names("link"), names("joint"));
        for gazebo in robot.children_named("gazebo") {
            let Some(reference) = gazebo.attribute("reference") else {
                for child in &gazebo.children {
                    if is_of_model(&child.name) {
                        all.of_model.push(child);
                    } else {
                        unread(child, "the robot", (is_of_link(&child.name), is_of_joint(&child.name)), report);
                    }
                }
                continue;
            };
            let name = reference.value.trim();
            let (is_link, is_joint) = (links.contains(name), joints.contains(name));
            if !is_link && !is_joint {
                let message = format!("<gazebo> refers to `{name}`, which is neither a link nor a joint");
                let mut finding = Diagnostic::warning("gazebo-reference", message)
                    .at(&reference.location)
                    .label("skipped")
                    .element(gazebo.path.as_str());
                finding.help = did_you_mean(name, links.union(&joints).copied());
                report.add(finding);
                continue;
            }
            for child in &gazebo.children {
                let (of_link, of_joint) = (is_of_link(&child.name), is_of_joint(&child.name));
                if (is_link && of_link) || (is_joint && of_joint) {
                    all.by_name.entry(name).or_default().push(child);
                } else {
                    unread(child, &format!("`{name}`"), (of_link, of_joint), report);
                }
            }
        }
        all
    }

    fn of(&self, name: &str) -> &[&'a Element] {
        self.by_name.get(name).map_or(&[], Vec::as_slice)
    }

    /// `static`, plugins, and all else that SDFormat has in a model.
    pub(super) fn extend_model(&self, model: &mut Element) {
        apply(&self.of_model, &MODEL, model);
        pass_on(&self.of_model, "model", &MODEL, model);
    }

    /// Gravity, sensors, and all else that SDFormat has in a link.
    pub(super) fn extend_link(&self, name: &str, link: &mut Element) {
        apply(self.of(name), &LINK, link);
        let is_blob = |e: &&&Element| !OTHERS_OF_LINK.contains(&&*e.name);
        let blobs: Vec<&Element> = self.of(name).iter().filter(is_blob).copied().collect();
        pass_on(&blobs, "link", &LINK, link);
        for element in self.of(name).iter().filter(|e| e.name == "turnGravityOff") {
            let (text, place) = text_of(element);
            // What is no truth value is reported as that of the gravity.
            let gravity = match text.to_ascii_lowercase().as_str() {
                "true" | "yes" | "1" => "false",
                "false" | "no" | "0" => "true",
                _ => text,
            };
            set(link, "gravity", gravity, place);
        }
    }

    /// Friction and softness go to every collision of the link.
    pub(super) fn extend_collision(&self, link: &str, collision: &mut Element) {
        apply(self.of(link), &COLLISION, collision);
        for blob in self.of(link).iter().filter(|e| e.name == "collision") {
            blob.children.iter().for_each(|child| merge(child, "collision", collision));
        }
        // Gazebo's own `<material>` names a script of colours: it is a material of the table only if that has one.
        for element in self.of(link).iter().filter(|e| matches!(&*e.name, "material" | MATERIAL)) {
            let (text, place) = text_of(element);
            if element.name == MATERIAL || self.table.is_some_and(|table| table.knows(text)) {
                set(collision, MATERIAL, text, place);
            }
        }
    }

    /// Springs, stops, feedback.
    pub(super) fn extend_joint(&self, name: &str, joint: &mut Element) {
        let has_axis = joint.child("axis").is_some();
        let own: Vec<(&str, &str)> =
            JOINT.iter().filter(|(_, p)| has_axis || !p.starts_with("axis")).copied().collect();
        apply(self.of(name), &own, joint);
        let is_blob = |e: &&&Element| has_axis || !e.name.starts_with("axis");
        let blobs: Vec<&Element> = self.of(name).iter().filter(is_blob).copied().collect();
        pass_on(&blobs, "joint", &JOINT, joint);
        let is_kept = self.of(name).iter().any(|e| {
            matches!(e.name.as_str(), "preserveFixedJoint" | "disableFixedJointLumping")
                && value::boolean(text_of(e).0) == Some(true)
        });
        if is_kept {
            let place = joint.location.clone();
            joint.children.push(Element::new(KEPT_APART, &place));
        }
    }
}

fn is_of_model(name: &str) -> bool {
    MODEL.iter().any(|(known, _)| *known == name) || spec::lookup("model", name).is_some() || COSMETIC.contains(&name)
}

fn is_of_link(name: &str) -> bool {
    let known = COLLISION.iter().chain(&LINK).map(|(known, _)| *known);
    known.chain(OTHERS_OF_LINK).chain(COSMETIC).any(|known| known == name) || spec::lookup("link", name).is_some()
}

fn is_of_joint(name: &str) -> bool {
    let known = JOINT.iter().map(|(known, _)| *known);
    known.chain(OTHERS_OF_JOINT).any(|known| known == name) || spec::lookup("joint", name).is_some()
}

/// An element that is known to neither Gazebo nor SDFormat, or stands where it has no effect.
fn unread(element: &Element, holder: &str, (of_link, of_joint): (bool, bool), report: &mut Report) {
    let name = element.name.as_str();
    let message = match (of_link, of_joint) {
        (false, false) => format!("<{name}> is not known in <gazebo>"),
        (true, _) => format!("<{name}> of <gazebo> is an element of a link, and is given for {holder}"),
        (false, true) => format!("<{name}> of <gazebo> is an element of a joint, and is given for {holder}"),
    };
    let mut finding = Diagnostic::warning("gazebo-extension", message)
        .at(&element.location)
        .label("skipped")
        .element(element.path.as_str());
    if !of_link && !of_joint {
        let known = COLLISION.iter().chain(&LINK).chain(&JOINT).map(|(known, _)| *known);
        finding.help = did_you_mean(name, known.chain(OTHERS_OF_LINK).chain(OTHERS_OF_JOINT));
    }
    report.once(format!("{name} {holder}"), finding);
}

/// Elements that are SDFormat already go into their place as they are.
fn pass_on(elements: &[&Element], context: &str, applied: &[(&str, &str)], target: &mut Element) {
    let is_applied = |name: &str| COSMETIC.contains(&name) || applied.iter().any(|(known, _)| *known == name);
    for element in elements.iter().filter(|e| !is_applied(&e.name) && spec::lookup(context, &e.name).is_some()) {
        merge(element, context, target);
    }
}

/// Elements that may stand beside others of their name are added; what is a value, or a tree of values, replaces those.
fn merge(element: &Element, context: &str, target: &mut Element) {
    let kind = spec::lookup(context, &element.name).map(|entry| entry.kind);
    let is_single = element.named().is_empty() && kind != Some(Kind::Opaque);
    let at = target.children.iter().position(|c| is_single && c.name == element.name);
    match at {
        Some(at) if kind == Some(Kind::Tree) => {
            let inner = spec::context(context, &element.name);
            element.children.iter().for_each(|child| merge(child, &inner, &mut target.children[at]));
        }
        Some(at) => target.children[at] = element.clone(),
        None => target.children.push(element.clone()),
    }
}

/// The text, or in old files the attribute `value`.
fn text_of(element: &Element) -> (&str, &Location) {
    match element.attribute("value") {
        Some(value) => (value.value.trim(), &value.location),
        None => (element.text.as_str(), &element.text_location),
    }
}

fn apply(elements: &[&Element], table: &[(&str, &str)], target: &mut Element) {
    for element in elements {
        for (_, path) in table.iter().filter(|(name, _)| *name == element.name) {
            let (text, place) = text_of(element);
            set(target, path, text, place);
        }
    }
}

/// Writes a leaf at `a/b/c`; of several the last counts.
fn set(target: &mut Element, path: &str, text: &str, place: &Location) {
    let mut current = target;
    for name in path.split('/') {
        let at = current.children.iter().position(|c| c.name == name).unwrap_or_else(|| {
            current.children.push(Element::new(name, place));
            current.children.len() - 1
        });
        current = &mut current.children[at];
    }
    text.clone_into(&mut current.text);
    current.text_location = place.clone();
}
