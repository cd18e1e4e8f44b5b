//! Time and memory over rows, as the guide of ODE draws them in its figures 8.1 and 8.2.

use std::error::Error;
use std::path::Path;

use stiction_bench::chart::{self, Axis, Corner, Panel, Series};

use crate::Line;
use crate::library::Run;

/// Draws `ode_time.svg` and `ode_memory.svg`.
pub(crate) fn draw(folder: &Path, lines: &[Line]) -> Result<(), Box<dyn Error>> {
    let time: fn(&Run) -> f64 = |run| run.stepping;
    let memory: fn(&Run) -> f64 = |run| run.memory;
    for (name, quantity) in [
        ("ode_time.svg", (time, "time in the stepper [µs]", [3.0, 1e6])),
        ("ode_memory.svg", (memory, "memory [KiB]", [10.0, 1e6])),
    ] {
        let panels = [
            panel("Iterative stepper, pile of boxes", ["pile"], "quick", lines, quantity),
            panel("Direct stepper, chain and wall", ["chain", "wall"], "step", lines, quantity),
        ];
        chart::draw(&folder.join(name), &panels)?;
    }
    Ok(())
}

/// A quantity of all libraries over the rows, a curve for each scene.
fn panel<const N: usize>(
    title: &'static str,
    scenes: [&str; N],
    stepper: &str,
    lines: &[Line],
    (quantity, label, range): (fn(&Run) -> f64, &'static str, [f64; 2]),
) -> Panel {
    let mut series = Vec::new();
    for scene in scenes {
        let chosen: Vec<&Line> = lines.iter().filter(|l| l.scene.name == scene && l.scene.stepper == stepper).collect();
        let curve = |run: fn(&Line) -> Option<&Run>| {
            let points = chosen.iter().filter_map(|l| run(l)).map(|run| (run.rows as f64, quantity(run)));
            points.collect::<Vec<_>>()
        };
        let named = |who: &str| if N == 1 { who.to_owned() } else { format!("{scene}, {who}") };
        let mut add = |who: &str, points: Vec<(f64, f64)>| {
            if !points.is_empty() {
                series.push(Series::line(&named(who), series.len(), points));
            }
        };
        add("stock", curve(|l| l.stock.as_ref()));
        add(if stepper == "quick" { "ours, exact mode" } else { "ours" }, curve(|l| Some(&l.exact)));
        if stepper == "quick" {
            add("ours, fast mode", curve(|l| Some(&l.fast)));
        }
    }
    let axes = [Axis::log("constraint rows", 10.0, 1e6), Axis::log(label, range[0], range[1])];
    Panel { title, axes, series, legend: Corner::UpperLeft }
}
