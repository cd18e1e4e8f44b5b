//! Joints of Choreonoid's bodies under AGX: locks, motors and stops with their softness, joints that break, and joints that
//! lock what comes near.

use crate::common::choreonoid;

use choreonoid::Project;
use stiction_run::{CommandRequest, Quantity, Run, Setup};

/// A body of links, whose root is fixed 2 m above nothing.
fn project(device: &str, links: &str) -> Project {
    let base = format!("  - {{ name: base, jointType: fixed, translation: [ 0, 0, 2 ], elements: [ {device} ] }}\n");
    Project::new("timeStep: 0.005").body("b", &format!("{base}{links}"), "fix_root: true")
}

fn start(links: &str) -> (Project, Run) {
    let project = project("", links);
    let run = Setup::new(project.write()).start().expect("a run");
    (project, run)
}

fn z(run: &Run, link: &str) -> f64 {
    run.link(Quantity::Position, link).expect("a link").z
}

const MASS: &str = "mass: 2.0, inertia: [ 0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1 ]";

/// `ε m g` of a slider's lock, for two compliances; nothing gives way otherwise.
#[test]
fn a_lock_sags_by_its_compliance() {
    for (compliance, wanted) in [(1e-3, 0.019_613_3), (2e-3, 0.039_226_6)] {
        let (_project, mut run) = start(&format!(
            "  - {{ name: arm, parent: base, jointId: 0, jointType: prismatic, jointAxis: Z, {MASS}, jointLock: true, \
             jointLockCompliance: {compliance} }}\n"
        ));
        run.advance(5.0).unwrap();
        let sag = 2.0 - z(&run, "b::arm");
        assert!((sag / wanted - 1.0).abs() < 1e-3, "{sag} m, wanted {wanted} m");
    }
}

/// A motor at rest holds up to its force, and slips `γ F`.
#[test]
fn a_motor_holds_up_to_its_force_and_slips() {
    for (force, slip) in [(10.0, None), (40.0, Some(1e-3 * 2.0 * 9.80665))] {
        let (_project, mut run) = start(&format!(
            "  - {{ name: arm, parent: base, jointId: 0, jointType: prismatic, jointAxis: Z, {MASS}, jointMotor: true, \
             jointMotorCompliance: 1e-3, jointMotorForceRange: [ -{force}, {force} ] }}\n"
        ));
        run.advance(1.0).unwrap();
        let fall = 2.0 - z(&run, "b::arm");
        let wanted = slip.unwrap_or(0.5 * (9.80665 - force / 2.0));
        assert!((fall / wanted - 1.0).abs() < 0.02, "{force} N: {fall} m, wanted {wanted} m");
    }
}

/// A commanded motor has its range of force, and an effort is all that drives: `v = F t / m` without weight.
#[test]
fn commanded_motors_have_their_range_of_force() {
    for (keys, command, wanted) in [
        ("jointMotor: true, jointMotorForceRange: [ -30, 30 ]", "arm:velocity=1000", 1.5),
        ("joint_motor: true, joint_motor_force_range: 30", "arm:velocity=1000", 1.5),
        ("jointMotor: true, jointMotorForceRange: [ -30, 30 ]", "arm:effort=60", 3.0),
        ("jointMotor: true", "arm:effort=60", 3.0),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("b.body");
        let body = format!(
            "format: ChoreonoidBody\nformatVersion: 1.0\nname: b\nlinks:\n  - {{ name: base, jointType: fixed }}\n  \
             - {{ name: arm, parent: base, jointId: 0, jointType: prismatic, jointAxis: X, {MASS}, {keys} }}\n"
        );
        std::fs::write(&path, body).expect("a file");
        let mut setup = Setup::new(&path).engine("agx");
        setup.commands = CommandRequest::parse(command).expect("a command");
        let mut run = setup.start().expect("a run");
        run.advance(0.1).unwrap();
        let speed = run.link(Quantity::Speed, "b::arm").expect("a link").z;
        assert!((speed / wanted - 1.0).abs() < 1e-3, "{keys}, {command}: {speed} m/s, wanted {wanted} m/s");
    }
}

/// Stops: `ε m g` beyond the range.
#[test]
fn a_stop_gives_way_by_its_compliance() {
    let (_project, mut run) = start(&format!(
        "  - {{ name: arm, parent: base, jointId: 0, jointType: prismatic, jointAxis: Z, {MASS}, jointRange: [ -0.1, 0.1 ], \
         jointRangeCompliance: 1e-3 }}\n"
    ));
    run.advance(5.0).unwrap();
    let beyond = 1.9 - z(&run, "b::arm");
    assert!((beyond / 0.019_613_3 - 1.0).abs() < 1e-3, "{beyond} m");
}

/// 19.6 N hang on a joint that breaks above a limit, at once or after a time.
#[test]
fn joints_break_above_their_limit() {
    for (limit, breaks_at) in [
        ("breakType: force, breakLimitForce: 25", None),
        ("breakType: force, breakLimitForce: 15, period: 0.5", Some(0.5)),
        ("breakType: force, breakLimitForce: 15, period: 0.5, offsetForce: 10", None),
        ("breakType: force, breakLimitForce: 15, period: 0.5, validAxis: [ 1, 0, 0 ]", None),
        ("breakType: impulse, breakLimitImpulse: 0.05", Some(0.005)),
        ("breakType: impulse, breakLimitImpulse: 0.2", None),
    ] {
        let (_project, mut run) = start(&format!(
            "  - {{ name: load, parent: base, jointType: free, translation: [ 0, 0, -1 ], {MASS}, elements: [ {{ type: \
             AGXBreakableJointDevice, link1Name: load, link2Name: base, jointType: fixed, {limit} }} ] }}\n"
        ));
        run.advance(1.0).unwrap();
        let fall = 1.0 - z(&run, "b::load");
        // The last step that it held ends the time.
        let wanted = breaks_at.map_or(0.0, |t: f64| 0.5 * 9.80665 * (1.0 - t) * (1.0 - t + 0.005));
        assert!((fall - wanted).abs() < 0.06, "{limit}: {fall} m, wanted {wanted} m");
        let json = run.summary(0.0).json();
        let told = json["events"].as_array().map_or(0, Vec::len);
        assert_eq!(told, usize::from(breaks_at.is_some()), "{limit}: {}", json["events"]);
    }
}

/// What falls past a magnet is held once it is near and turned towards it.
#[test]
fn magnets_lock_what_comes_near() {
    for (angle, axis, holds) in
        [(20.0, "[ 0, 0, -1 ]", true), (20.0, "[ 0, 1, 0 ]", false), (100.0, "[ 0, 1, 0 ]", true)]
    {
        let (_project, mut run) = start(&format!(
            "  - {{ name: load, parent: base, jointType: free, translation: [ 0, 0, 0.5 ], {MASS}, elements: [ {{ type: \
             AGXMagneticJointDevice, link1Name: load, link2Name: base, connectAxis1: {axis}, connectAxis2: [ 0, 0, 1 ], \
             validDistance: 0.1, validAngle: {angle} }} ] }}\n"
        ));
        run.advance(2.0).unwrap();
        let height = z(&run, "b::load") - 2.0;
        assert_eq!(height.abs() < 0.11, holds, "{angle} {axis}: {height} m");
    }
}

/// A body on a wire of 100 m whose root is at 2 m, and a table for its material.
fn hanging(keys: &str, mass: f64, table: &str) -> (Project, Run) {
    let wire =
        format!("{{ type: AGXWireDevice, name: rope, radius: 0.02, collision: false, materialName: Rope, {keys} }}");
    let load = format!(
        "  - {{ name: load, parent: base, jointType: free, translation: [ 0, 0, -100 ], mass: {mass}, inertia: [ {mass}, 0, 0, \
         0, {mass}, 0, 0, 0, {mass} ] }}\n"
    );
    let project = project(&wire, &load).materials(&format!("materials: [ {{ name: Rope, {table} }} ]\n"));
    let run = Setup::new(project.write()).start().expect("a run");
    (project, run)
}

const TIED: &str = "Nodes: [ { type: fixed, linkName: base }, { type: fixed, linkName: load } ]";

/// `m g L / (E A)` and the weight of the wire, by the modulus of its material or its own, and the density.
#[test]
fn a_wire_stretches_by_its_material() {
    let area = std::f64::consts::PI * 0.02 * 0.02;
    for (table, own, modulus) in [
        ("density: 1000, wireYoungsModulusStretch: 6e10", "", 6e10),
        ("density: 1000, wireYoungsModulusStretch: 1.2e11", "", 1.2e11),
        ("density: 1000, wireYoungsModulusStretch: 6e10", "wireYoungsModulusStretch: 3e10, ", 3e10),
    ] {
        let (_project, mut run) = hanging(&format!("{own}{TIED}"), 10_000.0, table);
        run.advance(30.0).unwrap();
        let stretch = 100.0 - (2.0 - z(&run, "b::load"));
        let wanted = -10_000.0 * 9.80665 * 100.0 / (modulus * area) - 1000.0 * 9.80665 * 1e4 / (2.0 * modulus);
        assert!((stretch / wanted - 1.0).abs() < 0.01, "{table} {own}: {stretch} m, wanted {wanted} m");
        let wire = &run.simulation().wires[0];
        assert_eq!(wire.name, "b::rope");
        let mass = run.simulation().world.wire(wire.id).unwrap().mass();
        // Half a segment at each end belongs to what the wire is tied to.
        assert!((0.95..1.0).contains(&(mass / (1000.0 * area * 100.0))), "{mass} kg");
    }
}

/// A winch of ±50 N pays out under 6 kg at `(m g − F) / m`, one of ±60 N holds.
#[test]
fn a_winch_holds_up_to_its_force() {
    for (force, wanted) in [(50.0, (6.0 * 9.80665 - 50.0) / 6.0), (60.0, 0.0)] {
        let keys = format!(
            "Winch: {{ linkName: base, position: [ 0, 0, 0 ], normal: [ 0, 0, -1 ], pulledInLength: 20, haulForceRange: [ -{force}, {force} \
             ] }}, Nodes: [ {{ type: fixed, linkName: load }} ]"
        );
        let (_project, mut run) = hanging(&keys, 6.0, "density: 0.1");
        run.advance(2.0).unwrap();
        let fall = -98.0 - z(&run, "b::load");
        let wanted = 0.5 * wanted * 4.0;
        assert!((fall - wanted).abs() < 0.03 * wanted + 1e-3, "{force} N: {fall} m, wanted {wanted} m");
    }
}
