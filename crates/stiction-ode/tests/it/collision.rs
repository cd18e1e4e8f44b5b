//! Contacts and pair orders beside the stock library, on random scenes.

#![allow(clippy::unwrap_used, reason = "tests")]

use crate::common;

use common::{Library, Program};

/// What `dCollide` said of one pair.
struct Case {
    label: String,
    /// Position, normal, depth, and the numbers that must be equal: which geom is which, and the sides.
    points: Vec<Vec<f64>>,
}

fn cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines() {
        if let Some(numbers) = line.strip_prefix("  ") {
            let point = numbers.split_whitespace().map(|n| n.parse().unwrap()).collect();
            cases.last_mut().unwrap().points.push(point);
        } else {
            cases.push(Case { label: line.to_owned(), points: Vec::new() });
        }
    }
    cases
}

/// Pairs whose points are the engine's: ODE has one wandering point there, or takes a capsule for a box.
fn is_engines(label: &str) -> bool {
    let pair = label.split(' ').next().unwrap();
    ["capsule-box", "box-capsule", "cylinder-box", "box-cylinder", "cylinder-cylinder", "capsule-cylinder"]
        .contains(&pair)
        || pair == "cylinder-capsule"
}

/// ODE loses rays that leave a capsule through a cap.
fn stock_misses(label: &str, stock: &Case) -> bool {
    (label.starts_with("ray-capsule") || label.starts_with("capsule-ray")) && stock.points.is_empty()
}

#[test]
fn contacts_are_odes() {
    let Some(program) = Program::build("collision") else { return };
    for seed in ["1", "2", "3"] {
        let arguments = ["contacts", seed, "20000"];
        let ours = cases(&program.run(Library::Ours, &arguments));
        let stock = cases(&program.run(Library::Stock, &arguments));
        assert_eq!(ours.len(), stock.len());
        for (ours, stock) in ours.iter().zip(&stock) {
            let label = &stock.label;
            if label.starts_with("aabb") {
                assert_bounds(&ours.label, label);
            } else if is_engines(label) {
                assert_engine(ours, stock);
            } else if !stock_misses(label, stock) {
                assert_eq!(ours.label, stock.label);
                for (p, q) in ours.points.iter().zip(&stock.points) {
                    assert!(p.iter().zip(q).all(|(x, y)| (x - y).abs() < 1e-11), "{label}: {p:?} {q:?}");
                }
            }
        }
    }
}

fn assert_bounds(ours: &str, stock: &str) {
    for (x, y) in ours.split(' ').zip(stock.split(' ')) {
        let close = match (x.parse::<f64>(), y.parse::<f64>()) {
            (Ok(x), Ok(y)) => x == y || (x - y).abs() < 1e-13,
            _ => x == y,
        };
        assert!(close, "{ours}\n{stock}");
    }
}

/// The engine's points: there if ODE has any that are more than grazing, with unit normals and depths.
fn assert_engine(ours: &Case, stock: &Case) {
    let deepest = stock.points.iter().map(|p| p[6]).fold(0.0, f64::max);
    assert!(!ours.points.is_empty() || deepest < 1e-3, "{}: no contact, but {deepest}", stock.label);
    for point in &ours.points {
        let normal = glam::DVec3::new(point[3], point[4], point[5]);
        assert!((normal.length() - 1.0).abs() < 1e-9, "{}", ours.label);
        assert!(point[6] >= 0.0);
        assert_eq!(point[7..], [1.0, 1.0, -1.0, -1.0]);
    }
}

#[test]
fn pair_orders_are_odes() {
    let Some(program) = Program::build("collision") else { return };
    for seed in ["1", "2", "3"] {
        let arguments = ["spaces", seed, "400"];
        let (ours, stock) = (program.run(Library::Ours, &arguments), program.run(Library::Stock, &arguments));
        assert_eq!(ours.lines().count(), stock.lines().count());
        for (ours, stock) in ours.lines().zip(stock.lines()) {
            assert_eq!(ours, stock);
        }
    }
}

#[test]
fn geoms_say_what_odes_say() {
    let Some(program) = Program::build("geoms") else { return };
    let (ours, stock) = (program.run(Library::Ours, &[]), program.run(Library::Stock, &[]));
    assert_eq!(ours.lines().count(), stock.lines().count());
    let mut heading = "";
    for (ours, stock) in ours.lines().zip(stock.lines()) {
        if !stock.starts_with(' ') {
            heading = stock;
        }
        // Mesh corners are single numbers in ODE.
        for (x, y) in ours.split(' ').zip(stock.split(' ')) {
            let close = match (x.parse::<f64>(), y.parse::<f64>()) {
                (Ok(x), Ok(y)) => x == y || (x - y).abs() < 1e-6,
                _ => x == y,
            };
            assert!(close, "{heading}: {ours:?}, but {stock:?}");
        }
    }
}

/// The program counts the reports itself and prints what is not as it should be.
#[test]
fn wrong_uses_are_reported_and_refused() {
    let Some(program) = Program::build("geom_misuse") else { return };
    assert_eq!(program.run(Library::Ours, &[]), "10 pairs\n");
}
