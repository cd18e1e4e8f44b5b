//! The table of growing scenes, its fits, and its plot.

use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use serde::Serialize;
use stiction_bench::chart::{Axis, Corner, Panel, Series, draw};
use stiction_bench::engines::{Engine, Limit, Run};
use stiction_scenes::Scene;

use crate::family::{FAMILIES, Family, THREADED};

/// Sweeps of the line of the limit in the plot of pyramids.
const SWEEPS: f64 = 20.0;
/// Rows of a manifold of four points.
const ROWS: f64 = 12.0;

/// A scene under an engine.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Measure {
    /// Family.
    pub(crate) family: String,
    /// Scene.
    pub(crate) scene: String,
    /// Engine.
    pub(crate) engine: String,
    /// Threads.
    pub(crate) threads: u32,
    /// Bodies.
    pub(crate) bodies: usize,
    /// Contacts in the later half.
    pub(crate) contacts: f64,
    /// Time of a step \[µs\]: on the core with one thread, else by the clock on the wall.
    pub(crate) time: f64,
    /// The limit of time ended the run.
    pub(crate) is_stopped: bool,
}

impl Measure {
    /// The median of runs.
    pub(crate) fn new(family: &Family, scene: &Scene, engine: &Engine, threads: u32, runs: &[Run]) -> Self {
        let is_alone = family.name != "threads";
        let mut times: Vec<f64> = runs.iter().map(|r| if is_alone { r.core_us } else { r.wall_us }).collect();
        times.sort_by(f64::total_cmp);
        Self {
            family: family.name.to_owned(),
            scene: scene.name.clone(),
            engine: engine.name.clone(),
            threads,
            bodies: scene.bodies.len(),
            contacts: runs.last().map_or(0.0, |r| r.contacts),
            time: times.get(times.len() / 2).copied().unwrap_or(f64::NAN),
            is_stopped: runs.iter().any(|r| r.steps < family.steps),
        }
    }
}

/// Everything that was measured.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Report {
    /// The processor.
    pub(crate) machine: String,
    /// What it allows.
    pub(crate) limit: Option<Limit>,
    /// The table.
    pub(crate) measures: Vec<Measure>,
}

/// Prints the rates of the processor.
pub(crate) fn print_limit(limit: &Limit) {
    let rates: Vec<String> = limit.read_gb_per_s.iter().map(|(kib, rate)| format!("{kib} KiB {rate:.0}")).collect();
    println!("peak {:.0} GFLOP/s (f64), reading [GB/s]: {}", limit.peak_gflops, rates.join(", "));
    for kernel in &limit.kernels {
        println!("sweep, {} rows, {} lanes: {:.2} ns a row", kernel.rows, kernel.lanes, kernel.ns_per_row);
    }
}

/// Prints the head of a family.
pub(crate) fn print_head(family: &str) {
    println!(
        "\n{:<14} {:<14} {:>7} {:>8} {:>9} {:>12} {:>11}",
        family, "engine", "threads", "bodies", "contacts", "µs/step", "µs/body"
    );
}

/// Prints a line.
pub(crate) fn print(m: &Measure) {
    let note = if m.is_stopped { "  stopped by the limit of time" } else { "" };
    println!(
        "{:<14} {:<14} {:>7} {:>8} {:>9.0} {:>12.1} {:>11.3}{note}",
        m.scene,
        m.engine,
        m.threads,
        m.bodies,
        m.contacts,
        m.time,
        m.time / m.bodies as f64
    );
}

/// Exponent of the power law through points by least squares of logarithms; `None` with fewer than two.
pub(crate) fn exponent(points: &[(f64, f64)]) -> Option<f64> {
    let n = points.len() as f64;
    let logs: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let mean = logs.iter().fold((0.0, 0.0), |s, p| (s.0 + p.0 / n, s.1 + p.1 / n));
    let (xy, xx) = logs.iter().fold((0.0, 0.0), |s, p| {
        let (dx, dy) = (p.0 - mean.0, p.1 - mean.1);
        (s.0 + dx * dy, s.1 + dx * dx)
    });
    (points.len() >= 2 && xx > 0.0).then(|| xy / xx)
}

/// Size and time of a family under an engine.
fn points(measures: &[Measure], engine: &str) -> Vec<(f64, f64)> {
    measures.iter().filter(|m| m.engine == engine).map(|m| (m.bodies as f64, m.time)).collect()
}

/// Prints the exponents of one family.
pub(crate) fn print_exponents(measures: &[Measure], engines: &[Engine]) {
    for engine in engines {
        let points = points(measures, &engine.name);
        let last = &points[points.len().saturating_sub(2)..];
        if let (Some(all), Some(end)) = (exponent(&points), exponent(last)) {
            println!("{}: time grows as bodies^{all:.2}; between the two largest as bodies^{end:.2}", engine.name);
        }
    }
}

impl Report {
    /// Writes the table as JSON and CSV, and the plot.
    pub(crate) fn save(&self, folder: &Path) -> Result<(), Box<dyn Error>> {
        let [json, table, plot, page] = ["json", "csv", "svg", "md"].map(|e| folder.join(format!("scaling.{e}")));
        fs::write(&json, serde_json::to_string_pretty(self)?)?;
        let mut csv = csv::Writer::from_path(&table)?;
        self.measures.iter().try_for_each(|m| csv.serialize(m))?;
        csv.flush()?;
        fs::write(&page, self.page())?;
        let panels = self.panels();
        if !panels.is_empty() {
            draw(&plot, &panels)?;
        }
        println!("written: {}, {}, {}, {}", json.display(), table.display(), page.display(), plot.display());
        Ok(())
    }

    /// The table as Markdown: times of a step, and times for a body in parentheses.
    fn page(&self) -> String {
        let mut text = format!("Machine: {}.\n", self.machine);
        for family in FAMILIES.iter().chain([&THREADED]) {
            let measures: Vec<&Measure> = self.measures.iter().filter(|m| m.family == family.name).collect();
            let mut columns: Vec<(&str, u32)> = Vec::new();
            for column in measures.iter().map(|m| (m.engine.as_str(), m.threads)) {
                if !columns.contains(&column) {
                    columns.push(column);
                }
            }
            let name = |(engine, threads): &(&str, u32)| match threads {
                1 => (*engine).to_owned(),
                _ => format!("{engine}, {threads} threads"),
            };
            let head: Vec<String> = columns.iter().map(name).collect();
            if head.is_empty() {
                continue;
            }
            // Writing to a string cannot fail.
            let _ = writeln!(text, "\n{}: time of a step [µs] (for a body)\n", family.title);
            let _ = writeln!(text, "| scene | bodies | {} |\n|---|---|{}", head.join(" | "), "---|".repeat(head.len()));
            for scene in family.scenes {
                let of = |(engine, threads): &(&str, u32)| {
                    let is_it = |m: &&&Measure| m.scene == *scene && m.engine == *engine && m.threads == *threads;
                    measures.iter().find(is_it).map_or("–".to_owned(), |m| {
                        let mark = if m.is_stopped { ", stopped" } else { "" };
                        format!("{:.0} ({:.2}{mark})", m.time, m.time / m.bodies as f64)
                    })
                };
                let Some(bodies) = measures.iter().find(|m| m.scene == *scene).map(|m| m.bodies) else { continue };
                let cells: Vec<String> = columns.iter().map(of).collect();
                let _ = writeln!(text, "| {scene} | {bodies} | {} |", cells.join(" | "));
            }
        }
        text
    }

    fn panels(&self) -> Vec<Panel> {
        let panel = |family: &'static Family| {
            let measures: Vec<Measure> = self.measures.iter().filter(|m| m.family == family.name).cloned().collect();
            // In the order of the options, which is that of the first scene.
            let first = measures.first().map(|m| m.scene.clone());
            let engines = measures.iter().filter(|m| Some(&m.scene) == first.as_ref()).map(|m| m.engine.as_str());
            let mut series = Vec::new();
            for (color, engine) in engines.enumerate() {
                let points = points(&measures, engine);
                let law = exponent(&points).map_or(String::new(), |e| format!(", bodies^{e:.2}"));
                series.push(Series::line(&format!("{engine}{law}"), color, points.clone()));
                series.push(Series::dots("", color, points));
            }
            let row = self.limit.as_ref().and_then(|l| l.row("full"));
            if let Some(row) = row.filter(|_| family.name == "pyramid") {
                // A pyramid of n levels has n² manifolds and n (n + 1) / 2 bodies.
                let time = |n: f64| (n * (n + 1.0) / 2.0, n * n * ROWS * SWEEPS * row * 1e-3);
                let name = "limit: 20 sweeps of 12 rows a manifold";
                series.push(Series::line(name, 4, [5.0, 10.0, 20.0, 40.0, 80.0].map(time).into()));
            }
            let all = || series.iter().flat_map(|s| &s.points);
            let range = |pick: fn(&(f64, f64)) -> f64| {
                let values = all().map(pick);
                values.fold([f64::INFINITY, 0.0f64], |[a, b], x| [a.min(x), b.max(x)])
            };
            let ([x0, x1], [y0, y1]) = (range(|p| p.0), range(|p| p.1));
            (!measures.is_empty()).then(|| Panel {
                title: family.title,
                axes: [Axis::log("bodies", x0 / 1.5, x1 * 1.5), Axis::log("time of a step [µs]", y0 / 2.0, y1 * 3.0)],
                series,
                legend: Corner::UpperLeft,
            })
        };
        FAMILIES.iter().filter_map(panel).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::exponent;

    #[test]
    fn the_exponent_of_a_power_law() {
        let law = |x: f64| (x, 3.0 * x.powf(1.5));
        assert!((exponent(&[10.0, 40.0, 300.0].map(law)).unwrap() - 1.5).abs() < 1e-12);
        assert_eq!(exponent(&[(1.0, 1.0)]), None);
    }
}
