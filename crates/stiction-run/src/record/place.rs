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
            fs::create_dir_all(folder).map_err(|e| failed(path, format!("cannot be created: {e}")))?;
        }
        Ok(Self { path: path.to_owned(), partial })
    }

    pub(super) fn partial(&self) -> &Path {
        &self.partial
    }

    /// Moves what was built into place, and says what it is.
    pub(super) fn take(self) -> Result<Recorded, RunError> {
        let recorded = Recorded::new(&self.path, &self.partial).map_err(|e| failed(&self.path, e))?;
        if self.path.is_dir() {
            fs::remove_dir_all(&self.path).map_err(|e| failed(&self.path, e))?;
        }
        fs::rename(&self.partial, &self.path).map_err(|e| failed(&self.path, e))?;
        Ok(recorded)
    }
}

/// What a recording consists of.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recorded {
    /// The folder or file.
    pub path: PathBuf,
    /// Names and sizes \[bytes\] of the files of a folder, tables first; empty for a file.
    pub files: Vec<(String, u64)>,
    /// Size of all of it \[bytes\].
    pub bytes: u64,
}

impl Recorded {
    fn new(path: &Path, built: &Path) -> std::io::Result<Self> {
        let mut files = Vec::new();
        if built.is_dir() {
            for entry in fs::read_dir(built)? {
                let entry = entry?;
                files.push((entry.file_name().to_string_lossy().into_owned(), entry.metadata()?.len()));
            }
        }
        let place = |name: &str| Topic::ALL.iter().position(|t| name.starts_with(t.name())).unwrap_or(Topic::ALL.len());
        files.sort_by_key(|(name, _)| place(name));
        let bytes = if built.is_dir() { files.iter().map(|(_, size)| size).sum() } else { fs::metadata(built)?.len() };
        Ok(Self { path: path.to_owned(), files, bytes })
    }

    /// One line: `out/: links.csv 1.2 MB, joints.csv 35 kB, summary.json 12 kB (1.3 MB)`.
    #[must_use]
    pub fn text(&self) -> String {
        let path = self.path.display();
        if self.files.is_empty() {
            return format!("{path} ({})", size_text(self.bytes));
        }
        let files: Vec<String> = self.files.iter().map(|(name, size)| format!("{name} {}", size_text(*size))).collect();
        format!("{}/: {} ({})", path.to_string().trim_end_matches('/'), files.join(", "), size_text(self.bytes))
    }
}

/// A size for people: `12 kB`, `1.2 MB`.
fn size_text(bytes: u64) -> String {
    let units = [(1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
    match units.iter().find(|(unit, _)| bytes as f64 >= 0.9995 * unit) {
        None => format!("{bytes} B"),
        Some((unit, name)) => {
            let size = bytes as f64 / unit;
            if size < 9.95 { format!("{size:.1} {name}") } else { format!("{size:.0} {name}") }
        }
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

#[cfg(test)]
mod tests {
    use super::size_text;

    #[test]
    fn sizes_are_for_people() {
        let sizes = [
            (0, "0 B"),
            (999, "999 B"),
            (12_345, "12 kB"),
            (1_234_567, "1.2 MB"),
            (999_700, "1.0 MB"),
            (52_000_000_000, "52 GB"),
        ];
        for (bytes, text) in sizes {
            assert_eq!(size_text(bytes), text);
        }
    }
}
