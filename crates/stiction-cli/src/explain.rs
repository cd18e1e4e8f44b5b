//! `stiction explain`: what an engine does with the parameters of a file, one contact in every language, the page of a
//! parameter, and the answer to words.

mod plugin;
mod symptom;

use std::path::Path;

use stiction_formats::usage::How;
use stiction_formats::{BUNDLED_WORLDS, render};
use stiction_run::{
    Engine, EngineContact, ExplainedValue, Explanation, Page, PairError, PairExplanation, Project, find_parameter,
    short_number as short,
};

use crate::arguments::ExplainArguments;
use crate::exit::{Exit, Failure};
use crate::input::{refused as refused_by_engine, setup_of_files};
use crate::output::say;

/// Prints the explanation of files, of a parameter, or of a symptom.
pub fn explain(arguments: &ExplainArguments) -> Result<Exit, Failure> {
    let (files, words): (Vec<String>, Vec<String>) =
        arguments.input.files.iter().cloned().partition(|name| is_file(name) || looks_like_file(name));
    if !words.is_empty() {
        if arguments.pair.is_some() {
            return Err(Failure::usage(format!(
                "--pair takes files only; `{}` is not a file",
                symptom::cut(&words.join(" "), 60)
            )));
        }
        return symptom::answer(arguments, &files, &words);
    }
    if let ([name], None) = (files.as_slice(), &arguments.pair)
        && let Ok(page) = find_parameter(name)
    {
        eprintln!("note: `{name}` is a file; the parameter is `stiction explain {}`", page.pattern);
    }
    let Some((project, engine)) = loaded(&arguments.input.files, arguments)? else { return Ok(Exit::Input) };
    if let Some(pair) = &arguments.pair {
        let Some((a, b)) = pair.split_once(',') else {
            return Err(Failure::usage(format!("--pair {pair}: expected two names with a comma between them")));
        };
        let explained = project.explain_pair(&engine, [a.trim(), b.trim()]).map_err(refused)?;
        if arguments.json {
            say!("{:#}", explained.json());
        } else {
            contact(&explained)?;
        }
        return Ok(Exit::Done);
    }
    let explanation = project.explain(&engine, arguments.all)?;
    if arguments.json {
        say!("{:#}", explanation.json());
    } else {
        values(&explanation)?;
    }
    Ok(Exit::Done)
}

/// Files that were read, and the engine; nothing after findings were printed.
fn loaded(files: &[String], arguments: &ExplainArguments) -> Result<Option<(Project, Engine)>, Failure> {
    let project = setup_of_files(files, &arguments.input, &arguments.engine)?.load()?;
    if project.description().is_err() {
        eprint!("{}", render(&project.loaded.diagnostics, &project.loaded.sources, false));
        return Ok(None);
    }
    match project.engine() {
        Ok(engine) => Ok(Some((project, engine))),
        Err(error) => refused_by_engine(error, &project.loaded.sources, false).map(|_| None),
    }
}

/// A file or a bundled world has precedence over a parameter.
fn is_file(name: &str) -> bool {
    let path = name.split('@').next().unwrap_or(name);
    let path = path.split('=').next().unwrap_or(path);
    Path::new(path).exists() || BUNDLED_WORLDS.iter().any(|world| world.name == path)
}

fn looks_like_file(name: &str) -> bool {
    const ENDINGS: [&str; 8] = [".sdf", ".world", ".urdf", ".body", ".cnoid", ".xml", ".xacro", ".yaml"];
    name.contains(['/', '@', '=']) || ENDINGS.iter().any(|ending| name.ends_with(ending))
}

fn values(explanation: &Explanation) -> Result<(), Failure> {
    say!("engine {}, step {} s", explanation.engine, explanation.step);
    for departure in &explanation.departures {
        say!("note: {departure}");
    }
    for group in &explanation.groups {
        say!("\n{}", group.element);
        let shown: Vec<[String; 3]> = group.values.iter().map(columns).collect();
        let width = |i: usize| shown.iter().map(|c| c[i].chars().count()).max().unwrap_or(0);
        let widths = [width(0), width(1)];
        for (value, [name, number, origin]) in group.values.iter().zip(&shown) {
            say!("  {name:<w0$}  {number:<w1$}  {origin}: {}", what(value), w0 = widths[0], w1 = widths[1]);
        }
    }
    Ok(())
}

fn columns(value: &ExplainedValue) -> [String; 3] {
    let unit = if matches!(value.unit, "" | "1") { String::new() } else { format!(" {}", value.unit) };
    [value.name.clone(), format!("{}{unit}", value.value), value.origin.clone()]
}

/// What the engine does with a value, in words.
fn what(value: &ExplainedValue) -> String {
    let reason = match (value.how, value.reason.as_str()) {
        (How::Used, "") => "used".to_owned(),
        (How::Used, limit) => format!("used ({limit})"),
        (How::Mapped, to) => format!("mapped {}", with_to(to)),
        (How::Outside, what) => format!("acts outside the motion: {what}"),
        (_, why) => format!("ignored: {why}"),
    };
    match &value.numbers {
        Some(numbers) => format!("{reason}; {numbers}"),
        None => reason,
    }
}

fn with_to(text: &str) -> String {
    if text.starts_with("to ") { text.to_owned() } else { format!("to: {text}") }
}

fn parameter(page: &Page) -> Result<(), Failure> {
    say!("{}", page.path);
    say!("  {}", page.meaning);
    let rows = [
        ("set by", page.pattern.as_str()),
        ("unit", page.unit.as_str()),
        ("default", page.default),
        ("range", page.range),
        ("two surfaces", page.combination),
        ("equation", page.equation),
        ("source", page.source),
    ];
    for (name, text) in rows.into_iter().filter(|(_, text)| !text.is_empty()) {
        say!("  {name:<13} {text}");
    }
    say!("engines");
    for (engine, how, text) in &page.uses {
        let text = if text.is_empty() { String::new() } else { format!(": {text}") };
        say!("  {engine:<19} {}{text}", how.word());
    }
    for (title, names) in [("also known as", page.aliases.join(", ")), ("related", page.related.join(", "))] {
        if !names.is_empty() {
            say!("{title}\n  {names}");
        }
    }
    if !page.directions.is_empty() {
        say!("without fdir1, on level ground");
    }
    for directions in page.directions {
        say!("  {}: {}", directions.engines.join(", "), directions.level);
        say!("    {}", directions.rule);
    }
    Ok(())
}

/// A name of the command line that is no shape is a fault of it.
fn refused(error: PairError) -> Failure {
    match error {
        PairError::Run(error) => error.into(),
        other => Failure::usage(format!("--pair: {other}")),
    }
}

/// Prints lines with columns of equal width, but for the last.
fn table(rows: &[Vec<String>]) -> Result<(), Failure> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |i: usize| rows.iter().filter_map(|r| r.get(i)).map(|c| c.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in rows {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        say!("  {}", cells.join("  ").trim_end());
    }
    Ok(())
}

fn contact(pair: &PairExplanation) -> Result<(), Failure> {
    let [a, b] = &pair.collisions;
    let at = &pair.contact;
    say!("contact of `{a}` and `{b}` under {}, step {} s", at.engine, at.step);
    for note in &pair.notes {
        say!("note: {note}");
    }
    let mass = |m: f64| if m.is_finite() { format!("{} kg", short(m)) } else { "static".to_owned() };
    say!("\nmasses");
    let [first, second] = pair.masses.bodies.map(mass);
    say!("  {first} and {second}; reduced {} kg; load {} kg", short(pair.masses.reduced), short(pair.masses.load));
    say!("  points: {} ({})", pair.points.0, pair.points.1);
    say!("\nsurfaces");
    let mut rows = vec![["value", "first", "from", "second", "from", "rule", "contact"].map(str::to_owned).to_vec()];
    rows.extend(pair.combined.iter().map(|c| {
        let [(first, of_first), (second, of_second)] = &c.surfaces;
        let unit = if matches!(c.unit, "" | "1") || c.result == "-" { String::new() } else { format!(" {}", c.unit) };
        let result = if c.how == How::Ignored { "ignored".to_owned() } else { format!("{}{unit}", c.result) };
        [&c.name, first, of_first, second, of_second, &c.rule, &result].map(Clone::clone).to_vec()
    }));
    table(&rows)?;
    say!("\nlaw: {}", at.law);
    let facts = [
        ("stiffness of a point", format!("{} N/m", short(at.stiffness))),
        ("damping of a point", format!("{} N s/m", short(at.damping))),
        ("depth at rest", format!("{} m (of these {} m without load)", short(at.depth), short(at.rest_depth))),
        ("natural frequency", format!("{} rad/s", short(at.frequency))),
        ("damping ratio", short(at.damping_ratio)),
        ("largest explicit step", format!("{} s, 2 (√(ζ² + 1) − ζ)/ω of semi-implicit Euler", short(at.explicit_step))),
        ("friction", pair.friction.clone()),
        ("restitution", pair.restitution.clone()),
        ("torsional friction", if pair.torsion.is_empty() { "none".to_owned() } else { pair.torsion.clone() }),
    ];
    table(&facts.map(|(name, text)| vec![name.to_owned(), text]))?;
    say!("\nthe same contact elsewhere");
    for language in &pair.languages {
        let values: Vec<String> = language
            .values
            .iter()
            .map(|v| format!("{} = {}{}{}", v.symbol, short(v.value), if v.unit.is_empty() { "" } else { " " }, v.unit))
            .collect();
        say!("  {}: {}", language.name, values.join(", "));
        say!("    {} ({})", language.formula, language.assumes);
    }
    say!("\nengines");
    let head = ["engine", "law", "points", "stiffness", "damping", "depth at rest", "ω", "ζ", "explicit step"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(pair.engines.iter().map(of_engine));
    table(&rows)
}

fn of_engine(c: &EngineContact) -> Vec<String> {
    vec![
        c.engine.to_owned(),
        c.law.clone(),
        c.points.to_string(),
        format!("{} N/m", short(c.stiffness)),
        format!("{} N s/m", short(c.damping)),
        format!("{} m", short(c.depth)),
        format!("{} rad/s", short(c.frequency)),
        short(c.damping_ratio),
        format!("{} s", short(c.explicit_step)),
    ]
}
