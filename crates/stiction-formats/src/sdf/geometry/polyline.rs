//! `<polyline>`: outlines in x and y that stand from 0 to a height.

use std::sync::Arc;

use stiction::math::DVec3;

use crate::description::GeometryDescription;
use crate::diagnostic::Diagnostic;
use crate::mesh::{MOST_CORNERS, MeshDescription, triangulate, with_holes};

use super::super::element::Element;
use super::super::read::Reader;
use super::super::report::Report;
use super::super::value;

/// Reads all `<polyline>` of a geometry. One convex outline is a hull; several lie within each other as filled and empty areas
/// in turn, and stand as high as the first.
pub(super) fn read(geometry: &Element, report: &mut Report) -> GeometryDescription {
    let Some(first) = geometry.child("polyline") else { return GeometryDescription::Empty };
    let height = Reader::new(Some(geometry), "geometry").real("polyline/height").value;
    let rings: Vec<Vec<DVec3>> = geometry.children_named("polyline").map(points).collect();
    if let [ring] = rings.as_slice()
        && is_convex(ring)
    {
        let corners = ring.iter().flat_map(|p| [*p, p.with_z(height)]).collect();
        return GeometryDescription::ConvexHull(Arc::new(corners));
    }
    let mut refuse = |message: &str| {
        report.add(
            Diagnostic::warning("polyline", format!("the outline {message}: this collision is left out"))
                .at(&first.location)
                .help("three points or more around an area, no two sides of which cross")
                .element(first.path.as_str()),
        );
        GeometryDescription::Unsupported("polyline".to_owned())
    };
    if rings.iter().any(|ring| ring.len() < 3) {
        return refuse("has fewer than three points");
    }
    if rings.iter().map(Vec::len).sum::<usize>() > MOST_CORNERS / 2 {
        return refuse("has more than 1000 points");
    }
    if crosses_any(&rings) {
        return refuse("crosses itself, or touches another one");
    }
    match prism(&rings, height) {
        Some(mesh) => GeometryDescription::Mesh(Arc::new(mesh)),
        None => refuse("encloses no area"),
    }
}

/// Points that differ from the one before; the last is not the first again.
fn points(line: &Element) -> Vec<DVec3> {
    let point = |p: &Element| match value::reals(&p.text)?.as_slice() {
        [x, y] if x.is_finite() && y.is_finite() => Some(DVec3::new(*x, *y, 0.0)),
        _ => None,
    };
    let mut ring: Vec<DVec3> = line.children_named("point").filter_map(point).collect();
    ring.dedup();
    while ring.len() > 1 && ring.first() == ring.last() {
        ring.pop();
    }
    ring
}

fn sides(ring: &[DVec3]) -> impl Iterator<Item = (DVec3, DVec3)> + '_ {
    ring.iter().copied().zip(ring.iter().copied().cycle().skip(1))
}

/// Area to the left of an outline \[m²\].
fn area(ring: &[DVec3]) -> f64 {
    sides(ring).map(|(a, b)| 0.5 * a.cross(b).z).sum()
}

/// A ray to the right leaves the outline an odd number of times.
fn holds(ring: &[DVec3], p: DVec3) -> bool {
    let is_met =
        |(a, b): &(DVec3, DVec3)| (a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x);
    sides(ring).filter(is_met).count() % 2 == 1
}

/// Two sides that have no end in common meet.
fn crosses_any(rings: &[Vec<DVec3>]) -> bool {
    let all: Vec<(DVec3, DVec3)> = rings.iter().flat_map(|ring| sides(ring)).collect();
    let turn = |a: DVec3, b: DVec3, p: DVec3| (b - a).cross(p - a).z;
    all.iter().enumerate().any(|(i, &(a, b))| {
        all[i + 1..].iter().any(|&(c, d)| {
            let are_neighbours = a == c || a == d || b == c || b == d;
            !are_neighbours
                && turn(a, b, c) * turn(a, b, d) <= 0.0
                && turn(c, d, a) * turn(c, d, b) <= 0.0
                && a.min(b).cmple(c.max(d)).all()
                && c.min(d).cmple(a.max(b)).all()
        })
    })
}

/// The solid between the outlines, from 0 to a height.
fn prism(rings: &[Vec<DVec3>], height: f64) -> Option<MeshDescription> {
    let depth = |ring: &[DVec3]| rings.iter().filter(|other| other.as_slice() != ring && holds(other, ring[0])).count();
    let mut vertices = Vec::new();
    // Counter-clockwise around what is filled.
    let numbered: Vec<(usize, Vec<u32>)> = rings
        .iter()
        .map(|ring| {
            let level = depth(ring);
            let first = vertices.len() as u32;
            vertices.extend(ring);
            let mut numbers: Vec<u32> = (first..first + ring.len() as u32).collect();
            if (area(ring) > 0.0) != level.is_multiple_of(2) {
                numbers.reverse();
            }
            (level, numbers)
        })
        .collect();
    let mut top = Vec::new();
    let mut filled = 0.0;
    for ((level, outer), ring) in numbered.iter().zip(rings).filter(|((level, _), _)| level.is_multiple_of(2)) {
        let is_hole = |((l, _), inner): &(&(usize, Vec<u32>), &Vec<DVec3>)| *l == level + 1 && holds(ring, inner[0]);
        let holes: Vec<_> = numbered.iter().zip(rings).filter(is_hole).collect();
        filled += area(ring).abs() - holes.iter().map(|(_, inner)| area(inner).abs()).sum::<f64>();
        let holes: Vec<Vec<u32>> = holes.into_iter().map(|((_, numbers), _)| numbers.clone()).collect();
        triangulate(&vertices, &with_holes(&vertices, outer, &holes), &mut top);
    }
    let of_triangle = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| vertices[v as usize]);
        0.5 * (b - a).cross(c - a).z
    };
    let covered: f64 = top.iter().map(of_triangle).sum();
    if filled <= 0.0 || (covered - filled).abs() > 1e-9 * filled {
        return None;
    }
    let count = vertices.len() as u32;
    let mut triangles: Vec<[u32; 3]> = top.iter().map(|[a, b, c]| [*a, *c, *b]).collect();
    triangles.extend(top.iter().map(|t| t.map(|v| v + count)));
    for (_, ring) in &numbered {
        for (a, b) in ring.iter().copied().zip(ring.iter().copied().cycle().skip(1)) {
            triangles.extend([[a, b, b + count], [a, b + count, a + count]]);
        }
    }
    let upper: Vec<DVec3> = vertices.iter().map(|v| v.with_z(height)).collect();
    vertices.extend(upper);
    Some(MeshDescription { vertices, triangles }.healed().0)
}

/// All turns go the same way, and once around.
fn is_convex(points: &[DVec3]) -> bool {
    let n = points.len();
    if n < 3 {
        return false;
    }
    let edge = |i: usize| points[(i + 1) % n] - points[i % n];
    let (mut left, mut right, mut turning) = (false, false, 0.0);
    for i in 0..n {
        let (a, b) = (edge(i), edge(i + 1));
        let cross = a.cross(b).z;
        left |= cross > 0.0;
        right |= cross < 0.0;
        turning += libm::atan2(cross, a.dot(b));
    }
    left != right && libm::fabs(turning) < 3.0 * core::f64::consts::PI
}
