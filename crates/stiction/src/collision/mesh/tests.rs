use glam::{DQuat, DVec3};

use crate::collision::{ContactQuery, ManifoldPoint, collide, collide_accepted};
use crate::math::Pose;
use crate::shape::{HeightfieldDefinition, Shape};

fn found(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Vec<ManifoldPoint> {
    let query = ContactQuery { max_points: 32, ..ContactQuery::default() };
    let (mut out, mut turned) = (Vec::new(), Vec::new());
    collide(a, pose_a, b, pose_b, &query, &mut out);
    for (i, p) in out.iter().enumerate() {
        assert!(p.normal.is_normalized() && p.position.is_finite() && p.depth.is_finite());
        assert!(out[..i].iter().all(|q| q.feature != p.feature), "keys are unique: {out:?}");
    }
    collide(b, pose_b, a, pose_a, &query, &mut turned);
    assert_eq!(out.len(), turned.len());
    out
}

/// Contacts on the ground are up and of one depth.
fn on_ground(a: &Shape, pose: &Pose, ground: &Shape, up: DVec3, depth: f64) -> Vec<ManifoldPoint> {
    let points = found(a, pose, ground, &Pose::IDENTITY);
    for p in &points {
        assert!((p.normal - up).length() < 1e-12 && (p.depth - depth).abs() < 1e-9, "{points:?}");
    }
    points
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_position(DVec3::new(x, y, z))
}

fn corners(half: f64, offset: DVec3) -> Vec<DVec3> {
    let side = |i: u32, bit: u32| if i & bit != 0 { half } else { -half };
    (0..8).map(|i| DVec3::new(side(i, 1), side(i, 2), side(i, 4)) + offset).collect()
}

const CUBE: [[u32; 3]; 12] = [
    [0, 2, 1],
    [1, 2, 3],
    [4, 5, 6],
    [5, 7, 6],
    [0, 1, 4],
    [1, 5, 4],
    [2, 6, 3],
    [3, 6, 7],
    [0, 4, 2],
    [2, 4, 6],
    [1, 3, 5],
    [3, 7, 5],
];

fn cube() -> Shape {
    Shape::triangle_mesh(&corners(0.5, DVec3::ZERO), &CUBE).unwrap()
}

/// A square of 4 m in two triangles.
fn square() -> Shape {
    let v = [[-2.0, -2.0], [2.0, -2.0], [2.0, 2.0], [-2.0, 2.0]].map(|[x, y]| DVec3::new(x, y, 0.0));
    Shape::triangle_mesh(&v, &[[0, 1, 2], [0, 2, 3]]).unwrap()
}

/// A square of 4 m in triangles of 0.2 m.
fn tiles() -> Shape {
    let n = 20u32;
    let at = |i: u32| -2.0 + 0.2 * f64::from(i);
    let vertices: Vec<DVec3> = (0..=n).flat_map(|j| (0..=n).map(move |i| DVec3::new(at(i), at(j), 0.0))).collect();
    let k = |i: u32, j: u32| i + j * (n + 1);
    let cells = (0..n).flat_map(|j| (0..n).map(move |i| (i, j)));
    let triangles: Vec<[u32; 3]> = cells
        .flat_map(|(i, j)| [[k(i, j), k(i + 1, j), k(i, j + 1)], [k(i + 1, j + 1), k(i, j + 1), k(i + 1, j)]])
        .collect();
    Shape::triangle_mesh(&vertices, &triangles).unwrap()
}

fn field(wraps: bool) -> Shape {
    let heights = [0.0; 121];
    let definition = HeightfieldDefinition {
        heights: &heights,
        columns: 11,
        rows: 11,
        width: 10.0,
        depth: 10.0,
        scale: 1.0,
        offset: 0.0,
        thickness: 0.5,
        wraps,
    };
    Shape::heightfield(&definition).unwrap()
}

fn quarter_y() -> DQuat {
    DQuat::from_rotation_y(0.5 * std::f64::consts::PI)
}

#[test]
fn solids_rest_on_flat_meshes_as_on_a_plane() {
    let unit = Shape::cuboid(DVec3::ONE).unwrap();
    let ball = Shape::sphere(0.5).unwrap();
    let capsule = Shape::capsule(0.25, 1.0).unwrap();
    let cylinder = Shape::cylinder(0.5, 1.0).unwrap();
    let hull = Shape::convex_hull(&corners(0.5, DVec3::ZERO)).unwrap();
    let cone = Shape::cone(0.5, 1.0).unwrap();
    let ellipsoid = Shape::ellipsoid(DVec3::new(0.7, 0.6, 0.5)).unwrap();
    for ground in [square(), tiles()] {
        for [x, y] in [[0.0, 0.0], [0.9, -0.9], [0.013, 0.251]] {
            for z in [0.49, 0.5] {
                let pose = at(x, y, z);
                let depth = 0.5 - z;
                let count = |shape: &Shape| on_ground(shape, &pose, &ground, DVec3::Z, depth).len();
                assert_eq!(count(&unit), 4);
                assert_eq!(count(&hull), 4);
                assert_eq!(count(&cube()), 4);
                assert_eq!(count(&ball), 1);
                assert_eq!(count(&ellipsoid), 1);
                assert!((4..=8).contains(&count(&cylinder)), "{}", count(&cylinder));
                assert!((4..=8).contains(&count(&cone)), "{}", count(&cone));
                let lying = Pose::new(DVec3::new(x, y, z - 0.25), quarter_y());
                assert_eq!(on_ground(&capsule, &lying, &ground, DVec3::Z, depth).len(), 2);
            }
        }
    }
}

#[test]
fn cube_mesh_in_a_plane_has_four_points() {
    let plane = Shape::plane(DVec3::Z, 0.0).unwrap();
    for z in [0.49, 0.5] {
        assert_eq!(on_ground(&cube(), &at(1.0, 2.0, z), &plane, DVec3::Z, 0.5 - z).len(), 4);
    }
    let flat = found(&square(), &Pose::IDENTITY, &plane, &Pose::IDENTITY);
    assert_eq!(flat.len(), 4, "{flat:?}");
}

#[test]
fn points_that_touch_stay_where_others_around_them_are_a_hair_above() {
    // The underside of a slab, 9 × 9 vertices of which some touch and the rest is up to 0.2 mm above.
    let plane = Shape::plane(DVec3::Z, 0.0).unwrap();
    let mut seed = 1u64;
    let mut draw = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize
    };
    let n = 9;
    let triangles: Vec<[u32; 3]> = (0..n - 1)
        .flat_map(|j| (0..n - 1).map(move |i| (j * n + i) as u32))
        .flat_map(|k| [[k, k + n as u32, k + 1], [k + 1, k + n as u32, k + n as u32 + 1]])
        .collect();
    for _ in 0..2000 {
        let mut vertices: Vec<DVec3> = (0..n * n)
            .map(|k| DVec3::new((k % n) as f64 / 8.0, (k / n) as f64 / 8.0, 5e-5 * (1 + draw() % 4) as f64))
            .collect();
        let touching: Vec<usize> = (0..1 + draw() % 8).map(|_| draw() % (n * n)).collect();
        touching.iter().for_each(|k| vertices[*k].z = 0.0);
        let slab = Shape::triangle_mesh(&vertices, &triangles).unwrap();
        let mut out = Vec::new();
        let query = ContactQuery { max_points: 8 + draw() % 13, margin: 1e-3, ..ContactQuery::default() };
        collide(&slab, &Pose::IDENTITY, &plane, &Pose::IDENTITY, &query, &mut out);
        // What is left of them reaches as far in every direction.
        for k in 0..24 {
            let (sin, cos) = f64::sin_cos(std::f64::consts::TAU * f64::from(k) / 24.0);
            let along = |p: DVec3| cos * p.x + sin * p.y;
            let reach = touching.iter().map(|k| along(vertices[*k])).fold(f64::NEG_INFINITY, f64::max);
            let left = out.iter().filter(|p| p.depth >= 0.0).map(|p| along(p.position));
            let left = left.fold(f64::NEG_INFINITY, f64::max);
            assert!((left - reach).abs() < 1e-12, "{touching:?}: {left} and {reach}, {out:?}");
        }
    }
}

#[test]
fn heightfield_carries_spheres_and_boxes() {
    let ball = Shape::sphere(0.5).unwrap();
    let unit = Shape::cuboid(DVec3::ONE).unwrap();
    for wraps in [false, true] {
        let field = field(wraps);
        assert_eq!(on_ground(&ball, &at(0.3, 0.49, 0.2), &field, DVec3::Y, 0.01).len(), 1);
        assert_eq!(on_ground(&ball, &at(0.0, 0.49, 0.0), &field, DVec3::Y, 0.01).len(), 1);
        assert_eq!(on_ground(&unit, &at(0.3, 0.49, 0.2), &field, DVec3::Y, 0.01).len(), 4);
        assert_eq!(on_ground(&cube(), &at(0.3, 0.49, 0.2), &field, DVec3::Y, 0.01).len(), 4);
        let outside = found(&ball, &at(20.0, 0.49, 0.0), &field, &Pose::IDENTITY);
        assert_eq!(outside.len(), usize::from(wraps));
    }
    let plane = Shape::plane(DVec3::Y, 0.0).unwrap();
    assert!(found(&field(false), &Pose::IDENTITY, &plane, &Pose::IDENTITY).is_empty());
    assert!(found(&field(false), &Pose::IDENTITY, &field(true), &Pose::IDENTITY).is_empty());
}

#[test]
fn cube_meshes_stack_as_boxes_do() {
    for z in [0.99, 1.0] {
        for [x, y] in [[0.0, 0.0], [0.3, 0.2]] {
            let points = on_ground(&cube(), &at(x, y, z), &cube(), DVec3::Z, 1.0 - z);
            assert_eq!(points.len(), 4, "{points:?}");
        }
    }
    // Crossed edges.
    let eighth = 0.25 * std::f64::consts::PI;
    let upper = Pose::new(DVec3::Z * (2.0f64.sqrt() - 0.01), DQuat::from_rotation_x(eighth));
    let lower = Pose::from_rotation(DQuat::from_rotation_y(eighth));
    let points = found(&cube(), &upper, &cube(), &lower);
    assert_eq!(points.len(), 1, "{points:?}");
    assert!((points[0].depth - 0.01).abs() < 1e-9 && (points[0].normal - DVec3::Z).length() < 1e-9);
}

#[test]
fn rays_meet_an_inner_edge_once() {
    let ray = Shape::ray(10.0).unwrap();
    let down = DQuat::from_rotation_x(std::f64::consts::PI);
    for ground in [square(), tiles()] {
        let points = found(&ray, &Pose::new(DVec3::Z * 5.0, down), &ground, &Pose::IDENTITY);
        assert_eq!(points.len(), 1);
        assert!((points[0].depth - 5.0).abs() < 1e-12 && (points[0].normal - DVec3::Z).length() < 1e-12);
        assert_ne!(points[0].triangles[1], crate::collision::NO_TRIANGLE);
    }
}

#[test]
fn a_refused_triangle_carries_nothing() {
    let ball = Shape::sphere(0.5).unwrap();
    let (pose, ground) = (at(1.0, -0.5, 0.4), square());
    let query = ContactQuery::default();
    let mut out = Vec::new();
    let mut asked = Vec::new();
    let mut accept = |triangle| {
        asked.push(triangle);
        false
    };
    collide_accepted(&ground, &Pose::IDENTITY, &ball, &pose, &query, &mut accept, &mut out);
    assert!(out.is_empty() && asked == [0, 1], "{asked:?}");
    collide_accepted(&ground, &Pose::IDENTITY, &ball, &pose, &query, &mut |t| t == 0, &mut out);
    assert_eq!((out.len(), out[0].triangles[0]), (1, 0));
    assert!((out[0].normal + DVec3::Z).length() < 1e-12);
}

#[test]
fn a_box_over_the_rim_of_a_cube_mesh_stays_on_top() {
    let unit = Shape::cuboid(DVec3::ONE).unwrap();
    for x in [0.3, 0.6, 0.9] {
        let points = on_ground(&unit, &at(x, 0.1, 0.99), &cube(), DVec3::Z, 0.01);
        assert_eq!(points.len(), 4, "{points:?}");
    }
}

#[test]
fn a_corner_of_floor_and_wall_keeps_both() {
    let v = [[0.0, -2.0, 0.0], [4.0, -2.0, 0.0], [4.0, 2.0, 0.0], [0.0, 2.0, 0.0], [0.0, -2.0, 4.0], [0.0, 2.0, 4.0]];
    let ground =
        Shape::triangle_mesh(&v.map(DVec3::from_array), &[[0, 1, 2], [0, 2, 3], [0, 3, 4], [3, 5, 4]]).unwrap();
    let unit = Shape::cuboid(DVec3::ONE).unwrap();
    let mut out = Vec::new();
    for max_points in [4, 10, 32] {
        let query = ContactQuery { max_points, ..ContactQuery::default() };
        collide(&unit, &at(0.495, 0.1, 0.49), &ground, &Pose::IDENTITY, &query, &mut out);
        let along = |n: DVec3| out.iter().filter(|p| (p.normal - n).length() < 1e-9).count();
        assert!(out.len() <= max_points && along(DVec3::Z) >= 3.min(max_points) && along(DVec3::X) >= 1, "{out:?}");
    }
}

#[test]
fn what_has_gone_through_a_thin_wall_is_not_squeezed() {
    // A closed wall from z = -0.1 to 0, and a sheet with two faces.
    let wall = Shape::triangle_mesh(
        &corners(0.5, DVec3::ZERO)
            .iter()
            .map(|p| DVec3::new(8.0 * p.x, 8.0 * p.y, 0.1 * p.z - 0.05))
            .collect::<Vec<_>>(),
        &CUBE,
    )
    .unwrap();
    let ball = Shape::sphere(0.3).unwrap();
    let unit = Shape::cuboid(DVec3::splat(0.6)).unwrap();
    let capsule = Shape::capsule(0.3, 0.4).unwrap();
    for (z, normal) in [(0.2, DVec3::Z), (0.0, DVec3::Z), (-0.03, DVec3::Z), (-0.07, -DVec3::Z), (-0.3, -DVec3::Z)] {
        let deep = if normal.z > 0.0 { 0.3 - z } else { 0.4 + z };
        for solid in [&ball, &unit, &capsule] {
            let pose = Pose::new(DVec3::new(0.31, 0.17, z), quarter_y());
            let points = found(solid, &pose, &wall, &Pose::IDENTITY);
            assert!(!points.is_empty(), "{solid:?} {z}");
            for p in points {
                assert!((p.normal - normal).length() < 1e-9 && (p.depth - deep).abs() < 1e-9, "{solid:?} {z} {p:?}");
            }
        }
    }
}

#[test]
fn a_mesh_far_away_touches_as_at_home() {
    let unit = Shape::cuboid(DVec3::ONE).unwrap();
    let far = Pose::new(DVec3::new(3e4, -2e4, 1e4), DQuat::from_rotation_z(0.4));
    for solid in [unit, cube()] {
        let points = found(&solid, &far.compose(&at(0.1, 0.2, 0.49)), &tiles(), &far);
        assert_eq!(points.len(), 4, "{points:?}");
        assert!(points.iter().all(|p| (p.depth - 0.01).abs() < 1e-9 && (p.normal - DVec3::Z).length() < 1e-9));
    }
}

/// A body of concave shape that lies wholly behind an open sheet has not come through it; one that crosses it is pushed out.
#[test]
fn nothing_lies_behind_an_open_sheet_that_does_not_cross_it() {
    let sheet = [[-5.0, -5.0], [5.0, -5.0], [5.0, 5.0], [-5.0, 5.0]].map(|[x, y]| DVec3::new(x, y, 0.0));
    let sheet = Shape::triangle_mesh(&sheet, &[[0, 1, 2], [0, 2, 3]]).unwrap();
    // A dart: its prism is closed and concave.
    let outline = [[0.4, 0.0], [-0.3, 0.3], [-0.1, 0.0], [-0.3, -0.3]];
    let at = |z: f64| outline.map(|[x, y]| DVec3::new(x, y, z));
    let corners: Vec<DVec3> = at(-0.1).into_iter().chain(at(0.1)).collect();
    let mut triangles = vec![[0, 2, 1], [0, 3, 2], [4, 5, 6], [4, 6, 7]];
    for k in 0..4 {
        let next = (k + 1) % 4;
        triangles.extend([[k, next, next + 4], [k, next + 4, k + 4]]);
    }
    let dart = Shape::triangle_mesh(&corners, &triangles).unwrap();
    let mut seed = 9u64;
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        2.0 * (seed >> 11) as f64 / (1u64 << 53) as f64 - 1.0
    };
    let (mut points, mut below, mut crossing) = (Vec::new(), 0, 0);
    for _ in 0..10_000 {
        let rotation = DQuat::from_scaled_axis(3.0 * DVec3::new(next(), next(), next()));
        let pose = Pose::new(DVec3::new(next(), next(), 0.4 * next() - 0.2), rotation);
        let top = corners.iter().fold(f64::NEG_INFINITY, |top, p| top.max(pose.point(*p).z));
        let low = corners.iter().fold(f64::INFINITY, |low, p| low.min(pose.point(*p).z));
        collide(&dart, &pose, &sheet, &Pose::IDENTITY, &ContactQuery::default(), &mut points);
        if top < -1e-6 {
            below += 1;
            assert!(points.is_empty(), "{top} m: {points:?}");
        } else if low < -1e-3 && top > 1e-3 {
            crossing += 1;
            assert!(!points.is_empty(), "from {low} to {top} m");
        }
    }
    assert!(below > 1000 && crossing > 1000, "{below} {crossing}");
}
