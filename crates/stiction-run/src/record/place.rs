//! Where a recording goes, and where it is built.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::RunError;

use super::failed;
use super::rates::Topic;

/// Name of the summary in a folder.
pub(super) const SUMMARY: &str = "summary.json";

/// The place of a recording, and the one beside it where it is built.
pub(super) struct Place {
    path: PathBuf,
    partial: PathBuf,
}

impl Place {
    /// # Errors
    /// The place holds something else than a recording, or cannot be written.
    pub(super) fn create(path: &Path, is_file: bool) -> Result<Self, RunError> {
        if is_file && path.is_dir() {
            return Err(failed(path, "is a folder; choose another name"));
        }
        if !is_file && path.exists() && !path.is_dir() {
            return Err(failed(path, "is a file; choose a folder, or a name that ends in `.mcap`"));
        }
        if !is_file && path.exists() && !is_recording_or_empty(path) {
            return Err(failed(path, "contains files that are not a recording; choose another folder"));
        }
        let name = path.file_name().map_or_else(|| "recording".into(), |n| n.to_string_lossy().into_owned());
        let partial = path.with_file_name(format!(".{name}.{}.partial", std::process::id()));
        let folder = if is_file { path.parent().unwrap_or(Path::new("")) } else { &partial };
        if !folder.as_os_str().is_empty() {
            fs::create_dir_all(folder).map_err(|e| failed(folder, e))?;
        }
        Ok(Self { path: path.to_owned(), partial })
    }

    pub(super) fn partial(&self) -> &Path {
        &self.partial
    }

    /// Moves what was built into place.
    pub(super) fn take(self) -> Result<(), RunError> {
        if self.path.is_dir() {
            fs::remove_dir_all(&self.path).map_err(|e| failed(&self.path, e))?;
        }
        fs::rename(&self.partial, &self.path).map_err(|e| failed(&self.path, e))
    }
}

impl Drop for Place {
    /// A recording that was not finished leaves nothing behind.
    fn drop(&mut self) {
        if self.partial.is_dir() {
            drop(fs::remove_dir_all(&self.partial));
        } else if self.partial.exists() {
            drop(fs::remove_file(&self.partial));
        }
    }
}

fn is_recording_or_empty(folder: &Path) -> bool {
    let Ok(mut entries) = fs::read_dir(folder) else { return false };
    entries.all(|entry| entry.is_ok_and(|entry| is_of_recording(&entry.file_name().to_string_lossy())))
}

fn is_of_recording(name: &str) -> bool {
    let table = name.strip_suffix(".csv").or_else(|| name.strip_suffix(".arrow"));
    name == SUMMARY || table.is_some_and(|stem| Topic::ALL.iter().any(|table| table.name() == stem))
}
