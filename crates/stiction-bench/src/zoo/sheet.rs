//! One picture of all scenes: outlines at the start, in the middle and at the end, older ones lighter.

use std::error::Error;
use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::*;
use stiction::math::DVec3;
use stiction::shape::Shape;
use stiction_plot::{bitmap, register_fonts};
use stiction_run::Run;

use super::Scene;
use crate::outlines::{Point, View, outline, placed, shapes};

/// Scenes in a row of the sheet.
const COLUMNS: usize = 8;
/// Width and height of a cell, of the picture in it, and the margin around \[px\].
const CELL: [i32; 2] = [236, 200];
const PICTURE: [i32; 2] = [224, 168];
const MARGIN: i32 = 6;
/// Pixels that are drawn for one of the sheet, in both directions.
const FINE: i32 = 2;
/// Space around what moves, as a share of its extent.
const AROUND: f64 = 0.08;
/// Largest extent that is drawn, in multiples of that of the first instant; what leaves is cut off.
const LONGEST: f64 = 10.0;
/// Points of a trail.
const TRAIL: usize = 90;

/// Outline and fill: at the start, in the middle, at the end.
const SHADES: [[RGBColor; 2]; 3] = [
    [RGBColor(170, 190, 220), RGBColor(238, 243, 250)],
    [RGBColor(110, 150, 205), RGBColor(215, 228, 244)],
    [RGBColor(31, 78, 140), RGBColor(169, 195, 228)],
];
const TRAILS: RGBColor = RGBColor(200, 120, 60);
const ENVIRONMENT: [RGBColor; 2] = [RGBColor(138, 129, 114), RGBColor(236, 231, 220)];

/// What moves, at an instant.
#[derive(Default)]
struct Instant {
    shapes: Vec<Vec<DVec3>>,
    /// Radii of round shapes, arms from joints, and wires.
    lines: Vec<Vec<DVec3>>,
}

/// A scene at three instants.
pub struct Film {
    name: String,
    view: View,
    environment: Vec<Vec<DVec3>>,
    has_ground: bool,
    instants: Vec<Instant>,
    /// Ways of the centres of mass.
    trails: Vec<Vec<DVec3>>,
    is_passed: bool,
}

impl Film {
    /// An empty film of a scene.
    pub fn new(scene: &Scene) -> Self {
        let (name, view) = (scene.name.clone(), scene.view);
        Self {
            name,
            view,
            environment: Vec::new(),
            has_ground: false,
            instants: Vec::new(),
            trails: Vec::new(),
            is_passed: false,
        }
    }

    /// Looks at the run of the scene: takes the start, the middle and the end of its duration \[s\].
    pub fn see(&mut self, run: &Run, duration: f64) {
        self.follow(run, duration);
        let due = duration * self.instants.len() as f64 / (SHADES.len() - 1) as f64;
        if self.instants.len() == SHADES.len() || run.time() < due - 0.5 * run.engine().step {
            return;
        }
        let mut instant = Instant::default();
        for (shape, pose, moves) in shapes(run) {
            if matches!(shape, Shape::Plane(_)) {
                self.has_ground = true;
            } else if moves {
                instant.shapes.push(placed(&shape, &pose));
                if matches!(shape, Shape::Sphere(_) | Shape::Cylinder(_)) {
                    let end = DVec3::X * shape.support(DVec3::X).x;
                    instant.lines.push(vec![pose.position, pose.point(end)]);
                }
            } else if self.instants.is_empty() {
                self.environment.push(placed(&shape, &pose));
            }
        }
        let simulation = run.simulation();
        for joint in &simulation.joints {
            let Some((own, link)) = joint.id.and_then(|id| simulation.world.joint(id)).zip(joint.child) else {
                continue;
            };
            let body = simulation.links[link].body.and_then(|body| simulation.world.body(body));
            instant.lines.extend(body.map(|body| vec![own.anchor(0), body.center_of_mass()]));
        }
        let wires = simulation.wires.iter().filter_map(|wire| simulation.world.wire(wire.id));
        instant.lines.extend(wires.map(|wire| wire.positions().collect()));
        self.instants.push(instant);
    }

    /// Takes a point of every trail where it is due.
    fn follow(&mut self, run: &Run, duration: f64) {
        let points = self.trails.first().map_or(0, Vec::len);
        if points > TRAIL || run.time() < duration * points as f64 / TRAIL as f64 - 0.5 * run.engine().step {
            return;
        }
        let simulation = run.simulation();
        let bodies = simulation.links.iter().filter_map(|link| simulation.world.body(link.body?));
        for (k, body) in bodies.enumerate() {
            if k == self.trails.len() {
                self.trails.push(Vec::new());
            }
            self.trails[k].push(body.center_of_mass());
        }
    }

    /// Says whether the scene did what it must.
    pub fn passed(&mut self, is_passed: bool) {
        self.is_passed = is_passed;
    }

    /// Low and high corner of what moves, in the view \[m\].
    fn window(&self) -> [Point; 2] {
        let bounds = |instants: &[Instant], trails: &[Vec<DVec3>]| {
            let points = instants.iter().flat_map(|i| i.shapes.iter().chain(&i.lines).flatten());
            let points = points.chain(trails.iter().flatten());
            let points = points.map(|p| self.view.project(*p)).filter(|p| p.iter().all(|x| x.is_finite()));
            points.fold([[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]], |[low, high], p| {
                [[low[0].min(p[0]), low[1].min(p[1])], [high[0].max(p[0]), high[1].max(p[1])]]
            })
        };
        let (first, [mut low, mut high]) = (bounds(&self.instants[..1], &[]), bounds(&self.instants, &self.trails));
        let size = (first[1][0] - first[0][0]).max(first[1][1] - first[0][1]);
        for k in 0..2 {
            low[k] = low[k].max(first[0][k] - LONGEST * size);
            high[k] = high[k].min(first[1][k] + LONGEST * size);
        }
        if self.has_ground && self.view.up == DVec3::Z {
            low[1] = low[1].min(0.0);
        }
        let around = AROUND * (high[0] - low[0]).max(high[1] - low[1]);
        [low.map(|x| x - around), high.map(|x| x + around)]
    }
}

/// Draws the sheet into a PNG file.
///
/// # Errors
/// The file cannot be written.
pub fn draw(path: &Path, films: &[Film]) -> Result<(), Box<dyn Error>> {
    register_fonts();
    let rows = films.len().div_ceil(COLUMNS);
    let size = [CELL[0] * COLUMNS as i32, CELL[1] * rows as i32].map(|n| n as u32);
    let fine = (size[0] * FINE as u32, size[1] * FINE as u32);
    let mut pixels = bitmap::pixels(fine);
    {
        let root = BitMapBackend::with_buffer(&mut pixels, fine).into_drawing_area();
        root.fill(&WHITE)?;
        for (film, cell) in films.iter().zip(root.split_evenly((rows, COLUMNS))) {
            draw_cell(&cell, film)?;
        }
        root.present()?;
    }
    Ok(bitmap::write(path, (size[0], size[1]), &coarse(&pixels, size.map(|n| n as usize)))?)
}

/// Means of squares of [`FINE`] pixels, for smooth edges.
fn coarse(pixels: &[u8], [width, height]: [usize; 2]) -> Vec<u8> {
    let fine = FINE as usize;
    let mut means = Vec::with_capacity(3 * width * height);
    for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
        for color in 0..3 {
            let square = (0..fine * fine).map(|k| (fine * y + k / fine, fine * x + k % fine));
            let sum: usize = square.map(|(y, x)| usize::from(pixels[3 * (y * fine * width + x) + color])).sum();
            means.push((sum / (fine * fine)) as u8);
        }
    }
    means
}

fn draw_cell(cell: &DrawingArea<BitMapBackend<'_>, Shift>, film: &Film) -> Result<(), Box<dyn Error>> {
    let name = format!("{}{}", film.name.replace('_', " "), if film.is_passed { "" } else { ": does not hold" });
    let color = if film.is_passed { RGBColor(60, 60, 60) } else { RGBColor(200, 40, 30) };
    let font = ("sans-serif", 14 * FINE).into_font().color(&color);
    cell.draw(&Text::new(name, (MARGIN * FINE, 4 * FINE), font))?;
    let [x, y] = [MARGIN, CELL[1] - PICTURE[1] - MARGIN].map(|n| (n * FINE) as u32);
    let [width, height] = PICTURE.map(|n| (n * FINE) as u32);
    let area = cell.clone().shrink((x, y), (width, height));
    area.fill(&WHITE)?;
    let [low, high] = film.window();
    let [wide, tall] = PICTURE.map(|n| f64::from(n * FINE));
    let scale = (wide / (high[0] - low[0])).min(tall / (high[1] - low[1]));
    let middle = [0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])];
    let place = |p: Point| [0.5 * wide + (p[0] - middle[0]) * scale, 0.5 * tall - (p[1] - middle[1]) * scale];
    let inside = |[x, y]: Point| (x.clamp(0.0, wide - 1.0).round() as i32, y.clamp(0.0, tall - 1.0).round() as i32);
    let polygon = |points: &[DVec3], [line, fill]: [RGBColor; 2], opacity: f64| -> Result<(), Box<dyn Error>> {
        let mut corners: Vec<_> =
            cut(outline(film.view, points, place), [wide, tall]).into_iter().map(inside).collect();
        if corners.len() > 2 {
            area.draw(&Polygon::new(corners.clone(), fill.mix(opacity)))?;
            corners.push(corners[0]);
            area.draw(&PathElement::new(corners, line.stroke_width(FINE as u32)))?;
        }
        Ok(())
    };
    if film.has_ground && film.view.up == DVec3::Z {
        let far = 2.0 * wide / scale;
        let corners = [(-far, 0.0), (far, 0.0), (far, -far), (-far, -far)];
        let corners = corners.map(|(right, up)| film.view.right * (middle[0] + right) + film.view.up * up);
        polygon(&corners, ENVIRONMENT, 1.0)?;
    }
    for points in &film.environment {
        polygon(points, ENVIRONMENT, 1.0)?;
    }
    for (instant, shade) in film.instants.iter().zip(SHADES) {
        for points in &instant.shapes {
            polygon(points, shade, 0.55)?;
        }
    }
    let line = |line: &[DVec3], style: ShapeStyle| {
        let points: Vec<_> = line.iter().map(|p| inside(place(film.view.project(*p)))).collect();
        area.draw(&PathElement::new(points, style))
    };
    for trail in &film.trails {
        line(trail, TRAILS.stroke_width(1))?;
    }
    for (instant, [color, _]) in film.instants.iter().zip(SHADES) {
        for points in &instant.lines {
            line(points, color.stroke_width(FINE as u32))?;
        }
    }
    area.draw(&Rectangle::new([(0, 0), (wide as i32 - 1, tall as i32 - 1)], RGBColor(187, 187, 187)))?;
    Ok(())
}

/// The part of a convex polygon within a rectangle from the origin (Sutherland and Hodgman).
fn cut(mut polygon: Vec<Point>, size: Point) -> Vec<Point> {
    for (axis, sign, bound) in [(0, 1.0, 0.0), (0, -1.0, -size[0]), (1, 1.0, 0.0), (1, -1.0, -size[1])] {
        let within = |p: &Point| sign * p[axis] - bound;
        let mut kept = Vec::with_capacity(polygon.len() + 1);
        for (k, p) in polygon.iter().enumerate() {
            let before = polygon[(k + polygon.len() - 1) % polygon.len()];
            let (a, b) = (within(&before), within(p));
            if (a < 0.0) != (b < 0.0) {
                let share = a / (a - b);
                kept.push([before[0] + share * (p[0] - before[0]), before[1] + share * (p[1] - before[1])]);
            }
            if b >= 0.0 {
                kept.push(*p);
            }
        }
        polygon = kept;
    }
    polygon
}
