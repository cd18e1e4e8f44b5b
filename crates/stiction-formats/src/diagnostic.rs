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

/// Values of elements that would be right: what `check --fix` writes.
#[derive(Clone, Debug, PartialEq)]
pub struct Edit {
    /// The element, by a byte range that begins in its start tag or in its text.
    pub at: Location,
    /// Name of the element that stands there.
    pub inside: &'static str,
    /// Names of the elements below it that lead to those with the values; what is missing is made.
    pub path: &'static [&'static str],
    /// Names of elements at the end of the path, and their texts. An empty name is the element there itself.
    pub leaves: Vec<(&'static str, String)>,
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
    /// `run` refuses the file because of it. False for a fault in what does not act on physics (visual, material,
    /// light, sensor, plugin, gui, scene), and for one that Gazebo classic runs with a documented meaning:
    /// `check` reports an error, `run` a warning.
    pub blocks_run: bool,
    /// The proposal, where a program can write it without the judgement of a person.
    pub fix: Option<Edit>,
}

impl Diagnostic {
    /// A finding of any severity without a place.
    #[must_use]
    pub fn new(severity: Severity, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            severity,
            code,
            message: message.into(),
            location: None,
            label: String::new(),
            help: None,
            element: String::new(),
            blocks_run: severity == Severity::Error,
            fix: None,
        }
    }

    /// An error that stops a run.
    #[must_use]
    pub fn error(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, message)
    }

    /// A warning.
    #[must_use]
    pub fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, message)
    }

    /// A finding that only says something.
    #[must_use]
    pub fn note(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Severity::Note, code, message)
    }

    /// With a place.
    #[must_use]
    pub fn at(mut self, location: &Location) -> Self {
        self.location = Some(location.clone());
        self
    }

    /// With a place, if it is known.
    #[must_use]
    pub fn at_known(self, location: Option<&Location>) -> Self {
        match location {
            Some(location) => self.at(location),
            None => self,
        }
    }

    /// With words beside the underlined text.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// With a way out.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// With what a program can write.
    #[must_use]
    pub fn fix(mut self, fix: Option<Edit>) -> Self {
        self.fix = fix;
        self
    }

    /// With the path of the element.
    #[must_use]
    pub fn element(mut self, element: impl Into<String>) -> Self {
        self.element = element.into();
        self
    }
}
