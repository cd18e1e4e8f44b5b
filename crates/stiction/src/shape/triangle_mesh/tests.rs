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
