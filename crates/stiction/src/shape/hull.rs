//! Convex hull of points, with its faces as polygons.

use glam::{DVec2, DVec3};

use super::{Aabb, ShapeError, Surface, chord::Chord, quickhull};

/// One flat side of a hull.
#[derive(Clone, Debug, PartialEq)]
pub struct HullFace {
    /// Outward unit normal.
    pub normal: DVec3,
    /// Distance of the face's plane from the origin along the normal \[m\].
    pub offset: f64,
    /// Vertex indices, counter-clockwise from outside.
    pub vertices: Vec<u32>,
}

/// A convex polyhedron.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexHull {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    faces: Vec<HullFace>,
    edges: Vec<[u32; 2]>,
    edge_faces: Vec<[u32; 2]>,
    centroid: DVec3,
    volume: f64,
    bounds: Aabb,
    /// Distances of the farthest vertex and of the nearest face from the centroid \[m\].
    radii: [f64; 2],
}

impl ConvexHull {
    /// The hull of the points.
    ///
    /// # Errors
    /// Fewer than four points, points that are not finite, or points in one plane.
    pub fn new(points: &[DVec3]) -> Result<Self, ShapeError> {
        if points.len() < 4 {
            return Err(ShapeError::TooFewPoints { found: points.len() });
        }
        if let Some(index) = points.iter().position(|p| !p.is_finite()) {
            return Err(ShapeError::PointNotFinite { index });
        }
        let (vertices, triangles) = quickhull::hull(points).ok_or(ShapeError::Flat)?;
        let size = vertices.iter().fold(0.0f64, |s, v| s.max((*v - vertices[0]).length()));
        let mut faces = merge_triangles(&vertices, &triangles, size);
        let (vertices, triangles) = without_loose_points(&vertices, &mut faces);
        let (volume, centroid) = volume_and_centroid(&vertices, &triangles);
        if volume.is_nan() || volume <= 1e-12 * size.powi(3) {
            return Err(ShapeError::Flat);
        }
        let (edges, edge_faces) = edges_of(&faces);
        let bounds = vertices.iter().fold(Aabb::EMPTY, |sum, &v| sum.merged(&Aabb::new(v, v)));
        let farthest = vertices.iter().fold(0.0f64, |most, v| most.max((*v - centroid).length_squared())).sqrt();
        let nearest = faces.iter().map(|f| f.offset - f.normal.dot(centroid)).fold(f64::INFINITY, f64::min);
        let radii = [farthest, nearest];
        Ok(Self { vertices, triangles, faces, edges, edge_faces, centroid, volume, bounds, radii })
    }

    /// Corners \[m\].
    #[must_use]
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// The surface as triangles, counter-clockwise from outside.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Flat sides; triangles in one plane are one face.
    #[must_use]
    pub fn faces(&self) -> &[HullFace] {
        &self.faces
    }

    /// Edges between faces as pairs of vertices, lower index first, in order.
    #[must_use]
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// The two faces of every edge; none at all where rounding has left an edge with other than two.
    pub(crate) fn edge_faces(&self) -> &[[u32; 2]] {
        &self.edge_faces
    }

    /// Centre of the volume \[m\].
    #[must_use]
    pub fn centroid(&self) -> DVec3 {
        self.centroid
    }

    /// The least box \[m\].
    pub(crate) fn bounds(&self) -> &Aabb {
        &self.bounds
    }

    /// Radius of the ball about the centroid that holds the hull \[m\].
    pub(crate) fn outer_radius(&self) -> f64 {
        self.radii[0]
    }

    /// Radius of the ball about the centroid that the hull holds \[m\].
    pub(crate) fn inner_radius(&self) -> f64 {
        self.radii[1]
    }

    /// Volume \[m³\].
    #[must_use]
    pub fn volume(&self) -> f64 {
        self.volume
    }

    pub(crate) fn support(&self, direction: DVec3) -> DVec3 {
        let mut best = (f64::NEG_INFINITY, DVec3::ZERO);
        for &v in &self.vertices {
            let height = v.dot(direction);
            if height > best.0 {
                best = (height, v);
            }
        }
        best.1
    }

    /// Inside the exact distance; outside that of the farthest face plane, a lower bound.
    pub(crate) fn surface(&self, point: DVec3) -> Surface {
        let mut best = Surface { distance: f64::NEG_INFINITY, normal: DVec3::X };
        for face in &self.faces {
            let distance = face.normal.dot(point) - face.offset;
            if distance > best.distance {
                best = Surface { distance, normal: face.normal };
            }
        }
        best
    }

    pub(crate) fn chord(&self, origin: DVec3, direction: DVec3) -> Option<Chord> {
        let mut chord = Chord::LINE;
        for face in &self.faces {
            chord = chord.intersection(Chord::half_space(face.normal, face.offset, origin, direction)?)?;
        }
        Some(chord)
    }
}

/// The edges between faces, lower vertex first, in order, and the faces of each.
fn edges_of(faces: &[HullFace]) -> (Vec<[u32; 2]>, Vec<[u32; 2]>) {
    let mut sides: Vec<([u32; 2], u32)> = Vec::new();
    for (face, ring) in faces.iter().map(|f| &f.vertices).enumerate() {
        for (i, &a) in ring.iter().enumerate() {
            let b = ring[(i + 1) % ring.len()];
            sides.push(([a.min(b), a.max(b)], face as u32));
        }
    }
    sides.sort_unstable();
    let shared = || sides.chunk_by(|s, t| s.0 == t.0);
    let edges = shared().map(|edge| edge[0].0).collect();
    let are_pairs = shared().all(|edge| edge.len() == 2);
    let of_pairs = if are_pairs { shared().map(|edge| [edge[0].1, edge[1].1]).collect() } else { Vec::new() };
    (edges, of_pairs)
}

/// Signed sums over the tetrahedra of a reference vertex and each triangle.
fn volume_and_centroid(vertices: &[DVec3], triangles: &[[u32; 3]]) -> (f64, DVec3) {
    let reference = vertices[0];
    let (mut volume, mut moment) = (0.0, DVec3::ZERO);
    for t in triangles {
        let [a, b, c] = t.map(|i| vertices[i as usize] - reference);
        let part = a.dot(b.cross(c)) / 6.0;
        volume += part;
        moment += 0.25 * part * (a + b + c);
    }
    (volume, if volume > 0.0 { reference + moment / volume } else { reference })
}

/// Joins triangles whose corners all lie in one plane into one polygon.
fn merge_triangles(vertices: &[DVec3], triangles: &[[u32; 3]], size: f64) -> Vec<HullFace> {
    let tolerance = 1e-9 * size;
    let corner = |i: u32| vertices[i as usize];
    let cross = |t: &[u32; 3]| (corner(t[1]) - corner(t[0])).cross(corner(t[2]) - corner(t[0]));
    // The largest triangle of a plane gives the most accurate normal, so take them by area.
    let mut order: Vec<usize> = (0..triangles.len()).collect();
    order.sort_by(|&i, &j| {
        let area = |k: usize| cross(&triangles[k]).length_squared();
        area(j).total_cmp(&area(i)).then(i.cmp(&j))
    });
    let mut used = vec![false; triangles.len()];
    let mut faces = Vec::new();
    for &first in &order {
        if used[first] {
            continue;
        }
        let normal = cross(&triangles[first]).normalize_or_zero();
        if normal == DVec3::ZERO {
            continue;
        }
        let offset = normal.dot(corner(triangles[first][0]));
        let mut members = Vec::new();
        for (index, triangle) in triangles.iter().enumerate() {
            let coplanar = triangle.iter().all(|&v| (normal.dot(corner(v)) - offset).abs() <= tolerance);
            if !used[index] && coplanar && cross(triangle).dot(normal) >= 0.0 {
                used[index] = true;
                members.extend_from_slice(triangle);
            }
        }
        members.sort_unstable();
        members.dedup();
        let ring = ring_about(vertices, &members, normal, tolerance);
        if ring.len() >= 3 {
            faces.push(HullFace { normal, offset, vertices: ring });
        }
    }
    faces
}

/// Corners of the plane hull of points in one plane, counter-clockwise about the normal (monotone chain), less
/// those inside or in the middle of a side.
fn ring_about(vertices: &[DVec3], members: &[u32], normal: DVec3, tolerance: f64) -> Vec<u32> {
    let u = normal.any_orthonormal_vector();
    let v = normal.cross(u);
    let flat = |i: u32| DVec2::new(vertices[i as usize].dot(u), vertices[i as usize].dot(v));
    let mut sorted = members.to_vec();
    sorted.sort_by(|&i, &j| {
        let (p, q) = (flat(i), flat(j));
        p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y))
    });
    let chain = |order: &mut dyn Iterator<Item = u32>| {
        let mut chain: Vec<u32> = Vec::new();
        for i in order {
            while let [.., a, b] = chain[..] {
                let (side, next) = (flat(i) - flat(a), flat(b) - flat(a));
                if next.perp_dot(side) > tolerance * side.length() {
                    break;
                }
                chain.pop();
            }
            chain.push(i);
        }
        chain.pop();
        chain
    };
    let mut ring = chain(&mut sorted.iter().copied());
    ring.extend(chain(&mut sorted.iter().rev().copied()));
    ring
}

/// Drops points that are no corner of a face, and cuts every face into a fan of triangles.
fn without_loose_points(vertices: &[DVec3], faces: &mut [HullFace]) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let mut used: Vec<u32> = faces.iter().flat_map(|f| f.vertices.iter().copied()).collect();
    used.sort_unstable();
    used.dedup();
    let mut triangles = Vec::new();
    for face in faces {
        for v in &mut face.vertices {
            *v = used.partition_point(|u| u < v) as u32;
        }
        let ring = &face.vertices;
        triangles.extend((1..ring.len() - 1).map(|k| [ring[0], ring[k], ring[k + 1]]));
    }
    (used.iter().map(|&i| vertices[i as usize]).collect(), triangles)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cube_has_six_square_faces_and_twelve_edges() {
        let mut points = Vec::new();
        for i in 0..27 {
            points.push(DVec3::new(f64::from(i % 3), f64::from(i / 3 % 3), f64::from(i / 9)));
        }
        let hull = ConvexHull::new(&points).unwrap();
        assert_eq!(hull.faces().len(), 6);
        assert_eq!(hull.edges().len(), 12);
        for (edge, faces) in hull.edges().iter().zip(hull.edge_faces()) {
            let normals = faces.map(|f| hull.faces()[f as usize].normal);
            let side = hull.vertices()[edge[1] as usize] - hull.vertices()[edge[0] as usize];
            assert!(normals[0].cross(normals[1]).cross(side).length() < 1e-12, "an edge lies in both its faces");
        }
        assert_eq!(hull.edge_faces().len(), 12);
        assert!((hull.volume() - 8.0).abs() < 1e-12);
        assert!((hull.centroid() - DVec3::ONE).length() < 1e-12);
        for face in hull.faces() {
            assert_eq!(face.vertices.len(), 4);
            let [a, b, c] = [0, 1, 2].map(|k| hull.vertices()[face.vertices[k] as usize]);
            assert!((b - a).cross(c - b).dot(face.normal) > 0.0, "counter-clockwise from outside");
            assert!(hull.vertices().iter().all(|v| face.normal.dot(*v) <= face.offset + 1e-12));
        }
    }

    #[test]
    fn flat_points_are_refused() {
        let flat = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::X + DVec3::Y];
        assert!(ConvexHull::new(&flat).is_err());
        assert!(matches!(ConvexHull::new(&flat[..3]), Err(ShapeError::TooFewPoints { found: 3 })));
    }
}
