//! A chart of lines, as SVG or bitmap.

use std::ops::Range;
use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::*;
use stiction_plot::{bitmap, register_fonts};

use crate::exit::Failure;
use crate::labels::Labels;

/// Width of a picture \[pixels\].
pub const WIDTH: u32 = 1100;
/// Height of a chart in it \[pixels\].
const HEIGHT: u32 = 320;
/// Where a legend above the charts begins, and the height of its rows \[pixels\].
const MARGIN: i32 = 100;
const LEGEND_ROW: u32 = 26;
/// Names that a legend has room for.
const NAMES: usize = 48;
/// Height of the name of a chart, and of the rows of its legend \[pixels\].
const NAME_ROW: u32 = 26;
const CHART_LEGEND_ROW: u32 = 19;
/// Share of a number below which differences are not shown.
const FLAT: f64 = 1e-9;

/// A named line.
#[derive(Clone, Debug)]
pub struct Line {
    /// What the legend calls it.
    pub name: String,
    /// Its points.
    pub points: Vec<(f64, f64)>,
    /// Its colour.
    pub color: RGBAColor,
    /// Its width \[pixels\].
    pub width: u32,
}

/// How numbers become places along the vertical axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// In proportion.
    Linear,
    /// By their decimal logarithms; what is not more than 0 is left out.
    Logarithmic,
    /// In proportion, and the same along both axes.
    Map,
}

/// Lines over one pair of axes.
#[derive(Clone, Debug)]
pub struct Chart {
    /// Above the chart, if anything.
    pub caption: Option<String>,
    /// Title of the horizontal axis.
    pub x_title: &'static str,
    /// Title of the vertical axis.
    pub y_title: String,
    /// Its scale.
    pub scale: Scale,
    /// The lines, the first at the bottom.
    pub lines: Vec<Line>,
    /// The lines are named above the chart.
    pub has_legend: bool,
    /// The smallest range of values that is shown in full height.
    pub smallest_range: f64,
}

impl Chart {
    /// An empty chart of something over time.
    pub fn over_time(y_title: impl Into<String>) -> Self {
        let y_title = y_title.into();
        Self {
            caption: None,
            x_title: "time [s]",
            y_title,
            scale: Scale::Linear,
            lines: Vec::new(),
            has_legend: true,
            smallest_range: 0.0,
        }
    }

    /// An empty map, seen from above.
    pub fn map() -> Self {
        Self { x_title: "x [m]", scale: Scale::Map, ..Self::over_time("y [m]") }
    }

    /// Height \[pixels\]: equal scales need a square.
    pub fn height(&self) -> u32 {
        self.head() + if self.scale == Scale::Map { WIDTH - 40 } else { HEIGHT }
    }

    /// Height of the name and the legend above the chart \[pixels\].
    fn head(&self) -> u32 {
        if self.has_legend { NAME_ROW + self.legend_rows().len() as u32 * CHART_LEGEND_ROW } else { 0 }
    }

    /// Names of the lines with their colours, in rows; none where the chart's own name says it all.
    fn legend_rows(&self) -> Vec<Vec<(String, Option<RGBAColor>)>> {
        let is_said = |line: &Line| line.name.is_empty() || self.caption.as_ref() == Some(&line.name);
        if self.lines.iter().all(is_said) {
            return Vec::new();
        }
        let shown = if self.lines.len() > NAMES { NAMES - 1 } else { self.lines.len() };
        let mut entries: Vec<_> = self.lines[..shown].iter().map(|l| (l.name.clone(), Some(l.color))).collect();
        if shown < self.lines.len() {
            entries.push((format!("and {} more", self.lines.len() - shown), None));
        }
        // Columns of one width.
        let width = entries.iter().map(|(name, _)| name_width(name)).max().unwrap_or(1);
        let columns = ((WIDTH as i32 - MARGIN) / width).max(1) as usize;
        entries.chunks(columns).map(<[_]>::to_vec).collect()
    }

    /// Draws the name and the legend, and gives what is left for the chart.
    fn draw_head<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
    ) -> Result<DrawingArea<B, Shift>, DrawingAreaErrorKind<B::ErrorType>> {
        let (head, rest) = area.split_vertically(self.head());
        if let Some(caption) = &self.caption {
            head.draw(&Text::new(caption.as_str(), (MARGIN, 6), ("sans-serif", 17)))?;
        }
        let rows = self.legend_rows();
        let width = rows.iter().flatten().map(|(name, _)| name_width(name)).max().unwrap_or(0);
        for (row, entries) in rows.into_iter().enumerate() {
            let middle = (NAME_ROW + row as u32 * CHART_LEGEND_ROW + CHART_LEGEND_ROW / 2) as i32;
            let mut x = MARGIN;
            for (name, color) in entries {
                if let Some(color) = color {
                    head.draw(&PathElement::new(vec![(x, middle), (x + 18, middle)], color.stroke_width(3)))?;
                }
                head.draw(&Text::new(name.as_str(), (x + 24, middle - 6), ("sans-serif", 13)))?;
                x += width;
            }
        }
        Ok(rest)
    }

    /// Every number is 0.
    pub fn is_flat(&self) -> bool {
        self.lines.iter().flat_map(|line| &line.points).all(|(_, value)| *value == 0.0)
    }

    /// Draws the chart.
    pub fn draw<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
        is_bitmap: bool,
    ) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
        let logs = (self.scale == Scale::Logarithmic).then(|| self.logarithms());
        let lines = logs.as_ref().unwrap_or(&self.lines);
        let (x, y) = ranges(lines, self.scale, self.smallest_range);
        let (x_labels, y_labels) = (Labels::of(&x), Labels::of(&y));
        let y_text = |v: &f64| if logs.is_some() { Labels::power(*v) } else { y_labels.text(*v) };
        let y_title = if logs.is_some() { self.y_title.clone() } else { y_labels.title(&self.y_title) };
        let rest = if self.has_legend { self.draw_head(area)? } else { area.clone() };
        let mut builder = ChartBuilder::on(&rest);
        builder.margin(10).x_label_area_size(40).y_label_area_size(90);
        if let Some(caption) = self.caption.as_ref().filter(|_| !self.has_legend) {
            builder.caption(caption, ("sans-serif", 16));
        }
        let mut chart = builder.build_cartesian_2d(x, y)?;
        chart
            .configure_mesh()
            .x_desc(x_labels.title(self.x_title))
            .y_desc(y_title)
            .x_label_formatter(&|v| x_labels.text(*v))
            .y_label_formatter(&y_text)
            .label_style(("sans-serif", 14))
            .light_line_style(TRANSPARENT)
            .draw()?;
        for Line { points, color, width, .. } in lines {
            let (color, width) = (*color, *width);
            // A thick polyline is drawn as one polygon into a bitmap, and where it turns back sharply the corner on the
            // inner side of the turn lies far off: a spike. Pieces of two points have no corners.
            let points = distinct(points, |point| chart.backend_coord(point));
            let pieces = points.windows(2).map(|ends| PathElement::new(ends.to_vec(), color.stroke_width(width)));
            if is_bitmap {
                // Short steep pieces have less than a pixel of area: a thin line closes the gaps between them.
                chart.draw_series(LineSeries::new(points.iter().copied(), color.stroke_width(1)))?;
                chart.draw_series(pieces)?;
            } else {
                chart.draw_series(LineSeries::new(points.iter().copied(), color.stroke_width(width)))?;
            }
        }
        Ok(())
    }

    fn logarithms(&self) -> Vec<Line> {
        let log = |(x, y): &(f64, f64)| (*x, y.log10());
        let positive = |line: &Line| line.points.iter().filter(|p| p.1 > 0.0).map(log).collect();
        self.lines.iter().map(|line| Line { points: positive(line), ..line.clone() }).collect()
    }
}

/// A colour for the line `index` of `count`, by its hue.
pub fn hue(index: usize, count: usize) -> RGBAColor {
    HSLColor((0.62 - index as f64 / count.max(1) as f64).rem_euclid(1.0), 0.75, 0.42).to_rgba()
}

/// Charts below each other.
pub struct Picture<'a> {
    /// Above all.
    pub title: &'a str,
    /// Names of lines that all charts have, told once below the title.
    pub legend: &'a [(String, RGBAColor)],
    /// The charts, from the top.
    pub charts: &'a [Chart],
}

impl Picture<'_> {
    /// Draws it into a file, `.svg` or else `.png`.
    pub fn draw(&self, path: &Path) -> Result<(), Failure> {
        register_fonts();
        let legend = self.legend_rows();
        let height = self.charts.iter().map(Chart::height).sum::<u32>() + legend.len() as u32 * LEGEND_ROW + 40;
        let failed = |e: &dyn std::fmt::Display| Failure::input(format!("{}: {e}", path.display()));
        let size = (WIDTH, height);
        if path.extension().is_some_and(|e| e == "svg") {
            self.draw_on(&SVGBackend::new(path, size).into_drawing_area(), &legend, false).map_err(|e| failed(&e))
        } else {
            let mut pixels = bitmap::pixels(size);
            self.draw_on(&BitMapBackend::with_buffer(&mut pixels, size).into_drawing_area(), &legend, true)
                .map_err(|e| failed(&e))?;
            bitmap::write(path, size, &pixels).map_err(|e| failed(&e))
        }
    }

    fn draw_on<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
        legend: &[Vec<usize>],
        is_bitmap: bool,
    ) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
        area.fill(&WHITE)?;
        let mut rest = area.titled(self.title, ("sans-serif", 22))?;
        for row in legend {
            let (here, below) = rest.split_vertically(LEGEND_ROW);
            let mut x = MARGIN;
            for (name, color) in row.iter().map(|index| &self.legend[*index]) {
                let middle = LEGEND_ROW as i32 / 2;
                here.draw(&PathElement::new(vec![(x, middle), (x + 18, middle)], color.stroke_width(4)))?;
                here.draw(&Text::new(name.as_str(), (x + 24, middle - 7), ("sans-serif", 15)))?;
                x += legend_width(name);
            }
            rest = below;
        }
        for chart in self.charts {
            let (here, below) = rest.split_vertically(chart.height());
            chart.draw(&here, is_bitmap)?;
            rest = below;
        }
        area.present()
    }

    /// Entries of the legend that have room beside each other.
    fn legend_rows(&self) -> Vec<Vec<usize>> {
        let mut rows: Vec<Vec<usize>> = Vec::new();
        let mut x = i32::MAX;
        for (index, (name, _)) in self.legend.iter().enumerate() {
            let width = legend_width(name);
            if x.saturating_add(width) > WIDTH as i32 - MARGIN {
                rows.push(Vec::new());
                x = MARGIN;
            }
            x += width;
            rows.extend(rows.is_empty().then(Vec::new));
            if let Some(row) = rows.last_mut() {
                row.push(index);
            }
        }
        rows
    }
}

/// Room of an entry of a legend: its line, its name in letters of the usual width, and a gap \[pixels\].
fn legend_width(name: &str) -> i32 {
    24 + 8 * name.chars().count().min(200) as i32 + 24
}

/// Room of a name in the legend of a chart \[pixels\].
fn name_width(name: &str) -> i32 {
    24 + 7 * name.chars().count().min(140) as i32 + 20
}

/// A range that is at least so large: around its middle, but from 0 where that would show negative numbers of a quantity that
/// has none.
fn widened(range: Range<f64>, smallest: f64) -> Range<f64> {
    let size = range.end - range.start;
    if size >= smallest {
        return range;
    }
    let low = 0.5 * (range.start + range.end - smallest);
    // The room around the points may go below 0 where they do not.
    let is_from_zero = low < 0.0 && range.start >= -0.07 * size;
    let low = if is_from_zero { -0.06 * smallest } else { low };
    // A tick at the end of the range itself.
    low..low + if is_from_zero { 1.12 * smallest } else { smallest }
}

/// Ranges of the points, with some room, and not smaller than what is worth a full height.
fn ranges(lines: &[Line], scale: Scale, smallest: f64) -> (Range<f64>, Range<f64>) {
    let points = || lines.iter().flat_map(|c| c.points.iter()).filter(|(x, y)| x.is_finite() && y.is_finite());
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
            (true, false) if smallest > 0.0 => 0.0,
            (true, false) => 1.0,
        };
        low - margin..high + margin
    };
    let is_map = scale == Scale::Map;
    let x = range(&mut points().map(|p| p.0), if is_map { 0.04 } else { 0.0 });
    let y = range(&mut points().map(|p| p.1), 0.06);
    if !is_map {
        // Time without length has room around it.
        let x = if x.end > x.start { x } else { x.start - 0.5..x.end + 0.5 };
        return (x, widened(y, smallest));
    }
    let half = 0.5 * (x.end - x.start).max(y.end - y.start).max(smallest);
    let (cx, cy) = (0.5 * (x.start + x.end), 0.5 * (y.start + y.end));
    (cx - half..cx + half, cy - half..cy + half)
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    /// A curve that turns back sharply, as contact forces and penetrations do, stays on the pixels between its points.
    #[test]
    fn a_bitmap_has_no_spikes() {
        // Short peaks a pixel or so wide, and one that sets the range.
        let peak = |k: u32| if k == 1 { 1.0 } else { 0.05 + f64::from(k % 7) / 50.0 };
        let points = (0..1000).map(|k| (f64::from(k), if k % 2 == 0 { 0.0 } else { peak(k) })).collect();
        let mut chart = Chart::over_time("force [N]");
        chart.lines.push(Line { name: String::new(), points, color: RGBColor(27, 80, 190).to_rgba(), width: 2 });
        let (width, height) = (1100u32, 320u32);
        let mut pixels = vec![0u8; (width * height * 3) as usize];
        register_fonts();
        {
            let area = BitMapBackend::with_buffer(&mut pixels, (width, height)).into_drawing_area();
            area.fill(&WHITE).unwrap();
            chart.draw(&area, true).unwrap();
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
}
