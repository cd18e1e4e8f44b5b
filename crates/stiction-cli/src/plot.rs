//! Plots of a run, one panel a quantity, as SVG or PNG.

use std::path::{Path, PathBuf};

use stiction_run::{Probe, Quantity, Run};

use crate::chart::{Chart, Line, Picture, hue};
use crate::exit::Failure;

/// Points of a curve: more than a picture can show.
const SAMPLES: u64 = 2000;

/// A quantity, and the name of a link or joint, of `--plot-of`.
pub type Item = (Quantity, Option<String>);

/// What to plot and where to.
pub struct Plan {
    path: PathBuf,
    panels: Vec<Item>,
}

/// Reads `--plot` and `--plot-of`.
pub fn requests(path: Option<&Path>, list: Option<&str>) -> Result<Option<Plan>, Failure> {
    let Some(path) = path else { return Ok(None) };
    check_file(path)?;
    let default = [Quantity::Height, Quantity::Speed, Quantity::Penetration, Quantity::Energy];
    let panels = list.map_or_else(
        || Ok(default.map(|q| (q, None)).to_vec()),
        |l| l.split(',').map(|text| item(text, "")).collect(),
    )?;
    Ok(Some(Plan { path: path.to_owned(), panels }))
}

/// A picture is of a kind that can be drawn.
pub fn check_file(path: &Path) -> Result<(), Failure> {
    if path.extension().is_some_and(|e| e == "svg" || e == "png") {
        return Ok(());
    }
    Err(Failure::usage(format!("--plot `{}`: expected a file that ends in .svg or .png", path.display())))
}

/// Reads an item of `--plot-of`; `others` is what else there is, for the message.
pub fn item(text: &str, others: &str) -> Result<Item, Failure> {
    // Names of nested models have `::` in them.
    let (quantity, name) = match text.split_once(':') {
        Some((quantity, name)) => (quantity, Some(name.to_owned())),
        None => (text, None),
    };
    let known = || Quantity::ALL.map(|(_, name, _)| name).join(", ");
    let quantity = Quantity::parse(quantity.trim()).ok_or_else(|| {
        Failure::usage(format!("--plot-of `{text}`: expected QUANTITY[:NAME]; quantities: {others}{}", known()))
    })?;
    if quantity.is_of_world() && name.is_some() {
        return Err(Failure::usage(format!(
            "--plot-of `{text}`: this quantity belongs to the whole world and takes no name"
        )));
    }
    Ok((quantity, name))
}

struct Panel {
    quantity: Quantity,
    curves: Vec<(Probe, Vec<(f64, f64)>)>,
}

/// Collects the curves of a run.
pub struct Plotter {
    path: PathBuf,
    title: String,
    panels: Vec<Panel>,
    every: u64,
    seen: u64,
}

impl Plotter {
    /// Finds what the plan names.
    pub fn new(plan: Plan, run: &Run, steps: u64) -> Result<Self, Failure> {
        let panel = |(quantity, name): &Item| {
            let probes = Probe::find(*quantity, name.as_deref(), run.simulation())?;
            Ok(Panel { quantity: *quantity, curves: probes.into_iter().map(|probe| (probe, Vec::new())).collect() })
        };
        let panels = plan.panels.iter().map(panel).collect::<Result<Vec<_>, Failure>>()?;
        let every = steps.div_ceil(SAMPLES).max(1);
        Ok(Self { path: plan.path, title: run.description().name.clone(), panels, every, seen: 0 })
    }

    /// Takes the present values, if it is time for it.
    pub fn sample(&mut self, run: &Run) {
        self.seen += 1;
        if !(self.seen - 1).is_multiple_of(self.every) {
            return;
        }
        for (probe, points) in self.panels.iter_mut().flat_map(|panel| &mut panel.curves) {
            points.push(probe.point(run));
        }
    }

    /// Draws the file.
    pub fn draw(self) -> Result<(), Failure> {
        let charts: Vec<Chart> = self.panels.into_iter().map(Panel::chart).collect();
        Picture { title: &self.title, legend: &[], charts: &charts }.draw(&self.path)
    }
}

impl Panel {
    fn chart(self) -> Chart {
        let mut chart = empty_chart(self.quantity);
        let count = self.curves.len();
        let line = |(i, (probe, points)): (usize, (Probe, Vec<(f64, f64)>))| {
            let name = if probe.name.is_empty() { self.quantity.label().to_owned() } else { probe.name };
            Line { name, points, color: hue(i, count), width: 2 }
        };
        chart.lines = self.curves.into_iter().enumerate().map(line).collect();
        chart
    }
}

/// A chart for a quantity: a map for paths.
pub fn empty_chart(quantity: Quantity) -> Chart {
    if quantity == Quantity::Path { Chart::map() } else { Chart::over_time(quantity.label()) }
}
