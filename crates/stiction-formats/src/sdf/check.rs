//! The check that needs no meaning: known elements, and texts that their types accept.

use crate::diagnostic::Diagnostic;
use crate::suggest::did_you_mean;

use super::element::Element;
use super::report::Report;
use super::spec::{self, Kind};
use super::value;

/// Checks everything below `element`, which stands for `context`.
pub(crate) fn check_tree(element: &Element, context: &str, report: &mut Report) {
    effects_of_foreign(element, context, report);
    for (index, child) in element.children.iter().enumerate().filter(|(_, c)| !c.is_foreign()) {
        let Some(entry) = spec::lookup(context, &child.name) else {
            unknown(child, context, report);
            continue;
        };
        if !REPEATED.contains(&child.name.as_str()) {
            repeated(element, index, report);
        }
        old_attributes(child, report);
        check_value(child, entry, report);
        if entry.is_unused {
            without_effect(child, context, entry, report);
        }
        if entry.kind == Kind::Tree {
            check_tree(child, &spec::context(context, &child.name), report);
        }
    }
}

/// Tells the values of other formats' elements that have no effect; their readers check them.
fn effects_of_foreign(element: &Element, context: &str, report: &mut Report) {
    for child in element.children.iter().filter(|c| c.is_foreign()) {
        let Some(entry) = spec::lookup(context, &child.name) else { continue };
        if entry.is_unused {
            without_effect(child, context, entry, report);
        }
        effects_of_foreign(child, &spec::context(context, &child.name), report);
    }
}

/// Elements of older versions of the format, which newer files may not have, and what takes their place.
const REPLACED: [(&str, &str, &str); 6] = [
    ("physics", "gravity", "since version 1.6 of the format <gravity> is an element of the world"),
    ("physics", "magnetic_field", "since version 1.6 of the format <magnetic_field> is an element of the world"),
    ("physics", "update_rate", "since version 1.4 of the format it is <real_time_update_rate>"),
    ("physics/ode/solver", "dt", "since version 1.4 of the format it is <max_step_size> of <physics>"),
    ("link", "damping", "since version 1.4 of the format it is <velocity_decay>"),
    (
        "joint/axis",
        "use_parent_model_frame",
        "since version 1.7 of the format `<xyz expressed_in=\"__model__\">` says that an axis is meant in the model's frame",
    ),
];

/// Elements that may stand more than once in another.
const REPEATED: [&str; 21] = [
    "world",
    "model",
    "light",
    "actor",
    "include",
    "physics",
    "frame",
    "joint",
    "plugin",
    "link",
    "collision",
    "visual",
    "sensor",
    "gripper",
    "projector",
    "audio_source",
    "audio_sink",
    "particle_emitter",
    "point",
    "polyline",
    "road",
];

/// Of a single element that stands twice the first counts.
fn repeated(parent: &Element, index: usize, report: &mut Report) {
    let child = &parent.children[index];
    let Some(first) = parent.children[..index].iter().find(|other| other.name == child.name) else { return };
    let message = format!("<{}> occurs more than once in <{}>", child.name, parent.name);
    let finding = Diagnostic::warning("repeated-element", message)
        .at(&child.location)
        .label("skipped")
        .help(format!("the first one counts, at line {}", first.location.line))
        .element(child.path.as_str());
    report.add(finding);
}

/// The frame of a pose was an attribute of another name before version 1.7 of the format.
fn old_attributes(element: &Element, report: &mut Report) {
    let Some(frame) = element.attribute("frame").filter(|_| element.name == "pose") else { return };
    let finding = Diagnostic::warning("unknown-attribute", "the attribute `frame` is not known in <pose>")
        .at(&frame.location)
        .label("skipped")
        .help("since version 1.7 of the format it is `relative_to`")
        .element(element.path.as_str());
    report.once("pose frame", finding);
}

fn unknown(child: &Element, context: &str, report: &mut Report) {
    let place = if context == "sdf" { "<sdf>".to_owned() } else { format!("<{}>", context.replace('/', "><")) };
    let mut finding = Diagnostic::warning("unknown-element", format!("<{}> is not known in {place}", child.name))
        .at(&child.location)
        .label("skipped")
        .element(child.path.as_str());
    let of_old = REPLACED.iter().find(|(of, name, _)| *of == context && *name == child.name);
    finding.help = match of_old {
        Some((.., help)) => Some((*help).to_owned()),
        None => did_you_mean(&child.name, spec::children(context).iter().map(|(n, _)| *n)),
    };
    report.once(format!("{context} {}", child.name), finding);
}

/// Reports values that differ from their default but have no effect yet, once per kind.
fn without_effect(child: &Element, context: &str, entry: spec::Entry, report: &mut Report) {
    let numbers = |text: &str| text.split_whitespace().map(str::parse).collect::<Result<Vec<f64>, _>>().ok();
    let (text, default) = (child.text.trim(), entry.default);
    let is_default = match entry.kind {
        Kind::Bool => matches!(text, "true" | "1") == (default == "true"),
        Kind::Text => text == default,
        _ => numbers(text).is_some_and(|own| numbers(default).is_some_and(|default| own == default)),
    };
    if is_default {
        return;
    }
    let message = format!("<{}> has no effect in this version", child.name.replace('.', ":"));
    let finding = Diagnostic::warning("no-effect", message).at(&child.text_location).element(child.path.as_str());
    report.once(format!("{context} {}", child.name), finding);
}

fn check_value(child: &Element, entry: spec::Entry, report: &mut Report) {
    // An override was checked when it was applied.
    if child.override_path.is_some() {
        return;
    }
    let Err(bad) = value::check(child, entry) else { return };
    let shown: String = child.text.chars().take(60).collect();
    let finding = Diagnostic::error(bad.code, format!("<{}> is `{shown}`, not {}", child.name, bad.expected))
        .at(&child.text_location)
        .label(format!("expected {}", bad.expected))
        .element(child.path.as_str());
    let finding = match child.name.as_str() {
        "mu" | "mu2" if bad.is_soft => finding.help("as in Gazebo classic, a negative coefficient means no limit"),
        "min_depth" | "threshold" | "damping" | "rolling_friction" if bad.is_soft => finding.help("it counts as 0"),
        "max_vel" if bad.is_soft => finding.help("it counts as the world's contact_max_correcting_vel"),
        _ if entry.default.is_empty() => finding,
        _ => finding.help(format!("the default is {}{}", entry.default, with_unit(entry.unit))),
    };
    if bad.is_soft { report.tolerated(finding) } else { report.add(finding) }
}

fn with_unit(unit: &str) -> String {
    if unit.is_empty() { String::new() } else { format!(" {}", unit.replace('|', " or ")) }
}
