//! Other people's programs and libraries on this library and on the stock one: Debian's Python module, DART's collision detector,
//! and the planning library's ODE extension.

#![allow(clippy::unwrap_used, reason = "tests")]

use crate::common;

use std::path::Path;
use std::process::Command;

use common::{Library, Program};

/// The same words, and numbers that differ by less than the tolerance.
fn assert_same(ours: &str, stock: &str, tolerance: f64) {
    assert_eq!(ours.lines().count(), stock.lines().count());
    assert!(stock.lines().count() > 3);
    for (ours, stock) in ours.lines().zip(stock.lines()) {
        for (a, b) in ours.split_whitespace().zip(stock.split_whitespace()) {
            let close = match (a.parse::<f64>(), b.parse::<f64>()) {
                (Ok(x), Ok(y)) => (x - y).abs() <= tolerance * y.abs().max(1.0),
                _ => a == b,
            };
            assert!(close, "{ours}\n{stock}");
        }
    }
}

fn source(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/clients").join(name).display().to_string()
}

/// The interpreter that Debian's modules are for, as a program that runs the script.
#[test]
fn python_module() {
    let interpreter = "/usr/bin/python3";
    let script = format!("#!/bin/sh\nexec {interpreter} {}\n", source("scene.py"));
    let build = |path: &Path| {
        std::fs::write(path, &script).unwrap();
        // A module that is not there is no failure of this library.
        let mut command = Command::new("sh");
        command.args(["-c", "chmod +x \"$1\" && \"$0\" -c 'import ode'", interpreter]).arg(path);
        command
    };
    let Some(program) = Program::of("pyode", build) else { return };
    assert_same(&program.run(Library::Ours, &[]), &program.run(Library::Stock, &[]), 1e-8);
}

#[test]
fn dart_collision() {
    let build = |path: &Path| {
        let mut command = Command::new("g++");
        command.args(["-O0", "-std=c++17", "-I/usr/include/eigen3", &source("dart.cpp"), "-o"]).arg(path);
        command.args(["-ldart-collision-ode", "-ldart", "-lode"]);
        command
    };
    let Some(program) = Program::of("dart", build) else { return };
    assert_same(&program.run(Library::Ours, &[]), &program.run(Library::Stock, &[]), 1e-9);
}

#[test]
fn planning_library() {
    let build = |path: &Path| {
        let mut command = Command::new("g++");
        let headers = ["/usr/include/ompl-1.5", "/usr/include/ompl-1.6", "/usr/include/eigen3"];
        command.args(["-O0", "-std=c++17"]).args(headers.map(|directory| format!("-I{directory}")));
        command.args([&source("ompl.cpp"), "-o"]).arg(path).args(["-lompl", "-lode"]);
        command
    };
    let Some(program) = Program::of("ompl", build) else { return };
    assert_same(&program.run(Library::Ours, &[]), &program.run(Library::Stock, &[]), 1e-8);
}
