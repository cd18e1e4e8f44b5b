//! `stiction compare`: engines and sets of parameters side by side, as a table, charts and a report.

mod charts;
mod html;
mod parameters;
mod rows;
mod svg;
mod table;

use std::fs;

use stiction_run::{Case, Compared, ComparedCase, Comparison, Length, LoadedComparison, Outcome, RunError, Setup};

use crate::arguments::CompareArguments;
use crate::chart::Picture;
use crate::exit::{Exit, Failure};
use crate::input::{duration, show_findings, simulation};
use crate::output::{progress, say};
use crate::plot;

use charts::Wanted;

/// The name of what the files ask for.
const FILE: &str = "file";

/// Runs the cases that the command line asks for.
pub fn compare(arguments: &CompareArguments) -> Result<Exit, Failure> {
    let base = simulation(&arguments.input, &arguments.simulation)?;
    let mut comparison = Comparison::new(cases(arguments, &base)?).map_err(|error| with_help(arguments, error))?;
    if let Some(name) = &arguments.reference {
        comparison = comparison.reference(name)?;
    }
    comparison = comparison.time_limit(arguments.time_limit);
    let length = match arguments.simulation.steps {
        Some(steps) => Length::Steps(steps),
        None => Length::Duration(duration(&arguments.simulation)?),
    };
    let wanted = wanted(arguments)?;
    if let Some(path) = &arguments.html {
        plot::check_place("--html", path)?;
    }
    let reported = if arguments.html.is_some() { html::observed() } else { Vec::new() };
    for (quantity, name) in wanted.iter().flatten().filter_map(Wanted::observed).chain(reported) {
        comparison = comparison.observe(quantity, name.as_deref());
    }
    let loaded = comparison.load()?;
    let Some(told) = show(arguments, &loaded) else { return Ok(Exit::Input) };
    let bar = progress(&arguments.output, 1000, "{bar:40} {percent} %, {eta} left");
    let compared = loaded.run(length, &mut |done| bar.set_position((1000.0 * done) as u64));
    bar.finish_and_clear();
    finish(arguments, &compared?, wanted, &told)
}

/// Writes and prints what the comparison gave.
fn finish(
    arguments: &CompareArguments,
    compared: &Compared,
    wanted: Option<Vec<Wanted>>,
    told: &[String],
) -> Result<Exit, Failure> {
    let is_quiet = arguments.output.quiet;
    if !is_quiet {
        let is_new = |text: &str| !told.iter().any(|other| other == text);
        for (text, cases) in compared.warnings().into_iter().filter(|(text, _)| is_new(text)) {
            eprintln!("warning: {text}{}", table::whose(compared, &cases));
        }
    }
    if arguments.json {
        say!("{:#}", compared.json());
    } else if !is_quiet {
        say!("{}", table::text(compared));
        let notes = table::notes(compared).into_iter().chain(parameters::lines(compared, arguments.output.verbose));
        for line in notes {
            say!("{line}");
        }
        say!("\n{}", table::outcomes(compared));
    }
    for case in &compared.cases {
        if let Some(reason) = case.outcome.reason() {
            eprintln!("error: case `{}`: {reason}", table::one_line(&case.name));
        }
    }
    // Last, so that a file that cannot be written takes nothing else away.
    let drawn = wanted.map_or(Ok(()), |wanted| draw(arguments, compared, &wanted));
    let reported = report(arguments, compared);
    drawn.and(reported)?;
    let is_refused = |case: &ComparedCase| matches!(case.outcome, Outcome::Refused(_));
    Ok(if compared.are_all_done() {
        Exit::Done
    } else if compared.cases.iter().all(is_refused) {
        Exit::Input
    } else {
        Exit::Simulation
    })
}

/// Writes `--plot`.
fn draw(arguments: &CompareArguments, compared: &Compared, wanted: &[Wanted]) -> Result<(), Failure> {
    let Some(path) = &arguments.plot else { return Ok(()) };
    let mut charts = wanted.iter().map(|w| w.charts(compared)).collect::<Result<Vec<_>, _>>()?.concat();
    if arguments.plot_of.is_none() {
        // Path differences of 0 say something.
        let mut index = 0;
        charts.retain(|chart| {
            index += 1;
            index == 1 || !chart.is_flat()
        });
    }
    Picture { title: &compared.title, legend: &charts::legend(compared), charts: &charts }.draw(path)
}

/// Writes `--html`.
fn report(arguments: &CompareArguments, compared: &Compared) -> Result<(), Failure> {
    let Some(path) = &arguments.html else { return Ok(()) };
    let page = html::page(compared, &arguments.input.files, &html::command_line(std::env::args()))?;
    fs::write(path, page).map_err(|e| Failure::output(format!("{}: {e}", path.display())))
}

/// The cases in the order of `--engines`, then those of `--case` that it does not name; without both all engines.
fn cases(arguments: &CompareArguments, base: &Setup) -> Result<Vec<Case>, Failure> {
    let mut own = arguments.case.iter().map(|text| Case::parse(text, base)).collect::<Result<Vec<_>, _>>()?;
    if arguments.engines.is_empty() {
        let is_all = own.is_empty() && base.engine.is_none();
        return Ok(if is_all {
            Case::of_all_engines(base)
        } else if own.is_empty() {
            base.engine.iter().map(|name| Case::of_engine(name, base)).collect()
        } else {
            own
        });
    }
    let mut cases = Vec::new();
    for name in arguments.engines.iter().map(|name| name.trim()) {
        let place = own.iter().position(|case| case.name == name);
        cases.push(match place {
            Some(place) => own.remove(place),
            None if name == FILE => Case::new(FILE, base.clone()),
            None => Case::of_engine(name, base),
        });
    }
    cases.extend(own);
    Ok(cases)
}

/// An error with what helps.
fn with_help(arguments: &CompareArguments, error: RunError) -> Failure {
    match error {
        RunError::NothingToCompare(_) if !arguments.case.is_empty() => {
            Failure::usage(format!("{error}; `--with file,NAME` compares it with what the file asks for"))
        }
        RunError::NothingToCompare(_) => Failure::usage(format!("{error}; `--engines a,b` names several")),
        other => other.into(),
    }
}

/// Reads `--plot` and `--plot-of`.
fn wanted(arguments: &CompareArguments) -> Result<Option<Vec<Wanted>>, Failure> {
    let list = arguments.plot_of.as_deref();
    if plot::needed_file(arguments.plot.as_deref(), list)?.is_none() {
        return Ok(None);
    }
    Ok(Some(list.map_or_else(
        || Ok(charts::important()),
        |list| plot::items(list).iter().map(|text| Wanted::parse(text)).collect(),
    )?))
}

/// Prints the findings of the files, those that several cases have once, and gives them; `None` where a case cannot run.
fn show(arguments: &CompareArguments, loaded: &LoadedComparison) -> Option<Vec<String>> {
    let mut seen: Vec<String> = Vec::new();
    for (name, project) in loaded.projects() {
        let mut own = project.loaded.clone();
        own.diagnostics.retain(|d| {
            let line = stiction_formats::one_line(d);
            let is_new = !seen.contains(&line);
            seen.extend(is_new.then_some(line));
            is_new
        });
        show_findings(&arguments.output, &own);
        if project.description().is_err() {
            // What the files have in all cases, the first has.
            if loaded.projects().first().is_some_and(|(first, _)| first != name) {
                eprintln!("error: case `{}` cannot run", table::one_line(name));
            }
            return None;
        }
    }
    Some(seen)
}
