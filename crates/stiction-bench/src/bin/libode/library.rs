//! A program linked to `libode.so.8`, and the libraries it can be run with.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use crate::scenes::Scene;

/// Where distributions put the stock library.
const STOCK_DIRECTORIES: [&str; 5] =
    ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib"];
const FILE: &str = "libode.so.8";

/// Which library, and in which mode of its iterative stepper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Library {
    Stock,
    Exact,
    Fast,
}

/// What one run gives.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct Run {
    /// Rows in the last step.
    pub(crate) rows: usize,
    /// Mean time of a step, collision and all \[µs\].
    pub(crate) time: f64,
    /// Mean time in the stepper \[µs\].
    pub(crate) stepping: f64,
    /// Mean penetration in the last step \[m\].
    pub(crate) depth_mean: f64,
    /// Largest penetration in the last step \[m\].
    pub(crate) depth_most: f64,
    /// Largest gap of a joint \[m\].
    pub(crate) gap: f64,
    /// Messages, such as that the direct stepper gave up.
    pub(crate) messages: usize,
    /// Memory beyond that of an empty world \[KiB\].
    pub(crate) memory: f64,
}

/// The program.
pub(crate) struct Program {
    path: PathBuf,
    ours: PathBuf,
    stock: Option<PathBuf>,
}

impl Program {
    /// Compiles one of the sources in `peers` and finds the libraries; ours lies beside this program.
    ///
    /// # Errors
    /// No compiler, or this library is not built.
    pub(crate) fn build(source: &str) -> Result<Self, Box<dyn Error>> {
        let here = std::env::current_exe()?;
        let built = here.parent().ok_or("a program lies in a folder")?;
        let library = built.join("libode.so");
        if !library.exists() {
            return Err("libode.so is not there: cargo build --release -p stiction-ode".into());
        }
        let ours = built.join("bench-libode");
        fs::create_dir_all(&ours)?;
        let link = ours.join(FILE);
        if fs::symlink_metadata(&link).is_ok() {
            fs::remove_file(&link)?;
        }
        std::os::unix::fs::symlink(&library, &link)?;
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let path = ours.join(source.trim_end_matches(".c"));
        let output = Command::new("cc")
            .args(["-O2", "-Wall", "-I"])
            .arg(root.join("../stiction-ode/include"))
            .arg("-o")
            .args([&path, &root.join("peers").join(source), &link])
            .arg("-lm")
            .output()?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
        }
        let stock = STOCK_DIRECTORIES.iter().map(PathBuf::from).find(|d| d.join(FILE).exists());
        if stock.is_none() {
            eprintln!("!!! the stock library takes no part (Debian: apt-get install libode8)");
        }
        Ok(Self { path, ours, stock })
    }

    /// Whether the stock library is there.
    pub(crate) fn has_stock(&self) -> bool {
        self.stock.is_some()
    }

    /// Runs a scene once.
    pub(crate) fn run(&self, library: Library, scene: &Scene) -> Result<Run, Box<dyn Error>> {
        let [size, steps] = [scene.size, scene.steps].map(|n| n.to_string());
        let arguments = [scene.name.to_owned(), size, scene.stepper.to_owned(), steps];
        Ok(serde_json::from_slice(&self.output(library, &arguments)?)?)
    }

    /// What the program prints.
    pub(crate) fn output(&self, library: Library, arguments: &[String]) -> Result<Vec<u8>, Box<dyn Error>> {
        let directory = match (library, &self.stock) {
            (Library::Stock, Some(stock)) => stock,
            _ => &self.ours,
        };
        let output = Command::new(&self.path)
            .args(arguments)
            .env("LD_LIBRARY_PATH", directory)
            .env("STICTION_ODE_MODE", if library == Library::Fast { "fast" } else { "exact" })
            .output()?;
        if !output.status.success() {
            return Err(format!("{library:?} {arguments:?}: {}", String::from_utf8_lossy(&output.stderr)).into());
        }
        Ok(output.stdout)
    }
}
