//! Figures of the symptoms (`docs/symptoms.md`): outlines from the side and from above at a few instants, before the cure and
//! after it.

use std::fmt::Write;
use std::path::Path;

use stiction::math::DVec3;
use stiction::shape::Shape;
use stiction_bench::outlines::{ABOVE, FRONT, Point, SIDE, View, outline, placed, shapes};
use stiction_run::{Demonstration, Stage, Symptom};

use crate::scene::Failure;

/// Width of one view, space between views, and margin with titles \[px\].
const VIEW: f64 = 360.0;
const GAP: f64 = 24.0;
const TOP: f64 = 44.0;
const LEFT: f64 = 30.0;
/// Space around what moves, as a share of its extent, and at least \[m\].
const MARGIN: f64 = 0.12;
const LEAST_MARGIN: f64 = 0.04;
/// Flattest and steepest form of a view: height over width.
const FORMS: [f64; 2] = [0.22, 0.9];
/// Longest extent of what moves that is drawn, in multiples of its size at the start; what leaves is cut off.
const LONGEST: f64 = 14.0;

/// Corners this near to each other are at one place \[px\].
const SAME: f64 = 4.0;

/// Colours from the oldest to the newest instant: outline and fill.
const SHADES: [[&str; 2]; 4] =
    [["#b9cbe4", "#eef3fa"], ["#8fadd6", "#dfe9f5"], ["#5b86c0", "#c9d9ee"], ["#1f4e8c", "#a9c3e4"]];

/// Outlines of the shapes at an instant.
struct Instant {
    time: f64,
    moving: Vec<Vec<DVec3>>,
    /// Radii of round shapes, which show how they turn.
    spokes: Vec<[DVec3; 2]>,
}

/// What is drawn of a run.
struct Film {
    fixed: Vec<Vec<DVec3>>,
    has_ground: bool,
    instants: Vec<Instant>,
}

/// Corner of the drawn rectangle and its extent \[m\].
#[derive(Clone, Copy)]
struct Window {
    low: Point,
    extent: Point,
}

impl Window {
    /// The same about its middle with another width, as high as it was or as flat views must be.
    fn widened(mut self, width: f64) -> Self {
        self.low[0] -= 0.5 * (width - self.extent[0]);
        self.extent[0] = width;
        let height = self.extent[1].max(FORMS[0] * width);
        self.low[1] -= 0.5 * (height - self.extent[1]);
        self.extent[1] = height;
        self
    }
}

/// Draws the figure of a symptom: its first demonstration under its first engine.
pub fn draw(symptom: &Symptom, path: &Path) -> Result<(), Failure> {
    let demonstration = &symptom.demonstrations[0];
    let films = [film(demonstration, Stage::Before)?, film(demonstration, Stage::After)?];
    let side = match demonstration.world {
        "symptoms/grasp" => FRONT,
        _ => SIDE,
    };
    let mut body = String::new();
    let mut y = TOP;
    let windows = [side, ABOVE].map(|view| window(view, &films));
    let widest = windows[0].extent[0].max(windows[1].extent[0]);
    for (view, window) in [side, ABOVE].into_iter().zip(windows) {
        let window = window.widened(widest);
        let scale = VIEW / window.extent[0];
        let height = window.extent[1] * scale;
        writeln!(
            body,
            "<text x='12' y='{:.1}' transform='rotate(-90 12 {:.1})' text-anchor='middle'>{}</text>",
            y + height / 2.0,
            y + height / 2.0,
            view.name
        )?;
        for (column, film) in films.iter().enumerate() {
            let x = LEFT + column as f64 * (VIEW + GAP);
            body += &draw_view(view, film, window, [x, y], scale, column)?;
        }
        body += &scale_bar(window, [LEFT + VIEW + GAP, y + height], scale)?;
        y += height + GAP + 8.0;
    }
    let (width, height) = (LEFT + 2.0 * VIEW + GAP + 8.0, y);
    let numbers = demonstration.numbers(demonstration.engines[0]).unwrap_or(["", ""]);
    let mut text = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width:.0} {height:.0}' width='{width:.0}' height='{height:.0}' \
         font-family='Helvetica, Arial, sans-serif' font-size='12'>\n<rect width='100%' height='100%' fill='white'/>\n"
    );
    let unit = demonstration.measure.unit();
    writeln!(text, "<text x='{LEFT}' y='18' fill='#444'>{}</text>", demonstration.measured)?;
    for (column, name) in ["before", "after"].into_iter().enumerate() {
        let x = LEFT + column as f64 * (VIEW + GAP);
        writeln!(
            text,
            "<text x='{x:.1}' y='36' font-size='14' font-weight='bold'>{name}: {} {unit}</text>",
            numbers[column]
        )?;
    }
    text += &body;
    text += "</svg>\n";
    std::fs::write(path, text)?;
    Ok(())
}

/// The run of a stage at four instants.
fn film(demonstration: &Demonstration, stage: Stage) -> Result<Film, Failure> {
    let mut run = demonstration.start(demonstration.engines[0], stage)?;
    let mut film = Film { fixed: Vec::new(), has_ground: false, instants: Vec::new() };
    let duration = demonstration.duration;
    for k in 0..SHADES.len() {
        let time = duration * k as f64 / (SHADES.len() - 1) as f64;
        while run.time() < time - 1e-9 {
            run.step()?;
        }
        let (mut moving, mut spokes) = (Vec::new(), Vec::new());
        for (shape, pose, moves) in shapes(&run) {
            if matches!(shape, Shape::Plane(_)) {
                film.has_ground = true;
            } else if moves {
                moving.push(placed(&shape, &pose));
                if matches!(shape, Shape::Sphere(_) | Shape::Cylinder(_)) {
                    let end = DVec3::X * shape.support(DVec3::X).x;
                    spokes.push([pose.position, pose.point(end)]);
                }
            } else if k == 0 {
                film.fixed.push(placed(&shape, &pose));
            }
        }
        film.instants.push(Instant { time: run.time(), moving, spokes });
    }
    Ok(film)
}

/// The rectangle of a view: all that moves, in both runs.
fn window(view: View, films: &[Film; 2]) -> Window {
    let bounds = |points: &mut dyn Iterator<Item = Point>| {
        points.fold([[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]], |[low, high], p| {
            [[low[0].min(p[0]), low[1].min(p[1])], [high[0].max(p[0]), high[1].max(p[1])]]
        })
    };
    let of = |instants: &[Instant]| {
        bounds(&mut instants.iter().flat_map(|i| i.moving.iter().flatten()).map(|p| view.project(*p)))
    };
    let first = of(&films[0].instants[..1]);
    let size = (first[1][0] - first[0][0]).max(first[1][1] - first[0][1]);
    let mut low = [f64::INFINITY; 2];
    let mut high = [f64::NEG_INFINITY; 2];
    for film in films {
        let [l, h] = of(&film.instants);
        for k in 0..2 {
            low[k] = low[k].min(l[k]).max(first[0][k] - LONGEST * size);
            high[k] = high[k].max(h[k]).min(first[1][k] + LONGEST * size);
        }
    }
    if view.up == DVec3::Z && films[0].has_ground {
        low[1] = low[1].min(0.0);
    }
    let mut extent = [high[0] - low[0], high[1] - low[1]];
    let margin = (MARGIN * extent[0].max(extent[1])).max(LEAST_MARGIN);
    for k in 0..2 {
        low[k] -= margin;
        extent[k] += 2.0 * margin;
    }
    // Not too flat and not too steep.
    let wanted = [extent[0].max(extent[1] / FORMS[1]), extent[1].max(extent[0] * FORMS[0])];
    for k in 0..2 {
        low[k] -= 0.5 * (wanted[k] - extent[k]);
    }
    Window { low, extent: wanted }
}

fn draw_view(
    view: View,
    film: &Film,
    window: Window,
    [x, y]: Point,
    scale: f64,
    column: usize,
) -> Result<String, Failure> {
    let height = window.extent[1] * scale;
    let place = |p: Point| [x + (p[0] - window.low[0]) * scale, y + height - (p[1] - window.low[1]) * scale];
    let id = format!("{}{column}", if view.up == DVec3::Z { "s" } else { "a" });
    let mut text = format!(
        "<clipPath id='{id}'><rect x='{x:.1}' y='{y:.1}' width='{VIEW:.1}' height='{height:.1}'/></clipPath>\n\
         <g clip-path='url(#{id})'>\n"
    );
    if film.has_ground && view.up == DVec3::Z {
        let ground = place([0.0, 0.0])[1];
        writeln!(text, "<rect x='{x:.1}' y='{ground:.1}' width='{VIEW:.1}' height='{height:.1}' fill='#ece7dc'/>")?;
        writeln!(text, "<path d='M{x:.1} {ground:.1}h{VIEW:.1}' stroke='#8a8172'/>")?;
    }
    for shape in &film.fixed {
        polygon(&mut text, &outline(view, shape, place), "#8a8172", "#ece7dc", 1.0)?;
    }
    let labelled = most_moved(film);
    let mut labels: Vec<(Point, Vec<usize>)> = Vec::new();
    for (k, (instant, [line, fill])) in film.instants.iter().zip(SHADES).enumerate() {
        for (number, shape) in instant.moving.iter().enumerate() {
            let outline = outline(view, shape, place);
            polygon(&mut text, &outline, line, fill, 0.55)?;
            // The label is at the upper right of what moves most.
            let corner = outline.into_iter().max_by(|p, q| (p[0] - p[1]).total_cmp(&(q[0] - q[1])));
            if let Some(p) = corner.filter(|_| number == labelled) {
                let is_same = |q: &Point| (q[0] - p[0]).abs() < SAME && (q[1] - p[1]).abs() < SAME;
                match labels.iter_mut().find(|(q, _)| is_same(q)) {
                    Some((_, instants)) => instants.push(k),
                    None => labels.push((p, vec![k])),
                }
            }
        }
        for spoke in &instant.spokes {
            let [from, to] = spoke.map(|p| place(view.project(p)));
            writeln!(
                text,
                "<path d='M{:.1} {:.1}L{:.1} {:.1}' stroke='{line}' stroke-width='1.3'/>",
                from[0], from[1], to[0], to[1]
            )?;
        }
    }
    let mut used: Vec<Point> = Vec::new();
    for (p, instants) in labels {
        let name = label(film, &instants);
        let wide = 6.0 * name.chars().count() as f64;
        let first = [(p[0] + 3.0).clamp(x + 2.0, x + VIEW - wide), (p[1] - 3.0).clamp(y + 12.0, y + height - 4.0)];
        // Labels do not cover each other: the later one goes up or down to the nearest free place.
        let is_free =
            |at: &Point| !used.iter().any(|q| (q[0] - at[0]).abs() < wide.max(36.0) && (q[1] - at[1]).abs() < 11.0);
        let places = [0.0, -12.0, 12.0, -24.0, 24.0, -36.0, 36.0].map(|up| [first[0], first[1] + up]);
        let is_inside = |at: &Point| at[1] > y + 11.0 && at[1] < y + height - 3.0;
        let at = places.into_iter().find(|at| is_inside(at) && is_free(at)).unwrap_or(first);
        used.push(at);
        writeln!(
            text,
            "<text x='{:.1}' y='{:.1}' fill='#1f3a5f' font-size='11' stroke='white' stroke-width='3' paint-order='stroke'>{name}</text>",
            at[0], at[1]
        )?;
    }
    writeln!(
        text,
        "</g>\n<rect x='{x:.1}' y='{y:.1}' width='{VIEW:.1}' height='{height:.1}' fill='none' stroke='#bbb'/>"
    )?;
    Ok(text)
}

/// The shape whose middle moves most.
fn most_moved(film: &Film) -> usize {
    let middle = |points: &Vec<DVec3>| points.iter().sum::<DVec3>() / points.len().max(1) as f64;
    let way = |number: usize| {
        let places: Vec<DVec3> = film.instants.iter().filter_map(|i| i.moving.get(number)).map(middle).collect();
        places.iter().map(|p| p.distance(places[0])).fold(0.0, f64::max)
    };
    let count = film.instants.first().map_or(0, |i| i.moving.len());
    (0..count).max_by(|a, b| way(*a).total_cmp(&way(*b))).unwrap_or(0)
}

/// Times of instants: `0.00 s`, `0.27, 0.80 s`, or from the first to the last where there is none between.
fn label(film: &Film, instants: &[usize]) -> String {
    let time = |k: &usize| format!("{:.2}", film.instants[*k].time);
    match instants {
        [first, .., last] if last - first + 1 == instants.len() => format!("{} – {} s", time(first), time(last)),
        _ => format!("{} s", instants.iter().map(time).collect::<Vec<_>>().join(", ")),
    }
}

fn polygon(text: &mut String, points: &[Point], line: &str, fill: &str, opacity: f64) -> Result<(), Failure> {
    let points: Vec<String> = points.iter().map(|p| format!("{:.1},{:.1}", p[0], p[1])).collect();
    writeln!(
        text,
        "<polygon points='{}' fill='{fill}' fill-opacity='{opacity}' stroke='{line}' stroke-width='1.3'/>",
        points.join(" ")
    )?;
    Ok(())
}

/// A bar of a round length at the lower right corner.
fn scale_bar(window: Window, [x, y]: Point, scale: f64) -> Result<String, Failure> {
    let most = 0.3 * window.extent[0];
    let power = 10f64.powf(most.log10().floor());
    let length = [5.0, 2.0, 1.0].into_iter().map(|n| n * power).find(|l| *l <= most).unwrap_or(power);
    let end = x + VIEW;
    let start = end - length * scale;
    let mut text = String::new();
    writeln!(text, "<path d='M{start:.1} {:.1}v6m0 -3H{end:.1}m0 -3v6' stroke='#333' fill='none'/>", y + 6.0)?;
    writeln!(
        text,
        "<text x='{:.1}' y='{:.1}' text-anchor='end' font-size='11'>{length} m</text>",
        start - 5.0,
        y + 13.0
    )?;
    Ok(text)
}
