//! Plugins: which act, with their parameters, and which have no effect here.

mod aircraft;
mod as_sensor;
mod control;
mod flight;
mod fluid;
mod hold;
mod names;
mod reader;
mod skipped;
mod vehicle;
mod wind;

use std::collections::BTreeSet;

use crate::description::WorldDescription;
use crate::plugins::{
    BreakableDescription, PluginDescription, PluginEntry, PluginKind, PluginProgram, PluginRole, plugin_of_system,
};

use crate::diagnostic::Diagnostic;

use super::element::Element;
use super::report::Report;
use super::scope::{Kind, Scope};
pub(crate) use as_sensor::unread_sensor;
use names::{identify, reading};
pub(crate) use reader::leaves;
use reader::{Names, PluginReader};
pub(crate) use skipped::{COMMANDED, FROM_URDF, Skipped, initial_velocity, wind};

/// Plugins that act, in the order of the scopes and of the file.
pub(crate) fn read(scopes: &[Scope<'_>], world: &WorldDescription, report: &mut Report) -> Vec<PluginDescription> {
    let names = Names::new(world);
    let mut plugins = Vec::new();
    for (index, scope) in scopes.iter().enumerate() {
        let model = index.checked_sub(1);
        let is_static = model.is_some_and(|m| world.models[m].is_static);
        for element in scope.element.children_named("plugin") {
            if let Some(wind) = wind::change(element, scope, world, &names, report) {
                plugins.push(wind);
            }
            let Some((program, entry)) = identify(element) else { continue };
            let system = entry.system;
            let Some(read) = reading(entry) else {
                // Velocities at the start and slip of wheels are read elsewhere.
                if is_static && entry.role == PluginRole::Acts {
                    report.add(of_static_model(system, &scope.name, element));
                }
                continue;
            };
            let mut r = reader(element, program, entry, model, world, &names, report);
            let kind = read(&mut r);
            if r.has_failed {
                continue;
            }
            r.report_unknown();

            let Some(kind) = kind else { continue };
            if is_static && !entry.acts_on_static_models {
                report.add(of_static_model(system, &scope.name, element));
                continue;
            }
            let name = scope.scoped(if element.named().is_empty() { system } else { element.named() });
            let (parameters, location) = (r.parameters(), element.location.clone());
            plugins.push(PluginDescription { name, system, model, kind, parameters, location });
        }
        for entry in &scope.entries {
            if let Kind::Joint(_) = entry.kind {
                plugins.extend(breakable(entry.element, scope, model, world, &names, report));
            }
        }
    }
    plugins
}

fn of_static_model(system: &str, model: &str, plugin: &Element) -> Diagnostic {
    let message = format!("{system} has no effect: `{model}` is static, and nothing moves it");
    Diagnostic::warning("plugin-of-static-model", message)
        .at(&plugin.location)
        .help("without <static> and with a fixed joint to the world the model stays in place, and its parts move")
}

fn reader<'r>(
    element: &'r Element,
    program: PluginProgram,
    entry: &'static PluginEntry,
    model: Option<usize>,
    world: &'r WorldDescription,
    names: &'r Names<'r>,
    report: &'r mut Report,
) -> PluginReader<'r> {
    let (asked, defaults) = (BTreeSet::new(), Vec::new());
    PluginReader { element, program, entry, world, names, model, report, asked, has_failed: false, defaults }
}

/// `BreakableJointPlugin` of the force-torque sensor of a joint.
fn breakable(
    joint: &Element,
    scope: &Scope<'_>,
    model: Option<usize>,
    world: &WorldDescription,
    names: &Names<'_>,
    report: &mut Report,
) -> Vec<PluginDescription> {
    let mut plugins = Vec::new();
    let name = scope.scoped(joint.named());
    for sensor in joint.children_named("sensor").filter(|s| s.value("type") == Some("force_torque")) {
        for plugin in sensor.children_named("plugin").filter(|p| is_breakable(p)) {
            let Some(index) = names.joints.get(name.as_str()) else { continue };
            let Some(entry) = plugin_of_system("BreakableJointPlugin") else { continue };
            let mut r = reader(plugin, PluginProgram::Classic, entry, model, world, names, report);
            let force = hold::breaking_force(&mut r);
            if r.has_failed {
                continue;
            }
            r.report_unknown();
            let rate = sensor.child("update_rate").and_then(|e| super::value::real(&e.text)).unwrap_or(0.0);
            let period = if rate > 0.0 { 1.0 / rate } else { 0.0 };
            let kind = PluginKind::Breakable(BreakableDescription { joint: *index, force, period });
            let (parameters, location) = (r.parameters(), plugin.location.clone());
            let system = "BreakableJointPlugin";
            plugins.push(PluginDescription { name: name.clone(), system, model, kind, parameters, location });
        }
    }
    plugins
}

fn is_breakable(plugin: &Element) -> bool {
    plugin.value("filename").is_some_and(|file| file.contains("BreakableJointPlugin"))
}

/// Puts the joints that a harness makes into its model, and the sensors that plugins are into links and joints, where they are
/// read as all others.
pub(crate) fn hoist(element: &mut Element) {
    for child in element.children.iter_mut().filter(|c| c.name == "model") {
        hoist(child);
    }
    if element.name == "model" {
        as_sensor::hoist(element);
    }
    let is_harness =
        |p: &&Element| p.name == "plugin" && p.value("filename").is_some_and(|file| file.contains("HarnessPlugin"));
    // A file that was written with its tree flattened has them there already.
    let is_there = |joint: &&Element| element.children_named("joint").any(|other| other.named() == joint.named());
    let of_harnesses = element.children.iter().filter(is_harness).flat_map(|p| p.children_named("joint"));
    let joints: Vec<Element> = of_harnesses.filter(|joint| !is_there(joint)).cloned().collect();
    if element.name == "model" {
        element.children.extend(joints);
    }
}
