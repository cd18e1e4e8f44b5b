//! The zoo: everyday scenes, each with a statement that anyone can judge by eye, in `testdata/zoo`.
//!
//! `statements.tsv` has a line for every scene: the engine under which it runs among the tests, how it is drawn, its duration,
//! its commands and forces, and the conditions of its statement. `failures.tsv` has a line for every engine that does not
//! pass a scene, with the reason.

mod failures;
pub mod sheet;
mod statement;

use std::path::{Path, PathBuf};

use stiction_run::{CommandRequest, ForceRequest, Run, RunError, Setup};

pub use failures::{Failing, Known, failures};
pub use statement::{Condition, Course};

use crate::outlines::{ABOVE, FRONT, SIDE, View};

/// The engines.
pub const ENGINES: [&str; 11] = [
    "stiction",
    "ode",
    "ode-quick",
    "ode-world",
    "bullet",
    "bullet-featherstone",
    "dart",
    "simbody",
    "drake-discrete",
    "drake-continuous",
    "agx",
];

/// A scene and its statement.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Name of the file, without the extension.
    pub name: String,
    /// Engine under which it runs among the tests.
    pub engine: String,
    /// From where it is drawn.
    pub view: View,
    /// Simulated time \[s\].
    pub duration: f64,
    /// Commands of joints.
    pub commands: Vec<CommandRequest>,
    /// Forces on links.
    pub forces: Vec<ForceRequest>,
    /// What must hold.
    pub conditions: Vec<Condition>,
}

/// What a scene did under an engine.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// The conditions that did not hold, each with what was measured; none: it passes.
    Ran(Vec<String>),
    /// The engine refused the file, or did not come to the end.
    Refused(String),
}

impl Verdict {
    /// Every condition held.
    pub fn passes(&self) -> bool {
        matches!(self, Self::Ran(broken) if broken.is_empty())
    }

    /// What did not hold, in one line.
    pub fn text(&self) -> String {
        match self {
            Self::Ran(broken) => broken.join("; "),
            Self::Refused(why) => why.clone(),
        }
    }
}

/// The folder of the scenes.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/zoo")
}

/// Columns of the lines of a table; lines that begin with `#` are comments.
fn rows(file: &str) -> Result<Vec<Vec<String>>, String> {
    let path = folder().join(file);
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    Ok(lines.map(|line| line.split('\t').map(str::to_owned).collect()).collect())
}

/// All scenes, in the order of `statements.tsv`.
///
/// # Errors
/// A line has another form; the message names it.
pub fn scenes() -> Result<Vec<Scene>, String> {
    let rows = rows("statements.tsv")?;
    rows.iter().map(|row| scene(row).map_err(|error| format!("{}: {error}", row.join(" | ")))).collect()
}

fn scene(row: &[String]) -> Result<Scene, String> {
    let [name, engine, view, duration, options, conditions] = row else {
        return Err(format!("{} columns, expected 6", row.len()));
    };
    let view = match view.as_str() {
        "side" => SIDE,
        "front" => FRONT,
        "above" => ABOVE,
        _ => return Err(format!("`{view}` is not side, front or above")),
    };
    let (mut commands, mut forces) = (Vec::new(), Vec::new());
    for option in options.split("; ").filter(|option| *option != "-") {
        match option.strip_prefix("force ") {
            Some(force) => forces.push(ForceRequest::parse(force).map_err(|error| error.to_string())?),
            None => commands.extend(CommandRequest::parse(option).map_err(|error| error.to_string())?),
        }
    }
    Ok(Scene {
        name: name.clone(),
        engine: engine.clone(),
        view,
        duration: duration.parse().map_err(|_| format!("`{duration}` is no duration"))?,
        commands,
        forces,
        conditions: conditions.split("; ").map(Condition::parse).collect::<Result<_, _>>()?,
    })
}

impl Scene {
    /// Its file.
    pub fn path(&self) -> PathBuf {
        folder().join(format!("{}.world", self.name))
    }

    /// What must hold, in plain words: the first comment of its file.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn about(&self) -> std::io::Result<String> {
        let text = std::fs::read_to_string(self.path())?;
        let comment = text.split_once("<!--").and_then(|(_, rest)| rest.split_once("-->"));
        Ok(comment.map_or("", |(about, _)| about).trim().to_owned())
    }

    /// The run of it under an engine, before the first step.
    ///
    /// # Errors
    /// The engine refuses the file, the commands or the forces.
    pub fn start(&self, engine: &str) -> Result<Run, RunError> {
        let mut setup = Setup::new(self.path()).engine(engine);
        setup.commands.clone_from(&self.commands);
        setup.forces.clone_from(&self.forces);
        setup.start()
    }

    /// Runs it under an engine and holds its conditions against it. `watch` sees the run before the first step and after each.
    pub fn judge(&self, engine: &str, mut watch: impl FnMut(&Run)) -> Verdict {
        let mut run = match self.start(engine) {
            Ok(run) => run,
            // The message names the file in its folder.
            Err(error) => return Verdict::Refused(error.to_string().replace(&format!("{}/", folder().display()), "")),
        };
        let courses = self.conditions.iter().map(|condition| Course::new(condition, &run));
        let mut courses = match courses.collect::<Result<Vec<_>, _>>() {
            Ok(courses) => courses,
            Err(error) => return Verdict::Refused(error),
        };
        watch(&run);
        for left in (0..run.engine().steps(self.duration)).rev() {
            if let Err(failure) = run.step() {
                return Verdict::Refused(failure.to_string());
            }
            courses.iter_mut().for_each(|course| course.see(&run, left == 0));
            watch(&run);
        }
        let mut broken: Vec<String> = courses.iter().filter_map(Course::broken).collect();
        broken.extend(run.failure().map(|failure| failure.to_string()));
        Verdict::Ran(broken)
    }
}
