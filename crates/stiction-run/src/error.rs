//! Why a run cannot be made, and why one has failed.

use std::fmt;
use std::path::PathBuf;

use stiction::joints::JointError;
use stiction::parameter::SetError;
use stiction::world::ParameterError;
use stiction_formats::diagnostic::Diagnostic;
use stiction_formats::rounded;
use stiction_formats::simulation::SimulationError;
use thiserror::Error;

/// What of a [`Setup`](crate::Setup) a text or a name was meant for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Request {
    /// A file, with the name and pose of its model.
    File,
    /// A force on a link.
    Force,
    /// A command of a joint.
    Command,
    /// A condition that must never be true.
    FailIf,
    /// A parameter and its value.
    Set,
    /// An argument of a macro file.
    XacroArgument,
    /// A package of ROS.
    Package,
    /// A state to begin from.
    InitialState,
    /// Where and in which form to record.
    Record,
    /// How often to record.
    RecordRate,
    /// Names of frames in a recording.
    RecordNames,
    /// A link or joint to observe.
    Quantity,
    /// A link or joint to plot.
    PlotOf,
    /// A case of a comparison.
    Case,
    /// The case that others are compared with.
    Reference,
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::File => "file",
            Self::Force => "force",
            Self::Command => "command",
            Self::FailIf => "fail-if",
            Self::Set => "set",
            Self::XacroArgument => "xacro-arg",
            Self::Package => "package",
            Self::InitialState => "initial-state",
            Self::Record => "record",
            Self::RecordRate => "record-rate",
            Self::RecordNames => "record-names",
            Self::Quantity => "quantity",
            Self::PlotOf => "plot-of",
            Self::Case => "case",
            Self::Reference => "reference",
        })
    }
}

/// Why a run cannot be made, or what it made cannot be written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RunError {
    /// A text is not of the form that its request has.
    #[error("{request} `{text}`: {reason}")]
    Text {
        /// What the text is for.
        request: Request,
        /// The text.
        text: String,
        /// What is expected.
        reason: String,
    },
    /// A request does not fit the link, joint or axis that it names.
    #[error("{request} `{text}`: {reason}")]
    Unfit {
        /// What does not fit.
        request: Request,
        /// The text or name of the request.
        text: String,
        /// Why.
        reason: String,
    },
    /// A request names what the world does not have.
    #[error("{request} `{text}`: no {kind} `{name}`{}", hint(.near, *.is_near, .kind))]
    Unknown {
        /// Which request.
        request: Request,
        /// The text of the request.
        text: String,
        /// `link`, `joint`, `collision` or `body`.
        kind: &'static str,
        /// The name.
        name: String,
        /// Names that are near, or all.
        near: Vec<String>,
        /// The names are near the unknown one.
        is_near: bool,
    },
    /// There is no engine of that name.
    #[error("engine `{name}`: {reason}")]
    Engine {
        /// The name.
        name: String,
        /// What is expected.
        reason: String,
    },
    /// A step size that is no time.
    #[error("step size {0} s: expected a number more than 0 (0 with the engines drake-* is continuous time)")]
    StepSize(f64),
    /// A parameter of the engine that it does not have.
    #[error("set {path}: the engine has no such parameter{}", .near.as_ref().map_or(String::new(), |n| format!("; did you mean `{n}`?")))]
    UnknownParameter {
        /// The path.
        path: String,
        /// The nearest path.
        near: Option<String>,
    },
    /// A value that a parameter of the engine cannot have.
    #[error("set {path}={value}: {source}")]
    Value {
        /// Path of the parameter.
        path: String,
        /// The text of the value.
        value: String,
        /// Why not.
        source: SetError,
    },
    /// Parameters that do not go together.
    #[error(transparent)]
    Parameters(#[from] ParameterError),
    /// The files have errors; [`Project::loaded`](crate::Project::loaded) has them with their texts.
    #[error("{}", findings(.0))]
    Findings(Vec<Diagnostic>),
    /// The engine refuses the world.
    #[error(transparent)]
    World(#[from] SimulationError),
    /// The engine refuses to weld the root link to the world.
    #[error("fixed-base: {0}")]
    Weld(JointError),
    /// No model of the files moves, and one was to be fixed.
    #[error("fixed-base: no model of the file moves")]
    NothingMoves,
    /// A file cannot be read, or does not hold what it should.
    #[error("{}{}: {reason}", .path.display(), place.map_or(String::new(), |(line, column)| format!(":{line}:{column}")))]
    File {
        /// The file.
        path: PathBuf,
        /// Line and column, from 1.
        place: Option<(usize, usize)>,
        /// What is wrong.
        reason: String,
    },
    /// A file or folder cannot be written.
    #[error("{}: {reason}", .path.display())]
    Output {
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// Two cases of a comparison have one name.
    #[error("two cases have the name `{0}`")]
    CaseTwice(String),
    /// A comparison has fewer than two cases.
    #[error("nothing to compare: {}", .0.as_ref().map_or("there are no cases".to_owned(), |name| format!("`{name}` is the only case")))]
    NothingToCompare(Option<String>),
    /// The run came to its end before what was asked for.
    #[error(transparent)]
    Failed(#[from] Failure),
}

fn hint(near: &[String], is_near: bool, kind: &str) -> String {
    let list: Vec<String> = near.iter().map(|n| format!("`{n}`")).collect();
    // `joint that takes a thrust` becomes `joints that take a thrust`.
    let noun = kind.find(" that ").or_else(|| kind.find(" with ")).unwrap_or(kind.len());
    let kinds = format!("{}s{}", &kind[..noun], kind[noun..].replace(" that takes ", " that take "));
    match (list.is_empty(), is_near) {
        (true, _) => format!(": there are no {kinds}"),
        (false, true) => format!("; did you mean {}?", list.join(", ")),
        (false, false) => format!("; {kinds} are {}", list.join(", ")),
    }
}

fn findings(list: &[Diagnostic]) -> String {
    list.iter().map(stiction_formats::one_line).collect::<Vec<_>>().join("\n")
}

/// Why a run that was made has failed.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum Failure {
    /// A condition that must never be true was true.
    #[error("fail-if `{text}` was true first in step {step}, at {time} s: {}{}", rounded(*.value), if .of.is_empty() { String::new() } else { format!(" (`{of}`)") })]
    #[non_exhaustive]
    Condition {
        /// The condition.
        text: String,
        /// The step, from 0.
        step: u64,
        /// Time at the end of that step \[s\].
        time: f64,
        /// The value then, in SI units.
        value: f64,
        /// Name of the link or joint; empty for a quantity of the whole world.
        of: String,
    },
    /// Continuous time needs more steps than it may take.
    #[error("{0}")]
    Unfinished(String),
    /// Bodies had a state or force that is not finite and were stopped.
    #[error("links had a state or force that is not finite: {}", .0.join(", "))]
    Quarantined(Vec<String>),
    /// The steps made more energy than there was.
    #[error("the simulation exploded: it gained more energy than was in play")]
    Exploded,
}

/// Why a file cannot be read, in words.
pub(crate) fn unreadable(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
        std::io::ErrorKind::IsADirectory => "this is a folder, expected a file".to_owned(),
        std::io::ErrorKind::InvalidData => "this is not a text in UTF-8".to_owned(),
        _ => format!("cannot be read: {error}"),
    }
}

/// Names for a message about an unknown one: those near to it, or all.
pub(crate) fn near_or_all<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone) -> (Vec<String>, bool) {
    let own = |scoped: &'a str| scoped.rsplit("::").next().unwrap_or(scoped);
    let model = |scoped: &'a str| scoped.split("::").next().unwrap_or(scoped);
    let mut near = stiction_formats::nearest(name, known.clone());
    if near.is_empty() {
        // A name without its model, or of the model alone.
        let close: Vec<&str> = stiction_formats::nearest(name, known.clone().flat_map(|k| [own(k), model(k)]));
        near = known.clone().filter(|k| close.contains(&own(k)) || close.contains(&model(k))).collect();
    }
    let is_near = !near.is_empty();
    let names = if is_near { near } else { known.collect() };
    (names.into_iter().map(str::to_owned).collect(), is_near)
}
