//! What a file gives and the engine in use leaves out.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use stiction_formats::description::{Origin, SkippedElement, WorldDescription};
use stiction_formats::diagnostic::Location;
use stiction_formats::plugins::{PluginRole, find_plugin, plugin_of_system, plugin_without_effect};
use stiction_formats::sensors::UnreadSensor;
use stiction_formats::usage::{self, How, Leaf, limit_of_plugin};

use super::overruled::{Siblings, overruled};
use crate::engine::Engine;
use crate::setup::Project;

/// What kind of thing has no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// A parameter of a file.
    Parameter,
    /// A plugin, or a part of its effect.
    Plugin,
    /// A sensor, which has no reading.
    Sensor,
}

/// Something that a file has, and that does not act under an engine.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct WithoutEffect {
    /// What it is.
    pub subject: Subject,
    /// The path of a parameter, as `--set` takes it, or the scoped name of a plugin; of others that of the element.
    pub path: String,
    /// The path of a parameter in its element (`surface.contact.ode.kp`), the file of a plugin, the type of a sensor.
    pub name: String,
    /// Where the first one stands.
    pub location: Location,
    /// How many there are.
    pub count: usize,
    /// Why it does not act, or what it would have done.
    pub reason: String,
    /// The motion would be another with it: a plugin that is not known or that moves something.
    pub is_missed: bool,
}

/// Names in a line.
const NAMED: usize = 4;

impl Project {
    /// Parameters, plugins and sensors that the files have and that do not act under an engine, each in the order of the files.
    /// Values that are the format's defaults are left out, since they ask for nothing, and so are the blocks of other engines
    /// (`<bullet>`, `<dart>`, `<simbody>`), unless only they describe a surface.
    #[must_use]
    pub fn without_effect(&self, engine: &Engine) -> Vec<WithoutEffect> {
        let mut all = self.parameters_without_effect(engine);
        if let Ok(world) = self.description() {
            all.extend(plugins_in_part(world, engine));
            all.extend(world.skipped.iter().filter_map(skipped));
            all.extend(world.sensors.unread.iter().map(unread));
        }
        all.sort_by_key(|one| one.subject);
        all
    }

    fn parameters_without_effect(&self, engine: &Engine) -> Vec<WithoutEffect> {
        let paths = &self.loaded.parameter_paths;
        let of = |(index, path): (usize, &stiction_formats::ParameterPath)| {
            let Origin::File(location) = &path.origin else { return None };
            let leaf = usage::find(&path.key)?;
            let beside = Siblings::of(paths, index, leaf);
            if asks_for_nothing(&path.value, leaf, &beside) || is_of_another(leaf, engine, &beside) {
                return None;
            }
            let reason = match usage::of(leaf, engine.name()) {
                Some(usage) if usage.how != How::Ignored => overruled(self, path, leaf, &beside, engine)?,
                Some(usage) => usage.text,
                None => "the engine has no such parameter",
            };
            Some(WithoutEffect {
                subject: Subject::Parameter,
                path: path.path.clone(),
                name: leaf.path(),
                location: location.clone(),
                count: 1,
                reason: reason.to_owned(),
                is_missed: false,
            })
        };
        paths.iter().enumerate().filter_map(of).collect()
    }
}

impl WithoutEffect {
    /// `FILE:LINE:COLUMN`.
    #[must_use]
    pub fn place(&self) -> String {
        Origin::File(self.location.clone()).words()
    }

    /// One JSON object, with its fields as keys.
    #[must_use]
    pub fn json(&self) -> Value {
        json!({
            "kind": self.subject.word(),
            "path": self.path,
            "name": self.name,
            "place": self.place(),
            "count": self.count,
            "reason": self.reason,
        })
    }

    /// One of a kind would change the motion: the line is a warning.
    #[must_use]
    pub fn is_warning(all: &[Self], subject: Subject) -> bool {
        all.iter().any(|one| one.subject == subject && one.is_missed)
    }

    /// Those of one kind in one line; `None` where all act.
    #[must_use]
    pub fn line(all: &[Self], subject: Subject, engine: &Engine) -> Option<String> {
        let all = || all.iter().filter(|one| one.subject == subject);
        let mut names: BTreeMap<&str, (usize, &str)> = BTreeMap::new();
        let mut order = Vec::new();
        for one in all() {
            let entry = names.entry(&one.name).or_insert_with(|| {
                order.push(one.name.as_str());
                (0, one.reason.as_str())
            });
            entry.0 += one.count;
        }
        let named = |name: &&str| {
            let (count, reason) = names[*name];
            let times = if count > 1 { format!(" ({count} times)") } else { String::new() };
            let why = if reason.is_empty() { String::new() } else { format!(": {reason}") };
            format!("{name}{times}{why}")
        };
        let first: Vec<String> = order.iter().take(NAMED).map(named).collect();
        let more = match order.len().saturating_sub(NAMED) {
            0 => String::new(),
            rest => format!("; and {rest} more"),
        };
        let word = subject.word();
        let count = match all().map(|one| one.count).sum() {
            0 => return None,
            1 => format!("1 {word} of the file has"),
            n => format!("{n} {word}s of the file have"),
        };
        let no = match subject {
            Subject::Parameter => format!("no effect under `{}`", engine.name()),
            Subject::Plugin if all().all(|one| plugin_of_system(&one.name).is_none()) => "no effect".to_owned(),
            Subject::Plugin => format!("no or limited effect under `{}`", engine.name()),
            Subject::Sensor => "no reading".to_owned(),
        };
        Some(format!("{count} {no}: {}{more}; {}", first.join("; "), subject.page()))
    }
}

impl Subject {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Parameter, Self::Plugin, Self::Sensor];

    const fn word(self) -> &'static str {
        match self {
            Self::Parameter => "parameter",
            Self::Plugin => "plugin",
            Self::Sensor => "sensor",
        }
    }

    /// Where to read more.
    const fn page(self) -> &'static str {
        match self {
            Self::Parameter => "`stiction explain FILE` says what each parameter does",
            Self::Plugin => "`stiction explain PLUGIN` says what it does",
            Self::Sensor => "docs/plugins.md has the sensors that read",
        }
    }
}

/// Plugins that act through a parameter that the engine ignores.
fn plugins_in_part<'w>(world: &'w WorldDescription, engine: &'w Engine) -> impl Iterator<Item = WithoutEffect> + 'w {
    let of = |system: &str, path: String, location: &Location| {
        let reason = limit_of_plugin(plugin_of_system(system)?, engine.name())?;
        let (name, location) = (system.to_owned(), location.clone());
        Some(WithoutEffect { subject: Subject::Plugin, path, name, location, count: 1, reason, is_missed: true })
    };
    let plugins = world.plugins.iter().filter_map(move |p| of(p.system, p.name.clone(), &p.location));
    let wheels = world.wheel_slips.iter();
    let wheels = wheels.filter_map(move |w| of("WheelSlip", world.links[w.link].name.clone(), &w.location));
    plugins.chain(wheels)
}

/// Plugins that are skipped under every engine.
fn skipped(element: &SkippedElement) -> Option<WithoutEffect> {
    let name = element.plugin()?.to_owned();
    let reason = match element.effect.as_str() {
        "" => match find_plugin(&name).err().unwrap_or_default().first() {
            Some(near) => format!("unknown plugin; did you mean {near}?"),
            None => "unknown plugin".to_owned(),
        },
        effect => effect.to_owned(),
    };
    let is_unseen = plugin_without_effect(&name).is_some_and(|entry| matches!(entry.role, PluginRole::Unseen(_)));
    let is_missed = !is_unseen;
    let (path, location) = (element.path.clone(), element.location.clone());
    Some(WithoutEffect { subject: Subject::Plugin, path, name, location, count: element.count, reason, is_missed })
}

fn unread(sensor: &UnreadSensor) -> WithoutEffect {
    WithoutEffect {
        subject: Subject::Sensor,
        path: sensor.name.clone(),
        name: if sensor.word.is_empty() { "sensor".to_owned() } else { sensor.word.clone() },
        location: sensor.location.clone(),
        count: 1,
        reason: sensor.reason.to_owned(),
        is_missed: false,
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

/// A block that is meant for another engine than the one in use, where a file serves several. A surface that only such a block describes is
/// meant for every engine.
fn is_of_another(leaf: &Leaf, engine: &Engine, beside: &Siblings<'_>) -> bool {
    let is_own = ["bullet", "simbody", "dart"]
        .iter()
        .any(|block| engine.name().starts_with(block) && leaf.context().split('/').any(|part| part == *block));
    // `friction` and `friction2` are called `mu` and `mu2` there.
    let of_ode = leaf.path().replace("bullet.friction", "ode.mu").replace(".bullet.", ".ode.");
    let describes_alone = leaf.context().starts_with("surface/") && !beside.is_given(&of_ode);
    leaf.is_of_engine_block() && !is_own && !describes_alone
}
