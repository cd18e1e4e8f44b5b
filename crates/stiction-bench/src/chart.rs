//! Charts of panels with curves and marks, as SVG or PNG.

use std::error::Error;
use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::*;
use stiction_plot::{bitmap, register_fonts};

const WIDTH: u32 = 760;
const PANEL: u32 = 340;

/// How points are shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// A line through them.
    Line,
    /// A dot for each.
    Dots,
}

/// Points with a name.
pub struct Series {
    /// Name in the legend; empty for none.
    pub name: String,
    /// Points.
    pub points: Vec<(f64, f64)>,
    /// How they are shown.
    pub mark: Mark,
    /// Which colour.
    pub color: usize,
}

impl Series {
    /// A line.
    pub fn line(name: &str, color: usize, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.to_owned(), points, mark: Mark::Line, color }
    }

    /// Dots.
    pub fn dots(name: &str, color: usize, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.to_owned(), points, mark: Mark::Dots, color }
    }
}

/// An axis.
pub struct Axis {
    /// Quantity and unit.
    pub label: &'static str,
    /// First and last value.
    pub range: [f64; 2],
    /// Powers of ten.
    pub is_log: bool,
}

impl Axis {
    /// Even values.
    pub fn even(label: &'static str, low: f64, high: f64) -> Self {
        Self { label, range: [low, high], is_log: false }
    }

    /// Powers of ten.
    pub fn log(label: &'static str, low: f64, high: f64) -> Self {
        Self { label, range: [low, high], is_log: true }
    }

    fn place(&self, value: f64) -> f64 {
        if self.is_log { value.max(self.range[0]).log10() } else { value }
    }

    fn span(&self) -> std::ops::Range<f64> {
        self.place(self.range[0])..self.place(self.range[1])
    }

    /// Number of labels that the axis is asked for: one a decade.
    fn labels(&self) -> usize {
        let decades = self.span().end - self.span().start;
        if self.is_log { (decades.round() as usize + 1).clamp(3, 12) } else { 8 }
    }

    fn tell(&self, place: f64) -> String {
        let span = (self.range[1] - self.range[0]).abs();
        match self.is_log {
            true if (place - place.round()).abs() < 1e-6 => format!("1e{}", place.round()),
            true => String::new(),
            false if place.abs() < 1e-9 * span => "0".to_owned(),
            false => format!("{place:.*}", (1.0 - span.log10().floor()).clamp(0.0, 6.0) as usize),
        }
    }
}

/// Where the legend stands.
pub type Corner = SeriesLabelPosition;

/// One panel.
pub struct Panel {
    /// What it shows.
    pub title: &'static str,
    /// Axes.
    pub axes: [Axis; 2],
    /// What is drawn.
    pub series: Vec<Series>,
    /// Where the legend stands.
    pub legend: Corner,
}

const COLORS: [RGBColor; 5] = [
    RGBColor(31, 90, 166),
    RGBColor(200, 70, 30),
    RGBColor(40, 130, 60),
    RGBColor(120, 60, 150),
    RGBColor(110, 110, 110),
];

/// Draws panels below each other into a file.
pub fn draw(path: &Path, panels: &[Panel]) -> Result<(), Box<dyn Error>> {
    register_fonts();
    let size = (WIDTH, PANEL * panels.len() as u32);
    if path.extension().is_some_and(|e| e == "png") {
        let mut pixels = bitmap::pixels(size);
        draw_on(&BitMapBackend::with_buffer(&mut pixels, size).into_drawing_area(), panels)?;
        Ok(bitmap::write(path, size, &pixels)?)
    } else {
        draw_on(&SVGBackend::new(path, size).into_drawing_area(), panels)
    }
}

fn draw_on<B: DrawingBackend>(root: &DrawingArea<B, Shift>, panels: &[Panel]) -> Result<(), Box<dyn Error>>
where
    B::ErrorType: 'static,
{
    root.fill(&WHITE)?;
    for (panel, area) in panels.iter().zip(root.split_evenly((panels.len(), 1))) {
        let [x, y] = &panel.axes;
        let mut chart = ChartBuilder::on(&area)
            .caption(panel.title, ("sans-serif", 17))
            .margin(10)
            .margin_right(24)
            .x_label_area_size(42)
            .y_label_area_size(74)
            .build_cartesian_2d(x.span(), y.span())?;
        chart
            .configure_mesh()
            .x_desc(x.label)
            .y_desc(y.label)
            .x_labels(x.labels())
            .y_labels(y.labels())
            .x_label_formatter(&|v| x.tell(*v))
            .y_label_formatter(&|v| y.tell(*v))
            .label_style(("sans-serif", 14))
            .max_light_lines(0)
            .draw()?;
        let within = |(a, b): &(f64, f64)| a.is_finite() && b.is_finite();
        for series in &panel.series {
            let color = COLORS[series.color % COLORS.len()];
            let points = series.points.iter().filter(|p| within(p)).map(|(a, b)| (x.place(*a), y.place(*b)));
            let is_named = !series.name.is_empty();
            match series.mark {
                Mark::Line => {
                    let drawn = chart.draw_series(LineSeries::new(points, color.stroke_width(2)))?;
                    if is_named {
                        let line = move |(x, y)| PathElement::new(vec![(x, y), (x + 20, y)], color.stroke_width(2));
                        drawn.label(&series.name).legend(line);
                    }
                }
                Mark::Dots => {
                    let drawn = chart.draw_series(points.map(|p| Circle::new(p, 4, color.filled())))?;
                    if is_named {
                        drawn.label(&series.name).legend(move |(x, y)| Circle::new((x + 10, y), 4, color.filled()));
                    }
                }
            }
        }
        chart
            .configure_series_labels()
            .position(panel.legend.clone())
            .margin(12)
            .background_style(WHITE.mix(0.85))
            .border_style(BLACK.mix(0.3))
            .label_font(("sans-serif", 13))
            .draw()?;
    }
    root.present()?;
    Ok(())
}
