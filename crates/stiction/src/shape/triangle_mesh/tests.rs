use std::ops::ControlFlow;

use glam::DVec3;

use super::*;
use crate::math::Pose;
use crate::shape::{HeightfieldDefinition, Shape};

const ROOF: [[f64; 3]; 4] = [[0.0, 0.0, 0.0], [0.0, 2.0, 0.0], [-1.0, 1.0, -0.5], [1.0, 1.0, -0.5]];

fn mesh(points: &[[f64; 3]], triangles: &[[u32; 3]]) -> TriangleMesh {
    let vertices: Vec<DVec3> = points.iter().map(|p| DVec3::from_array(*p)).collect();
    TriangleMesh::new(&vertices, triangles).unwrap()
}

#[test]
fn what_is_no_mesh_is_refused() {
    let vertices = [DVec3::ZERO, DVec3::X, DVec3::Y];
    assert_eq!(TriangleMesh::new(&vertices, &[]).unwrap_err(), ShapeError::NoTriangles);
    let error = TriangleMesh::new(&vertices, &[[0, 1, 2], [0, 1, 3]]).unwrap_err();
    assert_eq!(error, ShapeError::VertexIndex { triangle: 1, index: 3, vertices: 3 });
    let vertices = [DVec3::ZERO, DVec3::X * f64::NAN, DVec3::Y];
    assert_eq!(TriangleMesh::new(&vertices, &[[0, 1, 2]]).unwrap_err(), ShapeError::VertexNotFinite { index: 1 });
}

#[test]
fn ridges_and_valleys_are_told_apart_in_a_soup() {
    let ridge = mesh(&ROOF, &[[0, 3, 1], [0, 1, 2]]);
    assert_eq!(ridge.edge_kinds(0), [EdgeKind::Boundary, EdgeKind::Boundary, EdgeKind::Convex]);
    assert_eq!(ridge.neighbours(1), [Some(0), None, None]);
    // The same points doubled, wound the other way.
    let [a, b, c, d] = ROOF;
    let valley = mesh(&[a, d, b, a, b, c], &[[0, 2, 1], [3, 5, 4]]);
    assert_eq!(valley.edge_kinds(0), [EdgeKind::Concave, EdgeKind::Boundary, EdgeKind::Boundary]);
    assert!(!ridge.is_closed() && !valley.is_closed());
}

#[test]
fn a_degenerate_triangle_keeps_its_number_and_touches_nothing() {
    let flat = mesh(&[[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2], [0, 1, 3]]);
    let mut found = Vec::new();
    flat.candidates(&Aabb::INFINITE, |t| found.push(t));
    assert_eq!((found, flat.triangles().len()), (vec![1], 2));
    let nothing = Shape::triangle_mesh(&[DVec3::ZERO, DVec3::X], &[[0, 1, 0]]).unwrap();
    assert!(nothing.aabb(&Pose::IDENTITY).is_empty());
    assert_eq!(nothing.ray_cast(&Pose::IDENTITY, DVec3::Z, DVec3::NEG_Z, 2.0), None);
    assert_eq!(nothing.point_depth(&Pose::IDENTITY, DVec3::Z), f64::NEG_INFINITY);
}

#[test]
fn a_sheet_with_two_faces_joins_each_face_with_its_like() {
    let v = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    let sheet = mesh(&v, &[[0, 1, 2], [0, 2, 1], [0, 2, 3], [0, 3, 2]]);
    assert_eq!((sheet.neighbours(0)[2], sheet.neighbours(1)[0]), (Some(2), Some(3)));
    assert_eq!(sheet.edge_kinds(0)[2], EdgeKind::Flat);
}

#[test]
fn rays_cull_backs_and_stop_when_told() {
    let v = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0]];
    let two = mesh(&v, &[[0, 1, 2], [3, 5, 4]]);
    let from = DVec3::new(0.25, 0.5, 2.0);
    let count = |culls: bool, most: usize| {
        let mut hits = Vec::new();
        two.visit_ray_hits(from, DVec3::NEG_Z, 5.0, culls, |hit| {
            hits.push((hit.triangle, hit.barycentric));
            if hits.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        hits
    };
    assert_eq!(count(false, 9).len(), 2);
    assert_eq!(count(false, 1).len(), 1);
    assert_eq!(count(true, 9), [(0, [0.25, 0.5])]);
    assert_eq!(two.first_ray_hit(from, DVec3::NEG_Z, 5.0, false).map(|h| h.triangle), Some(1));
    assert_eq!(two.first_ray_hit(from, DVec3::NEG_Z, 0.5, false), None);
}

#[test]
fn an_endless_field_repeats() {
    let heights = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0];
    let definition = HeightfieldDefinition {
        heights: &heights,
        columns: 3,
        rows: 2,
        width: 2.0,
        depth: 1.0,
        scale: 0.5,
        offset: 1.0,
        thickness: 0.5,
        wraps: true,
    };
    let Shape::Heightfield(field) = Shape::heightfield(&definition).unwrap() else { panic!("a field") };
    // Samples of a row at -1, 0, 1; the first follows the last at 2.
    for (x, y) in [(-1.0, 1.0), (0.0, 1.5), (1.0, 2.0), (2.0, 1.0), (1.5, 1.5), (-2.0, 2.0), (302.0, 1.0)] {
        assert!((field.height_at(x, -0.5).unwrap() - y).abs() < 1e-9, "{x}");
    }
    let finite = HeightfieldDefinition { wraps: false, ..definition.clone() };
    let Shape::Heightfield(finite) = Shape::heightfield(&finite).unwrap() else { panic!("a field") };
    assert_eq!(finite.height_at(2.0, -0.5), None);
    assert_eq!(finite.bounds(), Aabb::new(DVec3::new(-1.0, 0.5, -0.5), DVec3::new(1.0, 3.5, 0.5)));
    // Mean height 2.25 over the bottom at 0.5.
    assert!((finite.volume() - 3.5).abs() < 1e-12, "{}", finite.volume());
    let few = HeightfieldDefinition { columns: 4, ..definition };
    assert!(matches!(Shape::heightfield(&few), Err(ShapeError::Samples { columns: 4, rows: 2, found: 6 })));
}

/// Uniform numbers by seed.
pub(super) struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn point(&mut self, size: f64) -> DVec3 {
        DVec3::new(self.next() - 0.5, self.next() - 0.5, self.next() - 0.5) * size
    }
}

/// Triangles of many sizes anywhere, some of them with the corners of others.
pub(super) fn soup(random: &mut Random, count: usize, size: f64, shift: DVec3) -> TriangleMesh {
    let mut vertices: Vec<DVec3> = Vec::new();
    let mut triangles = Vec::new();
    for _ in 0..count {
        let base = vertices.len() as u32;
        let middle = random.point(size);
        let reach = size * 0.3 * random.next();
        (0..3).for_each(|_| vertices.push(middle + random.point(reach) + shift));
        let mut corners = [base, base + 1, base + 2];
        if random.next() < 0.5 {
            corners[0] = (random.next() * f64::from(base + 1)) as u32;
        }
        triangles.push(corners);
    }
    TriangleMesh::new(&vertices, &triangles).unwrap()
}

/// Every question, answered by looking at all triangles.
fn judge(mesh: &TriangleMesh, random: &mut Random, size: f64, shift: DVec3) {
    let solid: Vec<Triangle> =
        (0..mesh.triangles().len() as u32).map(|t| mesh.at(t)).filter(|t| t.normal != DVec3::ZERO).collect();
    for _ in 0..20 {
        let p = random.point(2.0 * size) + shift;
        let least = solid.iter().map(|t| (p - t.nearest(p).point).length_squared()).fold(f64::INFINITY, f64::min);
        let found = mesh.nearest(p, f64::INFINITY).unwrap();
        assert_eq!((p - found.point).length_squared(), least);
        assert!(mesh.nearest(p, 0.999 * least.sqrt()).is_none());

        let aabb = Aabb::from_center(p, random.point(size).abs());
        let inside = |p: &DVec3| p.cmpge(aabb.min).all() && p.cmple(aabb.max).all();
        let mut found = Vec::new();
        mesh.candidates(&aabb, |t| found.push(t));
        found.sort_unstable();
        let bounds = |t: &Triangle| t.corners.iter().fold(Aabb::EMPTY, |sum, &p| sum.merged(&Aabb::new(p, p)));
        let all: Vec<u32> = solid.iter().filter(|t| bounds(t).intersects(&aabb)).map(|t| t.index).collect();
        assert_eq!(found, all);
        let mut found = Vec::new();
        mesh.vertices_in(&aabb, |v| found.push(mesh.vertices()[v as usize].to_array()));
        let mut all: Vec<[f64; 3]> =
            solid.iter().flat_map(|t| t.corners).filter(inside).map(|p| p.to_array()).collect();
        let order = |p: &[f64; 3], q: &[f64; 3]| p.partial_cmp(q).unwrap();
        found.sort_unstable_by(order);
        all.sort_unstable_by(order);
        all.dedup();
        assert_eq!(found, all);

        let d = random.point(1.0).normalize();
        let top = solid.iter().flat_map(|t| t.corners).map(|p| p.dot(d)).fold(f64::NEG_INFINITY, f64::max);
        assert_eq!(mesh.support(d).dot(d), top);
        let offset = p.dot(d);
        let mut count = 0;
        mesh.vertices_below(d, offset, |_| count += 1);
        let mut below: Vec<[f64; 3]> =
            solid.iter().flat_map(|t| t.corners).filter(|p| d.dot(*p) <= offset).map(|p| p.to_array()).collect();
        below.sort_unstable_by(order);
        below.dedup();
        assert_eq!(count, below.len());

        // Towards a place of a triangle, or along an axis.
        let target = solid[(random.next() * solid.len() as f64) as usize];
        let d = if random.next() < 0.3 { DVec3::Z } else { (target.corners[0] - p).normalize() };
        let most = if random.next() < 0.5 { f64::INFINITY } else { size };
        let hits = |t: &Triangle| t.line(p, d).map(|(s, _)| s).filter(|s| *s >= 0.0 && *s <= most);
        let first = solid.iter().filter_map(|t| hits(t).map(|s| (s, t.index))).fold(None, |best, next| match best {
            Some(best) if best <= next => Some(best),
            _ => Some(next),
        });
        assert_eq!(mesh.first_ray_hit(p, d, most, false).map(|hit| (hit.distance, hit.triangle)), first);
        let mut found = Vec::new();
        mesh.visit_ray_hits(p, d, most, false, |hit| {
            found.push(hit.triangle);
            ControlFlow::Continue(())
        });
        found.sort_unstable();
        let all: Vec<u32> = solid.iter().filter(|t| hits(t).is_some()).map(|t| t.index).collect();
        assert_eq!(found, all);
    }
}

#[test]
fn the_tree_finds_what_a_look_at_all_finds() {
    let mut random = Random(3);
    for round in 0..200 {
        let count = 1 + (random.next() * 300.0) as usize;
        // Also beyond single precision, both ways, and far from the origin.
        let size = [1.0, 1e-3, 1e4, 1e-50, 1e50][round % 5];
        let shift = if round % 2 == 0 { DVec3::ZERO } else { random.point(1e3 * size) };
        let mesh = soup(&mut random, count, size, shift);
        judge(&mesh, &mut random, size, shift);
    }
}

#[test]
fn a_mesh_that_is_fitted_is_the_mesh_built_anew() {
    let mut random = Random(5);
    for round in 0..200 {
        let count = 1 + (random.next() * 200.0) as usize;
        let mut mesh = soup(&mut random, count, 1.0, DVec3::ZERO);
        let scale = [1.0, 1.0, 1e-40, 1e60][round % 4];
        let stretch = random.point(2.0);
        let mut moved: Vec<DVec3> = mesh.vertices().iter().map(|p| (*p * (1.0 + stretch) + stretch) * scale).collect();
        let pick = |random: &mut Random| (random.next() * mesh.vertices().len() as f64) as usize;
        match round % 3 {
            // Two vertices at one place, and a triangle without an area: other neighbours.
            1 => moved[pick(&mut random)] = moved[pick(&mut random)],
            2 => {
                let [a, b, c] = mesh.triangles()[0].map(|v| v as usize);
                moved[c] = 0.5 * (moved[a] + moved[b]);
            }
            _ => {}
        }
        let fresh = TriangleMesh::new(&moved, mesh.triangles()).unwrap();
        mesh.refit(moved).unwrap();
        assert_eq!(
            (mesh.bounds(), mesh.volume(), mesh.is_closed()),
            (fresh.bounds(), fresh.volume(), fresh.is_closed())
        );
        for t in 0..mesh.triangles().len() as u32 {
            assert_eq!(mesh.triangle(t), fresh.triangle(t));
            assert_eq!((mesh.neighbours(t), mesh.edge_kinds(t)), (fresh.neighbours(t), fresh.edge_kinds(t)));
        }
        for _ in 0..20 {
            let p = random.point(3.0) * scale;
            let far = |mesh: &TriangleMesh| mesh.nearest(p, f64::INFINITY).map(|n| (p - n.point).length());
            assert_eq!(far(&mesh), far(&fresh));
            let d = random.point(1.0).normalize();
            assert_eq!(mesh.first_ray_hit(p, d, f64::INFINITY, false), fresh.first_ray_hit(p, d, f64::INFINITY, false));
        }
        if scale == 1.0 {
            judge(&mesh, &mut random, 2.0, stretch);
        }
    }
    let cube = crate::shape::ConvexHull::new(
        &[0, 1, 2, 3, 4, 5, 6, 7].map(|i: i32| DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2))),
    )
    .unwrap();
    let mut mesh = TriangleMesh::new(cube.vertices(), cube.triangles()).unwrap();
    assert!(mesh.hull().is_some());
    // One corner pushed in: it bounds a solid that is not convex.
    let mut vertices = mesh.vertices().to_vec();
    vertices[0] = 0.4 * vertices[0] + 0.6 * DVec3::splat(0.5);
    mesh.refit(vertices.clone()).unwrap();
    assert!(mesh.hull().is_none() && mesh.is_closed());
    mesh.refit(cube.vertices().to_vec()).unwrap();
    assert!(mesh.hull().is_some() && (mesh.volume() - 1.0).abs() < 1e-15);
    assert_eq!(mesh.refit(vertices[1..].to_vec()), Err(ShapeError::VertexCount { found: 7, expected: 8 }));
    vertices[3] = DVec3::NAN;
    assert_eq!(mesh.refit(vertices), Err(ShapeError::VertexNotFinite { index: 3 }));
    assert!((mesh.volume() - 1.0).abs() < 1e-15);
}
