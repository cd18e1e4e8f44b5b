//! Another engine behind a Python of its own: requests and answers are lines of JSON.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde::Serialize;

use crate::ours::Run;
use crate::scene::{ACCURACY, Mode, STEP, STICTION_TOLERANCE, Scene};

/// A running peer.
pub(crate) struct Peer {
    /// Its name and version, as it says.
    pub(crate) name: String,
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

#[derive(Serialize)]
struct Request<'a> {
    file: &'a Path,
    links: &'a [String],
    velocities: &'a [(String, [f64; 6])],
    continuous: bool,
    step: f64,
    duration: f64,
    accuracy: f64,
    stiction_tolerance: f64,
}

impl Peer {
    /// Starts a script of `peers/` with the interpreter that `PYTHON` names.
    ///
    /// # Errors
    /// That there is no such interpreter, or that it lacks the package.
    pub(crate) fn start(script: &str) -> Result<Self, String> {
        let python = std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers").join(script);
        let mut child = Command::new(&python)
            .arg(path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|e| format!("cannot run {}: {e}", python.display()))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("no pipe".to_owned());
        };
        let mut peer = Self { name: String::new(), child, input, output: BufReader::new(output) };
        peer.name = peer.answer()?;
        Ok(peer)
    }

    fn answer<T: serde::de::DeserializeOwned>(&mut self) -> Result<T, String> {
        let mut line = String::new();
        self.output.read_line(&mut line).map_err(|e| e.to_string())?;
        serde_json::from_str(&line).map_err(|_| "it gave no answer".to_owned())
    }

    /// Runs a scene once.
    ///
    /// # Errors
    /// That the peer broke down.
    pub(crate) fn run(&mut self, scene: &Scene, file: &Path, mode: Mode, duration: f64) -> Result<Run, String> {
        let request = Request {
            file,
            links: &scene.links,
            velocities: &scene.velocities,
            continuous: mode == Mode::DrakeContinuous,
            step: STEP,
            duration,
            accuracy: ACCURACY,
            stiction_tolerance: STICTION_TOLERANCE,
        };
        let line = serde_json::to_string(&request).map_err(|e| e.to_string())?;
        writeln!(self.input, "{line}").and_then(|()| self.input.flush()).map_err(|e| e.to_string())?;
        self.answer()
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // It is not asked any more; a peer that is already gone needs no end.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
