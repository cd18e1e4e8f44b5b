//! Faces with more than three corners as triangles.

use stiction::math::DVec3;

/// Corners of a face at most: ears are sought among all of them.
pub(crate) const MOST_CORNERS: usize = 2000;

/// Why faces cannot be read; `item` counts the numbers of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FaceError {
    /// An index of no vertex.
    Index { item: usize, found: i64 },
    /// A face with too many corners.
    Corners { item: usize, found: usize },
}

/// The triangles of faces given as lists of indices that −1 ends.
pub(crate) fn faces(vertices: &[DVec3], indices: &[i64]) -> Result<Vec<[u32; 3]>, FaceError> {
    let mut triangles = Vec::new();
    let mut face: Vec<u32> = Vec::new();
    for (item, index) in indices.iter().copied().chain([-1]).enumerate() {
        if index < 0 {
            if face.len() > MOST_CORNERS {
                return Err(FaceError::Corners { item, found: face.len() });
            }
            triangulate(vertices, &face, &mut triangles);
            face.clear();
        } else {
            let known = u32::try_from(index).ok().filter(|v| (*v as usize) < vertices.len());
            face.push(known.ok_or(FaceError::Index { item, found: index })?);
        }
    }
    Ok(triangles)
}

/// Cuts ears off a polygon (Meisters 1975): n − 2 triangles with the sense of the polygon, which need not be convex. No
/// ear has its corners in one line if another one is left, since triangles without area would open a closed mesh.
pub(crate) fn triangulate(vertices: &[DVec3], polygon: &[u32], into: &mut Vec<[u32; 3]>) {
    let at = |v: u32| vertices[v as usize];
    let mut rest: Vec<u32> = polygon.to_vec();
    rest.dedup_by(|a, b| at(*a) == at(*b));
    while rest.len() > 1 && rest.first().map(|v| at(*v)) == rest.last().map(|v| at(*v)) {
        rest.pop();
    }
    if rest.len() < 3 {
        return;
    }
    let normal = newell(vertices, &rest);
    while rest.len() > 3 {
        let count = rest.len();
        let corners = |i: usize| [rest[(i + count - 1) % count], rest[i], rest[(i + 1) % count]];
        let is_ear = |i: &usize| is_ear(vertices, &rest, corners(*i), normal);
        // A polygon that crosses itself may have none.
        let ear = (0..count).find(is_ear).unwrap_or(0);
        into.push(corners(ear));
        rest.remove(ear);
    }
    into.push([rest[0], rest[1], rest[2]]);
}

/// Twice the area of a polygon, along its normal.
pub(super) fn newell(vertices: &[DVec3], polygon: &[u32]) -> DVec3 {
    let origin = vertices[polygon[0] as usize];
    let next = polygon.iter().cycle().skip(1);
    let sides = polygon.iter().zip(next).map(|(a, b)| [a, b].map(|v| vertices[*v as usize] - origin));
    sides.map(|[a, b]| a.cross(b)).sum()
}

/// The triangle turns as the polygon does, and no other corner lies in it or on its sides.
fn is_ear(vertices: &[DVec3], polygon: &[u32], triangle: [u32; 3], normal: DVec3) -> bool {
    let [a, b, c] = triangle.map(|v| vertices[v as usize]);
    let area = (b - a).cross(c - a).dot(normal);
    let scale = normal.length() * [b - a, c - b, a - c].map(DVec3::length_squared).into_iter().fold(0.0, f64::max);
    if area <= 1e-12 * scale {
        return false;
    }
    let slack = 1e-12 * scale;
    polygon.iter().map(|v| vertices[*v as usize]).filter(|p| ![a, b, c].contains(p)).all(|p| {
        let side = |from: DVec3, to: DVec3| (to - from).cross(p - from).dot(normal);
        side(a, b) < -slack || side(b, c) < -slack || side(c, a) < -slack
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(vertices: &[DVec3], triangles: &[[u32; 3]]) -> (f64, f64) {
        let areas = triangles.iter().map(|t| {
            let [a, b, c] = t.map(|v| vertices[v as usize]);
            0.5 * (b - a).cross(c - a).z
        });
        areas.fold((0.0, f64::INFINITY), |(sum, least), a| (sum + a, least.min(a)))
    }

    #[test]
    fn a_polygon_that_is_not_convex_keeps_its_area() {
        let comb = [(0, 0), (6, 0), (6, 3), (5, 1), (4, 3), (3, 1), (2, 3), (1, 1), (0, 3)];
        let vertices: Vec<DVec3> = comb.iter().map(|(x, y)| DVec3::new(f64::from(*x), f64::from(*y), 0.0)).collect();
        let triangles = faces(&vertices, &[0, 1, 2, 3, 4, 5, 6, 7, 8, -1]).unwrap();
        // Shoelace: a strip 6 by 1, two half teeth and two whole ones.
        let (sum, least) = area(&vertices, &triangles);
        assert_eq!((triangles.len(), sum), (7, 12.0));
        assert!(least > 0.0);
    }

    #[test]
    fn corners_in_one_line_make_no_triangle_without_area() {
        let vertices: Vec<DVec3> =
            [(0, 0), (1, 0), (2, 0), (3, 0), (0, 3)].map(|(x, y)| DVec3::new(f64::from(x), f64::from(y), 0.0)).into();
        for start in 0..5 {
            let around: Vec<i64> = (0..5).map(|i| (start + i) % 5).collect();
            let (sum, least) = area(&vertices, &faces(&vertices, &around).unwrap());
            assert!((sum - 4.5).abs() < 1e-12 && least > 0.1, "{start}: {sum} {least}");
        }
    }

    #[test]
    fn random_stars_keep_their_area() {
        let mut seed = 1u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 40) as f64 / (1 << 24) as f64
        };
        for _ in 0..500 {
            let count = 4 + (20.0 * random()) as usize;
            let points: Vec<DVec3> = (0..count)
                .map(|i| {
                    let (sin, cos) = libm::sincos(i as f64 / count as f64 * core::f64::consts::TAU);
                    DVec3::new(cos, sin, 0.0) * (0.1 + random())
                })
                .collect();
            let shoelace: f64 = (0..count).map(|i| 0.5 * points[i].cross(points[(i + 1) % count]).z).sum();
            let triangles = faces(&points, &(0..count as i64).collect::<Vec<_>>()).unwrap();
            let (sum, least) = area(&points, &triangles);
            assert_eq!(triangles.len(), count - 2);
            assert!((sum - shoelace).abs() < 1e-9 * shoelace && least > 0.0, "{sum} {shoelace} {least}");
        }
    }

    #[test]
    fn an_index_of_no_vertex_is_refused_with_its_number() {
        let vertices = [DVec3::ZERO, DVec3::X, DVec3::Y];
        assert_eq!(faces(&vertices, &[0, 1, 2, -1, 0, 1, 3]), Err(FaceError::Index { item: 6, found: 3 }));
        assert_eq!(faces(&vertices, &[0, 1, -1]), Ok(vec![]));
    }
}
