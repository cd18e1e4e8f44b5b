//! Builds the harnesses of the peers, once for each state of their sources.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use super::{Engine, Source};

/// A library that is compared with ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Library {
    /// ODE, from Debian.
    Ode,
    /// Bullet, from Debian.
    Bullet,
    /// Rapier, from crates.io.
    Rapier,
    /// MuJoCo, from PyPI.
    MuJoCo,
    /// PhysX, from crates.io.
    PhysX,
}

/// The programs that step scenes.
#[derive(Clone, Debug)]
pub struct Programs {
    folder: PathBuf,
    found: BTreeMap<Library, Result<PathBuf, String>>,
}

/// Sources of the harnesses.
fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("peers")
}

impl Programs {
    /// Builds the harnesses of engines, in a folder.
    ///
    /// # Errors
    /// The folder cannot be made.
    pub fn build(folder: &Path, engines: &[Engine]) -> std::io::Result<Self> {
        fs::create_dir_all(folder)?;
        let folder = std::path::absolute(folder)?;
        let mut found = BTreeMap::new();
        for engine in engines {
            let Source::Peer(library) = engine.source else { continue };
            found.entry(library).or_insert_with(|| {
                eprintln!("building the harness of {library:?} …");
                library.build(&folder)
            });
        }
        Ok(Self { folder, found })
    }

    /// Where the programs are.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The program of a source.
    ///
    /// # Errors
    /// Why there is none.
    pub fn program(&self, source: Source) -> Result<PathBuf, String> {
        match source {
            Source::Ours => beside("step"),
            Source::Peer(library) => self.found.get(&library).cloned().unwrap_or_else(|| Err("not built".to_owned())),
        }
    }
}

/// A program that was built with this one.
fn beside(name: &str) -> Result<PathBuf, String> {
    let own = std::env::current_exe().map_err(|e| e.to_string())?;
    let path = own.with_file_name(name);
    if path.is_file() { Ok(path) } else { Err(format!("{} is not built", path.display())) }
}

impl Library {
    fn build(self, folder: &Path) -> Result<PathBuf, String> {
        match self {
            Self::Ode => compile(folder, "ode", &debian("ode", "libode-dev")?),
            Self::Bullet => compile(folder, "bullet", &debian("bullet", "libbullet-dev")?),
            Self::MuJoCo => compile(folder, "mujoco", &wheel()?),
            Self::Rapier => crate_of_peer(folder, "rapier-peer"),
            Self::PhysX => crate_of_peer(folder, "physx-peer"),
        }
    }
}

/// Compiles the harness `NAME.cpp` of the peers, unless the program is newer than its sources.
///
/// # Errors
/// The first error of the compiler.
pub(crate) fn compile(folder: &Path, name: &str, options: &[String]) -> Result<PathBuf, String> {
    let source = sources().join(format!("{name}.cpp"));
    let program = folder.join(name);
    let time = |path: &Path| fs::metadata(path).and_then(|m| m.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
    let changed = time(&source).max(time(&sources().join("common/harness.hpp")));
    if program.is_file() && time(&program) > changed {
        return Ok(program);
    }
    let output = Command::new("g++")
        .args(["-O3", "-march=native", "-std=c++17", "-w", "-o"])
        .arg(&program)
        .arg(&source)
        .args(options)
        .output()
        .map_err(|e| format!("cannot run g++: {e}"))?;
    let words = String::from_utf8_lossy(&output.stderr);
    let first = || words.lines().find(|l| l.contains("error")).unwrap_or("g++ failed").to_owned();
    if output.status.success() { Ok(program) } else { Err(first()) }
}

/// Options of the compiler for a library of Debian.
fn debian(library: &str, package: &str) -> Result<Vec<String>, String> {
    let ask = |options: &[&str]| {
        let output = Command::new("pkg-config").args(options).arg(library).output();
        let output = output.map_err(|e| format!("cannot run pkg-config: {e}"))?;
        let missing = || format!("{library} is not installed (Debian: apt-get install {package})");
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned()).ok_or_else(missing)
    };
    let version = ask(&["--modversion"])?;
    let flags = ask(&["--cflags", "--libs"])?;
    let words = flags.split_whitespace().map(str::to_owned);
    Ok(words.chain([format!("-DPEER_VERSION=\"{version}\"")]).collect())
}

/// Builds the harness of batches of MuJoCo.
///
/// # Errors
/// What is missing, or the first error of the compiler.
pub fn mujoco_batch(folder: &Path) -> Result<PathBuf, String> {
    fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    compile(&std::path::absolute(folder).map_err(|error| error.to_string())?, "mujoco_batch", &wheel()?)
}

/// Options of the compiler for the library inside the wheel `mujoco`.
fn wheel() -> Result<Vec<String>, String> {
    let python = std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
    let script = "import mujoco, os; print(os.path.dirname(mujoco.__file__))";
    let output = Command::new(&python).args(["-c", script]).output();
    let output = output.map_err(|e| format!("cannot run {}: {e}", python.display()))?;
    if !output.status.success() {
        return Err("mujoco is not installed (PYTHON=… with pip install mujoco)".to_owned());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let folder = Path::new(text.trim());
    let is_library =
        |path: &PathBuf| path.file_name().is_some_and(|n| n.to_string_lossy().starts_with("libmujoco.so."));
    let files = fs::read_dir(folder).map_err(|e| e.to_string())?;
    let library = files.flatten().map(|f| f.path()).find(is_library).ok_or("no libmujoco.so in the wheel")?;
    let folder = folder.display();
    Ok(vec![format!("-I{folder}/include"), library.display().to_string(), format!("-Wl,-rpath,{folder}")])
}

/// Builds a crate of the workspace of the peers for this processor.
fn crate_of_peer(folder: &Path, package: &str) -> Result<PathBuf, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let target = folder.join("cargo");
    let output = Command::new(cargo)
        .args(["build", "--release", "--quiet", "-p", package])
        .current_dir(sources())
        .env("CARGO_TARGET_DIR", &target)
        .env("RUSTFLAGS", "-C target-cpu=native")
        // `physx-sys` asks for clang++ unless a compiler is named.
        .env("CXX", std::env::var_os("CXX").unwrap_or_else(|| "g++".into()))
        .output()
        .map_err(|e| format!("cannot run cargo: {e}"))?;
    let words = String::from_utf8_lossy(&output.stderr);
    let first = || words.lines().find(|l| l.contains("error")).unwrap_or("cargo failed").to_owned();
    if output.status.success() { Ok(target.join("release").join(package)) } else { Err(first()) }
}
