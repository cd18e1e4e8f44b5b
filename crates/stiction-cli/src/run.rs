//! `stiction run`: a run of the library with a progress bar, and its results where the command line wants them.

use std::time::{Duration, Instant};

use stiction_formats::diagnostic::Severity;
use stiction_run::{Failure as RunFailure, MessageEncoding, Pace, RecordFormat, RecordOptions, Recorder, Run};

use crate::arguments::{RecordForm, RunArguments};
use crate::exit::{Exit, Failure};
use crate::input::{duration, refused, show_findings, simulation, use_color};
use crate::interrupt;
use crate::output::{progress, say};
use crate::plot::{self, Plotter};

/// Simulates what the command line asks for.
pub fn run(arguments: &RunArguments) -> Result<Exit, Failure> {
    let setup = simulation(&arguments.input, &arguments.simulation)?;
    let plots = plot::requests(arguments.plot.as_deref(), arguments.plot_of.as_deref())?;
    let duration = duration(&arguments.simulation)?;
    let record_options = record_options(arguments)?;

    let project = setup.load()?;
    show_findings(&arguments.output, &project.loaded);
    if project.description().is_err() {
        return Ok(Exit::Input);
    }
    let sources = project.loaded.sources.clone();
    let mut run = match project.start() {
        Ok(run) => run,
        Err(error) => return refused(error, &sources, use_color(arguments.output.color)),
    };
    say_early(arguments, &run);
    let steps = arguments.simulation.steps.unwrap_or_else(|| run.engine().steps(duration));
    let recorder = arguments.record.as_deref();
    let recorder = recorder.map(|path| Recorder::create(path, &record_options, &run)).transpose()?;
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

/// Steps until the end, until continuous time cannot go on, or until Ctrl-C; the wall time [s].
fn simulate(arguments: &RunArguments, run: &mut Run, steps: u64, writers: &mut Writers) -> Result<f64, Failure> {
    writers.take(run)?;
    let bar = progress(&arguments.output, steps, "{bar:40} {pos}/{len} steps, {eta} left");
    let pace = Pace::of(&run.description().physics, run.engine().step).filter(|_| arguments.real_time);
    let begun = Instant::now();
    interrupt::listen();
    for step in 0..steps {
        if interrupt::is_asked() {
            break;
        }
        let stepped = run.step();
        writers.take(run)?;
        if step % 64 == 0 {
            bar.set_position(step);
        }
        if stepped.is_err() {
            break;
        }
        if let Some(pace) = pace {
            let due = Duration::from_secs_f64(pace.due(step + 1));
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
    if !arguments.output.quiet {
        run.doubts().iter().for_each(|w| eprintln!("warning: {w}"));
    }
    if arguments.json {
        say!("{json:#}");
    } else if !arguments.output.quiet {
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
    if interrupt::is_asked() {
        eprintln!("warning: interrupted after {} steps, at {} s", run.steps(), run.time());
        return Ok(Exit::Interrupted);
    }
    Ok(if failure.is_none() { Exit::Done } else { Exit::Simulation })
}

/// Form and rates of the recording.
fn record_options(arguments: &RunArguments) -> Result<RecordOptions, Failure> {
    let format = arguments.record_format.map(|form| match form {
        RecordForm::Csv => RecordFormat::Csv,
        RecordForm::Arrow => RecordFormat::Arrow,
        RecordForm::Mcap => RecordFormat::Mcap(MessageEncoding::Cdr),
        RecordForm::McapJson => RecordFormat::Mcap(MessageEncoding::Json),
    });
    let rates = arguments.record_rate.as_deref().map(str::parse).transpose()?.unwrap_or_default();
    Ok(RecordOptions { format, rates })
}

/// What is known before the first step.
fn say_early(arguments: &RunArguments, run: &Run) {
    if arguments.output.quiet {
        return;
    }
    let notes = run.advice().iter().filter(|d| arguments.output.verbose && d.severity < Severity::Warning);
    notes.for_each(|d| eprintln!("note: {}", d.message));
    run.early_warnings().iter().for_each(|w| eprintln!("warning: {w}"));
}
