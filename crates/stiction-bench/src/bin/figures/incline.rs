//! A block on a slope of 15 degrees: how far it creeps on one point, on spheres, on its face.

use stiction::material::ManifoldRule;
use stiction::world::Preset;

use crate::scene::{Failure, bundled};
use stiction_bench::chart::{Axis, Corner, Panel, Series};

/// The figure.
pub fn panels() -> Result<Vec<Panel>, Failure> {
    let single = ManifoldRule::Single;
    let mut series = Vec::new();
    for (color, (name, world, preset, manifold)) in [
        ("one point, discrete", "incline_block", Preset::DrakeDiscrete, single),
        ("one point, continuous", "incline_block", Preset::DrakeContinuous, single),
        ("face, discrete", "incline_block", Preset::DrakeDiscrete, ManifoldRule::Face),
        ("four spheres, discrete", "incline_block_spheres", Preset::DrakeDiscrete, single),
    ]
    .into_iter()
    .enumerate()
    {
        let (mut world, body) = bundled(world, preset, |p| {
            p.manifold = manifold;
            p.compliant.stiction_tolerance = 1e-5;
            p.integrator.accuracy = 1e-6;
        })?;
        let place = |world: &stiction::world::World| world.body(body).map(|b| b.pose().position).ok_or("no body");
        let start = place(&world)?;
        let mut points = Vec::new();
        for i in 1..=2000 {
            world.step(1e-3);
            if i % 10 == 0 {
                points.push((world.time(), (place(&world)? - start).length()));
            }
        }
        println!("incline: {name}: {:.3e} m", points.last().map_or(f64::NAN, |p| p.1));
        series.push(Series::line(name, color, points));
    }
    Ok(vec![Panel {
        title: "A block that sticks to a slope, stiction tolerance 1e-5 m/s",
        axes: [Axis::even("time [s]", 0.0, 2.0), Axis::log("displacement [m]", 1e-7, 1e-2)],
        series,
        legend: Corner::LowerRight,
    }])
}
