//! Piles under `dWorldQuickStep`: what has its weight over its base stands in the fast mode as in the exact one.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "tests")]

use crate::common;

use common::{Library, Program};
use stiction_testing::cases;

/// How far boxes have moved, in their sides, by pile.
fn moved(program: &Program, arguments: &[&str], mode: &str) -> Vec<f64> {
    let text = program.run_with(Library::Ours, arguments, &[("STICTION_ODE_MODE", mode)]);
    text.lines().map(|line| line.split_whitespace().last().unwrap().parse().unwrap()).collect()
}

/// Six boxes, each 3 cm off the one below.
#[test]
fn a_staggered_pile_stands() {
    let Some(program) = Program::build_with_our_headers("staggered") else { return };
    for sweeps in ["20", "40", "60"] {
        let way = moved(&program, &["first", "20", sweeps], "fast")[0];
        assert!(way < 0.1, "{sweeps} sweeps: the top has moved by {way} m");
    }
}

/// With and without bounce and surface layer. Twenty sweeps let some creep; none more than in the exact mode falls.
#[test]
fn random_piles_stand() {
    let Some(program) = Program::build_with_our_headers("staggered") else { return };
    let count = cases(30, 300).to_string();
    let arguments = ["random", count.as_str(), "5"];
    let [fast, exact] = ["fast", "exact"].map(|mode| moved(&program, &arguments, mode));
    let fallen = |ways: &[f64]| ways.iter().filter(|way| **way > 0.5).count();
    let creep = |ways: &[f64]| ways.iter().filter(|way| **way > 0.05).count();
    assert!(fallen(&fast) <= fallen(&exact), "{} fall, {} in exact mode", fallen(&fast), fallen(&exact));
    assert!(creep(&fast) <= creep(&exact), "{} creep, {} in exact mode", creep(&fast), creep(&exact));
}

#[test]
fn an_unknown_mode_is_reported() {
    let Some(program) = Program::build_with_our_headers("staggered") else { return };
    let text = program.errors(&["first", "0.01"], &[("STICTION_ODE_MODE", "quick")]);
    assert!(text.contains("found `quick`, expected `exact` or `fast`"), "{text}");
}
