//! What the tests of all crates share: reference files beside the repository, and skips that are counted.
//!
//! A test whose material is missing cannot fail, and libtest hides what a passing test prints. It therefore calls [`skip`], which
//! writes a line to the file that [`LIST`] names; `cargo xtask test` prints these lines and their number at the end.
//! [`REQUIRED`] makes skips failures.

pub mod counting;

use std::fmt::Display;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Environment variable with the file that a line is added to for every skip.
pub const LIST: &str = "STICTION_SKIPS";

/// Environment variable with what must be there: names of [`Missing`] with commas between them, or `all`. A test that would skip for
/// want of it fails.
pub const REQUIRED: &str = "STICTION_REQUIRE";

/// Environment variable that asks random judges for their large number of cases (`cargo xtask test --large`).
pub const LARGE: &str = "STICTION_LARGE";

/// Number of cases of a random judge: a small one, or with [`LARGE`] a large one.
#[must_use]
pub fn cases(small: usize, large: usize) -> usize {
    if std::env::var_os(LARGE).is_some_and(|value| !value.is_empty()) { large } else { small }
}

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

/// A Python that has packages, by their names for `pip` and for `import`; `None`, with a skip, where they cannot be installed.
/// Each set of packages has an environment of its own in the build folder, made once.
#[must_use]
pub fn python_with(packages: &[(&str, &str)]) -> Option<PathBuf> {
    let names: Vec<&str> = packages.iter().map(|(name, _)| *name).collect();
    let folder = target_folder().join("python").join(names.join("+"));
    let python = folder.join("bin").join("python");
    let imports: Vec<&str> = packages.iter().map(|(_, import)| *import).collect();
    let imports = format!("import {}", imports.join(", "));
    let works = |program: &Path| run(Command::new(program).args(["-c", &imports]));
    // One process at a time makes it; the others wait for the file that is locked.
    let lock = folder.with_extension("lock");
    std::fs::create_dir_all(lock.parent()?).ok()?;
    let lock = std::fs::File::create(lock).ok()?;
    lock.lock().ok()?;
    if works(&python).is_err() {
        let result = run(Command::new("python3").args(["-m", "venv"]).arg(&folder))
            .and_then(|()| run(Command::new(&python).args(["-m", "pip", "install", "--quiet"]).args(&names)))
            .and_then(|()| works(&python));
        if let Err(reason) = result {
            skip(Missing::Package, format_args!("{}: {reason}", names.join(", ")));
            return None;
        }
    }
    Some(python)
}

/// Runs a program to its end.
fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|e| e.to_string())?;
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

/// Cargo, for builds that only have to be quick: without optimization or debug information, in a folder of their own
/// below the target folder of the workspace.
#[must_use]
pub fn unoptimized_cargo(cargo: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(cargo);
    command.env("CARGO_TARGET_DIR", target_folder().join("unoptimized"));
    for (option, value) in [("DEV_OPT_LEVEL", "0"), ("DEV_DEBUG", "0"), ("DEV_INCREMENTAL", "false")] {
        command.env(format!("CARGO_PROFILE_{option}"), value);
    }
    command
}

/// The target folder of the workspace: that of the program that runs, which is in `target/PROFILE` or in
/// `target/PROFILE/deps`.
#[must_use]
pub fn target_folder() -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    let folder = program.ancestors().nth(1).unwrap_or(Path::new(""));
    let profile = if folder.ends_with("deps") { folder.parent() } else { Some(folder) };
    profile.and_then(Path::parent).map_or_else(|| PathBuf::from("target"), Path::to_owned)
}
