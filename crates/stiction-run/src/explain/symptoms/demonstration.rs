//! A pair of runs that shows a symptom and its cure.

use stiction::world::Coordinates;
use stiction_formats::Override;

use crate::commands::CommandRequest;
use crate::error::RunError;
use crate::quantities::Quantity;
use crate::run::Run;
use crate::setup::Setup;

/// The engine that the demonstration worlds ask for.
const OWN_ENGINE: &str = "ode-quick";
/// At the end of a run, over which the largest rate of a joint is taken \[s\].
const RATE_WINDOW: f64 = 0.1;

/// Every engine.
pub(super) const ALL_ENGINES: &[&str] = &[
    "ode-quick",
    "ode-world",
    "bullet",
    "bullet-featherstone",
    "dart",
    "agx",
    "drake-discrete",
    "drake-continuous",
    "simbody",
];
/// Engines whose contacts are constraints, with restitution and torsional friction; those of Drake and Simbody are springs.
pub(super) const CONSTRAINT_ENGINES: &[&str] =
    &["stiction", "ode-quick", "ode-world", "bullet", "bullet-featherstone", "dart", "agx"];

/// Before or after the cure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// With the symptom.
    Before,
    /// With the cure.
    After,
}

/// A change to a run, an option of `stiction run`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// `--set PATH=VALUE`.
    Set(&'static str, &'static str),
    /// `--step-size S` \[s\].
    StepSize(f64),
    /// `--command TEXT`.
    Command(&'static str),
    /// `--coordinates reduced`.
    Reduced,
}

/// What is measured at the end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Distance of a link from its place at the start \[m\].
    Travel(&'static str),
    /// Height of a link \[m\].
    Height(&'static str),
    /// Largest gap of all joints \[m\].
    JointGap,
    /// Angle of a joint, without its sign \[rad\].
    Angle(&'static str),
    /// Largest rate of a joint over the last 0.1 s, without its sign \[rad/s\].
    Rate(&'static str),
    /// Angular speed of a link \[rad/s\].
    Spin(&'static str),
    /// Contact points summed over the steps.
    ContactPoints,
}

impl Measure {
    /// Unit of the number; empty for counts.
    #[must_use]
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Travel(_) | Self::Height(_) | Self::JointGap => "m",
            Self::Angle(_) => "rad",
            Self::Rate(_) | Self::Spin(_) => "rad/s",
            Self::ContactPoints => "",
        }
    }

    /// What `--plot-of` plots to show it.
    #[must_use]
    pub fn plot(self) -> String {
        let of = |quantity: Quantity, name: &str| format!("{}:{name}", quantity.name());
        match self {
            Self::Travel(link) => of(Quantity::Position, link),
            Self::Height(link) => of(Quantity::Height, link),
            Self::Spin(link) => of(Quantity::Orientation, link),
            Self::Angle(joint) => of(Quantity::Angle, joint),
            Self::Rate(joint) => of(Quantity::Rate, joint),
            Self::JointGap => Quantity::JointGap.name().to_owned(),
            Self::ContactPoints => Quantity::Contacts.name().to_owned(),
        }
    }
}

/// What the numbers before and after must satisfy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Claim {
    /// The number after is at most this share of the one before.
    FallsTo(f64),
    /// The number after is at least this multiple of the one before.
    GrowsBy(f64),
    /// The number rises by at least this much.
    RisesBy(f64),
    /// The number falls by at least this much.
    FallsBy(f64),
}

impl Claim {
    /// The numbers before and after satisfy it.
    #[must_use]
    pub fn holds(self, before: f64, after: f64) -> bool {
        match self {
            Self::FallsTo(share) => before > 0.0 && after <= share * before,
            Self::GrowsBy(factor) => after >= factor * before,
            Self::RisesBy(rise) => after >= before + rise,
            Self::FallsBy(fall) => after <= before - fall,
        }
    }
}

/// Two runs of a bundled world: before and after a cure.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Demonstration {
    /// Name of the bundled world.
    pub world: &'static str,
    /// Engines under which it shows the symptom and the cure.
    pub engines: &'static [&'static str],
    /// Simulated time \[s\].
    pub duration: f64,
    /// Changes of both runs.
    pub both: &'static [Change],
    /// Changes of the first run.
    pub before: &'static [Change],
    /// Changes of the second run.
    pub after: &'static [Change],
    /// What is measured.
    pub measure: Measure,
    /// The same in words: `distance that the box slides`.
    pub measured: &'static str,
    /// What the numbers must satisfy, under each of the engines.
    pub claim: Claim,
}

impl Demonstration {
    /// The changes of a stage.
    pub fn changes(&self, stage: Stage) -> impl Iterator<Item = Change> {
        let own = match stage {
            Stage::Before => self.before,
            Stage::After => self.after,
        };
        self.both.iter().chain(own).copied()
    }

    /// The engine of the commands: the given one if the demonstration holds for it, else its first.
    #[must_use]
    pub fn engine_for(&self, engine: &str) -> &'static str {
        let same = self.engines.iter().find(|name| **name == engine);
        same.or(self.engines.first()).copied().unwrap_or(OWN_ENGINE)
    }

    /// The command of a stage, as a user types it.
    #[must_use]
    pub fn command(&self, engine: &str, stage: Stage) -> String {
        let mut text = format!("stiction run {}", self.world);
        let engine = self.engine_for(engine);
        if engine != OWN_ENGINE {
            text += &format!(" --engine {engine}");
        }
        text += &format!(" --duration {}", self.duration);
        for change in self.changes(stage) {
            text += &match change {
                Change::Set(path, value) => format!(" --set {}", quoted(&format!("{path}={value}"))),
                Change::StepSize(step) => format!(" --step-size {step}"),
                Change::Command(command) => format!(" --command {}", quoted(command)),
                Change::Reduced => " --coordinates reduced".to_owned(),
            };
        }
        let name = match stage {
            Stage::Before => "before",
            Stage::After => "after",
        };
        format!("{text} --plot {name}.svg --plot-of {}", self.measure.plot())
    }

    /// The run of a stage before its first step.
    ///
    /// # Errors
    /// There is no such engine.
    pub fn start(&self, engine: &str, stage: Stage) -> Result<Run, RunError> {
        let mut setup = Setup::new(self.world);
        // As the command does.
        setup.engine = (engine != OWN_ENGINE).then(|| engine.to_owned());
        for change in self.changes(stage) {
            match change {
                Change::Set(path, value) => {
                    setup.settings.push(Override { path: path.to_owned(), value: value.to_owned() });
                }
                Change::StepSize(step) => setup.step_size = Some(step),
                Change::Command(command) => setup.commands.extend(CommandRequest::parse(command)?),
                Change::Reduced => setup.coordinates = Some(Coordinates::Reduced),
            }
        }
        setup.start()
    }

    /// Runs a stage and measures.
    ///
    /// # Errors
    /// There is no such engine, or the run fails.
    pub fn run(&self, engine: &str, stage: Stage) -> Result<f64, RunError> {
        let mut run = self.start(engine, stage)?;
        let position = |run: &Run, link: &str| run.link(Quantity::Position, link);
        let start = match self.measure {
            Measure::Travel(link) => Some(position(&run, link)?),
            _ => None,
        };
        let (mut largest, mut points) = (0.0_f64, 0.0);
        for _ in 0..run.engine().steps(self.duration) {
            run.step()?;
            points += run.total(Quantity::Contacts);
            if let Measure::Rate(joint) = self.measure
                && run.time() > self.duration - RATE_WINDOW
            {
                largest = largest.max(run.joint(Quantity::Rate, joint, 0)?.abs());
            }
        }
        Ok(match self.measure {
            Measure::Travel(link) => position(&run, link)?.distance(start.unwrap_or_default()),
            Measure::Height(link) => run.link(Quantity::Height, link)?.z,
            Measure::JointGap => run.total(Quantity::JointGap),
            Measure::Angle(joint) => run.joint(Quantity::Angle, joint, 0)?.abs(),
            Measure::Rate(_) => largest,
            Measure::Spin(link) => {
                let simulation = run.simulation();
                simulation.link(link).map_or(0.0, |link| simulation.link_velocity(link).1.length())
            }
            Measure::ContactPoints => points,
        })
    }

    /// The numbers that were measured before and after, as text; an engine without numbers has those of the first.
    #[must_use]
    pub fn numbers(&self, engine: &str) -> Option<[&'static str; 2]> {
        let engine = self.engine_for(engine);
        let key = self.key(engine);
        let rows = include_str!("measured.tsv").lines().filter(|line| !line.starts_with('#'));
        let mut found = rows.filter_map(|line| line.strip_prefix(key.as_str())?.strip_prefix('\t'));
        found.next()?.split_once('\t').map(<[&str; 2]>::from)
    }

    /// What a row of `measured.tsv` begins with: world, engine and the changes of the cure.
    #[must_use]
    pub fn key(&self, engine: &str) -> String {
        let first = self.changes(Stage::After).find_map(|change| match change {
            Change::Set(path, value) => Some(format!("{}={value}", path.rsplit('.').next().unwrap_or(path))),
            Change::StepSize(step) => Some(format!("step-size={step}")),
            _ => None,
        });
        format!("{}\t{engine}\t{}", self.world, first.unwrap_or_default())
    }
}

/// A word as a shell wants it.
fn quoted(text: &str) -> String {
    if text.contains(['*', ' ', '<', '>']) { format!("'{text}'") } else { text.to_owned() }
}
