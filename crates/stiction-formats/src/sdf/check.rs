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
    for child in element.children.iter().filter(|c| !c.is_foreign()) {
        let Some(entry) = spec::lookup(context, &child.name) else {
            unknown(child, context, report);
            continue;
        };
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

fn unknown(child: &Element, context: &str, report: &mut Report) {
    // Left-overs of old versions that the conversion has used.
    if child.name == "use_parent_model_frame" || (context == "physics" && child.name == "gravity") {
        return;
    }
    let place = if context == "sdf" { "<sdf>".to_owned() } else { format!("<{}>", context.replace('/', "><")) };
    let mut finding = Diagnostic::warning("unknown-element", format!("<{}> is not known in {place}", child.name))
        .at(&child.location)
        .label("skipped")
        .element(child.path.as_str());
    finding.help = did_you_mean(&child.name, spec::children(context).iter().map(|(n, _)| *n));
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
        _ if entry.default.is_empty() => finding,
        _ => finding.help(format!("the default is {}{}", entry.default, with_unit(entry.unit))),
    };
    if bad.is_soft { report.tolerated(finding) } else { report.add(finding) }
}

fn with_unit(unit: &str) -> String {
    if unit.is_empty() { String::new() } else { format!(" {unit}") }
}
