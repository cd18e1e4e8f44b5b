//! The table as Markdown, a column an engine, for `docs/performance.md`.

use std::fmt::Write;

use crate::table::{Line, Table};

/// A cell of a quantity.
type Cell = fn(&Line) -> Option<String>;

/// The tables of times, penetrations, joint gaps, drift and energy.
pub(crate) fn write(table: &Table) -> String {
    let mut text = format!("Machine: {}. {} rounds.\n", table.machine, table.rounds);
    let time: Cell = |l| {
        let mark = if l.is_stable() { "" } else { " (unstable)" };
        let stopped = l.stopped_after.map_or(String::new(), |n| format!(" (stopped after {n} steps)"));
        Some(format!("{}{mark}{stopped}", number(l.time)))
    };
    let penetration: Cell =
        |l| l.quality.filter(|q| q.deepest > 0.0).map(|q| format!("{} / {}", number(q.deepest), number(q.mean)));
    let gap: Cell = |l| l.quality.filter(|q| q.gap > 0.0).map(|q| number(q.gap));
    let drift: Cell = |l| l.quality.map(|q| number(q.drift));
    let energy: Cell = |l| {
        let q = l.quality?;
        Some(format!("{} / {}", number(q.gain?), number(q.change?)))
    };
    for (title, cell) in [
        ("Time of a step [µs]", time),
        ("Ratio of the time to that of the first engine", |l| l.of_first.map(|x| format!("{x:.2}"))),
        ("Ratio of the time to that of the fastest other engine", |l| l.of_best_peer.map(|x| format!("{x:.2}"))),
        ("Penetration [mm]: largest of the records / mean at the end", penetration),
        ("Largest joint gap [mm]", gap),
        ("Drift in the second half [mm]", drift),
        ("Energy [J]: largest gain between records / change over the run", energy),
    ] {
        add(title, cell, table, &mut text);
    }
    text
}

/// Three digits.
fn number(x: f64) -> String {
    let digits = if x == 0.0 { 0.0 } else { 2.0 - x.abs().log10().floor() };
    if digits > 6.0 { format!("{x:.0e}") } else { format!("{x:.*}", digits.max(0.0) as usize) }
}

fn add(title: &str, cell: Cell, table: &Table, text: &mut String) {
    let mut engines: Vec<&str> = Vec::new();
    let mut scenes: Vec<&str> = Vec::new();
    for line in &table.lines {
        if !engines.contains(&line.engine.as_str()) {
            engines.push(&line.engine);
        }
        if !scenes.contains(&line.scene.as_str()) {
            scenes.push(&line.scene);
        }
    }
    // Writing to a string cannot fail.
    let _ = writeln!(text, "\n{title}:\n\n| scene | {} |\n|---|{}", engines.join(" | "), "---|".repeat(engines.len()));
    for scene in scenes {
        let of = |engine: &&str| {
            let line = table.lines.iter().find(|l| l.scene == scene && l.engine == **engine);
            line.and_then(cell).unwrap_or_else(|| "–".to_owned())
        };
        let cells: Vec<String> = engines.iter().map(of).collect();
        if cells.iter().any(|c| c != "–") {
            let _ = writeln!(text, "| {scene} | {} |", cells.join(" | "));
        }
    }
}
