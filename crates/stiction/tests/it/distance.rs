//! Distances and casts of shapes, judged without the code that finds them: a slab that proves a distance, projections back and
//! forth between sets, and the moving shapes looked at again at times in between.

#![expect(clippy::expect_used, reason = "a test")]

use std::sync::Arc;

use stiction::collision::{Proximity, Sweep, cast, distance};
use stiction::math::{DQuat, DVec3, Pose};
use stiction::shape::{Heightfield, HeightfieldDefinition, Shape, Triangle, TriangleMesh};

/// Fixed sequence of numbers in −1 … 1.
struct Sequence(u64);

impl Sequence {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * 0.5 * (self.next() + 1.0)
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.next(), self.next(), self.next())
    }

    fn rotation(&mut self) -> DQuat {
        DQuat::from_xyzw(self.next(), self.next(), self.next(), self.next()).normalize()
    }

    fn pose(&mut self, size: f64) -> Pose {
        Pose::new(size * self.vector(), self.rotation())
    }

    fn solid(&mut self) -> Shape {
        let mut side = || self.between(0.05, 1.0);
        let (a, b, c) = (side(), side(), side());
        match (self.0 >> 40) % 7 {
            0 => Shape::sphere(a),
            1 => Shape::cuboid(DVec3::new(a, b, c)),
            2 => Shape::capsule(a, b),
            3 => Shape::cylinder(a, b),
            4 => Shape::cone(a, b),
            5 => Shape::ellipsoid(DVec3::new(a, b, c)),
            _ => {
                let points: Vec<DVec3> = (0..12).map(|_| DVec3::new(a, b, c) * self.vector()).collect();
                Shape::convex_hull(&points)
            }
        }
        .expect("a shape")
    }
}

fn kind(shape: &Shape) -> String {
    format!("{shape:?}").chars().take(90).collect()
}

/// Points p of A and q of B with the direction n between them prove a distance, if A lies on the one side of the plane
/// through p and B on the other side of that through q.
fn prove(name: &str, found: &Proximity, a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) {
    let n = found.normal;
    let support = |shape: &Shape, pose: &Pose, d: DVec3| pose.point(shape.support(pose.inverse_direction(d))).dot(d);
    let [p, q] = found.points;
    assert!((p - q - n * found.distance).length() < 1e-9, "{name}: points {p} {q} at {}", found.distance);
    // Curved shapes end at rounding of the square root.
    let slack = 1e-7;
    assert!(support(a, pose_a, -n) <= -p.dot(n) + slack, "{name}: {}", support(a, pose_a, -n) + p.dot(n));
    assert!(support(b, pose_b, n) <= q.dot(n) + slack, "{name}: {}", support(b, pose_b, n) - q.dot(n));
    for (shape, pose, point) in [(a, pose_a, p), (b, pose_b, q)] {
        let off = shape.point_depth(pose, point);
        assert!(off.abs() < 1e-7, "{name}: point {off} off its surface");
    }
}

#[test]
fn distances_of_solids_are_proved_by_a_slab() {
    let mut s = Sequence(1);
    let (mut apart, mut overlaps) = (0, 0);
    for case in 0..20_000 {
        let (a, b) = (s.solid(), s.solid());
        let (pose_a, pose_b) = (s.pose(2.0), s.pose(2.0));
        let found = distance(&a, &pose_a, &b, &pose_b, f64::MAX).expect("a distance");
        let name = format!("case {case}, {} and {}", kind(&a), kind(&b));
        if found.distance > 0.0 {
            apart += 1;
            prove(&name, &found, &a, &pose_a, &b, &pose_b);
            let back = distance(&b, &pose_b, &a, &pose_a, f64::MAX).expect("a distance");
            assert!((back.distance - found.distance).abs() < 1e-8, "{name}: {} back", back.distance);
            assert!(distance(&a, &pose_a, &b, &pose_b, 0.999 * found.distance).is_none(), "{name}");
        } else {
            overlaps += 1;
            // Moved out by the depth and a hair they are apart.
            let moved = Pose::new(pose_a.position + found.normal * (1e-6 - found.distance), pose_a.rotation);
            let after = distance(&a, &moved, &b, &pose_b, f64::MAX).expect("a distance").distance;
            assert!(after > -1e-6, "{name}: {after} after leaving by {}", found.distance);
        }
    }
    assert!(apart > 5000 && overlaps > 500, "{apart} apart, {overlaps} overlap");
}

#[test]
fn the_distance_of_a_plane_is_that_of_the_lowest_point() {
    let mut s = Sequence(2);
    for _ in 0..1000 {
        let (a, pose, n) = (s.solid(), s.pose(2.0), s.vector().normalize());
        let plane = Shape::plane(n, 0.3).expect("plane");
        let found = distance(&plane, &Pose::IDENTITY, &a, &pose, f64::MAX).expect("a distance");
        let lowest = pose.point(a.support(pose.inverse_direction(-n)));
        assert!((found.distance - (n.dot(lowest) - 0.3)).abs() < 1e-12 && (found.normal + n).length() < 1e-12);
        assert!((found.points[1] - lowest).length() < 1e-9 && (n.dot(found.points[0]) - 0.3).abs() < 1e-12);
    }
}

/// A torus of triangles about z, radii 1 and 0.3.
fn torus() -> TriangleMesh {
    let (n, m) = (24u32, 12u32);
    let mut points = Vec::new();
    let mut faces = Vec::new();
    for i in 0..n {
        for j in 0..m {
            let (u, v) = (
                std::f64::consts::TAU * f64::from(i) / f64::from(n),
                std::f64::consts::TAU * f64::from(j) / f64::from(m),
            );
            let r = 1.0 + 0.3 * v.cos();
            points.push(DVec3::new(r * u.cos(), r * u.sin(), 0.3 * v.sin()));
            let at = |i: u32, j: u32| (i % n) * m + j % m;
            faces.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
            faces.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    }
    TriangleMesh::new(&points, &faces).expect("a mesh")
}

fn hills() -> Heightfield {
    let heights: Vec<f64> = (0..20 * 20)
        .map(|k| {
            let (i, j) = (f64::from(k % 20), f64::from(k / 20));
            0.4 * (0.9 * i).sin() * (0.7 * j).cos()
        })
        .collect();
    let definition = HeightfieldDefinition {
        heights: &heights,
        columns: 20,
        rows: 20,
        width: 4.0,
        depth: 4.0,
        scale: 1.0,
        offset: 0.0,
        thickness: 1.0,
        wraps: false,
    };
    Heightfield::new(&definition).expect("a heightfield")
}

/// Distance of a box and a triangle by projections back and forth (von Neumann): both are convex, so that they come to the
/// nearest points.
fn projected(half: DVec3, pose: &Pose, triangle: &Triangle) -> f64 {
    let onto_box = |p: DVec3| pose.point(pose.inverse_point(p).clamp(-half, half));
    let mut p = triangle.corners[0];
    let mut last = f64::INFINITY;
    for _ in 0..20_000 {
        let q = onto_box(p);
        p = triangle.nearest(q).point;
        let now = (p - q).length();
        if last - now <= 1e-13 {
            break;
        }
        last = now;
    }
    last
}

#[test]
fn the_distance_of_a_mesh_is_the_least_of_all_its_triangles() {
    let mut s = Sequence(3);
    let mesh = Arc::new(torus());
    let shape = Shape::TriangleMesh(Arc::clone(&mesh));
    let all: Vec<Triangle> = (0..mesh.triangles().len() as u32).filter_map(|i| mesh.triangle(i)).collect();
    let mut apart = 0;
    for case in 0..400 {
        let half = DVec3::new(s.between(0.05, 0.4), s.between(0.05, 0.4), s.between(0.05, 0.4));
        let solid = Shape::cuboid(2.0 * half).expect("box");
        let pose = s.pose(2.0);
        let found = distance(&solid, &pose, &shape, &Pose::IDENTITY, 10.0).expect("a distance");
        let ball = Shape::sphere(half.x).expect("sphere");
        let of_ball = distance(&ball, &pose, &shape, &Pose::IDENTITY, 10.0).expect("a distance").distance;
        let exact =
            all.iter().map(|t| (t.nearest(pose.position).point - pose.position).length()).fold(f64::MAX, f64::min);
        if of_ball > 0.0 {
            assert!((of_ball - (exact - half.x)).abs() < 1e-9, "case {case}: {of_ball}, {}", exact - half.x);
        }
        let truth = all.iter().map(|t| projected(half, &pose, t)).fold(f64::MAX, f64::min);
        if found.distance > 0.0 {
            apart += 1;
            assert!((found.distance - truth).abs() < 1e-6, "case {case}: {} for {truth}", found.distance);
            let on_mesh = all[found.triangles[1] as usize].nearest(found.points[1]).point;
            assert!((on_mesh - found.points[1]).length() < 1e-9, "case {case}");
            assert!((found.points[0] - found.points[1] - found.normal * found.distance).length() < 1e-9, "case {case}");
        } else {
            let is_inside = shape.point_depth(&Pose::IDENTITY, pose.position) > 0.0;
            assert!(
                truth < 1e-6 || is_inside && -found.distance >= truth,
                "case {case}: {} for {truth}",
                found.distance
            );
        }
    }
    assert!(apart > 200, "{apart}");
}

#[test]
fn meshes_have_the_distance_of_their_nearest_triangles() {
    let mut s = Sequence(4);
    let mesh = Arc::new(torus());
    let shape = Shape::TriangleMesh(Arc::clone(&mesh));
    let field = Shape::Heightfield(Arc::new(hills()));
    for case in 0..60 {
        let pose = Pose::new(DVec3::new(s.next(), s.between(1.8, 4.0), s.next()), s.rotation());
        let of_field = distance(&shape, &pose, &field, &Pose::IDENTITY, 10.0).expect("a distance");
        // A vertex is no farther than the surface that it belongs to; the field is sampled densely from above.
        let least = mesh
            .vertices()
            .iter()
            .map(|v| -field.point_depth(&Pose::IDENTITY, pose.point(*v)))
            .fold(f64::MAX, f64::min);
        assert!(
            of_field.distance <= least + 1e-9 && of_field.distance > least - 0.1,
            "case {case}: {least} {of_field:?}"
        );
        let other = Pose::new(DVec3::new(s.between(2.8, 4.0), s.next(), s.next()), s.rotation());
        let found = distance(&shape, &Pose::IDENTITY, &shape, &other, 10.0).expect("a distance");
        let least = mesh
            .vertices()
            .iter()
            .map(|v| -shape.point_depth(&Pose::IDENTITY, other.point(*v)))
            .fold(f64::MAX, f64::min);
        assert!(found.distance <= least + 1e-9 && found.distance > least - 0.05, "case {case}: {least} {found:?}");
    }
}

/// A hit is at the gap, and nothing before it is nearer; a miss is a miss at every time in between.
fn look_between(name: &str, a: &Shape, of_a: &Sweep, b: &Shape, of_b: &Sweep, gap: f64) -> bool {
    let hit = cast(a, of_a, b, of_b, gap);
    let end = hit.map_or(1.0, |hit| hit.fraction);
    for k in 0..200 {
        let t = end * f64::from(k) / 200.0;
        let found = distance(a, &of_a.at(t), b, &of_b.at(t), f64::MAX).expect("a distance");
        assert!(found.distance > 0.4 * gap, "{name}: {} at {t}, before {end}", found.distance);
    }
    let Some(hit) = hit else { return false };
    let found = distance(a, &of_a.at(end), b, &of_b.at(end), f64::MAX).expect("a distance");
    assert!(found.distance <= gap * 1.001, "{name}: {} at the hit", found.distance);
    let told = hit.proximity.distance;
    assert!(told <= gap && found.distance <= told + 1e-3 * gap, "{name}: {} where {told} is told", found.distance);
    true
}

#[test]
fn casts_end_at_the_first_touch() {
    let mut s = Sequence(5);
    let mesh = Shape::TriangleMesh(Arc::new(torus()));
    let field = Shape::Heightfield(Arc::new(hills()));
    let plane = Shape::plane(DVec3::new(0.2, 1.0, 0.1), -0.8).expect("plane");
    let gap = 1e-4;
    let (mut hits, mut cases) = (0, 0);
    let count = stiction_testing::cases(300, 1500);
    for case in 0..count {
        let a = s.solid();
        let solid = s.solid();
        let (name, b) = match case % 5 {
            0 => ("mesh", &mesh),
            1 => ("field", &field),
            2 => ("plane", &plane),
            _ => ("solid", &solid),
        };
        let mut from = Pose::new(4.0 * s.vector(), s.rotation());
        let turn = DQuat::from_scaled_axis(1.5 * s.vector());
        let mut to = Pose::new(-from.position + s.vector(), turn * from.rotation);
        if name == "field" {
            // Into its surface, not into its sides, which are none.
            from.position = s.vector().with_y(s.between(2.0, 4.0));
            to.position = s.vector().with_y(-0.5);
        }
        let of_a = Sweep { from, to, center: 0.3 * s.vector() };
        let moves = case % 2 == 0;
        let start = Pose::new(DVec3::ZERO, if name == "field" { DQuat::IDENTITY } else { s.rotation() });
        let end = Pose::new(0.5 * s.vector(), DQuat::from_scaled_axis(0.5 * s.vector()) * start.rotation);
        let of_b = if moves { Sweep { from: start, to: end, center: DVec3::ZERO } } else { Sweep::fixed(start) };
        if distance(&a, &of_a.at(0.0), b, &of_b.at(0.0), gap).is_some() {
            assert_eq!(cast(&a, &of_a, b, &of_b, gap).map(|hit| hit.fraction), Some(0.0));
            continue;
        }
        cases += 1;
        hits += usize::from(look_between(&format!("case {case}, {name}, {}", kind(&a)), &a, &of_a, b, &of_b, gap));
    }
    assert!(2 * cases > count && 5 * hits > count && hits < cases, "{hits} of {cases}");
}

#[test]
fn a_ball_meets_a_wall_after_its_way() {
    let ball = Shape::sphere(0.5).expect("sphere");
    let wall = Shape::cuboid(DVec3::new(0.001, 10.0, 10.0)).expect("box");
    let sweep = Sweep::along(Pose::from_position(DVec3::new(-5.0, 0.3, 0.2)), DVec3::new(10.0, 0.0, 0.0));
    let hit = cast(&ball, &sweep, &wall, &Sweep::fixed(Pose::IDENTITY), 1e-6).expect("a hit");
    assert!((hit.fraction - 0.44995).abs() < 1e-6, "{}", hit.fraction);
    assert!((hit.proximity.normal + DVec3::X).length() < 1e-9);
    assert!((hit.proximity.points[1] - DVec3::new(-0.0005, 0.3, 0.2)).length() < 1e-5);
}
