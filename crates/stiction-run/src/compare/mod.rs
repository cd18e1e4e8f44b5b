//! Cases of one world side by side: engines, or sets of parameters.
//!
//! ```
//! use stiction_run::{Case, Comparison, Length, Setup};
//!
//! # fn main() -> Result<(), stiction_run::RunError> {
//! let base = Setup::new("double_pendulum");
//! let cases = vec![Case::of_engine("ode-world", &base), Case::of_engine("drake-discrete", &base)];
//! let compared = Comparison::new(cases)?.load()?.run(Length::Duration(0.1), &mut |_| {})?;
//! let difference = compared.cases[1].difference.as_ref().expect("both ran");
//! // Coordinates of the joints and of the links keep the same pendulum.
//! assert!(difference.max > 0.0 && difference.max < 1e-3);
//! # Ok(())
//! # }
//! ```

mod case;
mod difference;
mod figures;
mod pairing;
mod parameters;
mod track;
mod window;

use serde_json::{Value, json};

use crate::engine::Engine;
use crate::error::{Request, RunError, near_or_all};
use crate::probe::Probe;
use crate::quantities::Quantity;
use crate::run::Run;
use crate::setup::Project;

pub use case::Case;
pub use difference::Difference;
pub use figures::{ComparedCase, Figures, Outcome};
pub use parameters::DifferingParameter;
pub use track::Series;

use difference::Meter;
use track::Track;

/// Samples of a curve at most.
const SAMPLES: usize = 1000;
/// Samples of a curve at least, where there are very many curves.
const FEWEST: usize = 50;
/// Points of all curves together, 64 MB.
const POINTS: usize = 4_000_000;

/// What is to be compared.
#[derive(Clone, Debug)]
pub struct Comparison {
    cases: Vec<Case>,
    reference: usize,
    observed: Vec<(Quantity, Option<String>)>,
    time_limit: f64,
}

/// How long every case runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Length {
    /// Simulated time \[s\].
    Duration(f64),
    /// The time of so many steps of the reference.
    Steps(u64),
}

impl Comparison {
    /// Compares cases with the first of them.
    ///
    /// # Errors
    /// There are fewer than two, or two have the same name.
    pub fn new(cases: Vec<Case>) -> Result<Self, RunError> {
        for (index, case) in cases.iter().enumerate() {
            if cases[..index].iter().any(|other| other.name == case.name) {
                return Err(RunError::CaseTwice(case.name.clone()));
            }
        }
        if cases.len() < 2 {
            return Err(RunError::NothingToCompare(cases.first().map(|case| case.name.clone())));
        }
        Ok(Self { cases, reference: 0, observed: Vec::new(), time_limit: f64::INFINITY })
    }

    /// Compares with another case than the first.
    ///
    /// # Errors
    /// There is no such case.
    pub fn reference(mut self, name: &str) -> Result<Self, RunError> {
        let names = self.cases.iter().map(|case| case.name.as_str());
        self.reference = names.clone().position(|n| n == name).ok_or_else(|| {
            let (near, is_near) = near_or_all(name, names);
            let (text, name) = (name.to_owned(), name.to_owned());
            RunError::Unknown { request: Request::Reference, text, kind: "case", name, near, is_near }
        })?;
        Ok(self)
    }

    /// Keeps curves of a quantity: those that [`Probe::find`] finds by the name.
    #[must_use]
    pub fn observe(mut self, quantity: Quantity, name: Option<&str>) -> Self {
        let item = (quantity, name.map(str::to_owned));
        if !self.observed.contains(&item) {
            self.observed.push(item);
        }
        self
    }

    /// Stops each case once its steps took so much time on the clock \[s\]; without this there is no limit. A step that has
    /// begun is finished.
    #[must_use]
    pub fn time_limit(self, seconds: f64) -> Self {
        Self { time_limit: seconds, ..self }
    }

    /// Reads the files of every case. Their faults stand in the projects.
    ///
    /// # Errors
    /// As [`Setup::load`](crate::Setup::load).
    pub fn load(self) -> Result<LoadedComparison, RunError> {
        let Self { cases, reference, observed, time_limit } = self;
        let load = |case: Case| Ok((case.name, case.setup.load()?));
        let projects = cases.into_iter().map(load).collect::<Result<_, RunError>>()?;
        Ok(LoadedComparison { projects, reference, observed, time_limit })
    }
}

/// A comparison whose files are read.
pub struct LoadedComparison {
    projects: Vec<(String, Project)>,
    reference: usize,
    observed: Vec<(Quantity, Option<String>)>,
    time_limit: f64,
}

impl LoadedComparison {
    /// Every case's name and files.
    #[must_use]
    pub fn projects(&self) -> &[(String, Project)] {
        &self.projects
    }

    /// Runs all cases, by stretches in turn on this thread, so that none disturbs another's speed. `progress` is told the
    /// share of all steps that is done, 0 to 1.
    ///
    /// # Errors
    /// As [`Project::start`]. A world that an engine refuses, and a run that fails, is no error but the outcome of the case.
    pub fn run(self, length: Length, progress: &mut dyn FnMut(f64)) -> Result<Compared, RunError> {
        let Self { projects, reference, observed, time_limit } = self;
        // An engine that refuses the parameters of the files refuses the world.
        let engines =
            projects.iter().map(|(_, project)| may_refuse(project.engine())).collect::<Result<Vec<_>, _>>()?;
        let values = |((_, project), engine): (&(String, Project), &Result<Engine, String>)| {
            engine.as_ref().map_or_else(|_| Vec::new(), |engine| project.values(engine))
        };
        let parameters = projects.iter().zip(&engines).map(values).collect::<Vec<_>>();
        let parameters = parameters::differing(&parameters);
        let title = projects[reference].1.description()?.name.clone();
        let duration = match length {
            Length::Duration(seconds) => seconds,
            Length::Steps(count) => {
                let step = engines[reference].as_ref().map(|engine| engine.step);
                let of_file = || Ok::<_, RunError>(projects[reference].1.description()?.physics.max_step_size.value);
                count as f64 * step.or_else(|_| of_file())?
            }
        };
        let mut names = Vec::with_capacity(projects.len());
        let mut started = Vec::with_capacity(projects.len());
        for ((name, project), engine) in projects.into_iter().zip(engines) {
            names.push(name);
            started.push(match engine {
                Ok(engine) => may_refuse(Run::new(project, engine))?,
                Err(reason) => Err(reason),
            });
        }
        let mut tracks = tracks(started, &observed, duration, time_limit)?;
        let meters = compare(&mut tracks, reference, duration, progress);
        let cases = names.into_iter().zip(tracks).zip(meters).map(|((name, track), meter)| match track {
            Err(reason) => ComparedCase::refused(name, reason),
            Ok(track) => {
                let stopped_of = track.was_stopped.then_some(duration);
                let (run, wall_time, series) = track.finish();
                let difference = meter.map(|meter| meter.finish(&run));
                ComparedCase::of(name, &run, wall_time, stopped_of, difference, series)
            }
        });
        Ok(Compared { cases: cases.collect(), reference, title, duration, parameters })
    }
}

/// A run, or why the engine refuses its world.
type Started = Result<Run, String>;

/// What an engine refuses is the outcome of its case; other errors end the comparison.
fn may_refuse<T>(made: Result<T, RunError>) -> Result<Result<T, String>, RunError> {
    match made {
        Ok(made) => Ok(Ok(made)),
        Err(error @ (RunError::World(_) | RunError::Weld(_) | RunError::Parameters(_) | RunError::Findings(_))) => {
            Ok(Err(error.to_string()))
        }
        Err(error) => Err(error),
    }
}

fn tracks(
    started: Vec<Started>,
    observed: &[(Quantity, Option<String>)],
    duration: f64,
    time_limit: f64,
) -> Result<Vec<Result<Track, String>>, RunError> {
    let find = |run: &Run| -> Result<Vec<Probe>, RunError> {
        let found = observed.iter().map(|(quantity, name)| Probe::find(*quantity, name.as_deref(), run.simulation()));
        Ok(found.collect::<Result<Vec<_>, _>>()?.concat())
    };
    let probes = started.iter().map(|run| run.as_ref().map_or_else(|_| Ok(Vec::new()), find));
    let probes = probes.collect::<Result<Vec<_>, _>>()?;
    let curves: usize = probes.iter().map(Vec::len).sum();
    let samples = (POINTS / curves.max(1)).clamp(FEWEST, SAMPLES) as u64;
    let track = |(run, probes): (Started, Vec<Probe>)| {
        run.map(|run| {
            let steps = run.engine().steps(duration);
            Track::new(run, steps, probes, samples, time_limit)
        })
    };
    Ok(started.into_iter().zip(probes).map(track).collect())
}

/// Runs all tracks; what was measured of each but the reference.
fn compare(
    tracks: &mut [Result<Track, String>],
    reference: usize,
    duration: f64,
    progress: &mut dyn FnMut(f64),
) -> Vec<Option<Meter>> {
    let mut meters: Vec<Option<Meter>> = tracks.iter().map(|_| None).collect();
    if let Ok(other) = &tracks[reference] {
        for (index, track) in tracks.iter().enumerate().filter(|(index, _)| *index != reference) {
            meters[index] = track.as_ref().ok().and_then(|track| Meter::new(&track.run, &other.run, duration));
        }
    }
    window::run_all(tracks, &mut meters, reference, progress);
    meters
}

/// Cases that were run, with what they have in common.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Compared {
    /// The cases, in the order of the comparison.
    pub cases: Vec<ComparedCase>,
    /// Index of the one that the others are compared with.
    pub reference: usize,
    /// Name of the world.
    pub title: String,
    /// Simulated time \[s\].
    pub duration: f64,
    /// Parameters that differ between cases.
    pub parameters: Vec<DifferingParameter>,
}

impl Compared {
    /// Names of the links whose paths differ most from the reference in any case, the most first; links whose paths are
    /// equal come last, in the order of the file.
    #[must_use]
    pub fn most_different_links(&self) -> Vec<&str> {
        let mut links: Vec<(&str, f64)> = Vec::new();
        let mut places = std::collections::BTreeMap::new();
        for (name, max) in self.cases.iter().filter_map(|c| c.difference.as_ref()).flat_map(|d| &d.by_link) {
            let place = *places.entry(name.as_str()).or_insert_with(|| {
                links.push((name, 0.0));
                links.len() - 1
            });
            links[place].1 = links[place].1.max(*max);
        }
        links.sort_by(|a, b| b.1.total_cmp(&a.1));
        links.into_iter().map(|(name, _)| name).collect()
    }

    /// Every case ran to its end.
    #[must_use]
    pub fn are_all_done(&self) -> bool {
        self.cases.iter().all(|case| case.outcome == Outcome::Done)
    }

    /// Every warning once, in the order of the cases, with the indices of the cases that have it.
    #[must_use]
    pub fn warnings(&self) -> Vec<(&str, Vec<usize>)> {
        let mut list: Vec<(&str, Vec<usize>)> = Vec::new();
        for (index, case) in self.cases.iter().enumerate() {
            for warning in case.figures.iter().flat_map(|f| &f.warnings) {
                match list.iter_mut().find(|(text, _)| text == warning) {
                    Some((_, cases)) if cases.last() != Some(&index) => cases.push(index),
                    Some(_) => {}
                    None => list.push((warning, vec![index])),
                }
            }
        }
        list
    }

    /// All as one JSON object.
    #[must_use]
    pub fn json(&self) -> Value {
        let names: Vec<&str> = self.cases.iter().map(|case| case.name.as_str()).collect();
        json!({
            "world": self.title,
            "duration": self.duration,
            "reference": names[self.reference],
            "cases": self.cases.iter().map(ComparedCase::json).collect::<Vec<_>>(),
            "parameters": self.parameters.iter().map(|p| p.json(&names)).collect::<Vec<_>>(),
        })
    }
}
