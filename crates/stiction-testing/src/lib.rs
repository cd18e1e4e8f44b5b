//! What the tests of all crates share: reference files beside the repository, and skips that are counted.
//!
//! A test whose material is missing cannot fail, and libtest hides what a passing test prints. It therefore calls [`skip`], which
//! writes a line to the file that [`LIST`] names; `cargo xtask test` prints these lines and their number at the end.
//! [`REQUIRED`] makes skips failures.

use std::fmt::Display;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Environment variable with the file that a line is added to for every skip.
pub const LIST: &str = "STICTION_SKIPS";

/// Environment variable with what must be there: names of [`Missing`] with commas between them, or `all`. A test that would skip for
/// want of it fails.
pub const REQUIRED: &str = "STICTION_REQUIRE";

/// What a test lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// Reference files in `../shared`.
    Reference,
    /// A compiler or another tool of the platform.
    Tool,
    /// The library or the headers of an original: ODE, Bullet, DART, Simbody.
    Peer,
    /// Somebody else's program that uses ODE.
    Client,
    /// A package of Python.
    Package,
}

impl Missing {
    /// Name in [`REQUIRED`] and in the list.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Reference => "reference",
            Self::Tool => "tool",
            Self::Peer => "peer",
            Self::Client => "client",
            Self::Package => "package",
        }
    }
}

/// Notes that the test, or a part of it, is skipped.
///
/// # Panics
/// If what is missing is required, or the list cannot be written.
pub fn skip(missing: Missing, what: impl Display) {
    let program = std::env::current_exe().ok();
    let program = program.as_deref().and_then(Path::file_stem).map(|name| name.to_string_lossy().into_owned());
    // Cargo adds a hash to the name of the file.
    let program = program.as_deref().map_or("", |name| name.rsplit_once('-').map_or(name, |(name, _)| name));
    let thread = std::thread::current();
    let line = format!("{program}::{}: {}: {what}", thread.name().unwrap_or("?"), missing.name()).replace('\n', " ");
    let required = std::env::var(REQUIRED).unwrap_or_default();
    let is_required = required.split(',').map(str::trim).any(|name| name == "all" || name == missing.name());
    assert!(!is_required, "{line} ({REQUIRED}={required})");
    eprintln!("SKIPPED: {line}");
    if let Some(path) = std::env::var_os(LIST) {
        // One write a line: tests of several processes add to the list.
        let written = OpenOptions::new().create(true).append(true).open(&path);
        let written = written.and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()));
        assert!(written.is_ok(), "{}: {written:?}", path.display());
    }
}

/// A folder of the reference files in `../shared` beside the repository; `None`, with a skip, where it is not there.
#[must_use]
pub fn shared(folder: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(folder);
    if path.is_dir() {
        return Some(path);
    }
    skip(Missing::Reference, format_args!("no ../shared/{folder} beside the repository"));
    None
}
