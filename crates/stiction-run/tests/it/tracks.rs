//! Belt tracks of Choreonoid's bodies under AGX: plates in a ring of hinges around wheels that drive it by friction.

use crate::common::choreonoid;

use choreonoid::Project;
use stiction_run::{CommandRequest, Quantity, Run, Setup};

const RADIUS: f64 = 0.1;
const THICKNESS: f64 = 0.02;
/// Half the distance of the belts \[m\]: with the weight on the wheels, 0.3 m before and behind the middle, they turn the vehicle
/// only if it is more than that.
const SIDE: f64 = 0.45;

fn wheel(name: &str, joint: usize, x: f64, y: f64) -> String {
    format!(
        "  - {{ name: {name}, parent: chassis, translation: [ {x}, {y}, -0.05 ], jointType: revolute, jointAxis: Y, jointId: \
         {joint}, mass: 2.0, inertia: [ 0.01, 0, 0, 0, 0.01, 0, 0, 0, 0.01 ], material: Wheel, elements: {{ Shape: {{ geometry: \
         {{ type: Cylinder, radius: {RADIUS}, height: 0.1 }} }} }} }}\n"
    )
}

fn track(side: &str) -> String {
    format!(
        "      - {{ type: AGXVehicleContinuousTrackDevice, name: TRACK_{side}, sprocketNames: [ W{side}0 ], idlerNames: [ \
         W{side}1 ], numberOfNodes: 36, nodeThickness: {THICKNESS}, nodeWidth: 0.1, nodeDistanceTension: 2.5e-4, \
         hingeCompliance: 1.0e-6, material: Belt, enableMerge: true }}\n"
    )
}

/// A vehicle of 28 kg on two belts, on a floor with a step of a height at x = 0.8 m.
fn project(step: f64, height: f64) -> Project {
    let wheels = [("WL0", 0.3, SIDE), ("WL1", -0.3, SIDE), ("WR0", 0.3, -SIDE), ("WR1", -0.3, -SIDE)];
    let wheels: String = wheels.iter().enumerate().map(|(i, (name, x, y))| wheel(name, i, *x, *y)).collect();
    let vehicle = format!(
        "  - name: chassis\n    jointType: free\n    translation: [ 0, 0, 0.172 ]\n    mass: 20.0\n    inertia: [ 0.3, 0, 0, 0, \
         0.9, 0, 0, 0, 1.0 ]\n    elements:\n      - {{ type: Shape, geometry: {{ type: Box, size: [ 0.6, 0.3, 0.1 ] }} }}\n\
         {}{}{wheels}",
        track("L"),
        track("R")
    );
    floor(step, height).body("v", &vehicle, "")
}

/// The floor, and the materials of belts and wheels.
fn floor(step: f64, height: f64) -> Project {
    let block = format!(
        "      - {{ type: Shape, translation: [ 5.8, 0, {} ], geometry: {{ type: Box, size: [ 10, 40, 1 ] }} }}\n",
        height - 0.5
    );
    let links = format!(
        "  - name: floor\n    jointType: fixed\n    material: Floor\n    elements:\n      - {{ type: Shape, translation: [ 0, \
         0, -0.5 ], geometry: {{ type: Box, size: [ 40, 40, 1 ] }} }}\n{}",
        if height > 0.0 { &block } else { "" }
    );
    let pair = |name: &str, friction: f64| {
        format!(
            "  - {{ materials: [ {name}, Belt ], friction: {friction}, frictionModel: [ box, direct ], youngsModulus: 1e7, \
             restitution: 0, surfaceViscosity: 1e-6 }}\n"
        )
    };
    let table = format!(
        "materials:\n  - {{ name: Floor, viscosity: 1.0 }}\n  - {{ name: Wheel, viscosity: 1.0 }}\n  - {{ name: Belt, \
         viscosity: 1.0, density: 1500 }}\ncontactMaterials:\n{}{}",
        pair("Wheel", 0.9),
        pair("Floor", 0.7)
    );
    Project::new(&format!("timeStep: {step}")).body("f", &links, "fix_root: true").materials(&table)
}

fn start(step: f64, height: f64, commands: &[&str]) -> (Project, Run) {
    let project = project(step, height);
    let mut setup = Setup::new(project.write());
    setup.commands = commands.iter().flat_map(|c| CommandRequest::parse(c).expect("a command")).collect();
    let run = setup.start().expect("a run");
    (project, run)
}

fn place(run: &Run) -> [f64; 3] {
    run.link(Quantity::Position, "v::chassis").expect("a link").to_array()
}

/// A minute at 1/60 s: the belts hold their plates by `d`, weigh what their density says, and nothing moves.
#[test]
fn a_vehicle_on_belts_stands_still() {
    let (_project, mut run) = start(1.0 / 60.0, 0.0, &[]);
    let plate = run.simulation().plates[0].body;
    let body = run.simulation().world.body(plate).expect("a body");
    // The belt is as long as an open belt about the middles of its plates, and a chain of corners is a little more.
    let length = (2.0 * 0.6 + 2.0 * std::f64::consts::PI * (RADIUS + 0.5 * THICKNESS)) / 36.0;
    let mass = 1500.0 * length * 0.1 * THICKNESS;
    assert!((body.mass() / mass - 1.0).abs() < 0.01, "{} kg, wanted {mass} kg", body.mass());
    run.advance(5.0).unwrap();
    let before = place(&run);
    run.advance(55.0).unwrap();
    let after = place(&run);
    let moved = (0..3).map(|i| (after[i] - before[i]).abs()).fold(0.0, f64::max);
    let speed = run.total(Quantity::Speed);
    assert!(moved < 1e-5 && speed < 1e-6, "moved by {moved} m, {speed} m/s");
}

/// Turned at ω, the belts run at `ω (r + t/2)`; the corners of the chain make it `(α/2)⁻¹ tan(α/2)` of that with
/// `α = a/(r + t/2)`, 1.9 %.
#[test]
fn wheels_drive_the_vehicle() {
    let (_project, mut run) = start(1.0 / 60.0, 0.0, &["WL0:velocity=2", "WR0:velocity=2"]);
    run.advance(1.0).unwrap();
    let before = place(&run);
    run.advance(3.0).unwrap();
    let after = place(&run);
    let (speed, wanted) = ((after[0] - before[0]) / 3.0, 2.0 * (RADIUS + 0.5 * THICKNESS));
    assert!((speed / wanted - 1.0).abs() < 0.05, "{speed} m/s, wanted {wanted} m/s");
    assert!(after[1].abs() < 0.01, "{after:?}");
}

/// Turned oppositely they turn it on the spot, no faster than without slip.
#[test]
fn opposite_wheels_turn_the_vehicle() {
    let (_project, mut run) = start(1.0 / 60.0, 0.0, &["WL0:velocity=-2", "WR0:velocity=2"]);
    run.advance(3.0).unwrap();
    let yaw = run.link(Quantity::Orientation, "v::chassis").expect("a link").z;
    let without_slip = 3.0 * 2.0 * (RADIUS + 0.5 * THICKNESS) / SIDE;
    assert!(yaw > 0.3 * without_slip && yaw < 1.05 * without_slip, "{yaw} rad of {without_slip} rad");
    let [x, y, _] = place(&run);
    assert!(x.hypot(y) < 0.1, "at {x}, {y} m");
}

/// Over a step of 0.1 m at 5 ms, with its belts on.
#[test]
fn belts_climb_a_step() {
    let (_project, mut run) = start(0.005, 0.1, &["WL0:velocity=4", "WR0:velocity=4"]);
    run.advance(5.0).unwrap();
    let [x, _, z] = place(&run);
    assert!(x > 1.3 && (z - 0.272).abs() < 0.02, "at {x}, {z} m");
    let gap = run.simulation().joints.iter().filter_map(|joint| run.simulation().world.joint(joint.id?));
    let gap = gap.map(|joint| joint.gap()).fold(0.0, f64::max);
    assert!(gap < 2e-3, "gap {gap} m");
}

/// Over a step of half a wheel's radius at 1/60 s, and then at rest, where the wheels stop.
#[test]
fn a_vehicle_rests_behind_a_step() {
    let (project, _) = start(1.0 / 60.0, 0.05, &[]);
    let path = project.folder().join("drive.csv");
    std::fs::write(&path, "time,WL0:velocity,WR0:velocity\n0,4,4\n5,4,4\n5.5,0,0\n60,0,0\n").expect("a file");
    let mut setup = Setup::new(project.folder().join("p.cnoid"));
    setup.commands = CommandRequest::parse(path.to_str().expect("a path")).expect("commands");
    let mut run = setup.start().expect("a run");
    run.advance(20.0).unwrap();
    let before = place(&run);
    assert!(before[0] > 2.0 && (before[2] - 0.222).abs() < 2e-3, "{before:?} m");
    run.advance(40.0).unwrap();
    let speed = run.link(Quantity::Speed, "v::chassis").expect("a link").length();
    let moved = (0..3).map(|i| (place(&run)[i] - before[i]).abs()).fold(0.0, f64::max);
    assert!(speed < 1e-5 && moved < 1e-4, "{speed} m/s, moved by {moved} m");
}

/// The tank of Choreonoid's samples, on a floor: both belts of 42 plates stay closed. Its inertia is none of a rigid body, so it is
/// loaded leniently.
#[test]
fn the_sample_tank_runs() {
    let Some(shared) = stiction_testing::shared("choreonoid") else { return };
    let body = shared.join("model/Tank/AgxTank.body");
    let project = floor(0.005, 0.0).item("v", &format!("modelFile: {}, rootPosition: [ 0, 0, 0.13 ]", body.display()));
    let mut setup = Setup::new(project.write());
    setup.lenient = true;
    let mut run = setup.start().expect("a run");
    assert_eq!(run.simulation().plates.len(), 84);
    run.advance(0.1).unwrap();
    let gap = run.simulation().joints.iter().filter_map(|joint| run.simulation().world.joint(joint.id?));
    let gap = gap.map(|joint| joint.gap()).fold(0.0, f64::max);
    assert!(gap < 0.01, "gap {gap} m");
}
