//! The discrete solver against the converged continuous solution, over the step.

use stiction::material::ManifoldRule;
use stiction::math::{DVec3, Pose};
use stiction::shape::Shape;
use stiction::world::{Preset, SolverKind};

use crate::scene::{Failure, add, ground, surface, world};
use stiction_bench::chart::{Axis, Corner, Panel, Series};

/// A ball with back-spin, and a block on face manifolds that slides to rest: where they are after 0.4 s.
fn end(preset: Preset, solver: SolverKind, step: f64) -> Result<[DVec3; 2], Failure> {
    let mut world = world(preset, 9.81, |p| {
        p.manifold = ManifoldRule::Face;
        p.solver = solver;
        p.integrator.accuracy = 1e-10;
        p.integrator.max_step = 1e-3;
    });
    let surface = surface(0.3, 0.3, [2e4, 20.0]);
    ground(&mut world, 0.0, &surface)?;
    let moments = DVec3::splat(0.4 * 0.1 * 0.05 * 0.05);
    let place = Pose::from_position(DVec3::new(0.0, 1.0, 0.05));
    let ball = add(&mut world, Shape::sphere(0.05)?, 0.1, moments, place, &surface)?;
    let square = DVec3::new(0.2, 0.1, 0.04) * DVec3::new(0.2, 0.1, 0.04);
    let moments = DVec3::new(square.y + square.z, square.x + square.z, square.x + square.y) * (0.5 / 12.0);
    let place = Pose::from_position(DVec3::Z * 0.0199);
    let block = add(&mut world, Shape::cuboid(DVec3::new(0.2, 0.1, 0.04))?, 0.5, moments, place, &surface)?;
    if let Some(mut body) = world.body_mut(ball) {
        body.set_velocity(DVec3::X)?;
        body.set_omega(DVec3::Y * -40.0)?;
    }
    if let Some(mut body) = world.body_mut(block) {
        body.set_velocity(DVec3::X * 0.9)?;
    }
    for _ in 0..(0.4 / step).round() as u64 {
        world.step(step);
    }
    Ok([ball, block].map(|id| world.body(id).map_or(DVec3::NAN, |b| b.center_of_mass())))
}

/// The figure.
pub fn panels() -> Result<Vec<Panel>, Failure> {
    let converged = end(Preset::DrakeContinuous, SolverKind::Tamsi, 1e-3)?;
    let steps = [4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4, 6.25e-5];
    let mut series = Vec::new();
    for (color, (name, solver)) in
        [("TAMSI", SolverKind::Tamsi), ("convex", SolverKind::Convex)].into_iter().enumerate()
    {
        let mut points = Vec::new();
        for step in steps {
            let found = end(Preset::DrakeDiscrete, solver, step)?;
            let error = found.iter().zip(converged).map(|(a, b)| (*a - b).length()).fold(0.0, f64::max);
            println!("order: {name} at {step:.2e} s off by {error:.2e} m");
            points.push((step, error));
        }
        series.push(Series::dots(name, color, points));
    }
    let slope = steps.map(|h| (h, 0.4 * h)).to_vec();
    series.push(Series::line("first order", 4, slope));
    Ok(vec![Panel {
        title: "Discrete time against the converged continuous solution",
        axes: [Axis::log("step [s]", 3e-5, 1e-2), Axis::log("error of position after 0.4 s [m]", 1e-5, 1e-2)],
        series,
        legend: Corner::UpperLeft,
    }])
}
