//! Small scenes with known answers, beside a table of what the stock library says.
//!
//! `UPDATE=1 cargo test -p stiction-ode --test it facts` makes the table of the stock library; a fact of ours that is meant to
//! differ stands in [`BETTER`] with its own value.

#![allow(clippy::unwrap_used, reason = "tests")]

use crate::common;

use std::fmt::Write;
use std::path::Path;

use common::{Library, Program};

/// Facts where the stock library is wrong, poor or chaotic: the value here, the tolerance, and why.
const BETTER: [(&str, f64, f64, &str); 25] = [
    ("collide.box_plane_touch.n", 4.0, 1.0, "touching corners: three in exact mode, else four"),
    ("collide.capsule_box.n", 2.0, 0.0, "a lying capsule touches at both ends"),
    ("collide.cylinder_box_up.n", 6.0, 2.0, "points of a disc"),
    ("collide.cylinder_cylinder.n", 3.0, 1.0, "a lying cylinder touches along a line, a standing one on a disc"),
    ("collide.sphere_trimesh.n", 1.5, 0.5, "one point on an edge of two triangles"),
    ("collide.sphere_trimesh.depth_min", 0.01, 1e-6, "the same"),
    ("collide.capsule_trimesh.n", 2.5, 0.5, "two ends"),
    ("collide.cylinder_trimesh.n", 7.0, 1.0, "points of a disc"),
    ("collide.trimesh_plane.n", 2.0, 2.0, "a flat mesh that touches a plane"),
    ("collide.convex_convex.n", 4.0, 0.0, "a face on a face"),
    ("collide.convex_box.n", 4.0, 0.0, "a face on a face"),
    ("mass.trimesh_Ixx", 0.406_766_666_667, 1e-9, "the parallel axis counted once"),
    ("mass.trimesh_Ixx_centred", 0.166_666_666_667, 1e-9, "the same"),
    ("depth.box_outside", -0.5, 1e-9, "distance to the nearest face"),
    ("contact.slide_0deg.step", 0.39779, 1e-6, "the analytic value of the step"),
    ("contact.slide_const_mu.step", 0.49, 1e-6, "the analytic value of the step"),
    ("tower5.step.sideways", 0.0, 1e-6, "a tower stands"),
    ("tower5.step.messages", 0.0, 0.0, "and nothing is reported"),
    ("tower12.step.top_z", 11.5, 1e-6, "a tower stands"),
    ("tower12.step.sideways", 0.0, 1e-6, "a tower stands"),
    ("tower12.step.messages", 0.0, 0.0, "and nothing is reported"),
    ("tower12.step.muinf.top_z", 11.5, 1e-6, "a tower stands"),
    ("tower12.step.muinf.sideways", 0.0, 1e-6, "a tower stands"),
    ("tower12.step.muinf.messages", 0.0, 0.0, "and nothing is reported"),
    ("tower12.quick.sideways", 0.0325, 0.02, "chaotic"),
];
/// A normal where the stock library's is skew: two cylinders that lie on each other touch straight up.
const STRAIGHT: (&str, [f64; 3]) = ("collide.cylinder_cylinder.normal", [0.0, 0.0, -1.0]);
/// Digits that sweeps of towers keep, and all others.
const CHAOTIC: f64 = 1e-3;
const CLOSE: f64 = 1e-6;

/// Name and value; text for what is no number.
fn facts(text: &str) -> Vec<(String, String)> {
    text.lines()
        .filter_map(|line| {
            let (name, rest) = line.split_once(' ')?;
            let rest = rest.trim_start();
            let value = if rest.starts_with('(') {
                // A normal; what follows it names the first of several points.
                rest.split_inclusive(')').next().unwrap_or_default()
            } else if name.starts_with("space.order") {
                rest.split(" # ").next().unwrap_or_default().trim()
            } else {
                rest.split_whitespace().next().unwrap_or_default()
            };
            Some((name.to_owned(), value.to_owned()))
        })
        .collect()
}

/// The numbers of `(x,y,z)`.
fn normal(text: &str) -> Option<[f64; 3]> {
    let numbers: Vec<f64> =
        text.strip_prefix('(')?.strip_suffix(')')?.split(',').filter_map(|x| x.parse().ok()).collect();
    numbers.try_into().ok()
}

fn table() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/facts.txt")
}

/// Writes what the stock library says, each number with its tolerance.
fn update() {
    let Some(program) = Program::build("facts") else { return };
    let mut text = String::new();
    for (name, value) in facts(&program.run(Library::Stock, &[])) {
        let tolerance = if name.starts_with("tower") { CHAOTIC } else { CLOSE };
        if value.parse::<f64>().is_ok() {
            let _ = writeln!(text, "{name}\t{value}\t{tolerance}");
        } else {
            let _ = writeln!(text, "{name}\t{value}\texact");
        }
    }
    std::fs::write(table(), text).unwrap();
}

#[test]
fn facts_are_odes_or_right() {
    if std::env::var_os("UPDATE").is_some() {
        update();
    }
    let Some(program) = Program::build_with_our_headers("facts") else { return };
    let ours = facts(&program.run(Library::Ours, &[]));
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in std::fs::read_to_string(table()).unwrap().lines() {
        let [name, expected, tolerance] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let better = BETTER.iter().find(|better| better.0 == name);
        let Some((_, value)) = ours.iter().find(|(other, _)| other == name) else {
            if better.is_none() {
                wrong.push(format!("{name}: missing"));
            }
            continue;
        };
        count += 1;
        if let Some(stock) = normal(expected) {
            let expected = if name == STRAIGHT.0 { STRAIGHT.1 } else { stock };
            if !normal(value).is_some_and(|n| (0..3).all(|k| (n[k] - expected[k]).abs() < CLOSE)) {
                wrong.push(format!("{name}: {value} instead of {expected:?}"));
            }
            continue;
        }
        let holds = match (better, value.parse::<f64>(), expected.parse::<f64>()) {
            (Some(&(_, right, tolerance, _)), Ok(value), _) => (value - right).abs() <= tolerance,
            (None, Ok(value), Ok(expected)) => {
                let tolerance: f64 = tolerance.parse().unwrap();
                value == expected || (value - expected).abs() <= tolerance * expected.abs().max(1.0)
            }
            _ => value == expected,
        };
        if !holds {
            wrong.push(format!("{name}: {value} instead of {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // The least depth of a sphere's points on a mesh is not told of one point.
    assert_eq!(count, 432 - 1, "facts");
}
