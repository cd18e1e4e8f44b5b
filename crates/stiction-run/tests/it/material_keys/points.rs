//! Keys of contact points: reduction and the area law.

use stiction_run::Setup;

use crate::common::choreonoid::Project;
use crate::material_keys::G;

/// A table of 100 kg on five feet under a project: 20 contact points. Returns how many are contacts after 2 s, and the depth of the
/// feet \[m\].
fn on_five_feet(simulator: &str, pair: &str) -> (usize, f64) {
    let foot = |x: f64, y: f64| {
        format!(
            "{{ type: Transform, translation: [ {x}, {y}, 0 ], elements: {{ Shape: {{ geometry: {{ type: Box, size: [ 0.2, 0.2, 0.2 ] }} }} }} }}"
        )
    };
    let feet = [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5), (0.0, 0.0)].map(|(x, y)| foot(x, y)).join(", ");
    let inertia = "mass: 100, inertia: [ 10, 0, 0, 0, 10, 0, 0, 0, 10 ]";
    let link = |joint: &str, inertia: &str, elements: &str| {
        format!("  - {{ name: l, jointType: {joint}, material: M, {inertia}, elements: [ {elements} ] }}\n")
    };
    let slab = "{ type: Transform, translation: [ 0, 0, -0.5 ], elements: { Shape: { geometry: { type: Box, size: [ 4, 4, 1 ] } } } }";
    let floor = link("fixed", "mass: 1, inertia: [ 1, 0, 0, 0, 1, 0, 0, 0, 1 ]", slab);
    let project = Project::new(&format!("timeStep: 0.01{simulator}"))
        .body("floor", &floor, "")
        .body("table", &link("free", inertia, &feet), "rootPosition: [ 0, 0, 0.1 ]")
        .materials(&format!(
            "materials: [ {{ name: M }} ]\ncontact_materials: [ {{ materials: [ M, M ], youngsModulus: 1e6, {pair} }} ]\n"
        ));
    let mut run = Setup::new(project.write()).start().unwrap();
    run.advance(2.0).unwrap();
    let depth = 0.1 - run.link(stiction_run::Quantity::Position, "table::l").unwrap().z;
    (run.simulation().world.contact_reports().len(), depth)
}

/// Reduction by pair of bodies leaves the outline; fewer points are softer.
#[test]
fn contact_reduction_mode() {
    let (all, depth) = on_five_feet("", "contactReductionMode: reduceGeometry");
    assert_eq!(all, 20);
    assert!((depth / (100.0 * G / 20e6) - 1.0).abs() < 1e-3, "{depth} m");
    let (fewer, deeper) = on_five_feet("", "contactReductionMode: reduceAll");
    assert!((4..=16).contains(&fewer), "{fewer}");
    assert!((deeper / (100.0 * G / (fewer as f64 * 1e6)) - 1.0).abs() < 0.05, "{fewer}: {deeper} m");
}

/// More bins keep more points.
#[test]
fn contact_reduction_bins() {
    let count =
        |bins| on_five_feet("", &format!("contactReductionMode: reduceAll, contactReductionBinResolution: {bins}")).0;
    let counts = [1, 3, 10].map(count);
    assert!(counts[0] < counts[1] && counts[1] < counts[2], "{counts:?}");
}

/// The simulator's bins hold where the pair has 0; its threshold and its switch keep all points.
#[test]
fn contact_reduction_of_a_simulator() {
    let count = |simulator| on_five_feet(simulator, "contactReductionMode: reduceAll").0;
    let usual = count("");
    assert!(usual <= 16);
    assert!(count(", ContactReductionBinResolution: 1") < usual);
    assert_eq!(count(", ContactReductionThreshhold: 30"), 20);
    assert_eq!(count(", ContactReduction: false"), 20);
}

/// `m g L / (E A)`, L at most 0.1 m, or what the table says, in place of `m g / (n E)`.
#[test]
fn contact_area() {
    let depth = |pair: &str| {
        let (_, depth) = on_five_feet("", &format!("contactReductionMode: reduceAll{pair}"));
        depth
    };
    // Five feet of 0.2 m by 0.2 m, whatever of their points stays.
    let wanted = |rest_length: f64| 100.0 * G * rest_length / (1e6 * 5.0 * 0.04);
    for (pair, rest_length) in [
        (", contactArea: true", 0.1),
        (", contactArea: true, maxElasticRestLength: 0.05", 0.05),
        (", contactArea: true, minElasticRestLength: 1.5, maxElasticRestLength: 2", 1.5),
    ] {
        let found = depth(pair);
        assert!(
            (found / wanted(rest_length) - 1.0).abs() < 0.02,
            "{pair}: {found} m, wanted {} m",
            wanted(rest_length)
        );
    }
}
