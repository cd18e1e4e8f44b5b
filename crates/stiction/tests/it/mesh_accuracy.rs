//! Meshes against brute force and against the convex hull of the same corners, and the time a pair takes.

#![expect(clippy::unwrap_used, reason = "a test")]

use crate::numbers;

use std::ops::ControlFlow;
use std::time::Instant;

use numbers::Numbers;
use stiction::collision::{ContactQuery, ManifoldPoint, collide};
use stiction::math::{DVec3, Pose};
use stiction::shape::{Aabb, HeightfieldDefinition, MassProperties, Shape, TriangleMesh};

fn mesh_of(shape: &Shape) -> &TriangleMesh {
    match shape {
        Shape::TriangleMesh(mesh) => mesh,
        _ => panic!("a mesh"),
    }
}

/// A hull of random points, and the mesh of its triangles as a soup without shared vertices.
fn hull_and_mesh(r: &mut Numbers) -> (Shape, Shape) {
    let points: Vec<DVec3> = (0..14).map(|_| 0.5 * r.vector()).collect();
    let hull = Shape::convex_hull(&points).unwrap();
    let Shape::ConvexHull(inner) = &hull else { panic!("a hull") };
    let vertices: Vec<DVec3> = inner.triangles().iter().flat_map(|t| t.map(|v| inner.vertices()[v as usize])).collect();
    let triangles: Vec<[u32; 3]> = (0..vertices.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let mesh = Shape::triangle_mesh(&vertices, &triangles).unwrap();
    (hull, mesh)
}

/// A grid over [-half, half]² of n × n cells, as high as `height` says.
fn grid(n: u32, half: f64, height: impl Fn(f64, f64) -> f64) -> Shape {
    let at = |i: u32| half * (2.0 * f64::from(i) / f64::from(n) - 1.0);
    let mut vertices = Vec::new();
    for j in 0..=n {
        for i in 0..=n {
            vertices.push(DVec3::new(at(i), at(j), height(at(i), at(j))));
        }
    }
    let k = |i: u32, j: u32| i + j * (n + 1);
    let mut triangles = Vec::new();
    for j in 0..n {
        for i in 0..n {
            triangles.push([k(i, j), k(i + 1, j), k(i, j + 1)]);
            triangles.push([k(i + 1, j + 1), k(i, j + 1), k(i + 1, j)]);
        }
    }
    Shape::triangle_mesh(&vertices, &triangles).unwrap()
}

fn solids(r: &mut Numbers) -> Vec<(&'static str, Shape)> {
    let points: Vec<DVec3> = (0..14).map(|_| 0.3 * r.vector()).collect();
    vec![
        ("sphere", Shape::sphere(0.3).unwrap()),
        ("box", Shape::cuboid(DVec3::new(0.4, 0.5, 0.7)).unwrap()),
        ("capsule", Shape::capsule(0.2, 0.5).unwrap()),
        ("cylinder", Shape::cylinder(0.25, 0.6).unwrap()),
        ("ellipsoid", Shape::ellipsoid(DVec3::new(0.2, 0.3, 0.25)).unwrap()),
        ("cone", Shape::cone(0.3, 0.6).unwrap()),
        ("hull", Shape::convex_hull(&points).unwrap()),
    ]
}

fn deepest(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, out: &mut Vec<ManifoldPoint>) -> Option<f64> {
    collide(a, pose_a, b, pose_b, &ContactQuery { max_points: 8, ..ContactQuery::default() }, out);
    out.iter().map(|p| p.depth).reduce(f64::max)
}

#[test]
fn a_closed_convex_mesh_is_as_deep_as_its_hull() {
    let mut r = Numbers(5);
    let mut out = Vec::new();
    for (name, solid) in solids(&mut r) {
        let (mut worst, mut hits, mut misses) = (0.0f64, 0, 0);
        for _ in 0..400 {
            let (hull, mesh) = hull_and_mesh(&mut r);
            let rotation = r.rotation();
            let direction = r.vector().normalize_or(DVec3::X);
            let pose_b = Pose::new(r.vector(), r.rotation());
            // Towards each other until they overlap by some millimetres.
            let mut along = 2.0;
            let mut depth = None;
            while along > 0.0 && depth.is_none() {
                along -= 0.01;
                let pose = Pose::new(pose_b.position + direction * along, rotation);
                depth = deepest(&solid, &pose, &hull, &pose_b, &mut out);
            }
            let pose = Pose::new(pose_b.position + direction * along, rotation);
            if hull.point_depth(&pose_b, pose.position) > 0.0 {
                continue;
            }
            hits += 1;
            match (depth, deepest(&solid, &pose, &mesh, &pose_b, &mut out)) {
                (Some(depth), Some(found)) => worst = worst.max((depth - found).abs()),
                _ => misses += 1,
            }
        }
        println!("{name}: {hits} pairs, {misses} missed, worst difference {worst:e} m");
        assert!(hits > 300 && misses == 0 && worst < 1e-6, "{name}: {hits} {misses} {worst:e}");
    }
}

#[test]
fn one_triangle_is_as_deep_as_the_least_overlap_over_its_directions() {
    let mut r = Numbers(9);
    let mut out = Vec::new();
    for (name, solid) in solids(&mut r) {
        for _ in 0..300 {
            let corners = [r.vector(), r.vector(), r.vector()];
            let Ok(mesh) = Shape::triangle_mesh(&corners, &[[0, 1, 2]]) else { continue };
            let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize();
            let [u, v] = [r.next(), r.next()].map(|x| 0.45 * x + 0.05);
            let foot = corners[0] + (corners[1] - corners[0]) * u + (corners[2] - corners[0]) * v;
            let rotation = r.rotation();
            let back = Pose::from_rotation(rotation);
            let low = back.point(solid.support(back.inverse_direction(-normal)));
            // The lowest point 1 mm under the face: never deeper than that, and always found.
            let pose = Pose::new(foot - low - normal * 1e-3, rotation);
            let depth = deepest(&solid, &pose, &mesh, &Pose::IDENTITY, &mut out);
            assert!(depth.is_some_and(|d| d > 0.0 && d < 1e-3 + 1e-9), "{name}: {depth:?}");
            let interior = [u, v, 1.0 - u - v].into_iter().all(|x| x > 0.1);
            let large = (corners[1] - corners[0]).cross(corners[2] - corners[0]).length() > 0.5;
            if interior && large {
                assert!(depth.is_some_and(|d| (d - 1e-3).abs() < 1e-9), "{name}: {depth:?}");
            }
        }
    }
}

#[test]
fn tree_finds_what_brute_force_finds() {
    let mut r = Numbers(2);
    let vertices: Vec<DVec3> = (0..600).map(|_| r.vector()).collect();
    let triangles: Vec<[u32; 3]> = (0..900).map(|_| [0; 3].map(|_: u32| (r.next() * 600.0) as u32)).collect();
    let shape = Shape::triangle_mesh(&vertices, &triangles).unwrap();
    let mesh = mesh_of(&shape);
    let corners = |t: usize| triangles[t].map(|v| vertices[v as usize]);
    let is_flat = |t: usize| mesh.triangle(t as u32).unwrap().normal == DVec3::ZERO;
    for _ in 0..300 {
        let aabb = Aabb::from_center(r.vector(), 0.2 * (r.vector() + DVec3::ONE));
        let mut found = Vec::new();
        mesh.candidates(&aabb, |t| found.push(t));
        found.sort_unstable();
        let bounds = |t: usize| corners(t).iter().fold(Aabb::EMPTY, |sum, &p| sum.merged(&Aabb::new(p, p)));
        let expected: Vec<u32> =
            (0..900).filter(|&t| !is_flat(t) && bounds(t).intersects(&aabb)).map(|t| t as u32).collect();
        assert_eq!(found, expected);

        let point = 1.5 * r.vector();
        let nearest = mesh.nearest(point, f64::INFINITY).unwrap();
        let distance = |t: usize| (mesh.triangle(t as u32).unwrap().nearest(point).point - point).length();
        let least = (0..900).filter(|&t| !is_flat(t)).map(distance).fold(f64::INFINITY, f64::min);
        assert_eq!((nearest.point - point).length(), least);

        let (origin, direction) = (2.0 * r.vector(), r.vector().normalize());
        let mut all = Vec::new();
        mesh.visit_ray_hits(origin, direction, 10.0, false, |hit| {
            all.push(hit.triangle);
            ControlFlow::Continue(())
        });
        all.sort_unstable();
        let line = |t: usize| mesh.triangle(t as u32).unwrap().line(origin, direction);
        let meets = |t: &usize| !is_flat(*t) && line(*t).is_some_and(|(s, _)| (0.0..=10.0).contains(&s));
        let expected: Vec<u32> = (0..900).filter(meets).map(|t| t as u32).collect();
        assert_eq!(all, expected);
        let first = mesh.first_ray_hit(origin, direction, 10.0, false).map(|hit| hit.distance);
        assert_eq!(first, expected.iter().map(|&t| line(t as usize).unwrap().0).reduce(f64::min));

        let support = shape.support(direction).dot(direction);
        let used = triangles.iter().enumerate().filter(|(t, _)| !is_flat(*t)).flat_map(|(_, c)| *c);
        assert_eq!(support, used.map(|v| vertices[v as usize].dot(direction)).fold(f64::NEG_INFINITY, f64::max));
    }
}

#[test]
fn a_sphere_rolls_over_flat_tiles_as_over_a_plane() {
    let (ball, ground) = (Shape::sphere(0.5).unwrap(), grid(40, 2.0, |_, _| 0.0));
    let mut r = Numbers(7);
    let mut out = Vec::new();
    for k in 0..1000 {
        let mut place = DVec3::new(1.4 * r.signed(), 1.4 * r.signed(), 0.499);
        if k % 3 == 0 {
            // On the lines of the grid too.
            place.x = 0.1 * (10.0 * place.x).round();
        }
        let query = ContactQuery { max_points: 8, ..ContactQuery::default() };
        collide(&ball, &Pose::from_position(place), &ground, &Pose::IDENTITY, &query, &mut out);
        assert_eq!(out.len(), 1, "{place} {out:?}");
        assert_eq!(out[0].normal, DVec3::Z);
        assert!((out[0].depth - 1e-3).abs() < 1e-12 && (out[0].position - place.with_z(-5e-4)).length() < 1e-12);
    }
}

#[test]
fn a_sphere_on_hills_is_as_deep_as_its_nearest_point() {
    let (ball, ground) = (Shape::sphere(0.3).unwrap(), grid(30, 2.0, |x, y| 0.2 * (3.0 * x).sin() * (2.0 * y).cos()));
    let mesh = mesh_of(&ground);
    let mut r = Numbers(8);
    let mut out = Vec::new();
    let mut hits = 0;
    for _ in 0..2000 {
        let place = DVec3::new(1.5 * r.signed(), 1.5 * r.signed(), 0.45 * r.signed() + 0.2);
        let triangles = (0..mesh.triangles().len() as u32).map(|t| mesh.triangle(t).unwrap());
        let nearest = triangles.map(|t| (t.nearest(place).point - place).length()).fold(f64::INFINITY, f64::min);
        if ground.ray_cast(&Pose::IDENTITY, place, DVec3::NEG_Z, 10.0).is_none() {
            continue;
        }
        let depth = deepest(&ball, &Pose::from_position(place), &ground, &Pose::IDENTITY, &mut out);
        if nearest < 0.3 {
            hits += 1;
            assert!(depth.is_some_and(|d| (d - (0.3 - nearest)).abs() < 1e-9), "{place} {depth:?} {nearest}");
        } else {
            assert_eq!(depth, None);
        }
    }
    assert!(hits > 300, "{hits}");
}

#[test]
fn a_heightfield_is_the_mesh_of_its_triangles() {
    let mut r = Numbers(4);
    let (columns, rows) = (13, 9);
    let heights: Vec<f64> = (0..columns * rows).map(|_| r.signed()).collect();
    let definition = HeightfieldDefinition {
        heights: &heights,
        columns,
        rows,
        width: 6.0,
        depth: 4.0,
        scale: 0.2,
        offset: 0.1,
        thickness: 1.0,
        wraps: false,
    };
    let field = Shape::heightfield(&definition).unwrap();
    let Shape::Heightfield(inner) = &field else { panic!("a field") };
    let triangles: Vec<_> = (0..).map_while(|t| inner.triangle(t)).collect();
    assert_eq!(triangles.len(), 2 * (columns - 1) * (rows - 1));
    let vertices: Vec<DVec3> = triangles.iter().flat_map(|t| t.corners).collect();
    let soup: Vec<[u32; 3]> = (0..triangles.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let mesh = Shape::triangle_mesh(&vertices, &soup).unwrap();
    let mut out = Vec::new();
    for (name, solid) in solids(&mut r) {
        for _ in 0..200 {
            let place = DVec3::new(2.5 * r.signed(), 0.0, 1.5 * r.signed());
            let y = inner.height_at(place.x, place.z).unwrap();
            let pose = Pose::new(place.with_y(y + 0.3), r.rotation());
            let depth = deepest(&solid, &pose, &field, &Pose::IDENTITY, &mut out);
            let count = out.len();
            let expected = deepest(&solid, &pose, &mesh, &Pose::IDENTITY, &mut out);
            match (depth, expected) {
                (Some(d), Some(e)) => assert!((d - e).abs() < 1e-9 && count == out.len(), "{name} {d} {e}"),
                _ => assert_eq!(depth, expected, "{name}"),
            }
        }
    }
    for _ in 0..500 {
        let origin = DVec3::new(4.0 * r.signed(), 2.0 * r.signed(), 3.0 * r.signed());
        let direction = r.vector().normalize();
        let hits = [&field, &mesh].map(|s| s.ray_cast(&Pose::IDENTITY, origin, direction, 20.0).map(|h| h.distance));
        match hits {
            [Some(s), Some(t)] => assert!((s - t).abs() < 1e-9),
            _ => assert_eq!(hits[0], hits[1]),
        }
        let distance = [&field, &mesh].map(|s| s.point_depth(&Pose::IDENTITY, origin).abs());
        assert!((distance[0] - distance[1]).abs() < 1e-9, "{origin} {distance:?}");
    }
}

/// A long block whose mesh is not closed, so that it is no hull: a point of contact lies midway between the two surfaces, no farther
/// from the ellipsoid than half its depth.
#[test]
fn ellipsoids_on_long_edges_touch_where_they_are() {
    let corner = |k: u32| {
        DVec3::new(f64::from(k & 1) * 0.8 - 0.4, f64::from(k >> 1 & 1) * 0.08 - 0.04, f64::from(k >> 2 & 1) * 0.2 - 0.1)
    };
    let Shape::ConvexHull(hull) = Shape::convex_hull(&(0..8).map(corner).collect::<Vec<_>>()).unwrap() else {
        panic!("a hull")
    };
    let (mut vertices, mut triangles) = (hull.vertices().to_vec(), hull.triangles().to_vec());
    let [a, b, c] = triangles[0];
    vertices.push(0.5 * (vertices[a as usize] + vertices[b as usize]));
    triangles[0] = [a, 8, c];
    triangles.push([8, b, c]);
    let block = Shape::triangle_mesh(&vertices, &triangles).unwrap();
    assert!(!mesh_of(&block).is_closed());
    let (mut r, mut points) = (Numbers(6), Vec::new());
    let (mut seen, mut off) = (0, 0);
    for _ in 0..4000 {
        let axes = DVec3::splat(0.25) + 0.15 * r.vector();
        let solid = Shape::ellipsoid(axes).unwrap();
        let pose = Pose::new(r.vector() * DVec3::new(0.5, 0.45, 0.45), r.rotation());
        collide(
            &solid,
            &pose,
            &block,
            &Pose::IDENTITY,
            &ContactQuery { max_points: 32, ..ContactQuery::default() },
            &mut points,
        );
        for point in points.iter().filter(|p| p.depth < 0.1) {
            seen += 1;
            off += usize::from(-solid.point_depth(&pose, point.position) > 0.5 * point.depth + 0.02);
        }
    }
    assert!(seen > 1000 && off == 0, "{off} of {seen} points lie off the ellipsoid");
}

#[test]
fn a_cube_mesh_has_the_mass_of_a_box_wherever_it_lies() {
    for offset in [DVec3::new(0.0, 0.0, 0.49), DVec3::new(1e4, -2e4, 3e4)] {
        let side = |i: u32, bit: u32| if i & bit != 0 { 0.5 } else { -0.5 };
        let points: Vec<DVec3> = (0..8).map(|i| DVec3::new(side(i, 1), side(i, 2), side(i, 4)) + offset).collect();
        let Shape::ConvexHull(hull) = Shape::convex_hull(&points).unwrap() else { panic!("a hull") };
        let shape = Shape::triangle_mesh(hull.vertices(), hull.triangles()).unwrap();
        let mesh = mesh_of(&shape);
        assert!(mesh.is_closed() && (mesh.volume() - 1.0).abs() < 1e-9);
        let mass = mesh.mass_properties(1.0).unwrap();
        let expected = MassProperties::cuboid(1.0, DVec3::ONE).translated(offset);
        assert!((mass.mass - 1.0).abs() < 1e-9 && (mass.center_of_mass - offset).length() < 1e-9);
        let error = (mass.inertia - expected.inertia).to_cols_array().into_iter().fold(0.0f64, |s, x| s.max(x.abs()));
        assert!(error < 1e-9, "{error:e}");
        if offset.x == 0.0 {
            let about_origin = mass.inertia_about_origin().x_axis.x;
            assert!((about_origin - (1.0 / 6.0 + 0.49 * 0.49)).abs() < 1e-14, "{about_origin}");
        }
        let inside_out: Vec<[u32; 3]> = hull.triangles().iter().map(|t| [t[0], t[2], t[1]]).collect();
        let turned = Shape::triangle_mesh(hull.vertices(), &inside_out).unwrap();
        assert!(mesh_of(&turned).mass_properties(1.0).is_err() && turned.mass_properties(1.0).is_none());
        let depth = |p: DVec3| shape.point_depth(&Pose::IDENTITY, p + offset);
        assert!((depth(DVec3::ZERO) - 0.5).abs() < 1e-9 && (depth(DVec3::X) + 0.5).abs() < 1e-9);
        assert!((depth(DVec3::ONE) + 0.75f64.sqrt()).abs() < 1e-9);
    }
}

#[test]
fn time_on_a_large_mesh() {
    let ground = grid(224, 50.0, |x, y| 0.3 * (0.7 * x).sin() * (0.5 * y).cos());
    println!("{} triangles", mesh_of(&ground).triangles().len());
    let mut r = Numbers(11);
    let mut out = Vec::new();
    for (name, solid) in solids(&mut r) {
        for is_deep in [false, true] {
            let places: Vec<Pose> = (0..2000)
                .map(|_| {
                    let place = DVec3::new(45.0 * r.signed(), 45.0 * r.signed(), 5.0);
                    let hit = ground.ray_cast(&Pose::IDENTITY, place, DVec3::NEG_Z, 10.0).unwrap();
                    let rotation = r.rotation();
                    let down = Pose::from_rotation(rotation).inverse_direction(-hit.normal);
                    let reach = solid.support(down).dot(down);
                    let rise = if is_deep { 0.24 } else { (reach - 5e-3) / hit.normal.z };
                    Pose::new(place - DVec3::Z * (hit.distance - rise), rotation)
                })
                .collect();
            let start = Instant::now();
            let mut points = 0;
            for pose in &places {
                collide(&solid, pose, &ground, &Pose::IDENTITY, &ContactQuery::default(), &mut out);
                points += out.len();
            }
            let time = start.elapsed().as_secs_f64() / places.len() as f64;
            let depth = if is_deep { "deep" } else { "touching" };
            println!("{name} {depth}: {:.2} µs, {:.2} points", 1e6 * time, points as f64 / places.len() as f64);
        }
    }
}

/// A body with a dent that crosses a wall of a room does not leave through the whole room: from the corner of two thin walls
/// the way out is no longer than the body is wide.
#[test]
fn what_crosses_a_wall_leaves_within_its_own_width() {
    let corner = |k: u32| DVec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2 & 1)) * 2.0 - DVec3::ONE;
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let mut vertices: Vec<DVec3> = (0..8).map(|k| 3.002 * corner(k)).collect();
    vertices.extend((0..8).map(|k| 3.0 * corner(k)));
    let mut triangles = Vec::new();
    for [a, b, c, d] in faces {
        triangles.extend([[a, b, c], [a, c, d], [a + 8, c + 8, b + 8], [a + 8, d + 8, c + 8]]);
    }
    let room = Shape::triangle_mesh(&vertices, &triangles).unwrap();
    // A cube whose upper face is pushed in.
    let mut vertices: Vec<DVec3> = (0..8).map(|k| 0.4 * corner(k)).collect();
    vertices.push(DVec3::new(0.0, 0.0, 0.1));
    let mut triangles = Vec::new();
    for [a, b, c, d] in faces {
        if [a, b, c, d] == faces[1] {
            triangles.extend([[a, b, 8], [b, c, 8], [c, d, 8], [d, a, 8]]);
        } else {
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    let body = Shape::triangle_mesh(&vertices, &triangles).unwrap();
    let width = 0.8 * 3f64.sqrt();
    let mut r = Numbers(5);
    let mut count = 0;
    for _ in 0..2000 {
        let at = DVec3::splat(3.0) - 0.6 * DVec3::new(r.next(), r.next(), r.next());
        let pose = Pose::new(at, r.rotation());
        let mut points = Vec::new();
        collide(&body, &pose, &room, &Pose::IDENTITY, &ContactQuery::default(), &mut points);
        count += usize::from(!points.is_empty());
        let deepest = points.iter().map(|p| p.depth).fold(0.0, f64::max);
        assert!(deepest <= 1.1 * width, "{deepest} m deep at {at}");
    }
    assert!(count > 1000, "{count} touch the room");
}
