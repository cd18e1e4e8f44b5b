//! Figures of the bundled robots (`docs/robots.md`).

use std::path::Path;

use stiction::math::{DVec3, Pose};
use stiction::shape::Shape;
use stiction_bench::chart::{Axis, Corner, Panel, Series};
use stiction_formats::simulation::SensorValue;
use stiction_run::{CommandRequest, Run, Setup};

use crate::scene::Failure;
use crate::view::{Camera, draw};

/// A bundled robot under its commands.
fn start(world: &str, command: &str) -> Result<Run, Failure> {
    let mut setup = Setup::new(world);
    setup.commands = CommandRequest::parse(command)?;
    Ok(setup.start()?)
}

fn pose(run: &Run, link: &str) -> Result<Pose, Failure> {
    let simulation = run.simulation();
    let found = simulation.link(link).ok_or_else(|| format!("no link {link}"))?;
    Ok(simulation.link_pose(found))
}

/// Shapes of a run at some times \[s\], each set moved by a multiple of `apart`; planes are left out, terrain is there once, first.
fn snapshots(run: &mut Run, times: &[f64], apart: DVec3, scene: &mut Vec<(Shape, Pose)>) -> Result<(), Failure> {
    for (k, time) in times.iter().enumerate() {
        while run.time() < time - 1e-9 {
            run.step()?;
        }
        let world = &run.simulation().world;
        for id in world.geom_ids() {
            let (Some(geom), Some(mut pose)) = (world.geom(id), world.geom_pose(id)) else { continue };
            pose.position += apart * k as f64;
            match geom.shape() {
                Shape::Plane(_) => {}
                Shape::Heightfield(_) if k == 0 => scene.insert(0, (geom.shape().clone(), pose)),
                Shape::Heightfield(_) => {}
                shape => scene.push((shape.clone(), pose)),
            }
        }
    }
    Ok(())
}

/// A slab whose upper side is the ground.
fn ground(middle: DVec3, sides: [f64; 2]) -> Result<(Shape, Pose), Failure> {
    let shape = Shape::cuboid(DVec3::new(sides[0], sides[1], 0.02))?;
    Ok((shape, Pose::from_position(middle - 0.01 * DVec3::Z)))
}

/// The arm before, at and after the grip.
pub fn gripper(path: &Path) -> Result<(), Failure> {
    let mut scene = vec![ground(DVec3::new(0.45, -0.8, 0.0), [1.5, 2.4])?];
    let mut run = start("robots/gripper", "robots/gripper.csv")?;
    snapshots(&mut run, &[0.0, 2.2, 6.0], DVec3::new(0.0, -0.8, 0.0), &mut scene)?;
    let camera = Camera { eye: DVec3::new(3.2, -3.6, 1.7), target: DVec3::new(0.45, -0.85, 0.32), width: 3.3 };
    draw(path, &camera, &scene)
}

/// The rover along its way.
pub fn rover(path: &Path) -> Result<(), Failure> {
    let mut scene = Vec::new();
    let mut run = start("robots/rover", "rover:twist=0.5,0.2")?;
    let times: Vec<f64> = (0..10).map(|k| 1.0 + 3.0 * f64::from(k)).collect();
    snapshots(&mut run, &times, DVec3::ZERO, &mut scene)?;
    let camera = Camera { eye: DVec3::new(-6.0, -9.0, 7.0), target: DVec3::new(0.0, -0.3, 0.0), width: 12.0 };
    draw(path, &camera, &scene)
}

/// The quadruped as it trots, beside where it began.
pub fn quadruped(path: &Path) -> Result<(), Failure> {
    let mut scene = Vec::new();
    let mut run = start("robots/quadruped", "robots/quadruped.csv")?;
    snapshots(&mut run, &[1.0, 4.1, 9.5], DVec3::new(0.15, -0.75, 0.0), &mut scene)?;
    let camera = Camera { eye: DVec3::new(0.8, -4.2, 2.0), target: DVec3::new(-0.95, -0.95, 0.1), width: 3.2 };
    draw(path, &camera, &scene)
}

/// The forklift before the pallet, under it, with it lifted, and back.
pub fn forklift(path: &Path) -> Result<(), Failure> {
    let mut scene = vec![ground(DVec3::new(1.0, -3.0, 0.0), [5.6, 8.4])?];
    let mut run = start("robots/forklift", "robots/forklift.csv")?;
    snapshots(&mut run, &[0.0, 5.0, 8.2, 14.0], DVec3::new(0.0, -2.0, 0.0), &mut scene)?;
    let camera = Camera { eye: DVec3::new(8.5, -11.0, 5.5), target: DVec3::new(0.9, -3.0, 0.5), width: 9.6 };
    draw(path, &camera, &scene)
}

/// Points over a run, every so many seconds.
fn over(
    run: &mut Run,
    duration: f64,
    every: f64,
    mut each: impl FnMut(&Run) -> Result<(), Failure>,
) -> Result<(), Failure> {
    each(run)?;
    while run.time() < duration - 1e-9 {
        run.advance(every)?;
        each(run)?;
    }
    Ok(())
}

/// Heights of mug and hand; path and odometry of the rover; the trunk of the quadruped; the pallet.
pub fn panels() -> Result<Vec<Panel>, Failure> {
    let [mut mug, mut hand, mut path, mut odometry, mut trunk, mut pallet, mut fork]: [Vec<(f64, f64)>; 7] =
        Default::default();
    over(&mut start("robots/gripper", "robots/gripper.csv")?, 6.0, 0.05, |run| {
        mug.push((run.time(), pose(run, "mug::link")?.position.z - 0.4));
        hand.push((run.time(), pose(run, "arm::hand")?.position.z - 0.455));
        Ok(())
    })?;
    over(&mut start("robots/rover", "rover:twist=0.5,0.2")?, 28.0, 0.2, |run| {
        let at = pose(run, "rover::chassis")?.position;
        path.push((at.x, at.y));
        let reading = run.simulation().readings().find(|reading| reading.name == "rover::odometry");
        if let Some(SensorValue::Odometry { pose, .. }) = reading.map(|reading| reading.value) {
            odometry.push((pose.position.x, pose.position.y - 2.5));
        }
        Ok(())
    })?;
    over(&mut start("robots/quadruped", "robots/quadruped.csv")?, 10.0, 0.02, |run| {
        trunk.push((run.time(), pose(run, "quadruped::trunk")?.position.z));
        Ok(())
    })?;
    over(&mut start("robots/forklift", "robots/forklift.csv")?, 14.0, 0.1, |run| {
        let at = pose(run, "pallet::link")?.position;
        pallet.push((run.time(), at.z - 0.075));
        fork.push((run.time(), at.x - 0.95));
        Ok(())
    })?;
    Ok(vec![
        Panel {
            title: "Gripper: heights above those at the start",
            axes: [Axis::even("time [s]", 0.0, 6.0), Axis::even("height [m]", -0.02, 0.15)],
            series: vec![Series::line("mug", 0, mug), Series::line("hand", 1, hand)],
            legend: Corner::UpperLeft,
        },
        Panel {
            title: "Rover: where it is, and its odometry",
            axes: [Axis::even("x [m]", -3.0, 4.5), Axis::even("y [m]", -3.0, 3.0)],
            series: vec![Series::line("chassis", 0, path), Series::line("odometry", 1, odometry)],
            legend: Corner::UpperRight,
        },
        Panel {
            title: "Quadruped: height of the trunk",
            axes: [Axis::even("time [s]", 0.0, 10.0), Axis::even("height [m]", 0.28, 0.4)],
            series: vec![Series::line("trunk", 0, trunk)],
            legend: Corner::LowerRight,
        },
        Panel {
            title: "Forklift: the pallet",
            axes: [Axis::even("time [s]", 0.0, 14.0), Axis::even("[m]", -0.1, 1.8)],
            series: vec![Series::line("lifted", 0, pallet), Series::line("way to its end", 1, fork)],
            legend: Corner::LowerLeft,
        },
    ])
}
