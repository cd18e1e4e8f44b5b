//! ODE's QuickStep on the same scene, through a harness in C that is compiled here.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The compiled harness, with the broad phase to use.
pub(crate) struct Ode {
    program: PathBuf,
}

/// What came of a run.
pub(crate) struct Run {
    /// Mean time of a step \[µs\].
    pub(crate) time: f64,
    /// Contacts in the last step.
    pub(crate) contacts: usize,
}

/// ODE's broad phases that take part; the faster one counts.
pub(crate) const SPACES: [&str; 2] = ["hash", "sweep"];

impl Ode {
    /// Compiles the harness.
    ///
    /// # Errors
    /// The words of the compiler, or that there is none.
    pub(crate) fn compile(folder: &Path) -> Result<Self, String> {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers/ode_bench.c");
        let program = folder.join("ode_bench");
        let output = Command::new("gcc")
            .args(["-O2", "-Wall", "-DdIDEDOUBLE", "-o"])
            .arg(&program)
            .arg(&source)
            .args(["-lode", "-lm"])
            .output()
            .map_err(|e| format!("cannot run gcc: {e}"))?;
        if output.status.success() {
            Ok(Self { program })
        } else {
            let words = String::from_utf8_lossy(&output.stderr);
            Err(words.lines().next().unwrap_or("gcc failed").to_owned())
        }
    }

    /// Runs a scene once; poses are written to `states`.
    pub(crate) fn run(&self, scene: &Path, space: &str, states: &Path) -> Option<Run> {
        let output = Command::new(&self.program).arg(scene).arg(space).arg(states).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        let mut words = text.split_whitespace();
        Some(Run { time: words.next()?.parse().ok()?, contacts: words.next()?.parse().ok()? })
    }
}
