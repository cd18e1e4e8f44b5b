//! Wires of SDFormat's worlds in runs and recordings.

use stiction_run::{Quantity, RecordOptions, Recorder, Run, Setup};

const G: f64 = 9.80665;

fn near(found: f64, wanted: f64, tolerance: f64, what: &str) {
    assert!((found - wanted).abs() <= tolerance * wanted.abs(), "{what}: {found}, wanted {wanted}");
}

fn of(text: &str) -> Run {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("w.world");
    std::fs::write(&path, text).expect("a file");
    Setup::new(&path).start().unwrap_or_else(|error| panic!("{error}"))
}

/// The winch of the bundled crane lifts its load by 3 m, at work m g h, and holds it with its weight.
#[test]
fn the_crane_lifts_its_load() {
    let mut run = Setup::new("materials/crane").start().expect("a bundled world");
    run.advance(20.0).expect("steps");
    let at = run.link(Quantity::Height, "load::link").expect("a link").z;
    near(at, 3.25, 0.01, "lifted");
    let simulation = run.simulation();
    let wire = simulation.world.wire(simulation.wires[0].id).expect("a wire");
    assert_eq!(simulation.wires[0].name, "hoist");
    near(wire.tensions().last().expect("a segment"), 500.0 * G, 0.02, "tension at the load");
    assert!(run.total(Quantity::Tension) >= 500.0 * G * 0.99, "{}", run.total(Quantity::Tension));
    assert!(run.warnings().is_empty(), "{:?}", run.warnings());
}

/// The load of a wire stretches it by m g L / (E A), whatever the engine, and shapes keep their own surfaces.
#[test]
fn a_wire_of_a_file_has_its_stiffness() {
    for engine in ["ode", "agx", "drake-discrete"] {
        let text = format!(
            "<sdf version=\"1.9\" xmlns:stiction=\"https://stiction.dev/sdf\"><world name=\"w\"><gravity>0 0 -{G}</gravity>
<physics type=\"ode\"><max_step_size>0.005</max_step_size></physics>
<model name=\"m\"><pose>0 0 -2 0 0 0</pose><allow_auto_disable>false</allow_auto_disable><link name=\"l\">
<inertial><mass>100</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link></model>
<stiction:wire name=\"w\"><radius>0.002</radius><density>1</density>
<stretch><youngs_modulus>1e9</youngs_modulus></stretch><fixed/><fixed link=\"m::l\"/></stiction:wire></world></sdf>"
        );
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("w.world");
        std::fs::write(&path, text).expect("a file");
        let mut run = Setup::new(&path).engine(engine).start().unwrap_or_else(|error| panic!("{error}"));
        run.advance(20.0).expect("steps");
        let sag = -2.0 - run.link(Quantity::Height, "m::l").expect("a link").z;
        let area = std::f64::consts::PI * 4e-6;
        near(sag, 100.0 * G * 2.0 / (1e9 * area), 1e-3, engine);
    }
}

/// Nodes and tensions are in `wires.csv`; a world without wires has no such file.
#[test]
fn wires_are_recorded() {
    let mut run = Setup::new("materials/crane").start().expect("a bundled world");
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("out");
    let mut recorder = Recorder::create(&target, &RecordOptions::default(), &run).expect("a recording");
    recorder.record(&run).expect("a row");
    for _ in 0..30 {
        run.step().expect("a step");
        recorder.record(&run).expect("a row");
    }
    let summary = run.summary(0.0);
    recorder.finish(&summary.json()).expect("a recording");
    let text = std::fs::read_to_string(target.join("wires.csv")).expect("wires");
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0], ["time", "wire", "node", "px", "py", "pz", "length", "tension"]);
    let number = |row: &[&str], column: usize| row[column].parse::<f64>().expect("a number");
    let first: Vec<_> = rows[1..].iter().filter(|row| row[0] == "0").collect();
    let length: f64 = first.iter().map(|row| number(row, 6)).sum();
    near(length, 4.5f64.hypot(7.0) + 7.5, 1e-12, "length off the drum");
    near(number(first[0], 5), 1.0, 1e-12, "the winch");
    let simulation = run.simulation();
    let wire = simulation.world.wire(simulation.wires[0].id).expect("a wire");
    let last = rows.last().expect("rows");
    assert_eq!(number(last, 2) as usize, wire.nodes().len() - 1);
    assert_eq!(number(last, 5), wire.positions().last().expect("a node").z);

    let mut plain = of("<sdf version=\"1.9\"><world name=\"w\"/></sdf>");
    plain.step().expect("a step");
    let target = folder.path().join("plain");
    let recorder = Recorder::create(&target, &RecordOptions::default(), &plain).expect("a recording");
    let summary = plain.summary(0.0);
    recorder.finish(&summary.json()).expect("a recording");
    assert!(target.join("links.csv").exists() && !target.join("wires.csv").exists());
}

/// Shapes of a wire are told by its name.
#[test]
fn contacts_of_a_wire_have_its_name() {
    let mut run = of("<sdf version=\"1.9\" xmlns:stiction=\"https://stiction.dev/sdf\"><world name=\"w\">
<model name=\"floor\"><static>1</static><link name=\"l\"><collision name=\"c\"><geometry><plane/></geometry></collision></link></model>
<stiction:wire name=\"rope\"><radius>0.02</radius><density>1000</density><friction>0.5</friction><collide>true</collide>
<fixed><position>0 0 0.5</position></fixed><free><position>2 0 0.5</position></free></stiction:wire></world></sdf>");
    run.advance(2.0).expect("steps");
    let simulation = run.simulation();
    let names: Vec<_> = simulation.world.contact_reports().iter().filter_map(|c| c.geoms).flatten().collect();
    let names: Vec<_> = names.into_iter().filter_map(|geom| simulation.shape_name(geom)).collect();
    assert!(names.iter().any(|name| name.starts_with("rope::node_")), "{names:?}");
    assert!(names.iter().all(|name| name.starts_with("rope::") || name.starts_with("floor::")), "{names:?}");
}
