//! `stiction run`: load, simulate, write.

mod astray;
mod commands;
pub mod engine;
mod fail;
mod forces;
mod ledger;
mod placed;
mod plot;
mod quantities;
mod record;
mod signal;
mod state;
mod stiff;
mod summary;

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use stiction::joints::{JointDefinition, JointKind};
use stiction_formats::description::WorldDescription;
use stiction_formats::diagnostic::Severity;
use stiction_formats::simulation::{Simulation, simulate};
use stiction_formats::{Loaded, one_line, render};

use crate::arguments::RunArguments;
use crate::exit::{Exit, Failure};
use crate::load::{load, split_settings, use_color};
use crate::output::say;
use summary::Totals;

/// Simulates what the command line asks for.
pub fn run(arguments: &RunArguments) -> Result<Exit, Failure> {
    engine::refuse_what_is_not_built(arguments)?;
    let (overrides, settings) = split_settings(&arguments.input.set)?;
    let forces = arguments.force.iter().map(|f| forces::parse(f)).collect::<Result<Vec<_>, _>>()?;
    let commands = arguments.command.iter().map(|c| commands::parse(c)).collect::<Result<Vec<_>, _>>()?.concat();
    let failures = arguments.fail_if.iter().map(|f| fail::parse(f)).collect::<Result<Vec<_>, _>>()?;
    let plots = plot::requests(arguments)?;
    let initial = arguments.initial_state.as_deref().map(state::read).transpose()?;

    let loaded = load(&arguments.input, overrides)?;
    show_findings(arguments, &loaded);
    let Some(description) = loaded.world.as_ref().filter(|_| !loaded.blocking()) else { return Ok(Exit::Input) };
    let mut warnings = warnings_of(&loaded);
    let plan = engine::plan(arguments, description, &settings, &mut warnings)?;
    let mut simulation = simulate(description, plan.parameters.clone()).map_err(|e| Failure::input(e.to_string()))?;
    if arguments.fixed_base {
        weld_root(&mut simulation, description)?;
    }
    if let Some(initial) = &initial {
        state::apply(&mut simulation, description, initial)?;
    }
    let forces = forces.iter().map(|f| forces::resolve(f, &simulation)).collect::<Result<Vec<_>, _>>()?;
    let commands = commands::resolve(&commands, &simulation, &mut warnings)?;
    let mut recorder = arguments
        .record
        .as_deref()
        .map(|folder| record::Recorder::create(folder, arguments.record_rate, plan.step))
        .transpose()?;
    let mut plotter = plots.map(|p| plot::Plotter::new(p, &simulation, description, plan.steps)).transpose()?;

    let mut totals = Totals::new(&simulation);
    if let Some(recorder) = &mut recorder {
        recorder.record(&simulation)?;
    }
    if let Some(plotter) = &mut plotter {
        plotter.sample(&simulation, &totals);
    }
    let bar = progress(arguments, plan.steps);
    let begun = Instant::now();
    let pace = arguments.real_time.then_some(description.physics.real_time_update_rate.value).filter(|r| *r > 0.0);
    let mut failed = None;
    let mut unfinished = None;
    for step in 0..plan.steps {
        commands.iter().for_each(|c| c.apply(&mut simulation, plan.step));
        forces.iter().for_each(|f| f.apply(&mut simulation, plan.step));
        simulation.world.step(plan.step);
        totals.add(&simulation);
        if let Some(recorder) = &mut recorder {
            recorder.record(&simulation)?;
        }
        if let Some(plotter) = &mut plotter {
            plotter.sample(&simulation, &totals);
        }
        failed = failed.or_else(|| failures.iter().find(|f| f.holds(&simulation, &totals)).map(|f| (f.text(), step)));
        if step % 64 == 0 {
            bar.set_position(step);
        }
        unfinished = stiff::unfinished(&simulation, plan.parameters.integrator.max_trials);
        if unfinished.is_some() {
            break;
        }
        if let Some(rate) = pace {
            let due = Duration::from_secs_f64((step + 1) as f64 / rate);
            std::thread::sleep(due.saturating_sub(begun.elapsed()));
        }
    }
    let wall_time = begun.elapsed().as_secs_f64();
    bar.finish_and_clear();

    let doubts = totals.warnings(&simulation, description);
    warnings.extend(doubts.iter().cloned());
    let report = summary::Report {
        loaded: &loaded,
        description,
        simulation: &simulation,
        plan: &plan,
        totals: &totals,
        wall_time,
        warnings: &warnings,
    };
    let summary = report.json();
    if let Some(recorder) = recorder {
        recorder.finish(&summary)?;
    }
    if let Some(plotter) = plotter {
        plotter.draw()?;
    }
    if let Some(path) = &arguments.final_state {
        state::write(path, &simulation, &totals)?;
    }
    if !arguments.quiet {
        doubts.iter().for_each(|w| eprintln!("warning: {w}"));
    }
    if arguments.json {
        say!("{summary:#}");
    } else if !arguments.quiet {
        say!("{}", report.text());
    }
    if let Some((text, step)) = failed {
        eprintln!("error: --fail-if `{text}` was true first in step {step}");
        return Ok(Exit::Simulation);
    }
    if let Some(message) = unfinished {
        eprintln!("error: {message}");
        return Ok(Exit::Simulation);
    }
    Ok(if totals.quarantined.is_empty() && !totals.ledger.has_exploded() { Exit::Done } else { Exit::Simulation })
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

fn warnings_of(loaded: &Loaded) -> Vec<String> {
    loaded.diagnostics.iter().filter(|d| d.severity >= Severity::Warning).map(one_line).collect()
}

/// `--fixed-base`: the canonical link of the first model that moves is welded to the world.
fn weld_root(simulation: &mut Simulation, description: &WorldDescription) -> Result<(), Failure> {
    let root = description.models.iter().find(|m| !m.is_static).and_then(|m| m.canonical_link);
    let body = root.and_then(|link| simulation.links[link].body);
    if root.is_some_and(|root| hangs_on_world(description, root)) {
        return Ok(());
    }
    let (Some(root), Some(body)) = (root, body) else {
        return Err(Failure::usage("--fixed-base: no model of the file moves"));
    };
    let anchor = description.links[root].pose.position;
    let weld = JointDefinition::new(JointKind::Fixed, Some(body), None).at(anchor);
    simulation.world.add_joint(weld).map(drop).map_err(|e| Failure::input(e.to_string()))
}

/// The base is fixed as it is.
fn hangs_on_world(description: &WorldDescription, root: usize) -> bool {
    let is_joined = |link: usize| description.joints.iter().any(|j| j.child == Some(link) && j.parent.is_none());
    description.links[root].is_fixed_to_world || is_joined(root)
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
