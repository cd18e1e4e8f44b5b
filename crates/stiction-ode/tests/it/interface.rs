//! What programs see of the interface beside the stock library: messages, functions of meshes, normals; and what is destroyed
//! twice, which the stock library does not notice.

#![allow(clippy::unwrap_used, reason = "tests")]

use crate::common;

use common::{Library, Program};

#[test]
fn what_is_destroyed_twice_is_reported() {
    let Some(program) = Program::build("twice") else { return };
    let expected = "body: 1 reports, 1 geoms\ngeom: 1 reports, 1 geoms\njoint: 1 reports, 1 geoms\n\
        joint of a group: 0 reports, 1 geoms\nworld: 3 reports, 1 geoms\nspace: 3 reports, 1 geoms\n\
        transform: 1 reports, 1 geoms\nfifty bodies: 50 reports, 1 geoms\ntwenty groups: 60 reports, 1 geoms\n";
    assert_eq!(program.run(Library::Ours, &[]), expected);
}

/// Without a handler: title, number if it is not zero, text. An error ends the process of a program with stock headers.
#[test]
fn messages_are_printed_as_odes() {
    let Some(program) = Program::build("messages") else { return };
    for case in ["message", "error", "error without number"] {
        let (ours, stock) = (program.try_run(Library::Ours, &[case]), program.try_run(Library::Stock, &[case]));
        assert_eq!(ours, stock);
        assert!(stock.0.contains("ODE "), "{}", stock.0);
    }
}

#[test]
fn functions_of_meshes_are_called_as_odes() {
    let Some(program) = Program::build("mesh_callbacks") else { return };
    let (ours, stock) = (program.run(Library::Ours, &["calls"]), program.run(Library::Stock, &["calls"]));
    assert_eq!(stock.lines().count(), 28);
    for (ours, stock) in ours.lines().zip(stock.lines()) {
        assert_eq!(ours, stock);
    }
}

/// The corners below, with their triangles, to the last bit.
#[test]
fn meshes_lie_on_planes_as_odes() {
    let Some(program) = Program::build("mesh_callbacks") else { return };
    let (ours, stock) = (program.run(Library::Ours, &["plane"]), program.run(Library::Stock, &["plane"]));
    assert!(stock.lines().count() > 600);
    for (ours, stock) in ours.lines().zip(stock.lines()) {
        let numbers = |line: &str| line.split_whitespace().map(|n| n.parse::<f64>().unwrap()).collect::<Vec<_>>();
        let (a, b) = (numbers(ours), numbers(stock));
        assert!(a.len() == b.len() && a.iter().zip(&b).all(|(x, y)| (x - y).abs() < 1e-15), "{ours}\n{stock}");
    }
    assert_eq!(ours.lines().count(), stock.lines().count());
}

#[test]
fn temporal_coherence_changes_no_contact() {
    let Some(program) = Program::build("mesh_callbacks") else { return };
    assert_eq!(program.run(Library::Ours, &["coherent"]), "0 differences, 1\n");
}

/// Rounding of a normalised vector: three halves of an ulp.
const ROUNDING: f64 = 3.4e-16;

#[test]
fn normals_are_as_long_as_odes() {
    let Some(program) = Program::build("unit_normals") else { return };
    let pairs = |text: &str| -> Vec<(String, f64)> {
        let parse = |line: &str| {
            let words: Vec<&str> = line.split(' ').collect();
            (words[0].to_owned(), words[2].parse().unwrap())
        };
        text.lines().map(parse).collect()
    };
    let (ours, stock) = (pairs(&program.run(Library::Ours, &[])), pairs(&program.run(Library::Stock, &[])));
    assert!(ours.len() > 50);
    for (pair, worst) in &ours {
        let stock = stock.iter().find(|(name, _)| name == pair).map_or(ROUNDING, |(_, worst)| *worst);
        assert!(*worst <= stock.max(ROUNDING), "{pair}: {worst}, stock {stock}");
    }
}
