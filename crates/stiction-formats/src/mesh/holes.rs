//! Polygons with holes as polygons without, by bridges.

use stiction::math::{DVec2, DVec3};

use super::polygon::newell;

/// The outline with its holes cut in: each hole is joined by two coincident edges, from one of its corners to the nearest one
/// around that it sees. The result can be cut into ears.
pub(crate) fn with_holes(vertices: &[DVec3], outer: &[u32], holes: &[Vec<u32>]) -> Vec<u32> {
    let mut polygon = outer.to_vec();
    if outer.len() < 3 {
        return polygon;
    }
    let normal = newell(vertices, outer).normalize_or(DVec3::Z);
    let u = normal.any_orthonormal_vector();
    let v = normal.cross(u);
    let flat = |i: u32| DVec2::new(vertices[i as usize].dot(u), vertices[i as usize].dot(v));
    let mut rest: Vec<Vec<u32>> = holes.iter().filter(|h| h.len() >= 3).cloned().collect();
    for hole in &mut rest {
        // A hole turns the other way.
        if newell(vertices, hole).dot(normal) > 0.0 {
            hole.reverse();
        }
        let first = (0..hole.len()).max_by(|i, j| flat(hole[*i]).x.total_cmp(&flat(hole[*j]).x)).unwrap_or(0);
        hole.rotate_left(first);
    }
    // The hole that reaches farthest sees the outline past all others.
    rest.sort_by(|a, b| flat(b[0]).x.total_cmp(&flat(a[0]).x));
    for index in 0..rest.len() {
        let hole = &rest[index];
        let from = flat(hole[0]);
        let mut corners: Vec<usize> = (0..polygon.len()).collect();
        corners.sort_by(|i, j| {
            let far = |k: usize| flat(polygon[k]).distance_squared(from);
            far(*i).total_cmp(&far(*j)).then(i.cmp(j))
        });
        let sees = |at: &usize| {
            let to = flat(polygon[*at]);
            let around = std::iter::once(&polygon).chain(&rest[index..]);
            is_within(&polygon, *at, from, &flat)
                && around.flat_map(|ring| edges(ring)).all(|(a, b)| !crosses(from, to, flat(a), flat(b)))
        };
        let at = corners.iter().find(|at| sees(at)).or(corners.first()).copied().unwrap_or(0);
        let bridge = hole.iter().chain([&hole[0]]).copied().chain([polygon[at]]).collect::<Vec<_>>();
        polygon.splice(at + 1..at + 1, bridge);
    }
    polygon
}

fn edges(ring: &[u32]) -> impl Iterator<Item = (u32, u32)> + '_ {
    ring.iter().copied().zip(ring.iter().copied().cycle().skip(1))
}

/// A point lies in the angle of a corner: of a corner that bridges meet in several times, one of its copies has it inside.
fn is_within(polygon: &[u32], at: usize, point: DVec2, flat: &impl Fn(u32) -> DVec2) -> bool {
    let count = polygon.len();
    let [before, here, after] = [(at + count - 1) % count, at, (at + 1) % count].map(|i| flat(polygon[i]));
    let left = |from: DVec2, to: DVec2| (to - from).perp_dot(point - from) > 0.0;
    let is_convex = (here - before).perp_dot(after - here) >= 0.0;
    let (along, beyond) = (left(before, here), left(here, after));
    if is_convex { along && beyond } else { along || beyond }
}

/// Two segments meet, other than in an end that they share.
fn crosses(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> bool {
    if [a, b].iter().any(|p| *p == c || *p == d) {
        return false;
    }
    let side = |from: DVec2, to: DVec2, p: DVec2| (to - from).perp_dot(p - from);
    let (s, t) = (side(a, b, c), side(a, b, d));
    let (p, q) = (side(c, d, a), side(c, d, b));
    s * t <= 0.0 && p * q <= 0.0
}

#[cfg(test)]
mod tests {
    use super::super::polygon::triangulate;
    use super::*;

    #[test]
    fn a_plate_keeps_its_area_less_that_of_its_holes() {
        let mut vertices = Vec::new();
        let mut rectangle = |x: f64, y: f64, w: f64, h: f64| -> Vec<u32> {
            let first = vertices.len() as u32;
            let corners = [(x, y), (x + w, y), (x + w, y + h), (x, y + h)];
            vertices.extend(corners.map(|(x, y)| DVec3::new(x, y, 2.0)));
            (first..first + 4).collect()
        };
        let outer = rectangle(0.0, 0.0, 10.0, 8.0);
        let mut holes = Vec::new();
        for (i, j) in [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)] {
            holes.push(rectangle(1.0 + 3.0 * f64::from(i), 1.0 + 3.5 * f64::from(j), 2.0, 2.0));
        }
        let mut triangles = Vec::new();
        let polygon = with_holes(&vertices, &outer, &holes);
        triangulate(&vertices, &polygon, &mut triangles);
        let area: f64 = triangles
            .iter()
            .map(|t: &[u32; 3]| {
                let [a, b, c] = t.map(|i| vertices[i as usize]);
                0.5 * (b - a).cross(c - a).z
            })
            .sum();
        // Euler: n corners and h holes make n + 2 h − 2 triangles.
        assert_eq!(triangles.len(), 28 + 12 - 2);
        assert!((area - (80.0 - 24.0)).abs() < 1e-12, "{area}");
    }
}
