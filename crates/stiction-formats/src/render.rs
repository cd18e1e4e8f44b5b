//! Findings as text.

use std::fmt::Display;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::diagnostic::{Diagnostic, Severity};
use crate::source::Sources;

/// Findings as rustc shows them: the line, what is underlined, the help.
#[must_use]
pub fn render(diagnostics: &[Diagnostic], sources: &Sources, color: bool) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let mut text = String::new();
    for diagnostic in diagnostics {
        text.push_str(&render_one(diagnostic, sources, &renderer));
        text.push_str("\n\n");
    }
    text
}

fn render_one(d: &Diagnostic, sources: &Sources, renderer: &Renderer) -> String {
    let level = match d.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let mut group = Group::with_title(level.primary_title(d.message.as_str()).id(d.code));
    let shown = d.location.as_ref().map(|l| (l, l.file.display().to_string()));
    if let Some((location, file)) = &shown {
        match sources.get(&location.file).filter(|t| {
            location.span.end <= t.len()
                && t.is_char_boundary(location.span.start)
                && t.is_char_boundary(location.span.end)
        }) {
            Some(source) => {
                let label = (!d.label.is_empty()).then_some(d.label.as_str());
                let annotation = AnnotationKind::Primary.span(location.span.clone()).label(label);
                group = group.element(Snippet::source(source).path(file.as_str()).annotation(annotation));
            }
            None => {
                group = group.element(
                    Origin::path(file.as_str()).line(location.line as usize).char_column(location.column as usize),
                );
            }
        }
    }
    if !d.element.is_empty() {
        group = group.element(Level::NOTE.message(format!("in {}", d.element)));
    }
    if let Some(help) = &d.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    renderer.render(&[group]).to_string()
}

/// `file:line:col: error[CODE] message`.
#[must_use]
pub fn one_line(d: &Diagnostic) -> String {
    let severity = match d.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let place =
        d.location.as_ref().map_or_else(String::new, |l| format!("{}:{}:{}: ", l.file.display(), l.line, l.column));
    format!("{place}{severity}[{}] {}", d.code, d.message)
}

/// A number for people: four significant digits, a power of ten where it is very small or large, never `-0`.
#[must_use]
pub fn rounded(x: f64) -> String {
    if !x.is_finite() {
        return if x.is_nan() {
            "NaN"
        } else if x > 0.0 {
            "inf"
        } else {
            "-inf"
        }
        .to_owned();
    }
    // Whole digits stay: 12346, not 12350.
    if (999.95..999_950.0).contains(&x.abs()) { format!("{x:.0}") } else { four_digits(x, 1e6) }
}

/// A finite number with four significant digits, plain from 0.001 up to the largest plain one, else with a power of ten.
#[must_use]
pub fn four_digits(x: f64, largest_plain: f64) -> String {
    let text = format!("{x:.3e}");
    let rounded: f64 = text.parse().unwrap_or(x);
    if rounded == 0.0 {
        return "0".to_owned();
    }
    if (1e-3..largest_plain).contains(&rounded.abs()) {
        return rounded.to_string();
    }
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let mantissa = if mantissa.contains('.') { mantissa.trim_end_matches('0').trim_end_matches('.') } else { mantissa };
    format!("{mantissa}e{exponent}")
}

/// A count with its noun: `1 link`, `2 links`.
#[must_use]
pub fn counted<N: Display + PartialEq + From<u8>>(count: N, noun: &str) -> String {
    if count == 1.into() { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::{counted, rounded};

    #[test]
    fn numbers_are_rounded_for_people() {
        for (x, text) in [
            (0.290_000_000_000_000_04, "0.29"),
            (9.600_000_000_000_001, "9.6"),
            (-0.0, "0"),
            (-1e-300, "-1e-300"),
            (705.6, "705.6"),
            (99.996, "100"),
            (12_345.6, "12346"),
            (-0.001_234_6, "-0.001235"),
            (5.88e-11, "5.88e-11"),
            (2e9, "2e9"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(rounded(x), text);
        }
        assert_eq!(
            [counted(0_u64, "link"), counted(1_usize, "link"), counted(2_u32, "link")],
            ["0 links", "1 link", "2 links"]
        );
    }
}
