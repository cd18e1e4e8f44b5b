//! Keys of wires.

use stiction_run::{Run, Setup};

use crate::material_keys::{G, STEP};

/// A load on a wire from the fixed point (0, 0, 2), released at the end of the straight wire; how far it falls at most, and where
/// it is after a time \[m\]. `first` is how the wire is tied there.
fn on_a_wire(first: &str, at: [f64; 3], mass: f64, keys: &str, step: f64, time: f64) -> [f64; 2] {
    let folder = tempfile::tempdir().unwrap();
    let [x, y, z] = at;
    let body = format!(
        "format: ChoreonoidBody\nformatVersion: 1.0\nname: b\nlinks:\n  - {{ name: base, jointType: fixed, translation: [ 0, 0, 2 ], \
         elements: [ {{ type: AGXWireDevice, radius: 0.02, resolutionPerUnitLength: 5, collision: false, materialName: Rope, Nodes: [ \
         {{ type: {first}, linkName: base }}, {{ type: fixed, linkName: load }} ] }} ] }}\n  - {{ name: load, parent: base, jointType: \
         free, translation: [ {x}, {y}, {z} ], mass: {mass}, inertia: [ {mass}, 0, 0, 0, {mass}, 0, 0, 0, {mass} ] }}\n"
    );
    std::fs::write(folder.path().join("b.body"), body).unwrap();
    let table = folder.path().join("t.yaml");
    std::fs::write(&table, format!("materials: [ {{ name: Rope, {keys} }} ]\n")).unwrap();
    let mut setup = Setup::new(folder.path().join("b.body")).engine("agx");
    setup.materials = Some(table);
    setup.step_size = Some(step);
    setup.no_ground = true;
    let mut run = setup.start().unwrap();
    let mut most: f64 = 0.0;
    let fall = |run: &Run| 2.0 + z - run.link(stiction_run::Quantity::Position, "b::load").unwrap().z;
    for _ in 0..(time / step) as u32 {
        run.step().unwrap();
        most = most.max(fall(&run));
    }
    [most, fall(&run)]
}

/// `m g L / (E A)`.
#[test]
fn wire_youngs_modulus_stretch() {
    for (modulus, wanted) in [("6e10", 0.130_065), ("1.2e11", 0.065_032)] {
        let keys = format!("density: 100, wireYoungsModulusStretch: {modulus}");
        let [_, stretch] = on_a_wire("fixed", [0.0, 0.0, -100.0], 1e4, &keys, STEP, 20.0);
        assert!((stretch / wanted - 1.0).abs() < 1e-3, "{stretch} m, wanted {wanted} m");
    }
}

/// First overshoot `exp(−π ζ / √(1 − ζ²))` of a damping ratio.
fn overshoot(ratio: f64) -> f64 {
    (-std::f64::consts::PI * ratio / (1.0 - ratio * ratio).sqrt()).exp()
}

/// Damping ratio `τ ω / 2`, ω = 8.6832 rad/s.
#[test]
fn wire_spook_damping_stretch() {
    for damping in [0.01, 0.1] {
        let ratio = 0.5 * damping * 8.6832;
        let keys = format!("density: 100, wireSpookDampingStretch: {damping}");
        let [most, _] = on_a_wire("fixed", [0.0, 0.0, -100.0], 1e4, &keys, 1e-3, 1.0);
        let found = most / 0.130_065 - 1.0;
        assert!((found / overshoot(ratio) - 1.0).abs() < 0.02, "{found}, wanted {}", overshoot(ratio));
    }
}

/// `P L³ / (3 E I) (1 + 1 / (2 N²))` of a clamped wire of ten segments.
#[test]
fn wire_youngs_modulus_bend() {
    for (modulus, stiffness) in [("6e10", 7539.822), ("3e10", 3769.911)] {
        let keys = format!("density: 0.01, wireYoungsModulusBend: {modulus}");
        let [_, sag] = on_a_wire("link", [2.0, 0.0, 0.0], 1.0, &keys, 1e-3, 5.0);
        let wanted = G * 8.0 / (3.0 * stiffness) * 1.005;
        assert!((sag / wanted - 1.0).abs() < 0.01, "{sag} m, wanted {wanted} m");
    }
}

/// Damping ratio `τ ω / 2` of a load on a clamped wire, `ω² = 3 E I / (m L³)`.
#[test]
fn wire_spook_damping_bend() {
    let rate = (3.0 * 753.9822 / (8.0 * 1.005_f64)).sqrt();
    for damping in [0.002, 0.02] {
        let keys = format!("density: 0.01, wireYoungsModulusBend: 6e9, wireSpookDampingBend: {damping}");
        let [most, _] = on_a_wire("link", [2.0, 0.0, 0.0], 1.0, &keys, 1e-3, 1.0);
        let found = most / (G / (rate * rate)) - 1.0;
        let wanted = overshoot(0.5 * damping * rate);
        assert!((found / wanted - 1.0).abs() < 0.05, "τ {damping}: {found}, wanted {wanted}");
    }
}
