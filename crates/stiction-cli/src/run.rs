//! `stiction run`: a run of the library with a progress bar, and its results where the command line wants them.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use stiction_formats::Loaded;
use stiction_formats::diagnostic::Severity;
use stiction_formats::render;
use stiction_run::{CommandRequest, Condition, Failure as RunFailure, ForceRequest, Recorder, Run, StateFile};

use crate::arguments::RunArguments;
use crate::exit::{Exit, Failure};
use crate::input::{coordinates, not_built, setup, use_color};
use crate::output::say;
use crate::plot::{self, Plotter};

/// Simulates what the command line asks for.
pub fn run(arguments: &RunArguments) -> Result<Exit, Failure> {
    refuse_what_is_not_built(arguments)?;
    let mut setup = setup(&arguments.input)?;
    setup.engine.clone_from(&arguments.engine);
    setup.step_size = arguments.step_size;
    setup.coordinates = coordinates(arguments.coordinates.as_deref())?;
    setup.threads = arguments.threads;
    setup.fixed_base = arguments.fixed_base;
    setup.forces = arguments.force.iter().map(|f| ForceRequest::parse(f)).collect::<Result<_, _>>()?;
    setup.commands =
        arguments.command.iter().map(|c| CommandRequest::parse(c)).collect::<Result<Vec<_>, _>>()?.concat();
    setup.conditions = arguments.fail_if.iter().map(|f| Condition::parse(f)).collect::<Result<_, _>>()?;
    setup.initial_state = arguments.initial_state.as_deref().map(StateFile::read).transpose()?;
    let plots = plot::requests(arguments)?;
    let duration = duration(arguments)?;

    let project = setup.load()?;
    show_findings(arguments, &project.loaded);
    if project.description().is_err() {
        return Ok(Exit::Input);
    }
    let mut run = project.start()?;
    say_early(arguments, &run);
    let steps = arguments.steps.unwrap_or_else(|| run.engine().steps(duration));
    let recorder = arguments.record.as_deref();
    let recorder = recorder.map(|folder| Recorder::create(folder, arguments.record_rate, &run)).transpose()?;
    let plotter = plots.map(|p| Plotter::new(p, &run, steps)).transpose()?;
    let mut writers = Writers { recorder, plotter };
    let wall_time = simulate(arguments, &mut run, steps, &mut writers)?;
    finish(arguments, &run, writers, wall_time)
}

/// What follows a run.
struct Writers {
    recorder: Option<Recorder>,
    plotter: Option<Plotter>,
}

impl Writers {
    fn take(&mut self, run: &Run) -> Result<(), Failure> {
        if let Some(recorder) = &mut self.recorder {
            recorder.record(run)?;
        }
        if let Some(plotter) = &mut self.plotter {
            plotter.sample(run);
        }
        Ok(())
    }
}

/// Steps until the end or until continuous time cannot go on; the wall time [s].
fn simulate(arguments: &RunArguments, run: &mut Run, steps: u64, writers: &mut Writers) -> Result<f64, Failure> {
    writers.take(run)?;
    let bar = progress(arguments, steps);
    let rate = run.description().physics.real_time_update_rate.value;
    let pace = arguments.real_time.then_some(rate).filter(|r| *r > 0.0);
    let begun = Instant::now();
    for step in 0..steps {
        let stepped = run.step();
        writers.take(run)?;
        if step % 64 == 0 {
            bar.set_position(step);
        }
        if stepped.is_err() {
            break;
        }
        if let Some(rate) = pace {
            let due = Duration::from_secs_f64((step + 1) as f64 / rate);
            std::thread::sleep(due.saturating_sub(begun.elapsed()));
        }
    }
    bar.finish_and_clear();
    Ok(begun.elapsed().as_secs_f64())
}

/// Writes and prints what the run gave.
fn finish(arguments: &RunArguments, run: &Run, writers: Writers, wall_time: f64) -> Result<Exit, Failure> {
    let summary = run.summary(wall_time);
    let json = summary.json();
    if let Some(recorder) = writers.recorder {
        recorder.finish(&json)?;
    }
    if let Some(plotter) = writers.plotter {
        plotter.draw()?;
    }
    if let Some(path) = &arguments.final_state {
        run.state()?.write(path)?;
    }
    if !arguments.quiet {
        run.doubts().iter().for_each(|w| eprintln!("warning: {w}"));
    }
    if arguments.json {
        say!("{json:#}");
    } else if !arguments.quiet {
        say!("{}", summary.text());
    }
    let failure = run.failure();
    match &failure {
        Some(RunFailure::Condition { text, step }) => {
            eprintln!("error: --fail-if `{text}` was true first in step {step}");
        }
        Some(RunFailure::Unfinished(message)) => eprintln!("error: {message}"),
        // Told with the doubts.
        _ => {}
    }
    Ok(if failure.is_none() { Exit::Done } else { Exit::Simulation })
}

/// Options of later work are usage errors that say so.
fn refuse_what_is_not_built(arguments: &RunArguments) -> Result<(), Failure> {
    if arguments.compat.is_some() {
        return not_built("--compat");
    }
    if arguments.record.as_ref().is_some_and(|p| p.extension().is_some_and(|e| e == "mcap")) {
        return not_built("recording into an .mcap file");
    }
    Ok(())
}

fn duration(arguments: &RunArguments) -> Result<f64, Failure> {
    let duration = arguments.duration.unwrap_or(5.0);
    if !(duration >= 0.0 && duration.is_finite()) {
        return Err(Failure::usage(format!("--duration {duration}: expected seconds, 0 or more")));
    }
    if let Some(rate) = arguments.record_rate.filter(|r| !(*r > 0.0 && r.is_finite())) {
        return Err(Failure::usage(format!("--record-rate {rate}: expected a number more than 0")));
    }
    Ok(duration)
}

/// Errors always, warnings unless `--quiet`, notes with `--verbose`.
fn show_findings(arguments: &RunArguments, loaded: &Loaded) {
    let least = match (arguments.quiet, arguments.verbose) {
        (true, _) => Severity::Error,
        (_, true) => Severity::Note,
        _ => Severity::Warning,
    };
    let mut shown: Vec<_> = loaded.diagnostics.iter().filter(|d| d.severity >= least).cloned().collect();
    if !loaded.blocking() {
        if arguments.quiet {
            return;
        }
        // What a run goes past is no error of this run.
        shown.iter_mut().for_each(|d| d.severity = d.severity.min(Severity::Warning));
    }
    eprint!("{}", render(&shown, &loaded.sources, use_color(arguments.color)));
}

/// What is known before the first step.
fn say_early(arguments: &RunArguments, run: &Run) {
    if arguments.quiet {
        return;
    }
    let notes = run.advice().iter().filter(|d| arguments.verbose && d.severity < Severity::Warning);
    notes.for_each(|d| eprintln!("note: {}", d.message));
    run.early_warnings().iter().for_each(|w| eprintln!("warning: {w}"));
}

fn progress(arguments: &RunArguments, steps: u64) -> ProgressBar {
    if arguments.quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::hidden());
    }
    let bar = ProgressBar::new(steps);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} steps, {eta} left") {
        bar.set_style(style);
    }
    bar
}
