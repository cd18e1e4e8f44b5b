//! Engines that step a scene, each in a program of its own: ours, and those that are compared with it.
//!
//! Every program takes `SCENE STEPS THREADS LIMIT OUT VARIANT...`, writes the states of the run to `OUT` (see
//! [`crate::quality::read`]) and prints one line of JSON.

mod build;
mod limit;
pub mod mjcf;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde::{Deserialize, Serialize};
use stiction::world::Preset;
use stiction_scenes::Scene;

pub use build::{Library, Programs, mujoco_batch};
pub use limit::{Kernel, Limit};

/// An engine with its settings, by the name that options and tables use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Engine {
    /// `NAME` or `NAME:SWEEPS`.
    pub name: String,
    /// Where its steps come from.
    pub source: Source,
    /// Words of the harness for it.
    variant: Vec<String>,
}

/// Where the steps of an engine come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// This engine, with one of its presets.
    Ours,
    /// A library that is compared with it.
    Peer(Library),
}

/// Engines of other makers: name, library, words of its harness, and whether the number of sweeps is one of them.
const PEERS: [(&str, Library, &[&str], bool); 11] = [
    ("libode", Library::Ode, &["quick"], true),
    ("libode-world", Library::Ode, &["world"], false),
    ("libbullet", Library::Bullet, &["si"], true),
    ("libbullet-multibody", Library::Bullet, &["mb"], true),
    ("rapier-f64", Library::Rapier, &["f64", "impulse"], true),
    ("rapier-f32", Library::Rapier, &["f32", "impulse"], true),
    ("rapier-f64-multibody", Library::Rapier, &["f64", "multibody"], true),
    ("mujoco", Library::MuJoCo, &["newton", "pyramidal"], false),
    ("physx-pgs", Library::PhysX, &["pgs"], false),
    ("physx-tgs", Library::PhysX, &["tgs"], false),
    ("physx-articulations", Library::PhysX, &["pgs", "articulations"], false),
];

/// The engines of a comparison where none are given.
pub const USUAL: &str =
    "stiction,ode-quick:20,bullet:10,libode:20,libbullet:10,rapier-f64,rapier-f32,mujoco,physx-pgs,physx-tgs";

impl std::str::FromStr for Engine {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, sweeps) = match text.split_once(':') {
            Some((name, sweeps)) => {
                let wrong = || format!("`{text}`: {sweeps} is not a number of sweeps");
                (name, Some(sweeps.parse::<u32>().ok().filter(|n| *n > 0).ok_or_else(wrong)?))
            }
            None => (text, None),
        };
        let with_sweeps = |words: &[&str]| {
            words.iter().map(ToString::to_string).chain(sweeps.map(|n| n.to_string())).collect::<Vec<_>>()
        };
        if let Some(preset) = Preset::from_name(name) {
            return Ok(Self { name: text.to_owned(), source: Source::Ours, variant: with_sweeps(&[preset.name()]) });
        }
        let Some((_, library, words, takes_sweeps)) = PEERS.iter().find(|p| p.0 == name) else {
            let names: Vec<_> = Preset::ALL.iter().map(|p| p.name()).chain(PEERS.iter().map(|p| p.0)).collect();
            return Err(format!("no engine `{name}`; there are {}", names.join(", ")));
        };
        if sweeps.is_some() && !takes_sweeps {
            return Err(format!("`{name}` takes no number of sweeps"));
        }
        Ok(Self { name: text.to_owned(), source: Source::Peer(*library), variant: with_sweeps(words) })
    }
}

/// How a scene is run.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The scene, and its file.
    pub scene: &'a Scene,
    /// Its file.
    pub file: &'a Path,
    /// Number of steps; 0 is that of the scene.
    pub steps: usize,
    /// Threads.
    pub threads: u32,
    /// Longest time of the run \[s\].
    pub limit: f64,
    /// Where the states go; an absolute path.
    pub states: Option<&'a Path>,
}

/// What a harness reports of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Version of the engine.
    pub version: String,
    /// Its settings in words.
    pub variant: String,
    /// Steps made; fewer than asked for if the run took too long.
    pub steps: usize,
    /// Median time of a step on the core, over the later half of the steps \[µs\].
    pub core_us: f64,
    /// The same by the clock on the wall \[µs\].
    pub wall_us: f64,
    /// Mean number of contacts in the later half.
    pub contacts: f64,
}

impl Engine {
    /// Whether it is one of ours.
    #[must_use]
    pub fn is_ours(&self) -> bool {
        self.source == Source::Ours
    }

    /// Runs a scene once.
    ///
    /// # Errors
    /// That its harness is not there, or what it says.
    pub fn run(&self, programs: &Programs, request: &Request<'_>) -> Result<Run, String> {
        let program = programs.program(self.source)?;
        let mut words = self.variant.clone();
        if self.source == Source::Peer(Library::MuJoCo) {
            let model: PathBuf = programs.folder().join(format!("{}.xml", request.scene.name));
            std::fs::write(&model, mjcf::write(request.scene)).map_err(|e| e.to_string())?;
            words.insert(0, model.to_string_lossy().into_owned());
        }
        let file = std::path::absolute(request.file).map_err(|e| e.to_string())?;
        let output = Command::new(&program)
            // Some libraries leave logs where they run.
            .current_dir(programs.folder())
            .arg(file)
            .args([request.steps.to_string(), request.threads.to_string(), request.limit.to_string()])
            .arg(request.states.unwrap_or(Path::new("-")))
            .args(&words)
            .output()
            .map_err(|e| format!("cannot run {}: {e}", program.display()))?;
        let text = String::from_utf8_lossy(&output.stdout);
        // Libraries print warnings of their own before the line.
        let line = text.lines().rev().find(|l| l.starts_with('{'));
        match line.map(serde_json::from_str) {
            Some(Ok(run)) if output.status.success() => Ok(run),
            _ => {
                let words = String::from_utf8_lossy(&output.stderr);
                Err(format!("{}: {}", output.status, words.lines().last().unwrap_or("no result")))
            }
        }
    }
}
