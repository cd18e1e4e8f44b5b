//! Worlds of others under the four engine types: whether five seconds of them keep their numbers and their energy.

use std::path::{Path, PathBuf};

use serde_json::Value;
use stiction_formats::FileRequest;
use stiction_run::{RunError, Setup};

use crate::clock::microseconds;

/// The types of `<physics>`.
pub const ENGINES: [&str; 4] = ["ode", "bullet", "dart", "simbody"];

/// How long a world runs \[s\].
pub const DURATION: f64 = 5.0;

/// Share of the energy in play that a run may make.
pub const ALLOWED: f64 = 0.01;

/// Runs that make more than is allowed, by world and engine, and why.
pub const KNOWN: [(&str, &str, &str); 4] = [
    (
        "gazebo-classic/test_worlds/contact_stability.world",
        "ode",
        "a ball is wedged in between two others by the depth of its impact, with 1e8 N by `kp` = 1e12 N/m: what one of them gives as \
         it comes to rest, the other takes; the ball gains nothing. With `contact.speculative=on` it is not wedged",
    ),
    (
        "gazebo-classic/worlds/cart_demo.world",
        "ode",
        "a cart that stands, on 10 sweeps a step: what they leave unsolved gives 9 mJ in five seconds of the 0.25 J in play, and takes as \
         much: the cart does not move",
    ),
    (
        "gz-sim/test/canonical.sdf",
        "ode",
        "two equal models in one place, without gravity: the sweeps of the first correction, at 5 m/s, leave their welds 1 mm apart, and \
         closing them is 34 mJ, where a weight that falls by 1 mm would be 59 mJ. Under `ode-world` it is 0.01 %",
    ),
    (
        "gz-sim/examples/polylines.sdf",
        "ode",
        "a column that tips over on one edge lands on the other in one step: the impact takes 10 J, of which the account gives 1.7 J to the \
         edge that it tipped on; the column lies still from then on",
    ),
];

/// What a run came to.
#[derive(Clone, Debug)]
pub struct Judged {
    /// Path below the folder of worlds.
    pub world: String,
    /// Name of the engine.
    pub engine: &'static str,
    /// It took all its steps, and every pose and velocity is a number.
    pub is_finite: bool,
    /// Energy that it made, over the energy in play: the largest rise of what its steps made.
    pub made: f64,
    /// Deepest penetration \[m\].
    pub depth: f64,
    /// Largest distance of the anchors of a joint \[m\].
    pub gap: f64,
    /// Simulated time over time on the clock.
    pub speed: f64,
    /// What the engine says against the run.
    pub failure: Option<String>,
}

impl Judged {
    /// It keeps its numbers, and its energy up to the share that is allowed.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.is_finite && self.made <= ALLOWED
    }

    /// Why it need not be, if that is known.
    #[must_use]
    pub fn excuse(&self) -> Option<&'static str> {
        KNOWN.iter().find(|(world, engine, _)| *world == self.world && *engine == self.engine).map(|known| known.2)
    }
}

/// The worlds below a folder, by name.
///
/// # Errors
/// A folder that cannot be read.
pub fn worlds(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(worlds(&path)?);
        } else if path.extension().is_some_and(|e| e == "world" || e == "sdf") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Runs a world of `shared/worlds` under an engine.
///
/// # Errors
/// Files that the world needs and that are not there, or an engine that refuses it.
pub fn judge(shared: &Path, path: &Path, engine: &'static str) -> Result<Judged, RunError> {
    let world = path.strip_prefix(shared.join("worlds")).unwrap_or(path).to_string_lossy().into_owned();
    let mut setup = Setup::default().engine(engine);
    setup.files = vec![FileRequest { path: path.to_owned(), name: None, pose: None }];
    setup.model_path = vec![shared.join("models")];
    setup.lenient = true;
    let mut run = setup.start()?;
    let start = microseconds();
    let stopped = run.advance(DURATION).err();
    let time = 1e-6 * (microseconds() - start);
    let summary = run.summary(time).json();
    let number = |path: &str| summary.pointer(path).and_then(Value::as_f64).unwrap_or(f64::INFINITY);
    let simulation = run.simulation();
    let is_moving_right = |link| {
        let (velocity, omega) = simulation.link_velocity(link);
        simulation.link_pose(link).is_finite() && velocity.is_finite() && omega.is_finite()
    };
    let is_finite = stopped.is_none()
        && simulation.links.iter().all(is_moving_right)
        && simulation.world.report().quarantined.is_empty();
    Ok(Judged {
        world,
        engine,
        is_finite,
        made: number("/energy_balance/made/share"),
        depth: number("/penetration_max"),
        gap: number("/joint_error_max"),
        speed: number("/real_time_factor"),
        failure: stopped.or_else(|| run.failure()).map(|failure| failure.to_string()),
    })
}
