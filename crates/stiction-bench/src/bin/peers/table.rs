//! The table of times, ratios and quality.

use serde::Serialize;
use stiction_bench::engines::{Engine, Run};
use stiction_bench::quality::Quality;
use stiction_scenes::Scene;

/// Everything that was measured.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Table {
    /// The processor.
    pub(crate) machine: String,
    /// Runs of each engine on each scene.
    pub(crate) rounds: u64,
    /// One engine on one scene each.
    pub(crate) lines: Vec<Line>,
    /// What took no part, with the reason.
    pub(crate) skipped: Vec<(String, String)>,
}

/// One engine on one scene.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Line {
    /// Scene.
    pub(crate) scene: String,
    /// Number of its bodies.
    pub(crate) bodies: usize,
    /// Engine, as options name it.
    pub(crate) engine: String,
    /// One of ours.
    pub(crate) is_ours: bool,
    /// Its version.
    pub(crate) version: String,
    /// Its settings.
    pub(crate) variant: String,
    /// Median time of a step, round by round \[µs\].
    pub(crate) rounds: Vec<f64>,
    /// Their median \[µs\].
    pub(crate) time: f64,
    /// Time relative to the first engine: median of the ratios of each round.
    pub(crate) of_first: Option<f64>,
    /// Time relative to the fastest engine that is not ours: likewise.
    pub(crate) of_best_peer: Option<f64>,
    /// Mean number of contacts in the later half.
    pub(crate) contacts: f64,
    /// Steps made, if fewer than asked for.
    pub(crate) stopped_after: Option<usize>,
    /// What the judge found; absent if bodies flew apart or no record was made.
    pub(crate) quality: Option<Quality>,
}

impl Line {
    /// The line of an engine from its runs.
    pub(crate) fn new(scene: &Scene, steps: usize, engine: &Engine, runs: Vec<Run>, quality: Option<Quality>) -> Self {
        let rounds: Vec<f64> = runs.iter().map(|r| r.core_us).collect();
        let last = runs.into_iter().next_back();
        let (version, variant) = last.as_ref().map(|r| (r.version.clone(), r.variant.clone())).unwrap_or_default();
        Self {
            scene: scene.name.clone(),
            bodies: scene.bodies.len(),
            engine: engine.name.clone(),
            is_ours: engine.is_ours(),
            version,
            variant,
            time: median(rounds.clone()),
            rounds,
            of_first: None,
            of_best_peer: None,
            contacts: last.as_ref().map_or(0.0, |r| r.contacts),
            stopped_after: last.map(|r| r.steps).filter(|made| *made < steps),
            quality,
        }
    }

    /// Bodies did not fly apart, as far as is known.
    pub(crate) fn is_stable(&self) -> bool {
        self.quality.is_some() || self.stopped_after.is_some()
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let n = values.len();
    if n == 0 { f64::NAN } else { 0.5 * (values[(n - 1) / 2] + values[n / 2]) }
}

/// Median over the rounds of a time relative to another of the same round.
fn ratio(times: &[f64], reference: &[f64]) -> f64 {
    median(times.iter().zip(reference).map(|(a, b)| a / b).collect())
}

/// Sets the ratios of the lines of one scene.
pub(crate) fn set_ratios(lines: &mut [Line]) {
    let first = lines.first().map(|l| l.rounds.clone());
    // What flew apart is no example.
    let peers = lines.iter().filter(|l| !l.is_ours && l.is_stable());
    let fastest = peers.min_by(|a, b| a.time.total_cmp(&b.time));
    let best = fastest.map(|l| l.rounds.clone());
    for line in lines {
        line.of_first = first.as_ref().map(|f| ratio(&line.rounds, f));
        line.of_best_peer = best.as_ref().map(|b| ratio(&line.rounds, b));
    }
}

/// Prints the head of the table.
pub(crate) fn print_head() {
    println!(
        "{:<13} {:<20} {:>10} {:>8} {:>8} {:>8} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}",
        "scene",
        "engine",
        "µs/step",
        "÷ first",
        "÷ best",
        "contacts",
        "max pen",
        "mean pen",
        "gap mm",
        "drift mm",
        "gain J",
        "change J"
    );
}

/// Prints the lines of one scene.
pub(crate) fn print(lines: &[Line]) {
    for line in lines {
        let or_dash = |x: Option<f64>, digits: usize| x.map_or("-".to_owned(), |x| format!("{x:.digits$}"));
        let quality = |f: &dyn Fn(&Quality) -> Option<f64>, digits| or_dash(line.quality.as_ref().and_then(f), digits);
        let note = match (line.stopped_after, &line.quality) {
            (Some(steps), _) => format!("  stopped after {steps} steps"),
            (None, None) => "  unstable".to_owned(),
            (None, Some(_)) => String::new(),
        };
        println!(
            "{:<13} {:<20} {:>10.1} {:>8} {:>8} {:>8.0} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}{note}",
            line.scene,
            line.engine,
            line.time,
            or_dash(line.of_first, 2),
            or_dash(line.of_best_peer, 2),
            line.contacts,
            quality(&|q| Some(q.deepest), 3),
            quality(&|q| Some(q.mean), 4),
            quality(&|q| Some(q.gap), 4),
            quality(&|q| Some(q.drift), 2),
            quality(&|q| q.gain, 3),
            quality(&|q| q.change, 2),
        );
    }
    println!();
}

impl Table {
    /// Prints the version and the settings of every engine, once each.
    pub(crate) fn print_versions(&self) {
        let mut seen = Vec::new();
        for line in self.lines.iter().filter(|l| !l.version.is_empty()) {
            let words = format!("{}: {}, {}", line.engine, line.version, line.variant);
            if !seen.contains(&words) {
                println!("{words}");
                seen.push(words);
            }
        }
    }
}
