//! What a file gives and the engine in use leaves out.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use stiction_formats::description::Origin;
use stiction_formats::usage::{self, How, Leaf};

use super::overruled::{Siblings, overruled};
use crate::engine::Engine;
use crate::setup::Project;

/// A parameter that a file gives, and that does not act under an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WithoutEffect {
    /// Its path, as `--set` takes it.
    pub path: String,
    /// Its path in its element: `surface.contact.ode.kp`.
    pub name: String,
    /// `FILE:LINE:COLUMN`.
    pub place: String,
    /// Why it does not act.
    pub reason: &'static str,
}

/// Parameters of one name in the summary.
const NAMED: usize = 4;

impl Project {
    /// Parameters that the files give and that do not act under an engine, in the order of the files. Values that are the format's
    /// defaults are left out, since they ask for nothing, and so are the blocks of other engines (`<bullet>`, `<dart>`, `<simbody>`).
    #[must_use]
    pub fn without_effect(&self, engine: &Engine) -> Vec<WithoutEffect> {
        let paths = &self.loaded.parameter_paths;
        let of = |(index, path): (usize, &stiction_formats::ParameterPath)| {
            let Origin::File(_) = &path.origin else { return None };
            let leaf = usage::find(&path.key)?;
            let beside = Siblings::of(paths, index, leaf);
            if asks_for_nothing(&path.value, leaf, &beside) || is_of_another(leaf, engine) {
                return None;
            }
            let reason = match usage::of(leaf, engine.name()) {
                Some(usage) if usage.how != How::Ignored => overruled(self, path, leaf, &beside, engine)?,
                Some(usage) => usage.text,
                None => "the engine has no such parameter",
            };
            Some(WithoutEffect { path: path.path.clone(), name: leaf.path(), place: path.origin.words(), reason })
        };
        paths.iter().enumerate().filter_map(of).collect()
    }
}

impl Project {
    /// Sensors of the files that have no reading under any engine, with the reason of each.
    #[must_use]
    pub fn sensors_without_reading(&self) -> Vec<WithoutEffect> {
        let Some(world) = self.loaded.world.as_ref() else { return Vec::new() };
        let of = |sensor: &stiction_formats::sensors::UnreadSensor| WithoutEffect {
            path: sensor.name.clone(),
            name: if sensor.word.is_empty() { "sensor".to_owned() } else { format!("sensor[{}]", sensor.word) },
            place: Origin::File(sensor.location.clone()).words(),
            reason: sensor.reason,
        };
        world.sensors.unread.iter().map(of).collect()
    }
}

impl WithoutEffect {
    /// Of sensors that have no reading, in one line; `None` where all read.
    #[must_use]
    pub fn sensor_line(all: &[Self]) -> Option<String> {
        let first = all.first()?;
        let named = |one: &Self| format!("`{}` ({}): {}", one.path, one.place, one.reason);
        let shown: Vec<String> = all.iter().take(NAMED).map(named).collect();
        let more = match all.len().saturating_sub(NAMED) {
            0 => String::new(),
            rest => format!("; and {rest} more"),
        };
        let subject = match all.len() {
            1 => format!("1 sensor of the file has no reading: {}", named(first)),
            n => format!("{n} sensors of the file have no reading: {}", shown.join("; ")),
        };
        Some(subject + &more)
    }

    /// One JSON object, with its fields as keys.
    #[must_use]
    pub fn json(&self) -> Value {
        json!({"path": self.path, "name": self.name, "place": self.place, "reason": self.reason})
    }

    /// All in one line; `None` where everything acts.
    #[must_use]
    pub fn line(all: &[Self], engine: &Engine) -> Option<String> {
        let mut names: BTreeMap<&str, (usize, &str)> = BTreeMap::new();
        let mut order = Vec::new();
        for one in all {
            let entry = names.entry(&one.name).or_insert_with(|| {
                order.push(one.name.as_str());
                (0, one.reason)
            });
            entry.0 += 1;
        }
        let named = |name: &&str| {
            let (count, reason) = names[*name];
            let times = if count > 1 { format!(" ({count} times)") } else { String::new() };
            format!("{name}{times}: {reason}")
        };
        let first: Vec<String> = order.iter().take(NAMED).map(named).collect();
        let more = match order.len().saturating_sub(NAMED) {
            0 => String::new(),
            rest => format!("; and {rest} more"),
        };
        let count = match all.len() {
            0 => return None,
            1 => "1 parameter of the file has".to_owned(),
            n => format!("{n} parameters of the file have"),
        };
        Some(format!("{count} no effect under `{}`: {}{more}", engine.name(), first.join("; ")))
    }
}

/// The value is the format's default, or the second coefficient is that of the first direction.
fn asks_for_nothing(value: &str, leaf: &Leaf, beside: &Siblings<'_>) -> bool {
    let numbers = |text: &str| text.split_whitespace().map(str::parse::<f64>).collect::<Result<Vec<_>, _>>().ok();
    let (value, default) = (value.trim(), leaf.default.trim());
    let is_second =
        leaf.key == "surface/friction/ode mu2" && value.parse().ok() == beside.number("surface.friction.ode.mu");
    is_second
        || value.eq_ignore_ascii_case(default)
        || numbers(value).is_some_and(|value| Some(value) == numbers(default))
}

/// A block that is meant for another engine than the one in use, where a file serves several.
fn is_of_another(leaf: &Leaf, engine: &Engine) -> bool {
    let is_own = ["bullet", "simbody", "dart"]
        .iter()
        .any(|block| engine.name().starts_with(block) && leaf.context().split('/').any(|part| part == *block));
    leaf.is_of_engine_block() && !is_own
}
