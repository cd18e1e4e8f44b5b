//! What a case came to, in numbers.

use serde_json::{Value, json};
use stiction_formats::rounded;

use super::difference::Difference;
use super::track::Series;
use crate::error::Failure;
use crate::run::Run;

/// How a case ended.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Outcome {
    /// It took all its steps.
    Done,
    /// It has failed; its figures are of what it did.
    Failed(Failure),
    /// Its steps took longer on the clock than they may; its figures are of what it did.
    #[non_exhaustive]
    Stopped {
        /// Time that its steps took on the clock \[s\].
        wall_time: f64,
        /// Simulated time that it reached \[s\].
        sim_time: f64,
        /// Simulated time that it was to reach \[s\].
        duration: f64,
    },
    /// The engine refuses the world; there are no figures.
    Refused(String),
}

impl Outcome {
    /// One word: `done`, `condition`, `unfinished`, `quarantined`, `exploded`, `stopped` or `refused`.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Failed(Failure::Condition { .. }) => "condition",
            Self::Failed(Failure::Unfinished(_)) => "unfinished",
            Self::Failed(Failure::Quarantined(_)) => "quarantined",
            Self::Failed(Failure::Exploded) => "exploded",
            Self::Stopped { .. } => "stopped",
            Self::Refused(_) => "refused",
        }
    }

    /// Why it is not done.
    #[must_use]
    pub fn reason(&self) -> Option<String> {
        match self {
            Self::Done => None,
            Self::Failed(failure) => Some(failure.to_string()),
            Self::Stopped { wall_time, sim_time, duration } => {
                let [wall_time, sim_time, duration] = [wall_time, sim_time, duration].map(|time| rounded(*time));
                Some(format!("stopped after {wall_time} s on the clock, at t = {sim_time} s of {duration} s"))
            }
            Self::Refused(reason) => Some(reason.clone()),
        }
    }

    /// How it ended, in a line: `done`, `failed: …`, `stopped after …` or `refused: …`.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Done => "done".to_owned(),
            Self::Failed(failure) => format!("failed: {failure}"),
            Self::Stopped { .. } => self.reason().unwrap_or_default(),
            Self::Refused(reason) => format!("refused: {reason}"),
        }
    }
}

/// Figures of a run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Figures {
    /// Name of the engine.
    pub engine: &'static str,
    /// Step \[s\].
    pub step: f64,
    /// Steps taken.
    pub steps: u64,
    /// Time at their end \[s\].
    pub sim_time: f64,
    /// Time of the steps on the clock \[s\], without loading and observation.
    pub wall_time: f64,
    /// Simulated time over that time.
    pub real_time_factor: f64,
    /// That time of one step \[µs\].
    pub step_time: f64,
    /// Contact points, mean of all steps.
    pub contacts_mean: f64,
    /// The same, the most of all steps.
    pub contacts_max: usize,
    /// Deepest penetration \[m\].
    pub penetration_max: f64,
    /// Energy that the steps made, negative where they lost \[J\].
    pub made: f64,
    /// Largest rise of that sum \[J\].
    pub made_rise: f64,
    /// The rise over the energy in play.
    pub made_share: f64,
    /// Largest distance of the anchors of a joint \[m\].
    pub joint_gap_max: f64,
    /// Largest residual of a row \[m/s\], the row, and the time \[s\].
    pub residual: Option<(f64, String, f64)>,
    /// All warnings.
    pub warnings: Vec<String>,
    /// Hash of the bits of every pose and velocity at the end.
    pub state_hash: u64,
}

impl Figures {
    pub(super) fn new(run: &Run, wall_time: f64) -> Self {
        let (totals, steps) = (&run.totals, run.totals.steps);
        let count = steps.max(1) as f64;
        Self {
            engine: run.engine().name(),
            step: run.engine().step,
            steps,
            sim_time: run.time(),
            wall_time,
            real_time_factor: if wall_time > 0.0 { steps as f64 * run.engine().step / wall_time } else { 0.0 },
            step_time: 1e6 * wall_time / count,
            contacts_mean: totals.contacts_sum as f64 / count,
            contacts_max: totals.contacts_max,
            penetration_max: totals.penetration_max,
            made: totals.ledger.made(),
            made_rise: totals.ledger.rise(),
            made_share: totals.ledger.share(),
            joint_gap_max: totals.joint_error_max,
            residual: totals.worst.as_ref().map(|(row, value, time)| (*value, row.clone(), *time)),
            warnings: run.warnings(),
            state_hash: run.simulation().state_hash(),
        }
    }
}

/// A case that was run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ComparedCase {
    /// Its name.
    pub name: String,
    /// How it ended.
    pub outcome: Outcome,
    /// Its figures, unless the engine refused the world.
    pub figures: Option<Figures>,
    /// Its path difference to the reference; `None` for the reference, and where one of both did not run or they have no
    /// link in common.
    pub difference: Option<Difference>,
    /// Its curves, of what was observed.
    pub series: Vec<Series>,
    /// The summary of its run, as `run --json` has it, without the parameters.
    pub summary: Value,
}

impl ComparedCase {
    pub(super) fn refused(name: String, reason: String) -> Self {
        let outcome = Outcome::Refused(reason);
        Self { name, outcome, figures: None, difference: None, series: Vec::new(), summary: Value::Null }
    }

    /// Of a run; `stopped_of` is the duration that it did not reach because its time was up \[s\].
    pub(super) fn of(
        name: String,
        run: &Run,
        wall_time: f64,
        stopped_of: Option<f64>,
        difference: Option<Difference>,
        series: Vec<Series>,
    ) -> Self {
        let mut summary = run.summary(wall_time).json();
        if let Some(map) = summary.as_object_mut() {
            map.shift_remove("parameters");
        }
        let stopped = stopped_of.map(|duration| Outcome::Stopped { wall_time, sim_time: run.time(), duration });
        let outcome = run.failure().map(Outcome::Failed).or(stopped).unwrap_or(Outcome::Done);
        Self { name, outcome, figures: Some(Figures::new(run, wall_time)), difference, series, summary }
    }

    /// The curve of a quantity by its name.
    #[must_use]
    pub fn curve(&self, quantity: crate::Quantity, name: &str) -> Option<&Series> {
        self.series.iter().find(|s| s.quantity == quantity && s.name == name)
    }

    /// The case as one JSON object.
    pub(super) fn json(&self) -> Value {
        let mut object = json!({"name": self.name, "outcome": self.outcome.word(), "reason": self.outcome.reason()});
        let Some(map) = object.as_object_mut() else { return object };
        if let Value::Object(summary) = &self.summary {
            map.extend(summary.clone());
        }
        if let Some(figures) = &self.figures {
            map.insert("step_time_us".to_owned(), figures.step_time.into());
        }
        map.insert("path_difference".to_owned(), self.difference.as_ref().map_or(Value::Null, difference_json));
        object
    }
}

fn difference_json(d: &Difference) -> Value {
    json!({
        "max": d.max,
        "link": d.at.as_ref().map(|(link, _)| link),
        "time": d.at.as_ref().map(|(_, time)| time),
        "rms": d.rms,
        "instants": d.instants,
        "interval": d.interval,
        "time_offset_max": d.offset_max,
        "until": d.until,
        "links": d.by_link.iter().map(|(name, max)| (name.clone(), Value::from(*max))).collect::<serde_json::Map<_, _>>(),
    })
}
