//! Convex polyhedron against triangle: the faces of the difference of the two.

use super::direction::Trial;
use crate::shape::ConvexHull;

/// Polyhedra of more faces are left to the search.
const FACES: usize = 64;

/// The least depth over the polyhedron's faces and over the pairs of edges that make a face of the difference: with A and
/// B the normals of the faces about the polyhedron's edge, and f the triangle's, the arc from -A to -B crosses the half
/// circle of directions about f where `(A·f) (B·f) < 0`, on the side away from the triangle (D. Gregorius, *The Separating
/// Axis Test between Convex Polyhedra*, 2013). Exact where solid and triangle overlap; false if that is not decided.
pub(super) fn hull_direction(hull: &ConvexHull, trial: &mut Trial, least: f64) -> bool {
    let faces = hull.faces();
    if faces.len() > FACES || hull.edge_faces().is_empty() {
        return false;
    }
    for face in faces {
        trial.take(-face.normal, face.offset + trial.reach(-face.normal));
    }
    if trial.depth < least {
        return true;
    }
    let mut along = [0.0; FACES];
    for k in 0..3 {
        let (start, end) = (trial.corners[k], trial.corners[(k + 1) % 3]);
        let side = end - start;
        // Away from the third corner, of any length.
        let outward = side.cross(trial.normal);
        let outward = if outward.dot(trial.corners[(k + 2) % 3] - start) > 0.0 { -outward } else { outward };
        for (height, face) in along.iter_mut().zip(faces) {
            *height = face.normal.dot(side);
        }
        for (edge, between) in hull.edges().iter().zip(hull.edge_faces()) {
            let [a, b] = between.map(|face| along[face as usize]);
            if a * b >= 0.0 {
                continue;
            }
            let [m, n] = between.map(|face| faces[face as usize].normal);
            let d = -(m * b.abs() + n * a.abs());
            if d.dot(outward) <= 0.0 {
                continue;
            }
            let square = d.length_squared();
            // The two faces are one plane, or the edge is along the side: no direction of its own.
            if square <= 1e-24 * side.length_squared() {
                continue;
            }
            let d = d / square.sqrt();
            let depth = d.dot(start) - d.dot(hull.vertices()[edge[0] as usize]);
            trial.take(d, depth);
            if trial.depth < least {
                return true;
            }
        }
    }
    // Apart by less than the margin the distance may be more than these show.
    trial.depth >= 0.0
}
