//! The bundled robots: what their files and commands ask for, judged by lengths and times that are written here.
#![allow(missing_docs)]

use std::f64::consts::PI;

use stiction::math::{DVec3, Pose};
use stiction_formats::simulation::SensorValue;
use stiction_run::{CommandRequest, ForceRequest, Quantity, Run, Setup};

fn setup(world: &str, command: &str) -> Setup {
    let mut setup = Setup::new(world);
    setup.commands = CommandRequest::parse(command).expect("commands");
    setup
}

fn start(setup: Setup) -> Run {
    setup.start().unwrap_or_else(|error| panic!("{error}"))
}

fn pose(run: &Run, link: &str) -> Pose {
    let simulation = run.simulation();
    simulation.link_pose(simulation.link(link).unwrap_or_else(|| panic!("no link {link}")))
}

/// Angle between z of a link and that of the world \[rad\].
fn tilt(pose: &Pose) -> f64 {
    pose.direction(DVec3::Z).z.clamp(-1.0, 1.0).acos()
}

/// Nothing to doubt in the run, and the steps made at most 1 % of the energy in play. Drives may press with all they have, as
/// fingers do.
fn is_sound(run: &Run) {
    let doubts: Vec<String> = run.warnings().into_iter().filter(|w| !w.contains("at the effort limit")).collect();
    assert!(run.failure().is_none() && doubts.is_empty(), "{:?} {doubts:?}", run.failure());
    let share = run.summary(0.0).json()["energy_balance"]["made"]["share"].as_f64().expect("a share");
    assert!(share < 0.01, "{share}");
}

/// The gripper holds the mug within a millimetre of where it took it, and lifts it by 13 cm.
#[test]
fn the_gripper_lifts_the_mug() {
    let mut run = start(setup("robots/gripper", "robots/gripper.csv"));
    run.advance(2.4).expect("steps");
    let held = |run: &Run| pose(run, "arm::hand").inverse().compose(&pose(run, "mug::link"));
    let at_first = held(&run);
    assert!((at_first.position - DVec3::new(0.14, 0.0, -0.055)).length() < 0.002, "{at_first:?}");
    for _ in 0..36 {
        run.advance(0.1).expect("steps");
        let slip = (held(&run).position - at_first.position).length();
        assert!(slip < 0.001 && tilt(&pose(&run, "mug::link")) < 0.01, "{slip} at {}", run.time());
    }
    let height = pose(&run, "mug::link").position.z - 0.4;
    assert!((height - 0.13).abs() < 0.002, "{height}");
    is_sound(&run);
}

/// Two fingers of 20 N hold a weight up to 2 μ F: of the mug's volume by Guldin's rule, and its handle, m g = 2.9 N or so.
#[test]
fn the_mug_is_held_by_friction_alone() {
    let weight = {
        let run = start(setup("robots/gripper", "robots/gripper.csv"));
        let simulation = run.simulation();
        let body = simulation.link("mug::link").expect("the mug").body.expect("it moves");
        simulation.world.body(body).expect("a body").mass() * 9.8
    };
    // The wall and the bottom are solids of revolution; the polygon of 24 corners has sin(15°)/15° of the circle.
    let circle = 24.0 / (2.0 * PI) * (2.0 * PI / 24.0).sin();
    let turned = PI * (0.04_f64.powi(2) * 0.1 - 0.036_f64.powi(2) * 0.094) * circle;
    let bevel = PI * (0.04_f64.powi(2) * 0.006 - 0.006 / 3.0 * (0.04_f64.powi(2) + 0.04 * 0.034 + 0.034_f64.powi(2)));
    // An arc of half a turn of 2.4 by 2.65 cm, 7 by 10.4 mm thick.
    let handle = PI * 0.0253 * 0.007 * 0.0104;
    let expected = 2400.0 * 9.8 * (turned - bevel * circle + handle);
    assert!((weight / expected - 1.0).abs() < 0.02, "{weight} {expected}");
    let critical = weight / (2.0 * 20.0);
    for (share, is_held) in [(0.7, false), (1.5, true)] {
        let mut setup = setup("robots/gripper", "robots/gripper.csv").engine("ode-world");
        for mu in ["mu", "mu2"] {
            let path = format!("model.mug.link.link.collision.collision.surface.friction.ode.{mu}");
            setup = setup.set(path, share * critical);
        }
        let mut run = start(setup);
        run.advance(6.0).expect("steps");
        let height = pose(&run, "mug::link").position.z - 0.4;
        assert_eq!(height > 0.12, is_held, "{share}: {height}");
        assert!(is_held || height < 0.05, "{share}: {height}");
    }
}

/// Height of the hills at a place \[m\], by the formula of their image.
fn hills(at: DVec3) -> f64 {
    let (x, y) = (at.x / 6.0, at.y / 6.0);
    0.5 * (0.5 + 0.25 * (PI * (1.7 * x + 0.6 * y)).sin() + 0.25 * (PI * (0.5 * x - 1.9 * y + 0.3)).cos())
}

/// The rover stays on the hills, wheels down, and its odometry is within 5 cm and 2 % of the way of where it is.
#[test]
fn the_rover_follows_its_odometry_over_the_hills() {
    for (twist, duration) in [("0.5,0.2", 28.0), ("0.4,-0.3", 20.0), ("-0.3,0.25", 20.0), ("0.45,0", 10.0)] {
        let mut run = start(setup("robots/rover", &format!("rover:twist={twist}")));
        run.advance(1.0).expect("steps");
        let begin = DVec3::new(0.0, -2.5, 0.0);
        let (mut way, mut last) = (0.0, pose(&run, "rover::chassis").position);
        while run.time() < duration {
            run.advance(0.1).expect("steps");
            let at = pose(&run, "rover::chassis");
            way += (at.position - last).length();
            last = at.position;
            // The middle of the axle is a radius above the ground, along the normal of a slope of up to 0.2.
            let above = at.position.z - hills(at.position);
            assert!((0.11..0.14).contains(&above) && tilt(&at) < 0.25, "{twist}: {above} at {}", run.time());
            let readings = run.simulation().readings().find(|r| r.name == "rover::odometry").expect("a reading");
            let SensorValue::Odometry { pose: told, .. } = readings.value else { panic!("no odometry") };
            let off = (told.position - (at.position - begin)).truncate().length();
            assert!(off < 0.02 * way + 0.05, "{twist}: {off} after {way} m");
        }
        let speed: f64 = twist.split(',').next().and_then(|v| v.parse().ok()).expect("a number");
        assert!((way / (speed.abs() * (duration - 1.0)) - 1.0).abs() < 0.05, "{twist}: {way}");
        is_sound(&run);
    }
}

/// The quadruped trots by a metre or so without falling, on its feet alone, also when it is pushed.
#[test]
fn the_quadruped_trots_over_rough_ground() {
    for push in [None, Some("0,25,0@4..4.2"), Some("-25,0,0@5..5.2"), Some("15,-20,0@6..6.2")] {
        let mut setup = setup("robots/quadruped", "robots/quadruped.csv");
        if let Some(push) = push {
            setup.forces.push(ForceRequest::parse(&format!("quadruped::trunk={push}")).expect("a force"));
        }
        let mut run = start(setup);
        run.advance(0.5).expect("steps");
        let mut steps_of_feet = 0;
        let mut is_down = [true; 4];
        while run.time() < 10.0 {
            run.advance(0.02).expect("steps");
            let trunk = pose(&run, "quadruped::trunk");
            // It stands 0.325 m above its ground, which lies between 0 and 0.04 m.
            let height = trunk.position.z;
            assert!((0.31..0.39).contains(&height) && tilt(&trunk) < 0.2, "{push:?}: {height} at {}", run.time());
            let simulation = run.simulation();
            let reports = simulation.world.contact_reports();
            let shapes = reports.iter().filter_map(|c| c.geoms).flatten().filter_map(|g| simulation.shape_name(g));
            let touching: Vec<String> = shapes.map(|name| name.into_owned()).collect();
            let is_foot = |name: &String| name.starts_with("terrain::") || name.contains("_shank::");
            assert!(touching.iter().all(is_foot), "{touching:?}");
            for (down, leg) in is_down.iter_mut().zip(["fl", "fr", "rl", "rr"]) {
                let now = touching.iter().any(|name| name.contains(&format!("::{leg}_shank")));
                steps_of_feet += usize::from(*down && !now);
                *down = now;
            }
        }
        // Eight seconds of steps of 0.32 s, of four feet, less those that are small at either end.
        assert!(steps_of_feet >= 60, "{push:?}: {steps_of_feet}");
        let trunk = pose(&run, "quadruped::trunk");
        let way = trunk.position.x + 1.5;
        assert!((0.5..1.6).contains(&way) && trunk.position.y.abs() < 0.6, "{push:?}: {trunk:?}");
        assert!(run.link(Quantity::Speed, "quadruped::trunk").expect("a link").x < 0.01);
        is_sound(&run);
    }
}

/// The fork takes the pallet 0.25 m off the ground with its load, by the work of the weights, and 1.5 m back.
#[test]
fn the_forklift_fetches_the_pallet() {
    let mut run = start(setup("robots/forklift", "robots/forklift.csv"));
    run.advance(5.0).expect("steps");
    assert!((pose(&run, "pallet::link").position - DVec3::new(2.45, 0.0, 0.075)).length() < 1e-3, "not touched yet");
    run.advance(2.0).expect("steps");
    // Fork, pallet and load hang on the mast at a steady speed.
    let effort = run.joint(Quantity::Effort, "forklift::lift", 0).expect("a joint");
    let weight = (60.0 + 25.0 + 200.0) * 9.8;
    assert!((effort / weight - 1.0).abs() < 0.01, "{effort} {weight}");
    while run.time() < 14.0 {
        run.advance(0.1).expect("steps");
        let (pallet, load) = (pose(&run, "pallet::link"), pose(&run, "load::link"));
        let apart = load.position - pallet.position - DVec3::new(0.0, 0.0, 0.325);
        assert!(apart.length() < 0.002 && tilt(&pallet) < 0.005, "{apart:?} at {}", run.time());
    }
    // Its deck lay 0.065 m above the fork at first: 0.06 + 0.015 to 0.125.
    let off = pose(&run, "pallet::link").position - DVec3::new(0.95, 0.0, 0.075 + 0.3 - 0.05);
    assert!(off.length() < 0.005, "{off:?}");
    is_sound(&run);
}
