//! Findings as text.

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
