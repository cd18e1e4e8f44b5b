//! Plugins and other elements that have no effect here, and initial velocities.

use stiction::math::DVec3;

use crate::description::SkippedElement;
use crate::diagnostic::Diagnostic;

use super::element::Element;
use super::report::Report;
use super::value;
use super::wheel_slip::is_wheel_slip;

/// What known plugins would have done.
const EFFECTS: [(&str, &str); 17] = [
    ("WheelSlip", "wheel slip from load and speed"),
    ("wheel-slip", "wheel slip from load and speed"),
    ("JointControl", "drives joints by PID"),
    ("joint-controller", "drives joints by velocity or force commands"),
    ("joint-position-controller", "drives joints to positions"),
    ("LiftDrag", "lift and drag forces"),
    ("Harness", "holds the model in a harness"),
    ("Wind", "wind forces"),
    ("GravityCompensation", "cancels gravity"),
    ("detachable-joint", "a fixed joint that can be let go"),
    ("velocity-control", "moves the model at a commanded velocity"),
    ("diff-drive", "drives wheels from velocity commands"),
    ("apply-link-wrench", "applies forces to links"),
    ("CartDemo", "drives wheels by PID"),
    ("SpringTest", "springs at joints"),
    ("Imu", "publishes sensor data"),
    ("LinkPlot3D", "draws paths"),
];

/// Prefix of what a URDF file has and SDFormat has not.
pub(crate) const FROM_URDF: &str = "urdf.";

/// What such elements, and those of Drake, would have done.
const FOREIGN: [(&str, &str); 8] = [
    ("transmission", "the gear between a motor and its joint"),
    ("ros2_control", "hardware interfaces for controllers"),
    ("safety_controller", "soft limits of a controller"),
    ("calibration", "positions for calibration"),
    ("drake.joint", "a joint of Drake's own kinds"),
    ("drake.collision_filter_group", "pairs that do not collide"),
    ("drake.linear_bushing_rpy", "springs and dampers between two frames"),
    ("drake.tendon_constraint", "a tendon over joints"),
];

/// Collects what is skipped, each kind once.
#[derive(Default)]
pub(crate) struct Skipped {
    elements: Vec<SkippedElement>,
}

impl Skipped {
    pub(crate) fn into_elements(self) -> Vec<SkippedElement> {
        self.elements
    }

    fn add(&mut self, path: String, effect: &str, element: &Element) {
        if let Some(known) = self.elements.iter_mut().find(|s| s.path == path) {
            known.count += 1;
            return;
        }
        self.elements.push(SkippedElement {
            path,
            count: 1,
            effect: effect.to_owned(),
            location: element.location.clone(),
        });
    }

    /// An element whose name says what it is.
    pub(crate) fn add_element(&mut self, path: &str, effect: &str, element: &Element) {
        self.add(path.to_owned(), effect, element);
    }

    /// An element under its own name, a prefix written with a colon again.
    pub(crate) fn add_named(&mut self, holder: &str, effect: &str, element: &Element) {
        self.add(format!("{holder}::{}", element.name.replacen('.', ":", 1)), effect, element);
    }

    /// Elements of Drake in a model, and elements of a URDF file that have no place in SDFormat.
    pub(crate) fn add_foreign(&mut self, model: &Element) {
        for child in &model.children {
            let word = child.name.strip_prefix(FROM_URDF).unwrap_or(&child.name);
            let effect = FOREIGN.iter().find(|(name, _)| *name == word).map_or("", |(_, effect)| effect);
            if child.name.starts_with(FROM_URDF) {
                self.add(format!("robot::{word}"), effect, child);
            } else if child.name.starts_with("drake.") {
                self.add_named(&model.name, effect, child);
            }
        }
    }

    /// Plugins below a world, a model, a link or a sensor.
    pub(crate) fn add_plugins(&mut self, holder: &Element) {
        for plugin in holder.children_named("plugin") {
            let file = plugin.value("filename").unwrap_or("");
            if holder.name == "model" && (is_initial_velocity(plugin) || is_wheel_slip(plugin)) {
                continue;
            }
            // The systems of gz-sim's own loop: this program is the loop.
            if holder.name == "world" && (file.contains("gz-sim-") || file.contains("ignition-gazebo-")) {
                continue;
            }
            let word = if file.is_empty() { plugin.named() } else { file };
            let effect = EFFECTS.iter().find(|(key, _)| word.contains(key)).map_or("", |(_, effect)| effect);
            self.add(format!("{}::plugin[{word}]", holder.name), effect, plugin);
        }
    }
}

fn is_initial_velocity(plugin: &Element) -> bool {
    plugin.value("filename").is_some_and(|f| f.contains("InitialVelocityPlugin"))
}

/// Linear \[m/s\] and angular \[rad/s\] velocity that an `InitialVelocityPlugin` gives the links of a model.
pub(crate) fn initial_velocity(model: &Element, report: &mut Report) -> Option<(Option<DVec3>, Option<DVec3>)> {
    let plugin = model.children_named("plugin").find(|p| is_initial_velocity(p))?;
    let mut vector = |name: &str| {
        let element = plugin.child(name).filter(|e| !e.text.is_empty())?;
        let vector = value::vector3(&element.text).filter(|v| v.is_finite());
        if vector.is_none() {
            let message = format!("<{name}> is `{}`, not three finite numbers", element.text);
            report.add(
                Diagnostic::error("invalid-value", message).at(&element.text_location).element(element.path.as_str()),
            );
        }
        vector
    };
    Some((vector("linear"), vector("angular")))
}
