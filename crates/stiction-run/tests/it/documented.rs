//! The tables of `docs/compliant_contact.md`, made anew and compared: `UPDATE=1 cargo test --release -p stiction-run --test
//! documented` writes them.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;

use serde_json::Value;
use stiction_run::{Quantity, Run, Setup};

fn page() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/compliant_contact.md")
}

/// Tests of one file, one at a time: they may write it.
static PAGE: Mutex<()> = Mutex::new(());

/// Compares rows with those of the table that begins with `header`; `columns` are those that the rows have.
fn compare(header: &str, rows: &[String]) {
    let _guard = PAGE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let text = fs::read_to_string(page()).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let place = lines.iter().position(|line| *line == header).unwrap_or_else(|| panic!("no table `{header}`"));
    let first = place + 2;
    let count = lines[first..].iter().take_while(|line| line.starts_with('|')).count();
    if std::env::var_os("UPDATE").is_some() {
        let mut new: Vec<&str> = lines[..first].to_vec();
        new.extend(rows.iter().map(String::as_str));
        new.extend(&lines[first + count..]);
        fs::write(page(), new.join("\n") + "\n").unwrap();
        return;
    }
    assert_eq!(lines[first..first + count], *rows, "`UPDATE=1` writes them");
}

fn run(world: &str, engine: &str, settings: &[(&str, &str)], duration: f64) -> Run {
    let setup = settings.iter().fold(Setup::new(world).engine(engine), |setup, (path, value)| setup.set(*path, *value));
    let mut run = setup.start().unwrap();
    run.advance(duration).unwrap();
    run
}

const CONVEX: (&str, &str) = ("solver.kind", "convex");
const FINE: (&str, &str) = ("integrator.accuracy", "1e-6");
const TOLERANCE: (&str, &str) = ("contact.stiction_tolerance", "1e-5");
/// As long as it takes.
const PATIENT: (&str, &str) = ("integrator.max_trials", "10000000");

#[test]
fn the_cost_of_a_block_on_spheres() {
    let row = |name: &str, settings: &[(&str, &str)]| {
        let effort = |engine| run("incline_block_spheres", engine, settings, 2.0).summary(0.0).json()["effort"].clone();
        let (discrete, continuous) = (effort("drake-discrete"), effort("drake-continuous"));
        format!(
            "| {name} | 2000 steps, {:.2} iterations each | {} steps, {} evaluations |",
            discrete["iterations_mean"].as_f64().unwrap(),
            continuous["steps"],
            continuous["evaluations"]
        )
    };
    let rows = [row("1e-3 m/s (default)", &[]), row("1e-5 m/s, accuracy 1e-6", &[TOLERANCE, FINE, PATIENT])];
    compare("| stiction tolerance | `drake-discrete` | `drake-continuous` |", &rows);
}

/// Displacement and rotation of the block in 2 s.
fn slide(world: &str, engine: &str, settings: &[(&str, &str)]) -> String {
    let settings: Vec<_> = settings.iter().copied().chain([TOLERANCE]).collect();
    let pose = |run: &Run| {
        let simulation = run.simulation();
        simulation.link_pose(simulation.links.iter().find(|link| link.name == "body::link").unwrap())
    };
    let start = pose(&run(world, engine, &settings, 0.0));
    let end = pose(&run(world, engine, &settings, 2.0));
    let angle = start.rotation.angle_between(end.rotation);
    format!("{:.2e} m, {angle:.1e} rad", start.position.distance(end.position))
}

#[test]
fn a_block_on_a_slope() {
    let as_drake = [
        ("contact.manifold", "single"),
        ("physics.tree_motion", "explicit"),
        ("physics.gyroscopic", "explicit"),
        ("physics.free_motion", "link_origin"),
    ];
    let row = |name: &str, world: &str, more: &[(&str, &str)], drake: &str| {
        let slide = |engine, own: &[(&str, &str)]| slide(world, engine, &[own, more].concat());
        let (tamsi, convex) = (slide("drake-discrete", &[]), slide("drake-discrete", &[CONVEX]));
        let continuous = slide("drake-continuous", &[FINE, PATIENT]);
        let agx = if more.is_empty() { slide("agx", &[]) } else { "–".to_owned() };
        format!("| {name} | {tamsi} | {convex} | {continuous} | {agx} | {drake} |")
    };
    let rows = [
        row("its face", "incline_block", &[], "–"),
        row("four corner spheres", "incline_block_spheres", &[], "1.4e-5 m, 0"),
        row("one point, as in Drake (see below)", "incline_block", &as_drake, "2.4e-3 m, 4.9e-4 rad"),
    ];
    compare("| block | TAMSI, 1 ms | convex, 1 ms | continuous, accuracy 1e-6 | `agx` | Drake (TAMSI) |", &rows);
}

/// Path and value of parameters.
type Settings = [(&'static str, &'static str)];

/// Engines of the tables, with their settings.
const ENGINES: [(&str, &str, &Settings); 6] = [
    ("drake-discrete", "drake-discrete", &[]),
    ("drake-discrete, convex solver", "drake-discrete", &[CONVEX]),
    ("drake-continuous, accuracy 1e-6", "drake-continuous", &[FINE]),
    ("ode-world (rigid, direct)", "ode-world", &[]),
    ("ode-quick (rigid, iterative)", "ode-quick", &[]),
    ("agx (SPOOK, split)", "agx", &[]),
];

#[test]
fn a_beam_on_three_supports() {
    let mut rows = vec!["| statics of equal springs | 10.3729 | 9.7698 | 9.2873 |".to_owned()];
    for (name, engine, settings) in ENGINES {
        let run = run("beam_three_supports", engine, settings, 4.0);
        let mut loads: Vec<_> = run.simulation().world.contact_reports().iter().collect();
        loads.sort_by(|a, b| a.position.x.total_cmp(&b.position.x));
        let loads: Vec<_> = loads.iter().map(|c| format!("{:.4}", c.force.dot(c.normal))).collect();
        assert_eq!(loads.len(), 3, "{name}");
        rows.push(format!("| {name} | {} |", loads.join(" | ")));
    }
    compare("| | left | middle | right |", &rows);
}

#[test]
fn painleves_rod() {
    let mut rows = Vec::new();
    for (name, engine, settings) in ENGINES {
        let mut run = run("painleve_rod", engine, settings, 0.0);
        let mut force = 0.0_f64;
        for _ in 0..1000 {
            run.step().unwrap();
            force = force.max(run.total(Quantity::Force));
        }
        let summary = run.summary(0.0).json();
        assert_eq!(summary["quarantined"], Value::Array(Vec::new()), "{name}");
        let effort = &summary["effort"];
        let residual = ["normal", "friction"]
            .iter()
            .filter_map(|kind| summary["residual"][kind]["solved"].as_f64())
            .fold(0.0, f64::max);
        let report = match engine {
            "drake-continuous" => format!(
                "{} steps, {} rejected, smallest step {:.1e} s, {} forced",
                effort["steps"],
                effort["rejections"],
                effort["smallest_step"].as_f64().unwrap(),
                effort["forced"]
            ),
            "drake-discrete" => format!(
                "steps solved in parts: {}, not converged: {}",
                effort["steps_in_parts"], effort["steps_not_converged"]
            ),
            _ => format!("largest residual {residual:.0e} m/s"),
        };
        rows.push(format!("| {name} | {report} | {force:.0} N |"));
    }
    compare("| engine | report | largest force |", &rows);
}
