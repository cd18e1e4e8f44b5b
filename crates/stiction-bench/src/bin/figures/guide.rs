//! The guide's scenes, as the examples run them.

use stiction::contact::friction::FrictionBound;
use stiction_bench::chart::{Axis, Corner, Panel, Series};

use crate::scene::Failure;
use one_way::Track;

/// Makes a module of an example; its `main` is for the command line.
macro_rules! examples {
    ($($name:ident = $path:literal;)*) => {$(
        #[path = $path]
        #[allow(dead_code, reason = "the example's own main")]
        pub mod $name;
    )*};
}

examples! {
    box_chain = "../../../../stiction/examples/box_chain.rs";
    car = "../../../../stiction/examples/car.rs";
    coming_and_going = "../../../../stiction/examples/coming_and_going.rs";
    one_way = "../../../../stiction/examples/one_way.rs";
    ramp_and_floor = "../../../../stiction/examples/ramp_and_floor.rs";
    stairs = "../../../../stiction/examples/stairs.rs";
    table = "../../../../stiction/examples/table.rs";
    terrain = "../../../../stiction/examples/terrain.rs";
    user_collision = "../../../../stiction/examples/user_collision.rs";
}

/// Lines of the tracks, each in its colour.
fn lines(tracks: Vec<Track>) -> Vec<Series> {
    tracks.into_iter().enumerate().map(|(color, (name, points))| Series::line(name, color, points)).collect()
}

fn panel(title: &'static str, axes: [Axis; 2], series: Vec<Series>, legend: Corner) -> Vec<Panel> {
    vec![Panel { title, axes, series, legend }]
}

pub fn user_collision() -> Result<Vec<Panel>, Failure> {
    let axes = [Axis::even("x [m]", -1.0, 1.0), Axis::even("height of the centre [m]", 0.0, 1.6)];
    let series = lines(user_collision::run()?);
    Ok(panel("Three balls, with contacts of the program's own collision", axes, series, Corner::UpperRight))
}

pub fn one_way() -> Result<Vec<Panel>, Failure> {
    let axes = [Axis::even("time [s]", 0.0, 2.0), Axis::even("x of the centre [m]", -2.0, 4.0)];
    let series = lines(one_way::run()?);
    Ok(panel("A ball of half a kilogram and a camera of a tonne, one way", axes, series, Corner::LowerRight))
}

pub fn coming_and_going() -> Result<Vec<Panel>, Failure> {
    let axes = [Axis::even("time [s]", 0.0, 3.0), Axis::even("height of the links [m]", -2.5, 0.5)];
    let series = lines(coming_and_going::run()?);
    Ok(panel("A chain that grows, loses a link at 2 s and is let go at 2.5 s", axes, series, Corner::LowerLeft))
}

pub fn car() -> Result<Vec<Panel>, Failure> {
    let axes = [Axis::even("x [m]", -40.0, 40.0), Axis::even("y [m]", -5.0, 45.0)];
    let slips = [("no slip", 0.0), ("1e-4 / N", 1e-4), ("2e-4 / N", 2e-4)];
    let mut tracks = Vec::new();
    for (name, slip) in slips {
        tracks.push((name, car::drive(slip)?));
    }
    Ok(panel("A car at full throttle in a bend, by sideways slip", axes, lines(tracks), Corner::UpperRight))
}

pub fn table() -> Result<Vec<Panel>, Failure> {
    let axes = [Axis::even("time [s]", 0.0, 2.0), Axis::even("height [m], tilt [rad]", 0.3, 1.7)];
    let series = lines(table::run()?);
    Ok(panel("A table with flush legs lands on its side", axes, series, Corner::MiddleRight))
}

pub fn ramp_and_floor() -> Result<Vec<Panel>, Failure> {
    let axes = [Axis::even("x [m]", -1.0, 2.0), Axis::even("height of the centre [m]", 0.0, 0.8)];
    let bounds = [("friction up to μ times the normal force", FrictionBound::Coefficient(1.0))];
    let bounds = bounds.into_iter().chain([("friction of any force", FrictionBound::Force(1e6))]);
    let mut tracks = Vec::new();
    for (name, bound) in bounds {
        tracks.push((name, ramp_and_floor::roll(bound)?));
    }
    Ok(panel("A ball between ramp and floor", axes, lines(tracks), Corner::UpperRight))
}

pub fn box_chain() -> Result<Vec<Panel>, Failure> {
    let mut tracks = box_chain::run()?;
    let gap = tracks.split_off(6);
    tracks.retain(|(name, _)| ["first", "last"].contains(name));
    let time = || Axis::even("time [s]", 0.0, 3.0);
    let axes = [time(), Axis::even("distance [m]", -0.2, 2.0)];
    let title = "Boxes joined in a row, dragged from 1 s on";
    let mut panels = panel(title, axes, lines(tracks), Corner::UpperLeft);
    let axes = [time(), Axis::log("largest gap of a joint [m]", 1e-12, 1e-3)];
    panels.extend(panel("The joints of the row", axes, lines(gap), Corner::LowerRight));
    Ok(panels)
}
