//! Plots of a run, one panel a quantity, as SVG or PNG.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Once;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::register_font;

use stiction_formats::simulation::Simulation;
use stiction_run::{Quantity, Run};

use crate::arguments::RunArguments;
use crate::exit::Failure;

const WIDTH: u32 = 1100;
const PANEL: u32 = 320;
/// Points of a curve: more than a picture can show.
const SAMPLES: u64 = 2000;
/// Curves of a panel that a legend still helps with.
const LEGEND: usize = 12;
/// Share of a number below which differences are not shown.
const FLAT: f64 = 1e-9;

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
    pub fn new(plan: Plan, run: &Run, steps: u64) -> Result<Self, Failure> {
        let panels = plan
            .panels
            .iter()
            .map(|(quantity, name)| {
                Ok(Panel { quantity: *quantity, curves: curves(*quantity, name.as_deref(), run.simulation())? })
            })
            .collect::<Result<Vec<_>, Failure>>()?;
        let every = steps.div_ceil(SAMPLES).max(1);
        Ok(Self { path: plan.path, title: run.description().name.clone(), panels, every, seen: 0 })
    }

    /// Takes the present values, if it is time for it.
    pub fn sample(&mut self, run: &Run) {
        self.seen += 1;
        if !(self.seen - 1).is_multiple_of(self.every) {
            return;
        }
        let time = run.time();
        for panel in &mut self.panels {
            for curve in &mut panel.curves {
                let point = match curve.source {
                    Source::World => (time, run.total(panel.quantity)),
                    Source::Link { link, component } => (time, run.link_at(panel.quantity, link)[component]),
                    Source::Path { link } => {
                        let p = run.link_at(panel.quantity, link);
                        (p.x, p.y)
                    }
                    Source::Joint { joint, axis } => (time, run.joint_at(panel.quantity, joint, axis)),
                };
                curve.points.push(point);
            }
        }
    }

    /// Draws the file.
    pub fn draw(&self) -> Result<(), Failure> {
        register_fonts();
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
            panel.draw(&here, !is_svg(&self.path))?;
            rest = below;
        }
        area.present()
    }
}

fn register_fonts() {
    static FONT: Once = Once::new();
    FONT.call_once(|| {
        // The error is a font that cannot be parsed; then drawing text fails and says so.
        drop(register_font("sans-serif", FontStyle::Normal, epaint_default_fonts::UBUNTU_LIGHT));
    });
}

fn is_svg(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "svg")
}

/// A path is seen from above with equal scales, which needs a square.
const fn panel_height(quantity: Quantity) -> u32 {
    if matches!(quantity, Quantity::Path) { WIDTH - 40 } else { PANEL }
}

impl Panel {
    fn draw<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
        is_bitmap: bool,
    ) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
        let (mut x, mut y) = self.ranges();
        let is_path = self.quantity == Quantity::Path;
        if is_path {
            let half = 0.5 * (x.end - x.start).max(y.end - y.start);
            let (cx, cy) = (0.5 * (x.start + x.end), 0.5 * (y.start + y.end));
            (x, y) = (cx - half..cx + half, cy - half..cy + half);
        }
        let (x_labels, y_labels) = (Labels::of(&x), Labels::of(&y));
        let mut chart =
            ChartBuilder::on(area).margin(10).x_label_area_size(40).y_label_area_size(90).build_cartesian_2d(x, y)?;
        chart
            .configure_mesh()
            .x_desc(x_labels.title(if is_path { "x [m]" } else { "time [s]" }))
            .y_desc(y_labels.title(self.quantity.label()))
            .x_label_formatter(&|v| x_labels.text(*v))
            .y_label_formatter(&|v| y_labels.text(*v))
            .label_style(("sans-serif", 14))
            .light_line_style(WHITE)
            .draw()?;
        let count = self.curves.len();
        for (i, curve) in self.curves.iter().enumerate() {
            let color = HSLColor((0.62 - i as f64 / count.max(1) as f64).rem_euclid(1.0), 0.75, 0.42);
            // A thick polyline is drawn as one polygon into a bitmap, and where it turns back sharply the corner on the
            // inner side of the turn lies far off: a spike. Pieces of two points have no corners.
            let points = distinct(&curve.points, |point| chart.backend_coord(point));
            let pieces = points.windows(2).map(|ends| PathElement::new(ends.to_vec(), color.stroke_width(2)));
            let drawn = if is_bitmap {
                // Short steep pieces have less than a pixel of area: a thin line closes the gaps between them.
                chart.draw_series(LineSeries::new(points.iter().copied(), color.stroke_width(1)))?;
                chart.draw_series(pieces)?
            } else {
                chart.draw_series(LineSeries::new(points.iter().copied(), color.stroke_width(2)))?
            };
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
    fn ranges(&self) -> (Range<f64>, Range<f64>) {
        let points =
            || self.curves.iter().flat_map(|c| c.points.iter()).filter(|(x, y)| x.is_finite() && y.is_finite());
        let range = |values: &mut dyn Iterator<Item = f64>, room: f64| {
            let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
            if low > high {
                return 0.0..1.0;
            }
            let size = low.abs().max(high.abs());
            // What differs by rounding alone is one number, in the middle of its axis.
            let is_flat = high - low <= FLAT * size;
            let margin = match (is_flat, size > 0.0) {
                (false, _) => room * (high - low),
                (true, true) => 0.1 * size,
                (true, false) => 1.0,
            };
            low - margin..high + margin
        };
        let x_room = if self.quantity == Quantity::Path { 0.04 } else { 0.0 };
        (range(&mut points().map(|p| p.0), x_room), range(&mut points().map(|p| p.1), 0.06))
    }
}

/// The points that are finite and fall on another pixel than the one before.
fn distinct(points: &[(f64, f64)], pixel: impl Fn(&(f64, f64)) -> (i32, i32)) -> Vec<(f64, f64)> {
    let mut kept: Vec<(f64, f64)> = Vec::new();
    for point in points.iter().filter(|(x, y)| x.is_finite() && y.is_finite()) {
        if kept.last().is_none_or(|last| pixel(last) != pixel(point)) {
            kept.push(*point);
        }
    }
    kept
}

/// How the ticks of an axis are written, so that no two are the same.
struct Labels {
    /// Taken off every tick and told in the title: the axis shows little of a large number.
    offset: f64,
    /// Digits of the offset behind the point.
    offset_digits: usize,
    /// Power of ten that all ticks are multiples of, told in the title.
    exponent: i32,
    digits: usize,
}

impl Labels {
    fn of(range: &Range<f64>) -> Self {
        let span = range.end - range.start;
        let order = |x: f64| x.abs().log10().floor() as i32;
        let size = range.start.abs().max(range.end.abs());
        let has_offset = size > 1e4 * span;
        // A round number of ten times the span.
        let unit_order = order(span) + 1;
        let unit = 10f64.powi(unit_order);
        let offset = if has_offset { (range.start / unit).round() * unit } else { 0.0 };
        let left = (range.start - offset).abs().max((range.end - offset).abs());
        let exponent = if (1e-3..1e5).contains(&left) { 0 } else { order(left) };
        // Ticks stand a tenth of the span apart, or a little more.
        let digits = (exponent - order(span) + 1).clamp(0, 12) as usize;
        Self { offset, offset_digits: (-unit_order).clamp(0, 15) as usize, exponent, digits }
    }

    fn text(&self, tick: f64) -> String {
        let shown = (tick - self.offset) / 10f64.powi(self.exponent);
        let text = format!("{shown:.*}", self.digits);
        // No sign of a zero that rounding made.
        if text.bytes().all(|b| matches!(b, b'-' | b'0' | b'.')) { "0".to_owned() } else { text }
    }

    fn title(&self, title: &str) -> String {
        let power = if self.exponent == 0 { String::new() } else { format!(" × 1e{}", self.exponent) };
        let sign = if self.offset < 0.0 { '−' } else { '+' };
        let offset = format!(" {sign} {:.*}", self.offset_digits, self.offset.abs());
        format!("{title}{power}{}", if self.offset == 0.0 { String::new() } else { offset })
    }
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn ticks_of_any_axis_are_distinct() {
        let mut random = 12345u64;
        let mut unit = || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 11) as f64 / (1u64 << 53) as f64
        };
        for _ in 0..20_000 {
            let size = 10f64.powf(24.0 * unit() - 12.0);
            let middle = size * (2.0 * unit() - 1.0);
            let span = size * 10f64.powf(-9.0 * unit());
            let range = middle - 0.5 * span..middle + 0.5 * span;
            let labels = Labels::of(&range);
            let ticks: Vec<String> = (0..=10).map(|k| labels.text(range.start + 0.1 * f64::from(k) * span)).collect();
            let mut distinct = ticks.clone();
            distinct.sort();
            distinct.dedup();
            assert!(distinct.len() == ticks.len() && ticks.iter().all(|t| t.len() < 12), "{range:?}: {ticks:?}");
        }
    }

    /// A curve that turns back sharply, as contact forces and penetrations do, stays on the pixels between its points.
    #[test]
    fn a_bitmap_has_no_spikes() {
        // Short peaks a pixel or so wide, and one that sets the range.
        let peak = |k: u32| if k == 1 { 1.0 } else { 0.05 + f64::from(k % 7) / 50.0 };
        let points = (0..1000).map(|k| (f64::from(k), if k % 2 == 0 { 0.0 } else { peak(k) })).collect();
        let curve = Curve { name: String::new(), source: Source::World, points };
        let panel = Panel { quantity: Quantity::Force, curves: vec![curve] };
        let (width, height) = (1100u32, 320u32);
        let mut pixels = vec![0u8; (width * height * 3) as usize];
        register_fonts();
        {
            let area = BitMapBackend::with_buffer(&mut pixels, (width, height)).into_drawing_area();
            area.fill(&WHITE).unwrap();
            panel.draw(&area, true).unwrap();
            area.present().unwrap();
        }
        // The axis leaves 6 % of the range below the lowest point: 15 pixels of the 260 or so of the panel.
        let is_colored = |x: u32, y: u32| {
            let at = ((y * width + x) * 3) as usize;
            let [r, g, b] = [pixels[at], pixels[at + 1], pixels[at + 2]];
            r.abs_diff(g) > 40 || g.abs_diff(b) > 40
        };
        let colored: Vec<(u32, u32)> =
            (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).filter(|(x, y)| is_colored(*x, *y)).collect();
        let (low, high) = (colored.iter().map(|p| p.1).max().unwrap(), colored.iter().map(|p| p.1).min().unwrap());
        assert!(colored.len() > 10_000, "{}", colored.len());
        assert!(low < height - 50 - 10 && high > 10 + 10, "{high} to {low} of {height}");
        let (left, right) = (colored.iter().map(|p| p.0).min().unwrap(), colored.iter().map(|p| p.0).max().unwrap());
        assert!(left >= 98 && right <= width - 8, "{left} to {right} of {width}");
    }

    #[test]
    fn labels_are_plain_where_they_can_be() {
        let ticks = |range: Range<f64>, at: &[f64]| {
            let labels = Labels::of(&range);
            (labels.title("z [m]"), at.iter().map(|x| labels.text(*x)).collect::<Vec<_>>())
        };
        assert_eq!(
            ticks(0.0..5.0, &[0.0, 0.5, 5.0]),
            ("z [m]".to_owned(), ["0", "0.5", "5.0"].map(str::to_owned).to_vec())
        );
        let (title, labels) = ticks(0.0..2e-6, &[0.0, 1e-6, 1.5e-6]);
        assert_eq!((title.as_str(), labels.join(" ").as_str()), ("z [m] × 1e-6", "0 1.0 1.5"));
        let (title, labels) = ticks(9.812_340_1..9.812_340_9, &[9.812_340_2, 9.812_340_8]);
        assert_eq!((title.as_str(), labels.join(" ").as_str()), ("z [m] × 1e-7 + 9.812340", "2.0 8.0"));
    }
}
