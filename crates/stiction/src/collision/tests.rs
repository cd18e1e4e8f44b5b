use glam::{DQuat, DVec3};

use super::*;

fn contacts(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Vec<ManifoldPoint> {
    let mut out = Vec::new();
    collide(a, pose_a, b, pose_b, &ContactQuery { max_points: 8, ..ContactQuery::default() }, &mut out);
    for (i, p) in out.iter().enumerate() {
        assert!(p.normal.is_normalized() && p.position.is_finite() && p.depth.is_finite());
        assert!(out[..i].iter().all(|q| q.feature != p.feature), "keys are unique: {out:?}");
    }
    out
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_position(DVec3::new(x, y, z))
}

fn lying() -> DQuat {
    DQuat::from_rotation_y(0.5 * std::f64::consts::PI)
}

fn floor() -> Shape {
    Shape::plane(DVec3::Z, 0.0).unwrap()
}

fn cube() -> Shape {
    Shape::cuboid(DVec3::ONE).unwrap()
}

/// All convex solids, about 1 m across.
fn solids() -> Vec<Shape> {
    let mut corners = Vec::new();
    for i in 0..8u32 {
        let side = |bit: u32| if i & bit != 0 { 0.5 } else { -0.5 };
        corners.push(DVec3::new(side(1), side(2), side(4)));
    }
    vec![
        Shape::sphere(0.5).unwrap(),
        cube(),
        Shape::capsule(0.3, 0.8).unwrap(),
        Shape::cylinder(0.4, 1.0).unwrap(),
        Shape::ellipsoid(DVec3::new(0.3, 0.6, 0.4)).unwrap(),
        Shape::cone(0.5, 1.0).unwrap(),
        Shape::convex_hull(&corners).unwrap(),
    ]
}

#[test]
fn a_box_that_just_touches_the_floor_rests_on_four_corners() {
    for angle in [0.0, 0.3, 1.0] {
        let pose = Pose::new(DVec3::new(1.0, 2.0, 0.5), DQuat::from_rotation_z(angle));
        for other in [floor(), Shape::cuboid(DVec3::new(20.0, 20.0, 2.0)).unwrap()] {
            let below = if matches!(other, Shape::Plane(_)) { Pose::IDENTITY } else { at(0.0, 0.0, -1.0) };
            let points = contacts(&cube(), &pose, &other, &below);
            assert_eq!(points.len(), 4, "{points:?}");
            for p in points {
                assert!((p.normal - DVec3::Z).length() < 1e-12 && p.depth.abs() < 1e-12 && p.position.z.abs() < 1e-12);
            }
        }
    }
}

#[test]
fn box_on_box_meets_in_the_corners_of_the_overlap() {
    let points = contacts(&cube(), &at(0.4, 0.3, 0.99), &cube(), &Pose::IDENTITY);
    assert_eq!(points.len(), 4);
    for x in [-0.1, 0.5] {
        for y in [-0.2, 0.5] {
            let near = |p: &ManifoldPoint| (p.position - DVec3::new(x, y, 0.495)).length() < 1e-12;
            assert!(points.iter().any(near), "{points:?}");
        }
    }
    assert!(points.iter().all(|p| (p.depth - 0.01).abs() < 1e-12));
    // Turned by 45 degrees: an octagon.
    let turned = Pose::new(DVec3::Z * 0.99, DQuat::from_rotation_z(0.25 * std::f64::consts::PI));
    assert_eq!(contacts(&cube(), &turned, &cube(), &Pose::IDENTITY).len(), 8);
}

#[test]
fn crossed_edges_meet_in_one_point() {
    let quarter = 0.25 * std::f64::consts::PI;
    let upper = Pose::new(DVec3::Z * (2.0f64.sqrt() - 0.01), DQuat::from_rotation_x(quarter));
    let lower = Pose::from_rotation(DQuat::from_rotation_y(quarter));
    let points = contacts(&cube(), &upper, &cube(), &lower);
    assert_eq!(points.len(), 1);
    assert!((points[0].depth - 0.01).abs() < 1e-12 && (points[0].normal - DVec3::Z).length() < 1e-12);
    assert!(points[0].position.truncate().length() < 1e-12);
}

#[test]
fn cylinders_stand_on_four_points_and_lie_on_two() {
    let cylinder = Shape::cylinder(0.4, 1.0).unwrap();
    let slab = Shape::cuboid(DVec3::new(4.0, 4.0, 1.0)).unwrap();
    for (other, pose) in [(floor(), Pose::IDENTITY), (slab, at(0.0, 0.0, -0.5))] {
        let points = contacts(&cylinder, &at(0.1, 0.2, 0.5), &other, &pose);
        assert_eq!(points.len(), 4, "{other:?} {points:?}");
        for p in &points {
            assert!(((p.position - DVec3::new(0.1, 0.2, 0.0)).length() - 0.4).abs() < 1e-9);
        }
        let points = contacts(&cylinder, &Pose::new(DVec3::Z * 0.4, lying()), &other, &pose);
        assert_eq!(points.len(), 2, "{other:?} {points:?}");
        assert!(points.iter().all(|p| (p.position.x.abs() - 0.5).abs() < 1e-9 && p.normal.z > 0.999));
    }
}

#[test]
fn capsules_lie_on_two_points() {
    let capsule = Shape::capsule(0.3, 0.8).unwrap();
    let slab = Shape::cuboid(DVec3::new(4.0, 4.0, 1.0)).unwrap();
    let pose = Pose::new(DVec3::Z * 0.3, lying());
    for (other, below) in [(floor(), Pose::IDENTITY), (slab, at(0.0, 0.0, -0.5))] {
        let points = contacts(&capsule, &pose, &other, &below);
        assert_eq!(points.len(), 2, "{other:?} {points:?}");
        assert!(points.iter().all(|p| (p.position.x.abs() - 0.4).abs() < 1e-9));
    }
    let cylinder = Shape::cylinder(0.3, 0.8).unwrap();
    for (first, second) in [(&capsule, &capsule), (&cylinder, &capsule), (&cylinder, &cylinder)] {
        let points = contacts(first, &Pose::new(DVec3::new(0.2, 0.0, 0.89), lying()), second, &pose);
        assert_eq!(points.len(), 2, "{first:?} {second:?} {points:?}");
        assert!(points.iter().all(|p| (p.depth - 0.01).abs() < 1e-9 && p.normal.z > 0.999_999), "{points:?}");
    }
}

#[test]
fn hulls_on_hulls_and_cones_on_floors_have_whole_manifolds() {
    let solids = solids();
    let hull = &solids[6];
    for other in [&solids[1], hull] {
        assert_eq!(contacts(hull, &at(0.1, 0.2, 1.0), other, &Pose::IDENTITY).len(), 4);
    }
    assert_eq!(contacts(hull, &at(0.0, 0.0, 0.5), &floor(), &Pose::IDENTITY).len(), 4);
    assert_eq!(contacts(&solids[5], &at(0.0, 0.0, 0.5), &floor(), &Pose::IDENTITY).len(), 4);
    assert_eq!(contacts(&solids[5], &at(0.0, 0.0, 1.0), &cube(), &Pose::IDENTITY).len(), 4);
}

#[test]
fn coincident_centres_give_a_unit_normal() {
    for a in solids() {
        for b in solids() {
            let points = contacts(&a, &Pose::IDENTITY, &b, &Pose::IDENTITY);
            assert!(!points.is_empty() && points[0].depth > 0.0, "{a:?} {b:?}");
        }
        let points = contacts(&a, &at(0.0, 0.0, -100.0), &floor(), &Pose::IDENTITY);
        assert!(points.iter().all(|p| p.depth > 99.0 && p.normal == DVec3::Z) && !points.is_empty());
    }
}

fn poses(count: u32) -> impl Iterator<Item = (Pose, Pose)> {
    (1..=count).map(|i| {
        let r = |k: u32| 2.0 * (f64::from(i) * (2.0 + f64::from(k)).sqrt() * 0.731).fract() - 1.0;
        let q = |k: u32| DQuat::from_xyzw(r(k), r(k + 1), r(k + 3), r(k + 4)).normalize();
        let p = DVec3::new(r(13), r(15), r(16)) * 0.8;
        (Pose::new(p, q(1)), Pose::new(DVec3::new(r(20), 0.3, -0.2), q(8)))
    })
}

#[test]
fn swapping_negates_the_normals_and_a_common_transform_moves_the_points() {
    let frame = Pose::from_xyz_rpy(DVec3::new(3.0, -5.0, 2.0), DVec3::new(0.4, 1.1, -2.0));
    let mut all = solids();
    all.push(floor());
    all.push(Shape::ray(2.0).unwrap());
    for a in &all {
        for b in &all {
            for (pa, pb) in poses(40) {
                let points = contacts(a, &pa, b, &pb);
                let swapped = contacts(b, &pb, a, &pa);
                let moved = contacts(a, &frame.compose(&pa), b, &frame.compose(&pb));
                let deepest = |points: &[ManifoldPoint]| points.iter().fold(-1.0f64, |d, p| d.max(p.depth));
                assert!((deepest(&points) - deepest(&swapped)).abs() < 1e-6, "{a:?} {b:?} {points:?} {swapped:?}");
                assert!((deepest(&points) - deepest(&moved)).abs() < 1e-6, "{a:?} {b:?} {points:?} {moved:?}");
                if let (Some(p), Some(q), Some(m)) = (points.first(), swapped.first(), moved.first()) {
                    assert!((p.normal + q.normal).length() < 1e-3, "{a:?} {b:?} {p:?} {q:?}");
                    assert!((frame.direction(p.normal) - m.normal).length() < 1e-3, "{a:?} {b:?}");
                    assert_eq!((points.len(), points.len()), (swapped.len(), moved.len()), "{a:?} {b:?}");
                }
            }
        }
    }
}

#[test]
fn rays_report_the_distance() {
    let ray = Shape::ray(10.0).unwrap();
    for shape in solids() {
        let start = at(0.1, 0.05, -5.0);
        let points = contacts(&ray, &start, &shape, &Pose::IDENTITY);
        assert_eq!(points.len(), 1);
        assert!((points[0].position.z - (points[0].depth - 5.0)).abs() < 1e-12);
        assert!(points[0].normal.z < 0.0, "towards the start");
        let swapped = contacts(&shape, &Pose::IDENTITY, &ray, &start);
        assert_eq!(swapped[0].normal, -points[0].normal);
    }
    assert!(contacts(&ray, &at(3.0, 0.0, 0.0), &cube(), &Pose::IDENTITY).is_empty());
}

#[test]
fn the_margin_reports_gaps() {
    let mut out = Vec::new();
    for a in solids() {
        for b in solids() {
            let above = a.aabb(&Pose::IDENTITY).max.z + b.aabb(&Pose::IDENTITY).max.z + 0.01;
            let mut with = |margin: f64| {
                let query = ContactQuery { max_points: 4, margin, ..ContactQuery::default() };
                collide(&a, &at(0.0, 0.0, above), &b, &Pose::IDENTITY, &query, &mut out);
                out.iter().map(|p| p.depth).fold(f64::NEG_INFINITY, f64::max)
            };
            assert_eq!(with(0.005), f64::NEG_INFINITY, "{a:?} {b:?}");
            assert!((with(0.02) + 0.01).abs() < 1e-9, "{a:?} {b:?}");
        }
    }
}

#[test]
fn keys_stay_while_the_features_do() {
    let keys = |points: &[ManifoldPoint]| {
        let mut keys: Vec<u32> = points.iter().map(|p| p.feature).collect();
        keys.sort_unstable();
        keys
    };
    for a in solids() {
        for (b, below) in [
            (floor(), at(0.0, 0.0, 0.0)),
            (Shape::cuboid(DVec3::new(9.0, 9.0, 1.0)).unwrap(), at(0.0, 0.0, -0.5)),
            (cube(), at(0.3, 0.2, -0.5)),
        ] {
            let height = -a.aabb(&Pose::IDENTITY).min.z - 1e-3;
            let first = keys(&contacts(&a, &at(0.0, 0.0, height), &b, &below));
            for (x, tilt) in [(1e-4, 1e-6), (2e-3, -1e-6), (5e-3, 1e-5)] {
                let pose = Pose::new(DVec3::new(x, -x, height), DQuat::from_rotation_x(tilt));
                assert_eq!(keys(&contacts(&a, &pose, &b, &below)), first, "{a:?} {b:?}");
            }
        }
    }
}

#[test]
fn a_small_box_on_a_huge_one_keeps_its_corners() {
    let ground = Shape::cuboid(DVec3::new(2e4, 2e4, 1.0)).unwrap();
    let small = Shape::cuboid(DVec3::splat(0.01)).unwrap();
    let points = contacts(&small, &at(3000.0, -2000.0, 0.505), &ground, &Pose::IDENTITY);
    assert_eq!(points.len(), 4);
    let cylinder = Shape::cylinder(0.01, 0.02).unwrap();
    assert_eq!(contacts(&cylinder, &at(30.0, -20.0, 0.51), &ground, &Pose::IDENTITY).len(), 4);
}

#[test]
fn exact_touch_is_kept_wherever_it_happens() {
    let mut stand: Vec<(Shape, Pose)> = solids().into_iter().map(|a| (a, Pose::IDENTITY)).collect();
    stand.push((Shape::cylinder(0.4, 1.0).unwrap(), Pose::from_rotation(lying())));
    stand.push((Shape::capsule(0.3, 0.8).unwrap(), Pose::from_rotation(lying())));
    for (a, turned) in stand {
        let lift = -a.aabb(&turned).min.z;
        let upper = Pose { position: DVec3::new(0.02, -0.01, lift), ..turned };
        for (b, below) in
            [(floor(), Pose::IDENTITY), (cube(), at(0.0, 0.0, -0.5)), (solids().remove(6), at(0.0, 0.0, -0.5))]
        {
            let expected = contacts(&a, &upper, &b, &below).len();
            assert!(expected >= 1, "{a:?} {b:?}");
            for (frame, _) in poses(30) {
                let frame = Pose { position: 100.0 * frame.position, ..frame };
                let points = contacts(&a, &frame.compose(&upper), &b, &frame.compose(&below));
                assert_eq!(points.len(), expected, "{a:?} {b:?} {points:?}");
                assert!(points.iter().all(|p| p.depth.abs() < 1e-9), "{a:?} {b:?} {points:?}");
                let up = frame.direction(DVec3::Z);
                assert!(points.iter().all(|p| (p.normal - up).length() < 1e-6), "{a:?} {b:?} {points:?}");
            }
        }
    }
}

#[test]
fn equal_boxes_in_a_stack_meet_in_four_corners() {
    for shift in [0.0, 1e-13, 1e-9] {
        let points = contacts(&cube(), &at(shift, -shift, 1.0), &cube(), &Pose::IDENTITY);
        assert_eq!(points.len(), 4, "{shift} {points:?}");
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { cases: 64, failure_persistence: None, ..Default::default() })]

    /// Moved by the greatest depth along its normal, the first shape only just touches; and every call gives the
    /// same bits.
    #[test]
    fn the_depth_separates(x in -1.0..1.0f64, y in -1.0..1.0f64, z in -1.0..1.0f64, roll in -3.0..3.0f64, yaw in -3.0..3.0f64) {
        let pose = Pose::from_xyz_rpy(DVec3::new(x, y, z), DVec3::new(roll, 0.5 * yaw, yaw));
        for a in solids() {
            for b in solids() {
                let points = contacts(&a, &pose, &b, &Pose::IDENTITY);
                proptest::prop_assert_eq!(&points, &contacts(&a, &pose, &b, &Pose::IDENTITY));
                let Some(deepest) = points.iter().max_by(|p, q| p.depth.total_cmp(&q.depth)) else { continue };
                let moved = Pose { position: pose.position + deepest.normal * deepest.depth, ..pose };
                let left = contacts(&a, &moved, &b, &Pose::IDENTITY).iter().fold(0.0f64, |d, p| d.max(p.depth));
                proptest::prop_assert!(left < 1e-7, "{:?} {:?} {} {:?}", a, b, left, points);
            }
        }
    }
}

/// A roller across a plate, which overhangs it and leans on its edge: both ends of the line of contact carry as long as both
/// overlap, whichever normal has the least depth.
#[test]
fn a_leaning_roller_keeps_both_ends() {
    let plate = Shape::cuboid(DVec3::new(0.1, 0.1, 0.02)).unwrap();
    let roller = Shape::cylinder(0.1, 0.1).unwrap();
    for (k, shift) in [0.0, 1e-5, 1e-3, 1e-2].into_iter().enumerate() {
        for step in 0..60 {
            let lean = 1e-7 * 1.2_f64.powi(step);
            // The plate's side is its edge; the end that overlaps less does so by 1e-5 m.
            let depth = 1e-5 + lean * 0.05;
            let turn = lying() * DQuat::from_rotation_z(0.3 + k as f64);
            let pose = Pose::new(DVec3::new(shift, 0.01, 0.11 - depth), DQuat::from_rotation_y(lean) * turn);
            let points = contacts(&roller, &pose, &plate, &Pose::IDENTITY);
            let ends = points.iter().map(|p| p.position.x);
            let length = ends.clone().fold(f64::MIN, f64::max) - ends.fold(f64::MAX, f64::min);
            assert!((length - (0.1 - shift)).abs() < 1e-3, "{lean} rad, shifted by {shift} m: {points:?}");
        }
    }
}
