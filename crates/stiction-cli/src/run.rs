//! `stiction run`: a run of the library with a progress bar, and its results where the command line wants them.

use std::time::{Duration, Instant};

use stiction_formats::counted;
use stiction_formats::diagnostic::Severity;
use stiction_run::{
    Failure as RunFailure, FrameNames, MessageEncoding, Pace, RecordFormat, RecordOptions, RecordRates, Recorder, Run,
    Topic,
};

use crate::arguments::{RecordForm, RecordNames, RunArguments};
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
    if let Some(path) = &arguments.final_state {
        plot::check_place("--final-state", path)?;
    }

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
    // A file that cannot be written takes nothing else away.
    let written = write(arguments, run, writers, &json);
    if !arguments.output.quiet {
        run.doubts().iter().for_each(|w| eprintln!("warning: {w}"));
    }
    if arguments.json {
        say!("{json:#}");
    } else if !arguments.output.quiet {
        say!("{}", summary.text());
    }
    for line in written.lines {
        match (arguments.output.quiet, arguments.json) {
            (true, _) => {}
            (false, true) => eprintln!("{line}"),
            (false, false) => say!("{line}"),
        }
    }
    if let Some(failed) = written.failure {
        return Err(failed);
    }
    let failure = run.failure();
    match &failure {
        Some(failure @ RunFailure::Condition { .. }) => eprintln!("error: --{failure}"),
        Some(RunFailure::Unfinished(message)) => eprintln!("error: {message}"),
        // Reported with the warnings.
        _ => {}
    }
    if interrupt::is_asked() {
        eprintln!("warning: interrupted after {}, at {} s", counted(run.steps(), "step"), run.time());
        return Ok(Exit::Interrupted);
    }
    Ok(if failure.is_none() { Exit::Done } else { Exit::Simulation })
}

/// What was written, in lines for people, and the first thing that could not be.
struct Written {
    lines: Vec<String>,
    failure: Option<Failure>,
}

/// Ends the recording, draws the plot and writes the state.
fn write(arguments: &RunArguments, run: &Run, writers: Writers, summary: &serde_json::Value) -> Written {
    let Writers { recorder, plotter } = writers;
    let recorded = recorder.map(|recorder| Ok(format!("recorded {}", recorder.finish(summary)?.text())));
    let drawn = plotter.map(|plotter| plotter.draw().map(|path| format!("wrote {}", path.display())));
    let state = arguments.final_state.as_ref().map(|path| {
        run.state()?.write(path)?;
        Ok(format!("wrote {}", path.display()))
    });
    let mut written = Written { lines: Vec::new(), failure: None };
    let all: [Option<Result<String, Failure>>; 3] = [recorded, drawn, state];
    for result in all.into_iter().flatten() {
        match result {
            Ok(line) => written.lines.push(line),
            Err(failure) => {
                written.failure.get_or_insert(failure);
            }
        }
    }
    written
}

/// Form and rates of the recording.
fn record_options(arguments: &RunArguments) -> Result<RecordOptions, Failure> {
    let given = [
        ("--record-rate", arguments.record_rate.is_some()),
        ("--record-contacts", arguments.record_contacts),
        ("--record-format", arguments.record_format.is_some()),
        ("--record-names", arguments.record_names.is_some()),
    ];
    if let Some((option, _)) = given.iter().find(|(_, is_given)| *is_given && arguments.record.is_none()) {
        return Err(Failure::usage(format!(
            "{option} without --record: nothing is recorded; expected `--record DIR` or `--record FILE.mcap` too"
        )));
    }
    let format = arguments.record_format.map(|form| match form {
        RecordForm::Csv => RecordFormat::Csv,
        RecordForm::Arrow => RecordFormat::Arrow,
        RecordForm::Mcap => RecordFormat::Mcap(MessageEncoding::Cdr),
        RecordForm::McapJson => RecordFormat::Mcap(MessageEncoding::Json),
    });
    let mut rates: RecordRates = arguments.record_rate.as_deref().map(str::parse).transpose()?.unwrap_or_default();
    if arguments.record_contacts {
        rates = rates.with_contacts();
        if rates.of(Topic::Contacts) == Some(0.0) {
            return Err(Failure::usage(
                "--record-contacts contradicts `contacts=0` of --record-rate: give one of the two",
            ));
        }
    }
    let names = match arguments.record_names {
        None | Some(RecordNames::Auto) => FrameNames::Auto,
        Some(RecordNames::Scoped) => FrameNames::Scoped,
        Some(RecordNames::Short) => FrameNames::Short,
    };
    Ok(RecordOptions { format, rates, names })
}

/// What is known before the first step.
fn say_early(arguments: &RunArguments, run: &Run) {
    if arguments.output.quiet {
        return;
    }
    let notes = run.advice().iter().filter(|d| arguments.output.verbose && d.severity < Severity::Warning);
    notes.for_each(|d| eprintln!("note: {}", d.message));
    for (is_warning, line) in run.effect_lines() {
        eprintln!("{}: {line}", if is_warning { "warning" } else { "note" });
    }
    run.early_warnings().iter().for_each(|w| eprintln!("warning: {w}"));
    run.hints().iter().for_each(|hint| eprintln!("note: {hint}"));
}
