//! Plots of a run, one panel a quantity, as SVG or PNG.

use std::path::{Path, PathBuf};
use std::sync::Once;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::register_font;

use stiction_formats::description::WorldDescription;
use stiction_formats::simulation::Simulation;

use super::quantities::{Quantity, of_joint, of_link, total};
use super::summary::Totals;
use crate::arguments::RunArguments;
use crate::exit::Failure;

const WIDTH: u32 = 1100;
const PANEL: u32 = 320;
/// Points of a curve: more than a picture can show.
const SAMPLES: u64 = 2000;
/// Curves of a panel that a legend still helps with.
const LEGEND: usize = 12;

/// What to plot and where to.
pub struct Plan {
    path: PathBuf,
    panels: Vec<(Quantity, Option<String>)>,
}

/// Reads `--plot` and `--plot-of`.
pub fn requests(arguments: &RunArguments) -> Result<Option<Plan>, Failure> {
    let Some(path) = &arguments.plot else { return Ok(None) };
    if !path.extension().is_some_and(|e| e == "svg" || e == "png") {
        return Err(Failure::usage(format!("--plot `{}`: expected a file that ends in .svg or .png", path.display())));
    }
    let Some(list) = &arguments.plot_of else {
        let panels = [Quantity::Height, Quantity::Speed, Quantity::Penetration, Quantity::Energy];
        return Ok(Some(Plan { path: path.clone(), panels: panels.map(|q| (q, None)).to_vec() }));
    };
    let panels = list.split(',').map(|item| {
        // Names of nested models have `::` in them.
        let (quantity, name) = match item.split_once(':') {
            Some((quantity, name)) => (quantity, Some(name.to_owned())),
            None => (item, None),
        };
        let known = || Quantity::ALL.map(|(_, name, _)| name).join(", ");
        let quantity = Quantity::parse(quantity.trim()).ok_or_else(|| {
            Failure::usage(format!("--plot-of `{item}`: expected QUANTITY[:NAME]; quantities: {}", known()))
        })?;
        if quantity.is_of_world() && name.is_some() {
            return Err(Failure::usage(format!(
                "--plot-of `{item}`: this quantity belongs to the whole world and takes no name"
            )));
        }
        Ok((quantity, name))
    });
    Ok(Some(Plan { path: path.clone(), panels: panels.collect::<Result<_, _>>()? }))
}

/// Where the numbers of a curve come from.
#[derive(Clone, Copy)]
enum Source {
    World,
    Link { link: usize, component: usize },
    Path { link: usize },
    Joint { joint: usize, axis: usize },
}

struct Curve {
    name: String,
    source: Source,
    points: Vec<(f64, f64)>,
}

struct Panel {
    quantity: Quantity,
    curves: Vec<Curve>,
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
    pub fn new(
        plan: Plan,
        simulation: &Simulation,
        description: &WorldDescription,
        steps: u64,
    ) -> Result<Self, Failure> {
        let panels = plan
            .panels
            .iter()
            .map(|(quantity, name)| {
                Ok(Panel { quantity: *quantity, curves: curves(*quantity, name.as_deref(), simulation)? })
            })
            .collect::<Result<Vec<_>, Failure>>()?;
        let every = steps.div_ceil(SAMPLES).max(1);
        Ok(Self { path: plan.path, title: description.name.clone(), panels, every, seen: 0 })
    }

    /// Takes the present values, if it is time for it.
    pub fn sample(&mut self, simulation: &Simulation, totals: &Totals) {
        self.seen += 1;
        if !(self.seen - 1).is_multiple_of(self.every) {
            return;
        }
        let time = simulation.world.time();
        for panel in &mut self.panels {
            for curve in &mut panel.curves {
                let point = match curve.source {
                    Source::World => (time, total(panel.quantity, simulation, totals)),
                    Source::Link { link, component } => (time, of_link(panel.quantity, simulation, link)[component]),
                    Source::Path { link } => {
                        let p = of_link(panel.quantity, simulation, link);
                        (p.x, p.y)
                    }
                    Source::Joint { joint, axis } => (time, of_joint(panel.quantity, simulation, joint, axis)),
                };
                curve.points.push(point);
            }
        }
    }

    /// Draws the file.
    pub fn draw(&self) -> Result<(), Failure> {
        static FONT: Once = Once::new();
        FONT.call_once(|| {
            // The error is a font that cannot be parsed; then drawing text fails below and says so.
            drop(register_font("sans-serif", FontStyle::Normal, epaint_default_fonts::UBUNTU_LIGHT));
        });
        let height: u32 = self.panels.iter().map(|p| panel_height(p.quantity)).sum();
        let failed = |e: &dyn std::fmt::Display| Failure::input(format!("{}: {e}", self.path.display()));
        let size = (WIDTH, height + 40);
        if is_svg(&self.path) {
            self.panels_on(&SVGBackend::new(&self.path, size).into_drawing_area()).map_err(|e| failed(&e))
        } else {
            self.panels_on(&BitMapBackend::new(&self.path, size).into_drawing_area()).map_err(|e| failed(&e))
        }
    }

    fn panels_on<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
    ) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
        area.fill(&WHITE)?;
        let mut rest = area.titled(&self.title, ("sans-serif", 22))?;
        for panel in &self.panels {
            let (here, below) = rest.split_vertically(panel_height(panel.quantity));
            panel.draw(&here)?;
            rest = below;
        }
        area.present()
    }
}

fn is_svg(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "svg")
}

/// A path is seen from above with equal scales, which needs a square.
const fn panel_height(quantity: Quantity) -> u32 {
    if matches!(quantity, Quantity::Path) { WIDTH - 40 } else { PANEL }
}

impl Panel {
    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
        let (mut x, mut y) = self.ranges();
        let is_path = self.quantity == Quantity::Path;
        if is_path {
            let half = 0.5 * (x.end - x.start).max(y.end - y.start);
            let (cx, cy) = (0.5 * (x.start + x.end), 0.5 * (y.start + y.end));
            (x, y) = (cx - half..cx + half, cy - half..cy + half);
        }
        let mut chart = ChartBuilder::on(area)
            .margin(10)
            .x_label_area_size(40)
            .y_label_area_size(90)
            .build_cartesian_2d(x, y.clone())?;
        chart
            .configure_mesh()
            .x_desc(if is_path { "x [m]" } else { "time [s]" })
            .y_desc(self.quantity.label())
            .y_label_formatter(&|v| short(*v, y.end - y.start))
            .label_style(("sans-serif", 14))
            .light_line_style(WHITE)
            .draw()?;
        let count = self.curves.len();
        for (i, curve) in self.curves.iter().enumerate() {
            let color = HSLColor((0.62 - i as f64 / count.max(1) as f64).rem_euclid(1.0), 0.75, 0.42);
            let line = LineSeries::new(
                curve.points.iter().copied().filter(|(x, y)| x.is_finite() && y.is_finite()),
                color.stroke_width(2),
            );
            let drawn = chart.draw_series(line)?;
            if count > 1 && count <= LEGEND {
                drawn
                    .label(&curve.name)
                    .legend(move |(x, y)| PathElement::new(vec![(x, y), (x + 18, y)], color.stroke_width(2)));
            }
        }
        if count > 1 && count <= LEGEND {
            chart
                .configure_series_labels()
                .position(SeriesLabelPosition::UpperRight)
                .background_style(WHITE.mix(0.8))
                .border_style(BLACK.mix(0.3))
                .label_font(("sans-serif", 13))
                .draw()?;
        }
        Ok(())
    }

    /// Ranges of the points, with some room.
    fn ranges(&self) -> (std::ops::Range<f64>, std::ops::Range<f64>) {
        let points =
            || self.curves.iter().flat_map(|c| c.points.iter()).filter(|(x, y)| x.is_finite() && y.is_finite());
        let range = |values: &mut dyn Iterator<Item = f64>, room: f64| {
            let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
            if low > high {
                return 0.0..1.0;
            }
            let margin = (room * (high - low)).max(1e-9 * low.abs().max(high.abs())).max(1e-12);
            low - margin..high + margin
        };
        let x_room = if self.quantity == Quantity::Path { 0.04 } else { 0.0 };
        (range(&mut points().map(|p| p.0), x_room), range(&mut points().map(|p| p.1), 0.06))
    }
}

/// A label with as many digits as its axis can tell apart.
fn short(value: f64, range: f64) -> String {
    if value == 0.0 || value.abs() < 1e-9 * range {
        return "0".to_owned();
    }
    let size = value.abs().max(range);
    if !(1e-3..1e5).contains(&size) {
        return format!("{value:.2e}");
    }
    let digits = (2.0 - range.log10().floor()).clamp(0.0, 9.0) as usize;
    format!("{value:.digits$}")
}

fn curves(quantity: Quantity, name: Option<&str>, simulation: &Simulation) -> Result<Vec<Curve>, Failure> {
    let curve = |name: String, source| Curve { name, source, points: Vec::new() };
    if quantity.is_of_world() {
        return Ok(vec![curve(quantity.label().to_owned(), Source::World)]);
    }
    let unknown = |kind: &str, names: Vec<&str>| {
        let some: Vec<_> = names.into_iter().take(8).collect();
        Failure::input(format!("--plot-of: no {kind} `{}`; there are {}", name.unwrap_or_default(), some.join(", ")))
    };
    let wanted = |n: &str| name.is_none_or(|name| n == name || n.starts_with(&format!("{name}::")));
    let mut list = Vec::new();
    if quantity.is_of_joint() {
        for (index, joint) in simulation.joints.iter().enumerate().filter(|(_, j)| wanted(&j.name)) {
            for axis in 0..joint.axes.len() {
                let name = if joint.axes.len() > 1 { format!("{} {axis}", joint.name) } else { joint.name.clone() };
                list.push(curve(name, Source::Joint { joint: index, axis }));
            }
        }
        if list.is_empty() && name.is_some() {
            return Err(unknown("joint", simulation.joints.iter().map(|j| j.name.as_str()).collect()));
        }
        return Ok(list);
    }
    let components: &[&str] = match quantity {
        Quantity::Position => &["x", "y", "z"],
        Quantity::Orientation => &["roll", "pitch", "yaw"],
        _ => &[""],
    };
    for (link, simulated) in simulation.links.iter().enumerate() {
        // Without a name: everything that moves.
        if !wanted(&simulated.name) || name.is_none() && simulated.body.is_none() {
            continue;
        }
        for (component, word) in components.iter().enumerate() {
            let name = format!("{} {word}", simulated.name);
            let source =
                if quantity == Quantity::Path { Source::Path { link } } else { Source::Link { link, component } };
            list.push(curve(name.trim_end().to_owned(), source));
        }
    }
    if list.is_empty() && name.is_some() {
        return Err(unknown("link", simulation.links.iter().map(|l| l.name.as_str()).collect()));
    }
    Ok(list)
}
