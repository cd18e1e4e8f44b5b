//! Times and penetrations of all engines on all scenes, a row a scene.

use std::error::Error;
use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::*;
use stiction_plot::{bitmap, register_fonts};

use crate::table::{Line, Table};

const WIDTH: u32 = 1200;
const ROW: u32 = 34;
/// Lower end of the penetration axis \[mm\].
const LEAST: f64 = 1e-4;

/// A quantity of a line, with its axis.
struct Quantity {
    label: &'static str,
    value: fn(&Line) -> Option<f64>,
}

const QUANTITIES: [Quantity; 2] = [
    Quantity {
        label: "time of a step / fastest other engine",
        value: |line| line.of_best_peer.filter(|_| line.is_stable()),
    },
    Quantity {
        label: "mean penetration at the end [mm]",
        value: |line| line.quality.map(|q| q.mean).filter(|mean| *mean > 0.0).map(|mean| mean.max(LEAST)),
    },
];

/// Draws the table, as SVG or PNG by the name of the file.
pub(crate) fn draw(path: &Path, table: &Table) -> Result<(), Box<dyn Error>> {
    register_fonts();
    let mut scenes: Vec<&str> = table.lines.iter().map(|l| l.scene.as_str()).collect();
    scenes.dedup();
    let mut engines: Vec<&str> = Vec::new();
    for line in &table.lines {
        if !engines.contains(&line.engine.as_str()) {
            engines.push(&line.engine);
        }
    }
    if scenes.is_empty() {
        return Ok(());
    }
    let size = (WIDTH, 150 + ROW * scenes.len() as u32);
    if path.extension().is_some_and(|e| e == "png") {
        let mut pixels = bitmap::pixels(size);
        draw_on(&BitMapBackend::with_buffer(&mut pixels, size).into_drawing_area(), table, &scenes, &engines)?;
        Ok(bitmap::write(path, size, &pixels)?)
    } else {
        draw_on(&SVGBackend::new(path, size).into_drawing_area(), table, &scenes, &engines)
    }
}

fn draw_on<B: DrawingBackend>(
    root: &DrawingArea<B, Shift>,
    table: &Table,
    scenes: &[&str],
    engines: &[&str],
) -> Result<(), Box<dyn Error>>
where
    B::ErrorType: 'static,
{
    root.fill(&WHITE)?;
    let (legend, charts) = root.split_vertically(64);
    draw_legend(&legend, table, engines)?;
    for (quantity, area) in QUANTITIES.iter().zip(charts.split_evenly((1, QUANTITIES.len()))) {
        let values = table.lines.iter().filter_map(quantity.value).filter(|x| x.is_finite() && *x > 0.0);
        let [low, high] = values.fold([f64::INFINITY, 0.0f64], |[a, b], x| [a.min(x), b.max(x)]);
        if low > high {
            continue;
        }
        let rows = scenes.len() as f64;
        let mut chart = ChartBuilder::on(&area)
            .margin(8)
            .margin_right(24)
            .x_label_area_size(42)
            .y_label_area_size(120)
            .build_cartesian_2d((low / 1.3..high * 1.3).log_scale(), 0.0..rows)?;
        let name = |y: &f64| {
            let row = rows - *y - 0.5;
            let is_row = (row - row.round()).abs() < 1e-6;
            scenes.get(row.round().max(0.0) as usize).filter(|_| is_row).map_or(String::new(), ToString::to_string)
        };
        chart
            .configure_mesh()
            .x_desc(quantity.label)
            .x_label_formatter(&|x| format!("{x}"))
            .y_labels(0)
            .disable_y_mesh()
            .label_style(("sans-serif", 15))
            .draw()?;
        for row in 0..scenes.len() {
            let y = rows - row as f64 - 0.5;
            let across = [(low / 1.3, y), (high * 1.3, y)];
            chart.draw_series(LineSeries::new(across, RGBColor(225, 225, 225)))?;
            let style = ("sans-serif", 15).into_font().color(&BLACK);
            let (_, pixel) = chart.backend_coord(&(low, y));
            area.draw(&Text::new(name(&y), (8, pixel - area.get_pixel_range().1.start - 8), style))?;
        }
        for line in &table.lines {
            let Some(x) = (quantity.value)(line).filter(|x| x.is_finite() && *x > 0.0) else { continue };
            let row = scenes.iter().position(|s| *s == line.scene).unwrap_or(0);
            let index = engines.iter().position(|e| *e == line.engine).unwrap_or(0);
            let at = (x, rows - row as f64 - 0.5);
            if line.is_ours {
                chart.draw_series([Circle::new(at, 7, color(index).filled())])?;
            } else {
                chart.draw_series([TriangleMarker::new(at, 7, color(index).filled())])?;
            }
        }
    }
    root.present()?;
    Ok(())
}

/// Discs are ours, triangles the others.
fn color(index: usize) -> RGBColor {
    let (r, g, b) = [
        (20, 70, 160),
        (90, 160, 230),
        (0, 160, 160),
        (200, 60, 30),
        (240, 150, 40),
        (120, 60, 150),
        (220, 110, 200),
        (40, 40, 40),
        (60, 140, 60),
        (150, 190, 60),
    ][index % 10];
    RGBColor(r, g, b)
}

fn draw_legend<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    table: &Table,
    engines: &[&str],
) -> Result<(), Box<dyn Error>>
where
    B::ErrorType: 'static,
{
    let style = ("sans-serif", 15).into_font().color(&BLACK);
    area.draw(&Text::new(table.machine.clone(), (12, 6), style.clone()))?;
    let width = (WIDTH as i32 - 24) / engines.len().max(1) as i32;
    for (index, engine) in engines.iter().enumerate() {
        let x = 20 + width * index as i32;
        let is_ours = table.lines.iter().any(|l| l.engine == *engine && l.is_ours);
        if is_ours {
            area.draw(&Circle::new((x, 44), 7, color(index).filled()))?;
        } else {
            area.draw(&TriangleMarker::new((x, 44), 7, color(index).filled()))?;
        }
        area.draw(&Text::new((*engine).to_owned(), (x + 12, 36), style.clone()))?;
    }
    Ok(())
}
