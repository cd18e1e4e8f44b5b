//! Depths and normals of every convex pair against brute force over directions, and the time each pair takes.

#![expect(clippy::unwrap_used, reason = "a test")]

use crate::numbers;

use std::time::Instant;

use numbers::Numbers;
use stiction::collision::{ContactQuery, ManifoldPoint, collide};
use stiction::math::{DQuat, DVec3, Pose};
use stiction::shape::Shape;

fn shapes() -> Vec<(&'static str, Shape)> {
    let mut r = Numbers(3);
    let points: Vec<DVec3> = (0..14).map(|_| 0.5 * r.vector()).collect();
    vec![
        ("sphere", Shape::sphere(0.4).unwrap()),
        ("box", Shape::cuboid(DVec3::new(0.6, 0.8, 1.1)).unwrap()),
        ("capsule", Shape::capsule(0.25, 0.7).unwrap()),
        ("cylinder", Shape::cylinder(0.35, 0.8).unwrap()),
        ("ellipsoid", Shape::ellipsoid(DVec3::new(0.3, 0.5, 0.4)).unwrap()),
        ("cone", Shape::cone(0.45, 0.9).unwrap()),
        ("hull", Shape::convex_hull(&points).unwrap()),
        ("plane", Shape::plane(DVec3::new(0.3, -0.2, 1.0), 0.05).unwrap()),
    ]
}

/// A shape at its pose.
type Placed<'a> = (&'a Shape, &'a Pose);

/// Overlap along n into a: `h_B(n) + h_A(-n)`.
fn depth_along(a: Placed, b: Placed, n: DVec3) -> f64 {
    let far = |(shape, pose): Placed, d: DVec3| pose.point(shape.support(pose.inverse_direction(d))).dot(d);
    far(b, n) + far(a, -n)
}

/// Even directions on the sphere.
fn directions(count: u32) -> Vec<DVec3> {
    let golden = std::f64::consts::PI * (3.0 - 5.0f64.sqrt());
    (0..count)
        .map(|i| {
            let z = 1.0 - (2.0 * f64::from(i) + 1.0) / f64::from(count);
            let angle = golden * f64::from(i);
            let radius = (1.0 - z * z).sqrt();
            DVec3::new(radius * angle.cos(), radius * angle.sin(), z)
        })
        .collect()
}

/// Random local search from a direction.
fn refined(a: Placed, b: Placed, seed: (DVec3, f64), r: &mut Numbers) -> (DVec3, f64) {
    let (mut n, mut depth) = seed;
    let mut step = 0.1;
    while step > 1e-9 {
        let mut success = false;
        for _ in 0..12 {
            let trial = (n + r.vector() * step).normalize();
            let d = depth_along(a, b, trial);
            if d < depth {
                (depth, n) = (d, trial);
                success = true;
            }
        }
        if !success {
            step *= 0.6;
        }
    }
    (n, depth)
}

/// The least depth over all directions: the best few of many and the claimed one, each refined. Every direction
/// gives an upper bound, and at creases the random search stops short by up to 1e-3, so without the claimed one it
/// would fault results better than its own.
fn least_depth(a: Placed, b: Placed, dense: &[DVec3], claimed: Option<DVec3>, r: &mut Numbers) -> (DVec3, f64) {
    let mut start: Vec<(f64, DVec3)> = dense.iter().map(|&n| (depth_along(a, b, n), n)).collect();
    start.sort_by(|p, q| p.0.total_cmp(&q.0));
    let mut seeds: Vec<(f64, DVec3)> = Vec::new();
    seeds.extend(claimed.map(|n| (depth_along(a, b, n), n)));
    for &(depth, n) in &start {
        if seeds.len() < 4 && seeds.iter().all(|s| s.1.dot(n) < 0.97) {
            seeds.push((depth, n));
        }
    }
    let mut best = (DVec3::X, f64::INFINITY);
    for (depth, n) in seeds {
        let found = refined(a, b, (n, depth), r);
        if found.1 < best.1 {
            best = found;
        }
    }
    best
}

/// Against a plane only one direction separates.
fn reference(a: Placed, b: Placed, dense: &[DVec3], claimed: Option<DVec3>, r: &mut Numbers) -> (DVec3, f64) {
    if let Shape::Plane(plane) = b.0 {
        let (n, offset) = plane.at(b.1);
        let lowest = a.1.point(a.0.support(a.1.inverse_direction(-n)));
        return (n, offset - n.dot(lowest));
    }
    least_depth(a, b, dense, claimed, r)
}

/// What one pair of classes showed.
#[derive(Default)]
struct Deviations {
    poses: u32,
    points: usize,
    /// How far the deepest point lies above and below the reference \[m\].
    above: f64,
    below: f64,
    normal: f64,
}

fn compare(a: &Shape, b: &Shape, count: u32, dense: &[DVec3]) -> Deviations {
    let mut r = Numbers(11);
    let mut row = Deviations::default();
    let mut out: Vec<ManifoldPoint> = Vec::new();
    let query = ContactQuery { max_points: 8, ..ContactQuery::default() };
    while row.poses < count {
        let pose_a = Pose::new(r.vector() * 0.7, r.rotation());
        let pose_b = Pose::new(r.vector() * 0.2, r.rotation());
        let (first, second) = ((a, &pose_a), (b, &pose_b));
        collide(a, &pose_a, b, &pose_b, &query, &mut out);
        let separated = |n: &DVec3| depth_along(first, second, *n) < 0.0;
        if out.is_empty() && !matches!(b, Shape::Plane(_)) && dense.iter().any(separated) {
            continue;
        }
        let mut claimed = out.first().map(|p| p.normal);
        if out.is_empty() {
            // The direction that is held to separate shows in the margin.
            collide(a, &pose_a, b, &pose_b, &ContactQuery { margin: 0.1, ..query }, &mut out);
            claimed = out.first().map(|p| p.normal);
            out.clear();
        }
        let (n, depth) = reference(first, second, dense, claimed, &mut r);
        let deepest = out.iter().fold(0.0f64, |d, p| d.max(p.depth));
        if depth < 0.0 && out.is_empty() {
            continue;
        }
        row.poses += 1;
        row.points += out.len();
        row.above = row.above.max(deepest - depth.max(0.0));
        row.below = row.below.max(depth - deepest);
        // A direction of nearly the same depth is as right.
        if let Some(p) = out.first()
            && depth_along(first, second, p.normal) > depth + 1e-5
        {
            row.normal = row.normal.max((p.normal - n).length());
        }
    }
    row
}

#[test]
fn depths_and_normals_agree_with_brute_force() {
    let dense = directions(if cfg!(debug_assertions) { 300 } else { 600 });
    let count_of = |large: usize| u32::try_from(stiction_testing::cases(large / 10, large)).unwrap();
    let own = ["sphere", "box", "capsule", "cylinder", "plane"];
    let shapes = shapes();
    println!("first     second      poses  points   depth above   depth below  normal error");
    let mut failures = Vec::new();
    for (i, (name_a, a)) in shapes[..7].iter().enumerate() {
        for (name_b, b) in &shapes[i..] {
            let count = match own.contains(name_a) && own.contains(name_b) {
                _ if cfg!(debug_assertions) => 100,
                true => count_of(10_000),
                false => count_of(1000),
            };
            let row = compare(a, b, count, &dense);
            let mean = row.points as f64 / f64::from(row.poses);
            let (above, below, normal) = (row.above, row.below, row.normal);
            println!("{name_a:<10}{name_b:<10}{:>7}{mean:>8.2}{above:>14.1e}{below:>14.1e}{normal:>14.1e}", row.poses);
            // Boxes prefer faces to edges by 1 % of the depth, which is at most 1 m here.
            let biased = (*name_a, *name_b) == ("box", "box");
            let (allowed, normal_allowed) = if biased { (0.01, 2.0) } else { (1e-8, 1e-2) };
            // The negation also catches NaN.
            if !(above < allowed && below < allowed && normal < normal_allowed) {
                failures.push((*name_a, *name_b, above, below, normal));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:?}");
}

#[test]
#[ignore = "a timing, for the release profile"]
fn time_of_each_pair() {
    let shapes = shapes();
    let mut out = Vec::new();
    let query = ContactQuery { max_points: 4, margin: 0.001, ..ContactQuery::default() };
    for (i, (name_a, a)) in shapes[..7].iter().enumerate() {
        for (name_b, b) in &shapes[i..] {
            let mut r = Numbers(5);
            let poses: Vec<(Pose, Pose)> = (0..500)
                .map(|_| (Pose::new(r.vector() * 0.7, r.rotation()), Pose::new(r.vector() * 0.2, r.rotation())))
                .collect();
            let mut hits = 0;
            let start = Instant::now();
            for (pa, pb) in &poses {
                collide(a, pa, b, pb, &query, &mut out);
                hits += usize::from(!out.is_empty());
            }
            let each = start.elapsed().as_nanos() as f64 / poses.len() as f64;
            println!("{name_a:<10}{name_b:<10}{hits:>4} of 500 touch {each:>9.0} ns");
        }
    }
    let slab = Shape::cuboid(DVec3::new(4.0, 4.0, 1.0)).unwrap();
    let floor = Shape::plane(DVec3::Z, 0.5).unwrap();
    for (name, shape) in &shapes[..7] {
        for (other_name, other) in [("slab", &slab), ("floor", &floor)] {
            let height = 0.5 - shape.aabb(&Pose::IDENTITY).min.z - 1e-5;
            let pose = Pose::new(DVec3::Z * height, DQuat::from_rotation_z(0.3));
            let start = Instant::now();
            for _ in 0..2000 {
                collide(shape, &pose, other, &Pose::IDENTITY, &query, &mut out);
            }
            let each = start.elapsed().as_nanos() as f64 / 2000.0;
            println!("{name:<10}resting on {other_name:<6}{:>3} points {each:>8.0} ns", out.len());
        }
    }
}
