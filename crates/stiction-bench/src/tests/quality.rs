//! The judge on states whose penetration, gap, drift and energy are known.

use stiction::math::{DQuat, DVec3, Pose};
use stiction_scenes::{HeightGrid, SceneShape, builtin};

use crate::quality::distance::Rounded;
use crate::quality::terrain::Terrain;
use crate::quality::{BodyState, initial, judge, read, write_record};

fn shape(shape: SceneShape, position: [f64; 3], rotation: DQuat) -> Rounded {
    Rounded::of_shape(&shape, &Pose::new(position.into(), rotation)).unwrap()
}

fn cube(position: [f64; 3], rotation: DQuat) -> Rounded {
    shape(SceneShape::Box { half: DVec3::splat(0.5) }, position, rotation)
}

fn ball(radius: f64, position: [f64; 3]) -> Rounded {
    shape(SceneShape::Sphere { radius, offset: DVec3::ZERO }, position, DQuat::IDENTITY)
}

fn near(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-12, "{a} is not {b}");
}

#[test]
fn distances_of_shapes() {
    let straight = DQuat::IDENTITY;
    let quarter = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_4);
    near(cube([0.0; 3], straight).distance(&cube([0.0, 0.0, 0.999], straight)), -1e-3);
    // An edge across a face.
    near(cube([0.0; 3], straight).distance(&cube([1.2, 0.0, 0.0], quarter)), 0.7 - 0.5f64.sqrt());
    near(ball(0.3, [0.0; 3]).distance(&ball(0.2, [0.3, 0.4, 0.0])), 0.0);
    // A ball at a face, an edge and a corner of a box, and one whose centre is inside.
    near(ball(0.1, [0.0, 0.0, 0.55]).distance(&cube([0.0; 3], straight)), -0.05);
    near(ball(0.1, [0.53, 0.0, 0.54]).distance(&cube([0.0; 3], straight)), -0.05);
    near(ball(0.1, [0.5 + 0.02, 0.5 + 0.03, 0.5 + 0.06]).distance(&cube([0.0; 3], straight)), 0.07 - 0.1);
    near(ball(0.1, [0.0, 0.0, 0.45]).distance(&cube([0.0; 3], straight)), -0.15);
    // Crossed capsules.
    let capsule = SceneShape::Capsule { radius: 0.1, half: 0.5 };
    let lying = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
    near(shape(capsule, [0.0; 3], straight).distance(&shape(capsule, [0.15, 0.1, 0.2], lying)), -0.05);
    near(cube([0.0, 0.0, 0.4], straight).height(), -0.1);
}

#[test]
fn depths_below_a_surface() {
    // A roof: 0.5 m high at x = 0, sloping at 45° on both sides.
    let row = [-0.5, 0.0, 0.5, 0.0, -0.5];
    let grid = HeightGrid { count: 5, half: [1.0; 2], heights: [row; 5].concat() };
    let terrain = Terrain::new(&grid);
    let at = |x: f64, y: f64, z: f64| Pose::from_position(DVec3::new(x, y, z));
    let box_ = SceneShape::Box { half: DVec3::new(0.4, 0.4, 0.2) };
    // The ridge in the bottom of a box, at an edge of the box and at a vertex of the surface.
    let narrow = SceneShape::Box { half: DVec3::new(0.4, 0.1, 0.2) };
    near(terrain.depth(&narrow, &at(0.05, 0.2, 0.69)), 0.01 * 0.5f64.sqrt());
    near(terrain.depth(&box_, &at(0.05, 0.0, 0.69)), 0.01);
    // Its edge in a slope.
    near(terrain.depth(&box_, &at(0.9, 0.0, 0.19)), 0.01 * 0.5f64.sqrt());
    let root = 0.5f64.sqrt();
    let ball = SceneShape::Sphere { radius: 0.1, offset: DVec3::ZERO };
    near(terrain.depth(&ball, &at(0.0, 0.1, 0.58)), 0.02);
    near(terrain.depth(&ball, &at(0.5, 0.1, 0.0 + 0.08 / root)), 0.02);
    near(terrain.depth(&ball, &at(0.5, 0.1, -0.08 / root)), 0.18);
    assert!(terrain.depth(&ball, &at(0.5, 0.1, 0.2)) < 0.0);
    let capsule = SceneShape::Capsule { radius: 0.1, half: 0.2 };
    near(terrain.depth(&capsule, &at(0.5, 0.1, 0.2 + 0.08 / root)), 0.02);
}

#[test]
fn a_pyramid_that_sinks_and_a_chain_that_opens() {
    let mut scene = builtin::pyramid(3, 0.01, 4);
    let start = initial(&scene);
    let lowered: Vec<BodyState> = start
        .iter()
        .map(|s| BodyState { pose: Pose::new(s.pose.position * DVec3::new(1.0, 1.0, 0.999), s.pose.rotation), ..*s })
        .collect();
    let quality = judge(&scene, &[start.clone(), start, lowered.clone(), lowered]).unwrap();
    // Heights 0.5, 1.5 and 2.5 m: 0.5 mm on the ground and 1 mm between rows.
    assert!((quality.deepest - 1.0).abs() < 1e-9 && (quality.drift - 2.5).abs() < 1e-9, "{quality:?}");
    assert!((quality.mean - (3.0 * 0.5 + 6.0 * 1.0) / 9.0).abs() < 1e-9, "{quality:?}");
    // A thousandth of 3 × 0.5 + 2 × 1.5 + 2.5 m of 1 kg each.
    assert!((quality.change.unwrap() + 9.81 * 7e-3).abs() < 1e-9 && quality.gain == Some(0.0), "{quality:?}");
    scene = builtin::chain(2, 0.01, 4);
    let mut open = initial(&scene);
    open[1].pose.position.z -= 2e-3;
    assert!((judge(&scene, &[open]).unwrap().gap - 2.0).abs() < 1e-9);
}

#[test]
fn states_are_read_as_written() {
    let states = initial(&builtin::chain(2, 0.01, 4));
    let mut text = String::new();
    write_record(1, states.iter().copied(), &mut text);
    write_record(2, states.iter().copied(), &mut text);
    assert_eq!(read(&text, 2), Ok(vec![states.clone(), states]));
    // A record that ends early does not count.
    assert_eq!(read(text.lines().next().unwrap(), 2), Ok(Vec::new()));
    assert!(read("1 0 0.5", 1).is_err());
}
