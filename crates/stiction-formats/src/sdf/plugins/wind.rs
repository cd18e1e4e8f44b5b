//! Wind that rises and waves.

use super::super::element::Element;
use super::super::report::Report;
use super::super::scope::Scope;
use super::super::value;
use super::reader::{Names, Range};
use super::skipped::is_wind;
use crate::description::WorldDescription;
use crate::plugins::{PluginDescription, PluginKind, PluginProgram, WindChangeDescription, plugin_of_system};

/// `<horizontal>` and `<vertical>` of a wind plugin of the world.
pub(super) fn change(
    element: &Element,
    scope: &Scope<'_>,
    world: &WorldDescription,
    names: &Names<'_>,
    report: &mut Report,
) -> Option<PluginDescription> {
    let parts = ["horizontal", "vertical"].map(|name| element.child(name));
    if !scope.is_world() || !is_wind(element) || parts.iter().all(Option::is_none) {
        return None;
    }
    let entry = plugin_of_system("WindEffects")?;
    let mut r = super::reader(element, PluginProgram::GzSim, entry, None, world, names, report);
    let mut number = |path: &str, default: f64, range: Range| {
        let found = element.find(path).filter(|e| !e.text.is_empty());
        found.and_then(|e| r.number_of(e, range)).unwrap_or(default)
    };
    let times = ["horizontal/magnitude", "horizontal/direction", "vertical"]
        .map(|path| number(&format!("{path}/time_for_rise"), 1.0, Range::Positive));
    let magnitude_sine = [
        number("horizontal/magnitude/sin/amplitude_percent", 0.0, Range::Any),
        number("horizontal/magnitude/sin/period", 1.0, Range::Positive),
    ];
    // The amplitude of the direction is in degrees.
    let direction_sine = [
        number("horizontal/direction/sin/amplitude", 0.0, Range::Any).to_radians(),
        number("horizontal/direction/sin/period", 1.0, Range::Positive),
    ];
    if r.has_failed {
        return None;
    }
    Some(PluginDescription {
        name: element.named().to_owned(),
        system: "WindEffects",
        model: None,
        kind: PluginKind::WindChange(WindChangeDescription { times, magnitude_sine, direction_sine }),
        parameters: super::leaves(element),
        location: element.location.clone(),
    })
}

/// Parts of the wind that are random: noise other than of the type `none` or without a deviation.
pub(super) fn noises(element: &Element) -> Vec<&Element> {
    let paths = ["horizontal/magnitude/noise", "horizontal/direction/noise", "vertical/noise"];
    let is_noise = |noise: &&Element| {
        let deviation = noise.child("stddev").and_then(|e| value::real(&e.text)).unwrap_or(0.0);
        noise.value("type").is_some_and(|kind| kind != "none") && deviation != 0.0
    };
    paths.iter().filter_map(|path| element.find(path)).filter(is_noise).collect()
}
