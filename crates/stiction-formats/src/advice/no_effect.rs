//! Parameters that the engine in use leaves out, and sensors that no engine reads.

use crate::diagnostic::{Diagnostic, Location};

/// The finding of a line that names them, at the first of them, under an engine.
#[must_use]
pub fn no_effect(line: impl Into<String>, at: &Location, engine: &str) -> Diagnostic {
    let help = format!("`stiction explain FILE --engine {engine}` says what each parameter does");
    Diagnostic::note("without-effect", line).at(at).help(help)
}

/// The finding of a line that names sensors without a reading, at the first of them.
#[must_use]
pub fn no_reading(line: impl Into<String>, at: &Location) -> Diagnostic {
    Diagnostic::note("no-reading", line).at(at)
}
