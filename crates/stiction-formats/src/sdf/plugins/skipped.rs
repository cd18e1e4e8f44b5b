//! Plugins and other elements that have no effect here, initial velocities, and wind.

use stiction::math::DVec3;

use crate::description::{Setting, SkippedElement};
use crate::diagnostic::Diagnostic;
use crate::plugins::{PluginRole, plugin_without_effect};
use crate::wind::WindDescription;

use super::super::element::Element;
use super::super::read::Reader;
use super::super::report::Report;
use super::super::value;
use super::super::wheel_slip::is_wheel_slip;
use super::{is_breakable, names, wind as changing};

/// Prefix of what a URDF file has and SDFormat has not.
pub(crate) const FROM_URDF: &str = "urdf.";

/// A joint that controllers command.
pub(crate) const COMMANDED: &str = "urdf.commanded_joint";

/// What such elements, and those of Drake, would have done.
const FOREIGN: [(&str, &str); 6] = [
    ("safety_controller", "soft limits that a controller outside of this program keeps"),
    ("calibration", "positions of switches by which a controller finds its zero"),
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
        for child in model.children.iter().filter(|c| c.name != COMMANDED) {
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
            if holder.name == "model" && (is_initial_velocity(plugin) || is_wheel_slip(plugin)) {
                continue;
            }
            if is_wind(plugin) && holder.name == "world" {
                for noise in changing::noises(plugin) {
                    self.add("world::plugin[wind]::noise".to_owned(), "noise of the wind", noise);
                }
                continue;
            }
            if matches!(&*holder.name, "link" | "joint") {
                let effect = "Gazebo loads plugins of worlds, models and sensors only";
                self.add(format!("{}::plugin[{}]", holder.name, shown(plugin)), effect, plugin);
                continue;
            }
            if names::is_known(plugin) || (holder.name == "sensor" && is_breakable(plugin)) {
                continue;
            }
            let word = shown(plugin);
            let effect = match plugin_without_effect(word).map(|entry| entry.role) {
                Some(PluginRole::LeftOut(effect) | PluginRole::Unseen(effect)) => effect,
                _ => "",
            };
            self.add(format!("{}::plugin[{word}]", holder.name), effect, plugin);
        }
    }
}

/// The file of a plugin, else its name.
fn shown(plugin: &Element) -> &str {
    plugin.value("filename").unwrap_or_else(|| plugin.named())
}

fn is_initial_velocity(plugin: &Element) -> bool {
    plugin.value("filename").is_some_and(|f| f.contains("InitialVelocityPlugin"))
}

/// Gazebo classic's `WindPlugin`, or gz-sim's `WindEffects`.
pub(super) fn is_wind(plugin: &Element) -> bool {
    let names = |key: &str| ["filename", "name"].iter().any(|a| plugin.value(a).is_some_and(|text| text.contains(key)));
    ["WindPlugin", "wind-effects", "WindEffects"].into_iter().any(names)
}

/// `<wind>` of a world, and the rate that its plugin gives.
pub(crate) fn wind(world: &Element, report: &mut Report) -> WindDescription {
    let plugin = world.children_named("plugin").find(|p| is_wind(p));
    let factor = plugin.and_then(|p| p.child("force_approximation_scaling_factor"));
    let rate = factor.map_or(Setting::default(1.0), |e| {
        let rate = value::real(&e.text).filter(|rate| *rate >= 0.0 && rate.is_finite());
        if rate.is_none() {
            let message = format!("<{}> is `{}`, not a number of 0 or more", e.name, e.text);
            report.add(Diagnostic::error("invalid-value", message).at(&e.text_location).element(e.path.as_str()));
        }
        Setting { value: rate.unwrap_or(1.0), origin: e.origin() }
    });
    let linear_velocity = Reader::new(Some(world), "world").vector("wind/linear_velocity");
    WindDescription { linear_velocity, rate, has_plugin: plugin.is_some() }
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
