//! Findings in a file: severity, code, place, what was found and what was expected.

use std::path::PathBuf;
use std::sync::Arc;

/// A place in a text file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The file.
    pub file: Arc<PathBuf>,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// Byte range in the file.
    pub span: std::ops::Range<usize>,
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The file is fine; something is worth saying.
    Note,
    /// The file runs, but perhaps not as meant.
    Warning,
    /// The file is refused.
    Error,
}

/// One finding.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// How bad.
    pub severity: Severity,
    /// Short stable word, such as `invalid-inertia`.
    pub code: &'static str,
    /// One sentence: what is wrong.
    pub message: String,
    /// Where; `None` for a finding about a file as a whole (missing file).
    pub location: Option<Location>,
    /// What was found there, shown beside the underlined text; may be empty.
    pub label: String,
    /// What would be right.
    pub help: Option<String>,
    /// Scoped path of the element, `world[default]/model[box]/link[body]`.
    pub element: String,
    /// The fault is in something that does not act on physics (visual, material, light, sensor, plugin, gui, scene).
    pub is_cosmetic: bool,
}
