//! The bundled worlds of materials: motions by hand, `m a = m g (sin α − μ cos α)`, rebounds e² H, and belts.

use crate::common::choreonoid;

use choreonoid::Project;
use stiction_run::{CommandRequest, Quantity, Run, Setup};

const G: f64 = 9.80665;

fn start(world: &str) -> Run {
    Setup::new(world).start().expect("a bundled world")
}

fn near(found: f64, wanted: f64, tolerance: f64, what: &str) {
    assert!((found - wanted).abs() <= tolerance, "{what}: {found}, wanted {wanted}");
}

#[test]
fn blocks_slide_down_a_slope_by_their_materials() {
    let mut run = start("materials/slope");
    let (sin, cos) = 25.0_f64.to_radians().sin_cos();
    run.advance(2.0).expect("steps");
    let speed = |link: &str| run.link(Quantity::Speed, link).expect("a link").x;
    let accelerated = |mu: f64| 2.0 * G * (sin - mu * cos);
    near(speed("ice::link"), accelerated(0.0), 0.01, "ice");
    near(speed("wood::link"), accelerated(0.3), 0.01, "wood");
    near(speed("rail::link"), accelerated(0.1), 0.01, "along the rail");
    near(speed("rubber::link"), 0.0, 1e-6, "rubber");
    // γ m g sin α / 4.
    near(speed("tar::link"), 0.02 * 2.0 * G * sin / 4.0, 5e-4, "tar");
}

#[test]
fn balls_rebound_by_their_materials() {
    let mut run = start("materials/balls");
    let mut highest = [0.0_f64; 4];
    // Past the first impact, up to the second of the lowest rebound.
    run.advance(0.47).expect("steps");
    for _ in 0..200 {
        run.step().expect("a step");
        for (highest, link) in highest.iter_mut().zip(["steel", "rubber", "wood", "clay"]) {
            *highest = highest.max(run.link(Quantity::Height, &format!("{link}::link")).expect("a link").z - 0.1);
        }
    }
    for (highest, wanted) in highest.into_iter().zip([0.9, 0.64, 0.36, 0.0]) {
        near(highest, wanted, 0.015, "apex");
    }
}

#[test]
fn a_belt_takes_blocks_along_by_their_friction() {
    let mut run = start("materials/conveyor");
    run.advance(0.1).expect("steps");
    let speed = |run: &Run, link: &str| run.link(Quantity::Speed, link).expect("a link").x;
    near(speed(&run, "wood::link"), 0.03 * G, 0.01, "wood");
    near(speed(&run, "rubber::link"), 0.08 * G, 0.01, "rubber");
    run.advance(1.0).expect("steps");
    near(speed(&run, "wood::link"), 1.0, 1e-6, "wood");
    near(speed(&run, "rubber::link"), 1.0, 1e-6, "rubber");
    near(speed(&run, "ice::link"), 0.0, 1e-9, "ice");
}

/// A track of Choreonoid is a fixed link whose surface runs as the joint is commanded; axis y and the normal up run along x.
#[test]
fn a_track_of_a_body_runs_as_it_is_commanded() {
    let belt = "  - { name: base, jointType: fixed }\n  - name: top\n    parent: base\n    jointType: \
                pseudoContinuousTrack\n    jointId: 0\n    jointAxis: [ 0, 1, 0 ]\n    elements:\n      - type: Transform\n        \
                rotation: [ 0, 0, 1, 90 ]\n        elements: { Shape: { geometry: { type: Box, size: [ 4, 9, 0.2 ] } } }\n";
    let load = "  - { name: load, jointType: free, mass: 1, inertia: [ 0.01, 0, 0, 0, 0.01, 0, 0, 0, 0.01 ], elements: { \
                Shape: { geometry: { type: Box, size: [ 0.2, 0.2, 0.2 ] } } } }\n";
    let project =
        Project::new("timeStep: 0.005").body("belt", belt, "").body("load", load, "rootPosition: [ 0, 0, 0.2 ]");
    let path = project.write();
    for (speed, wanted) in [(0.5, 0.5), (-0.25, -0.25)] {
        let mut setup = Setup::new(&path);
        setup.commands = CommandRequest::parse(&format!("top:velocity={speed}")).expect("a command");
        let mut run = setup.start().expect("a run");
        run.advance(2.0).expect("steps");
        let link = run.simulation().link("load::load").expect("a link").clone();
        let velocity = run.simulation().link_velocity(&link).0;
        near(velocity.x, wanted, 1e-6, "along");
        near(velocity.y, 0.0, 1e-6, "across");
    }
}
