//! What the engine in use leaves out, and sensors that no engine reads.

use crate::diagnostic::{Diagnostic, Location};

/// The finding of a line that names parameters, at the first of them.
#[must_use]
pub fn no_effect(line: impl Into<String>, at: &Location) -> Diagnostic {
    Diagnostic::note("without-effect", line).at(at)
}

/// The finding of a line that names plugins, at the first of them; a warning where the motion would be another with one.
#[must_use]
pub fn no_effect_of_plugins(line: impl Into<String>, at: &Location, is_missed: bool) -> Diagnostic {
    let make = if is_missed { Diagnostic::warning } else { Diagnostic::note };
    make("plugin-without-effect", line.into()).at(at)
}

/// The finding of a line that names sensors without a reading, at the first of them.
#[must_use]
pub fn no_reading(line: impl Into<String>, at: &Location) -> Diagnostic {
    Diagnostic::note("no-reading", line).at(at)
}
