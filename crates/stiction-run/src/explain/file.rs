//! Every parameter of a file.

use stiction_formats::description::Origin;
use stiction_formats::diagnostic::Location;
use stiction_formats::plugins::GivenParameter;
use stiction_formats::sensors::SensorKind;
use stiction_formats::usage::{self, How, Leaf};

use super::numbers::{Numbers, numbers};
use super::overruled::{Siblings, acts_as, overruled};
use crate::engine::Engine;
use crate::error::RunError;
use crate::setup::Project;
use crate::values::ParameterValue;

/// A parameter with its value, and what the engine does with it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ExplainedValue {
    /// Dotted path, as settings have it.
    pub path: String,
    /// The path without the element that holds it.
    pub name: String,
    /// Value, as text.
    pub value: String,
    /// Unit; empty or `1` for none.
    pub unit: &'static str,
    /// `default`, `FILE:LINE:COLUMN`, `preset NAME`, `--set` or another option of the command.
    pub origin: String,
    /// What the engine does with it.
    pub how: How,
    /// To what it is mapped and by which formula, why it is ignored, or what limits its use.
    pub reason: String,
    /// The formula with the numbers of this file, where it is simple.
    pub numbers: Option<String>,
}

/// The parameters of one element.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Group {
    /// Path of what has a name: `model.box.link.base.collision.c`; `world`, or `engine` for what no file has.
    pub element: String,
    /// Its parameters in the order of the table of elements.
    pub values: Vec<ExplainedValue>,
}

/// What an engine does with the parameters of a file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Explanation {
    /// Name of the engine.
    pub engine: &'static str,
    /// Step \[s\].
    pub step: f64,
    /// Settings that make the engine another one than the table of use is about.
    pub departures: Vec<String>,
    /// By element.
    pub groups: Vec<Group>,
}

/// Parameters that decide what an engine is.
const STRUCTURE: [&str; 6] =
    ["contact.model", "contact.manifold", "solver.kind", "physics.time", "physics.coordinates", "physics.free_motion"];

impl Project {
    /// What an engine does with each parameter: those that are given and those of `<physics>`, or `all`.
    ///
    /// # Errors
    /// Findings that stop a run.
    pub fn explain(&self, engine: &Engine, all: bool) -> Result<Explanation, RunError> {
        let context = Numbers::new(self.description()?, engine);
        let paths = &self.loaded.parameter_paths;
        let values = self.values(engine);
        let mut groups: Vec<Group> = Vec::new();
        for (index, value) in values.iter().enumerate() {
            // Parameters of the files stand first, in their order.
            let path = paths.get(index);
            let key = path.map_or(value.path.as_str(), |p| p.key.as_str());
            let Some(leaf) = usage::find(key) else { continue };
            let is_of_physics = leaf.context().starts_with("physics") && !leaf.is_of_engine_block();
            if !(all || is_of_physics || value.origin != "default") {
                continue;
            }
            let element = element(&value.path, leaf, path.is_some());
            let explained = self.explained(value, index, leaf, engine, &context);
            match groups.last_mut().filter(|group| group.element == element) {
                Some(group) => group.values.push(explained),
                None => groups.push(Group { element, values: vec![explained] }),
            }
        }
        groups.extend(self.acting(all)?);
        let departures = values[paths.len()..]
            .iter()
            .filter(|v| STRUCTURE.contains(&v.path.as_str()) && v.origin.starts_with("--"))
            .map(|v| format!("{} = {} ({}) makes another engine of {}", v.path, v.value, v.origin, engine.name()))
            .collect();
        Ok(Explanation { engine: engine.name(), step: engine.step, departures, groups })
    }

    /// Plugins and sensors in force, each with the parameters that the file gives it, or with `all`. They act under every engine.
    fn acting(&self, all: bool) -> Result<Vec<Group>, RunError> {
        let world = self.description()?;
        let group =
            |element: String, at: &Location, parameters: &[GivenParameter], reason: &dyn Fn(&str) -> &'static str| {
                let value = |parameter: &GivenParameter| ExplainedValue {
                    path: format!("{element}.{}", parameter.name),
                    name: parameter.name.clone(),
                    value: parameter.value.value.clone(),
                    unit: "",
                    origin: parameter.value.origin.words(),
                    how: How::Used,
                    reason: reason(&parameter.name).to_owned(),
                    numbers: None,
                };
                let shown = parameters.iter().filter(|p| all || p.value.is_given()).map(value).collect();
                Group { element: format!("{element}, {}", Origin::File(at.clone()).words()), values: shown }
            };
        let plugins = world.plugins.iter().map(|plugin| {
            group(format!("plugin {} ({})", plugin.name, plugin.system), &plugin.location, &plugin.parameters, &|_| "")
        });
        let sensors = world.sensors.list.iter().map(|sensor| {
            let name = format!("sensor {} ({})", sensor.name, sensor.kind.word());
            group(name, &sensor.location, &sensor.parameters, &|parameter| of_wrench(&sensor.kind, parameter))
        });
        Ok(plugins.chain(sensors).collect())
    }

    fn explained(
        &self,
        value: &ParameterValue,
        index: usize,
        leaf: &Leaf,
        engine: &Engine,
        context: &Numbers<'_>,
    ) -> ExplainedValue {
        let usage = usage::of(leaf, engine.name());
        let (mut how, mut reason) = usage.map_or((How::Ignored, ""), |u| (u.how, u.text));
        let paths = &self.loaded.parameter_paths;
        let path = paths.get(index);
        let beside = path.map(|_| Siblings::of(paths, index, leaf));
        let acts = how != How::Ignored;
        let mut numbers =
            usage.filter(|_| acts).and_then(|u| numbers(leaf, u.note, &value.value, beside.as_ref(), context));
        let why = path.zip(beside).and_then(|(path, beside)| overruled(self, path, leaf, &beside, engine));
        if let Some(why) = why.filter(|_| acts) {
            (how, reason, numbers) = (How::Ignored, why, None);
        }
        let other = path.and_then(|path| acts_as(path, leaf)).filter(|_| how == How::Used || how == How::Mapped);
        if let Some(other) = other {
            (how, reason, numbers) = (How::Mapped, other, None);
        }
        ExplainedValue {
            path: value.path.clone(),
            name: tail(&value.path, leaf).to_owned(),
            value: value.value.clone(),
            unit: value.unit,
            origin: value.origin.clone(),
            how,
            reason: reason.to_owned(),
            numbers,
        }
    }
}

/// The last parts of a path, as many as its parameter has: names may have dots.
fn tail<'a>(path: &'a str, leaf: &Leaf) -> &'a str {
    let parts = leaf.path().split('.').count();
    path.rmatch_indices('.').nth(parts - 1).map_or(path, |(at, _)| &path[at + 1..])
}

fn element(path: &str, leaf: &Leaf, is_of_file: bool) -> String {
    let head = path.strip_suffix(tail(path, leaf)).unwrap_or_default().trim_end_matches('.');
    match head {
        "" if is_of_file => "world".to_owned(),
        "" => "engine".to_owned(),
        head => head.to_owned(),
    }
}

/// What a parameter of a force-torque sensor says.
fn of_wrench(kind: &SensorKind, parameter: &str) -> &'static str {
    match (kind, parameter) {
        (SensorKind::ForceTorque { .. }, "pose") => {
            "in the frame of the joint, which moves with the child; the moment is about this place"
        }
        (SensorKind::ForceTorque { .. }, "force_torque/frame") => {
            "the axes of force and moment; the place is the sensor's in each case"
        }
        (SensorKind::ForceTorque { .. }, "force_torque/measure_direction") => "whose wrench on whom",
        _ => "",
    }
}
