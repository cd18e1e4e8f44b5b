//! Collects findings, with the three ways a fault can count.

use std::collections::BTreeSet;

use crate::diagnostic::{Diagnostic, Severity};

/// Most findings that are reported.
const MOST: usize = 1000;

/// Findings of one load.
#[derive(Debug, Default)]
pub(crate) struct Report {
    diagnostics: Vec<Diagnostic>,
    is_lenient: bool,
    is_stopped: bool,
    said: BTreeSet<(&'static str, String)>,
}

impl Report {
    pub(crate) fn new(is_lenient: bool) -> Self {
        Self { is_lenient, ..Self::default() }
    }

    /// As it is.
    pub(crate) fn add(&mut self, diagnostic: Diagnostic) {
        // The first one that stops a run is kept however many came before it.
        let stops = diagnostic.severity == Severity::Error && diagnostic.blocks_run;
        if self.diagnostics.len() < MOST || (stops && !self.is_stopped) {
            self.is_stopped |= stops;
            self.diagnostics.push(diagnostic);
        }
    }

    /// An error for `check`; `run` continues, and `--lenient` makes it a warning.
    pub(crate) fn tolerated(&mut self, mut diagnostic: Diagnostic) {
        diagnostic.blocks_run = false;
        if self.is_lenient {
            diagnostic.severity = Severity::Warning;
        }
        self.add(diagnostic);
    }

    /// An error, a note with `--lenient`.
    pub(crate) fn noted_if_lenient(&mut self, mut diagnostic: Diagnostic) {
        if self.is_lenient {
            diagnostic.severity = Severity::Note;
        }
        self.add(diagnostic);
    }

    /// An error that only `--lenient` gets past.
    pub(crate) fn strict(&mut self, diagnostic: Diagnostic) {
        if self.is_lenient { self.tolerated(diagnostic) } else { self.add(diagnostic) }
    }

    /// Once for each `key`.
    pub(crate) fn once(&mut self, key: impl Into<String>, diagnostic: Diagnostic) {
        if self.said.insert((diagnostic.code, key.into())) {
            self.add(diagnostic);
        }
    }

    /// Something was found that stops a run.
    pub(crate) const fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    pub(crate) fn into_diagnostics(self) -> Vec<Diagnostic> {
        self.diagnostics
    }
}
