//! Figures of the tutorial (`docs/tutorial.md`), from its worlds.

use std::collections::BTreeMap;

use stiction::math::DVec3;
use stiction_run::{Quantity, Run, Setup};

use crate::scene::Failure;
use stiction_bench::chart::{Axis, Corner, Panel, Series};

const GRAVITY: f64 = 9.81;

/// A bundled world with parameters set.
fn start(world: &str, set: &[(&str, &str)]) -> Result<Run, Failure> {
    let setup = set.iter().fold(Setup::new(world), |setup, (path, value)| setup.set(*path, *value));
    Ok(setup.start()?)
}

/// A number over time, every so many steps.
fn over_time(
    run: &mut Run,
    steps: usize,
    every: usize,
    value: impl Fn(&Run) -> Result<f64, Failure>,
) -> Result<Vec<(f64, f64)>, Failure> {
    let mut points = vec![(run.time(), value(run)?)];
    for step in 1..=steps {
        run.step()?;
        if step % every == 0 {
            points.push((run.time(), value(run)?));
        }
    }
    Ok(points)
}

fn position(run: &Run, link: &str) -> Result<DVec3, Failure> {
    let simulation = run.simulation();
    let found = simulation.link(link).ok_or_else(|| format!("no link {link}"))?;
    Ok(simulation.link_pose(found).position)
}

/// Contact points of the plate of the double pendulum over time.
pub fn double_pendulum() -> Result<Vec<Panel>, Failure> {
    let plate = "model.pendulum.link.base.collision.plate.surface.contact.ode";
    let (kp, kd) = (format!("{plate}.kp"), format!("{plate}.kd"));
    let stiff = [(kp.as_str(), "1e15"), (kd.as_str(), "1e13")];
    let sweeps = [("contact.hybrid", "off")];
    let world = [("physics.ode.solver.type", "world")];
    let cases: [(&'static str, Vec<(&str, &str)>); 4] = [
        ("quick", vec![]),
        ("quick, 50 sweeps alone", sweeps.to_vec()),
        ("quick, 50 sweeps alone, kp 1e15 and kd 1e13", [&sweeps[..], &stiff[..]].concat()),
        ("world", world.to_vec()),
    ];
    let [mut contacts, mut gaps] = [Vec::new(), Vec::new()];
    for (color, (name, set)) in cases.into_iter().enumerate() {
        let mut run = start("tutorial/double_pendulum", &set)?;
        let (mut points, mut gap) = (Vec::new(), Vec::new());
        let (mut counts, mut changes, mut last) = (BTreeMap::<usize, usize>::new(), 0, None);
        for step in 0..5000 {
            run.step()?;
            let count = run.total(Quantity::Contacts) as usize;
            *counts.entry(count).or_default() += 1;
            changes += usize::from(last.is_some_and(|last| last != count));
            last = Some(count);
            if step % 10 == 0 {
                points.push((run.time(), count as f64));
                gap.push((run.time(), run.total(Quantity::JointGap)));
            }
        }
        let counts: Vec<String> = counts.iter().map(|(count, steps)| format!("{count}:{steps}")).collect();
        println!("double pendulum, {name}: {} (contacts:steps), {changes} changes", counts.join(" "));
        contacts.push(Series::line(name, color, points));
        gaps.push(Series::line(name, color, gap));
    }
    let time = || Axis::even("time [s]", 0.0, 5.0);
    Ok(vec![
        Panel {
            title: "A double pendulum on a plate: contact points of the plate",
            axes: [time(), Axis::even("contact points", 0.0, 9.0)],
            series: contacts,
            legend: Corner::LowerRight,
        },
        Panel {
            title: "Largest gap of its joints",
            axes: [time(), Axis::log("gap [m]", 1e-9, 1e-1)],
            series: gaps,
            legend: Corner::UpperRight,
        },
    ])
}

/// Heights of the upper balls for three `max_vel`.
pub fn max_vel() -> Result<Vec<Panel>, Failure> {
    let mut series = Vec::new();
    for (color, max_vel) in [0, 1, 10].into_iter().enumerate() {
        let mut run = start("tutorial/max_vel", &[])?;
        let link = format!("upper_{max_vel}::link");
        let points = over_time(&mut run, 2200, 5, |run| Ok(position(run, &link)?.z))?;
        let top = points.iter().map(|p| p.1).fold(0.0, f64::max);
        let law = 1.5 + f64::from(max_vel * max_vel) / (2.0 * GRAVITY);
        println!("max_vel {max_vel}: rises to {top:.4} m; 1.5 + v^2 / (2 g) is {law:.4} m");
        series.push(Series::line(&format!("max_vel {max_vel} m/s"), color, points));
    }
    Ok(vec![Panel {
        title: "Balls that begin 0.5 m in each other: height of the upper one",
        axes: [Axis::even("time [s]", 0.0, 2.2), Axis::even("height [m]", 0.0, 7.0)],
        series,
        legend: Corner::UpperRight,
    }])
}

/// Overlap of three pairs of balls.
pub fn min_depth() -> Result<Vec<Panel>, Failure> {
    let mut series = Vec::new();
    let pairs = [
        ("apart", "0.5 m apart, min_depth 0.5 m"),
        ("hard", "overlap 0.7 m, min_depth 0"),
        ("soft", "overlap 0.7 m, min_depth 0.5 m"),
    ];
    for (color, (pair, name)) in pairs.into_iter().enumerate() {
        let mut run = start("tutorial/min_depth", &[])?;
        let [upper, lower] = ["upper", "lower"].map(|which| format!("{which}_{pair}::link"));
        let overlap = |run: &Run| Ok(1.0 - (position(run, &upper)? - position(run, &lower)?).length());
        let points = over_time(&mut run, 1500, 1, overlap)?;
        println!("min_depth, {name}: overlap {:.5} m at the end", points.last().map_or(f64::NAN, |p| p.1));
        series.push(Series::line(name, color, points));
    }
    Ok(vec![Panel {
        title: "Overlap of three pairs of balls",
        axes: [Axis::even("time [s]", 0.0, 1.5), Axis::even("overlap [m]", -0.7, 0.8)],
        series,
        legend: Corner::LowerRight,
    }])
}

/// Paths of the 32 boxes from above, under three friction models.
pub fn friction() -> Result<Vec<Panel>, Failure> {
    let models = [
        ("pyramid_model", "pyramid_model: each axis brakes on its own"),
        ("cone_model", "cone_model: along the velocity"),
        ("box_model", "box_model: 0.3 N per contact point, whatever the load"),
    ];
    let mut panels = Vec::new();
    for (color, (model, title)) in models.into_iter().enumerate() {
        let mut run = start("friction_pyramid", &[("physics.ode.solver.friction_model", model)])?;
        let mut paths = vec![Vec::new(); 32];
        for step in 0..=4000 {
            if step % 50 == 0 {
                for (index, path) in paths.iter_mut().enumerate() {
                    let place = position(&run, &format!("box_{index}::link"))?;
                    path.push((place.x, place.y));
                }
            }
            if step == 1500 {
                for index in [0, 2, 4] {
                    let place = position(&run, &format!("box_{index}::link"))?;
                    println!("{model}: box {index} at 1.5 s: ({:.3}, {:.3})", place.x, place.y);
                }
            }
            run.step()?;
        }
        let mut series: Vec<Series> = paths.into_iter().map(|path| Series::line("", color, path)).collect();
        "paths, 4 s".clone_into(&mut series[0].name);
        panels.push(Panel {
            title,
            axes: [Axis::even("x [m]", -80.0, 80.0), Axis::even("y [m]", -40.0, 40.0)],
            series,
            legend: Corner::LowerRight,
        });
    }
    Ok(panels)
}

/// Spin of balls on patches of four radii, beside `ω − M t / I`, M = 3 π / 16 a μ m g.
pub fn torsional_friction() -> Result<Vec<Panel>, Failure> {
    let mut series = Vec::new();
    for (color, (name, radius)) in [("0", 0.0), ("0_1", 0.1), ("0_2", 0.2), ("0_4", 0.4)].into_iter().enumerate() {
        let mut run = start("tutorial/torsional_friction", &[])?;
        let link = format!("patch_{name}::link");
        let spin = |run: &Run| {
            let simulation = run.simulation();
            Ok(simulation.link_velocity(simulation.link(&link).ok_or("no such ball")?).1.z)
        };
        let points = over_time(&mut run, 2000, 100, spin)?;
        let slope = 3.0 * std::f64::consts::PI / 16.0 * radius * GRAVITY / 0.1;
        let law = |t: f64| (10.0 - slope * t).max(0.0);
        let worst = points.iter().map(|(t, w)| (w - law(*t)).abs()).fold(0.0, f64::max);
        println!("patch {radius} m: stops after {:.4} s by the law; off by at most {worst:.2e} rad/s", 10.0 / slope);
        series.push(Series::line(
            &format!("patch {radius} m"),
            color,
            (0..=200).map(|i| 0.01 * f64::from(i)).map(|t| (t, law(t))).collect(),
        ));
        series.push(Series::dots("", color, points));
    }
    Ok(vec![Panel {
        title: "Spin on contact patches: law (lines) and simulation (dots)",
        axes: [Axis::even("time [s]", 0.0, 2.0), Axis::even("angular velocity [rad/s]", 0.0, 11.0)],
        series,
        legend: Corner::UpperRight,
    }])
}

/// Speeds of boxes that slip under a side load.
pub fn slip() -> Result<Vec<Panel>, Failure> {
    let mut series = Vec::new();
    let boxes = [("0_mass_1", 0.0), ("0_1_mass_1", 0.2), ("0_1_mass_2", 0.4), ("0_2_mass_1", 0.4), ("0_2_mass_2", 0.8)];
    for (color, (name, law)) in boxes.into_iter().enumerate() {
        let mut run = start("tutorial/slip", &[])?;
        let link = format!("slip_{name}::link");
        let speed = |run: &Run| Ok(run.link(Quantity::Speed, &link)?.y);
        let points = over_time(&mut run, 2000, 5, speed)?;
        println!("slip {name}: {:.6} m/s, s F is {law} m/s", points.last().map_or(f64::NAN, |p| p.1));
        let told = name.replacen("_mass_", " m/(s N), ", 1).replace("0_", "0.");
        series.push(Series::line(&format!("slip {told} kg"), color, points));
    }
    Ok(vec![Panel {
        title: "Boxes under a side load of 2 m/s²: speed",
        axes: [Axis::even("time [s]", 0.0, 2.0), Axis::even("speed [m/s]", 0.0, 1.6)],
        series,
        legend: Corner::UpperRight,
    }])
}

/// Paths of boxes that grip along one direction, turned.
pub fn fdir1() -> Result<Vec<Panel>, Failure> {
    let mut series = Vec::new();
    for (color, angle) in [0, 15, 30, 45, 60, 75, 90].into_iter().enumerate() {
        let mut run = start("tutorial/fdir1", &[])?;
        let link = format!("turned_{angle}::link");
        let start = position(&run, &link)?;
        let mut path = Vec::new();
        for step in 0..=2000 {
            if step % 50 == 0 {
                let way = position(&run, &link)? - start;
                path.push((way.x, way.y));
            }
            run.step()?;
        }
        let turned = f64::from(angle).to_radians();
        let (x, y) = path.last().copied().unwrap_or_default();
        // Along (−sin a, cos a) with the acceleration cos a, by the sum of the steps.
        let way = turned.cos() * 0.5 * 2.0 * 2.001;
        let off = (x + way * turned.sin()).hypot(y - way * turned.cos());
        println!("fdir1, turned by {angle}°: ({x:.4}, {y:.4}) m after 2 s, off by {off:.1e} m");
        series.push(Series::line(&format!("turned by {angle}°"), color, path));
    }
    Ok(vec![Panel {
        title: "Boxes that grip along their own x axis, pushed along y: paths of 2 s",
        axes: [Axis::even("x [m]", -1.2, 0.6), Axis::even("y [m]", -0.1, 2.1)],
        series,
        legend: Corner::UpperRight,
    }])
}
