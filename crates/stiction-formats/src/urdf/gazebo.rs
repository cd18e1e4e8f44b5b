//! `<gazebo>`: what Gazebo reads beyond URDF, by the link or joint that it refers to.

use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostic, Location};
use crate::materials::MaterialTable;
use crate::sdf::collision::MATERIAL;
use crate::sdf::element::Element;
use crate::sdf::joint::KEPT_APART;
use crate::sdf::plugins::FROM_URDF;
use crate::sdf::report::Report;
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
const JOINT: [(&str, &str); 8] = [
    ("implicitSpringDamper", "physics/ode/implicit_spring_damper"),
    ("springStiffness", "axis/dynamics/spring_stiffness"),
    ("springReference", "axis/dynamics/spring_reference"),
    ("stopCfm", "physics/ode/limit/cfm"),
    ("stopErp", "physics/ode/limit/erp"),
    ("provideFeedback", "physics/provide_feedback"),
    ("fudgeFactor", "physics/ode/fudge_factor"),
    ("initialJointPosition", "axis/initial_position"),
];
/// Below a model.
const MODEL: [(&str, &str); 5] = [
    ("static", "static"),
    ("self_collide", "self_collide"),
    ("selfCollide", "self_collide"),
    ("allow_auto_disable", "allow_auto_disable"),
    ("allowAutoDisable", "allow_auto_disable"),
];
/// Read in other ways.
const OTHERS: [&str; 7] =
    ["turnGravityOff", "sensor", "plugin", "preserveFixedJoint", "disableFixedJointLumping", "material", MATERIAL];
/// What does not act on physics.
const COSMETIC: [&str; 2] = ["visual", "laserRetro"];

/// The extensions of a robot.
pub(super) struct Extensions<'a> {
    of_model: Vec<&'a Element>,
    by_name: BTreeMap<&'a str, Vec<&'a Element>>,
    /// What has no effect.
    skipped: Vec<&'a Element>,
    /// Where names of materials are looked up.
    table: Option<&'a MaterialTable>,
}

impl<'a> Extensions<'a> {
    /// Reports references that lead nowhere.
    pub(super) fn new(robot: &'a Element, table: Option<&'a MaterialTable>, report: &mut Report) -> Self {
        let mut all = Self { of_model: Vec::new(), by_name: BTreeMap::new(), skipped: Vec::new(), table };
        let names = || {
            let parts = robot.children.iter().filter(|c| matches!(&*c.name, "link" | "joint"));
            parts.map(Element::named)
        };
        let known: std::collections::BTreeSet<&str> = names().collect();
        for gazebo in robot.children_named("gazebo") {
            let Some(reference) = gazebo.attribute("reference") else {
                for child in &gazebo.children {
                    let is_known = child.name == "plugin" || MODEL.iter().any(|(n, _)| *n == child.name);
                    if is_known { &mut all.of_model } else { &mut all.skipped }.push(child);
                }
                continue;
            };
            let name = reference.value.trim();
            if !known.contains(name) {
                let message = format!("<gazebo> refers to `{name}`, which is neither a link nor a joint");
                let mut finding = Diagnostic::warning("gazebo-reference", message)
                    .at(&reference.location)
                    .label("skipped")
                    .element(gazebo.path.as_str());
                finding.help = did_you_mean(name, names());
                report.add(finding);
                continue;
            }
            for child in &gazebo.children {
                let known = COLLISION.iter().chain(&LINK).chain(&JOINT).map(|(n, _)| *n).chain(OTHERS);
                if known.into_iter().any(|n| n == child.name) {
                    all.by_name.entry(name).or_default().push(child);
                } else if !COSMETIC.contains(&child.name.as_str()) {
                    all.skipped.push(child);
                }
            }
        }
        all
    }

    fn of(&self, name: &str) -> &[&'a Element] {
        self.by_name.get(name).map_or(&[], Vec::as_slice)
    }

    /// `static`, plugins, and what is skipped.
    pub(super) fn extend_model(&self, model: &mut Element) {
        apply(&self.of_model, &MODEL, model);
        model.children.extend(self.of_model.iter().filter(|e| e.name == "plugin").map(|e| (*e).clone()));
        let skipped = self.skipped.iter().map(|e| Element::new(&format!("{FROM_URDF}gazebo/{}", e.name), &e.location));
        model.children.extend(skipped);
    }

    /// Gravity, sensors, plugins.
    pub(super) fn extend_link(&self, name: &str, link: &mut Element) {
        apply(self.of(name), &LINK, link);
        for element in self.of(name) {
            match element.name.as_str() {
                "sensor" | "plugin" => link.children.push((*element).clone()),
                "turnGravityOff" => {
                    let (text, place) = text_of(element);
                    if let Some(is_off) = value::boolean(text) {
                        set(link, "gravity", if is_off { "false" } else { "true" }, place);
                    }
                }
                _ => {}
            }
        }
    }

    /// Friction and softness go to every collision of the link.
    pub(super) fn extend_collision(&self, link: &str, collision: &mut Element) {
        apply(self.of(link), &COLLISION, collision);
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
