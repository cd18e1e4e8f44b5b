//! The texts that were read, and where in them a byte stands.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::diagnostic::Location;

/// Every text that was read, by the path that locations name.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    texts: BTreeMap<PathBuf, Arc<str>>,
}

impl Sources {
    /// The text of a file, if it was read.
    #[must_use]
    pub fn get(&self, path: &Path) -> Option<&str> {
        self.texts.get(path).map(AsRef::as_ref)
    }

    /// Keeps a text, so that excerpts can be shown.
    pub fn insert(&mut self, path: &Path, text: Arc<str>) {
        self.texts.insert(path.to_owned(), text);
    }

    /// Paths of all texts.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.texts.keys().map(PathBuf::as_path)
    }
}

/// Turns byte ranges of one text into locations.
pub(crate) struct Locator<'a> {
    file: Arc<PathBuf>,
    text: &'a str,
    line_starts: Vec<usize>,
}

impl<'a> Locator<'a> {
    pub(crate) fn new(file: &Path, text: &'a str) -> Self {
        let mut line_starts = vec![0];
        line_starts.extend(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i + 1));
        Self { file: Arc::new(file.to_owned()), text, line_starts }
    }

    pub(crate) fn locate(&self, span: Range<usize>) -> Location {
        let start = span.start.min(self.text.len());
        let line = self.line_starts.partition_point(|s| *s <= start).max(1);
        let before = self.text.get(self.line_starts[line - 1]..start).unwrap_or("");
        Location {
            file: Arc::clone(&self.file),
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: u32::try_from(before.chars().count() + 1).unwrap_or(u32::MAX),
            span: start..span.end.clamp(start, self.text.len()),
        }
    }
}
