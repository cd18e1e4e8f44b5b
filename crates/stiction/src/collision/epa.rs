//! Least penetration by an expanding polytope (van den Bergen).

use glam::DVec3;

/// Minimizes the height `h(n) = support(n)·n` of a convex set over unit n, where the set contains the origin or
/// misses it by rounding only. `best` is a direction already known with its height; returns the better one.
///
/// A polytope inside the set grows at the face nearest the origin. That face's distance bounds the minimum from
/// below and the support along its normal from above, so a good `best` ends the search at once.
/// `tolerance` is the error that a height may have.
pub(super) fn least_height(
    support: &impl Fn(DVec3) -> DVec3,
    mut best: (DVec3, f64),
    tolerance: impl Fn(f64) -> f64,
) -> (DVec3, f64) {
    let least = tolerance(f64::NEG_INFINITY);
    let Some(mut polytope) = Polytope::tetrahedron(support, least) else { return best };
    let mut ridge = best.0.any_orthonormal_vector();
    while let Some(face) = polytope.nearest() {
        let w = support(face.normal);
        let height = w.dot(face.normal);
        if height < best.1 {
            best = (face.normal, height);
            ridge = polytope.longest_side(&face);
        }
        if best.1 - face.distance <= tolerance(best.1) {
            return best;
        }
        if !polytope.grow(w, 1e-3 * least) {
            break;
        }
    }
    descend(support, best, ridge)
}

/// Walks downhill from a direction near the minimum of a curved set, where the polytope runs out of corners.
///
/// The height has a crease over the directions square to a straight edge of the set. `ridge` is along such an edge,
/// if there is one, so that one of the two steps goes along the crease and the other across.
pub(super) fn descend(support: &impl Fn(DVec3) -> DVec3, mut best: (DVec3, f64), ridge: DVec3) -> (DVec3, f64) {
    let mut step = 0.02;
    // Far from the origin rounding alone may fall for ever.
    for _ in 0..LOOKS {
        if step <= 1e-8 {
            break;
        }
        let across = (ridge - best.0 * best.0.dot(ridge)).normalize_or(best.0.any_orthonormal_vector());
        let along = best.0.cross(across);
        let mut moved = false;
        for side in [across, -across, along, -along] {
            let n = (best.0 + side * step).normalize();
            let height = support(n).dot(n);
            if height < best.1 {
                best = (n, height);
                moved = true;
                break;
            }
        }
        if !moved {
            step *= 0.5;
        }
    }
    best
}

/// Looks about a direction at most; a walk takes some fifty.
const LOOKS: usize = 1000;
const VERTICES: usize = 128;
const FACES: usize = 2 * VERTICES;

#[derive(Clone, Copy)]
struct Face {
    corners: [u16; 3],
    normal: DVec3,
    /// Distance of the plane from the origin; infinite for a face without area.
    distance: f64,
}

struct Polytope {
    vertices: [DVec3; VERTICES],
    vertex_count: usize,
    faces: [Face; FACES],
    face_count: usize,
}

impl Polytope {
    /// Four support points that span a volume.
    fn tetrahedron(support: &impl Fn(DVec3) -> DVec3, tolerance: f64) -> Option<Self> {
        let a = support(DVec3::X);
        let b = support(-DVec3::X);
        let across = (b - a).normalize_or(DVec3::X).any_orthonormal_vector();
        let farther = |n: DVec3| {
            let (p, q) = (support(n), support(-n));
            if (p - a).dot(n).abs() >= (q - a).dot(n).abs() { p } else { q }
        };
        let c = farther(across);
        let normal = (b - a).cross(c - a).normalize_or_zero();
        let d = farther(normal);
        let height = normal.dot(d - a);
        if height.abs() <= tolerance {
            return None;
        }
        let (b, c) = if height > 0.0 { (c, b) } else { (b, c) };
        let empty = Face { corners: [0; 3], normal: DVec3::ZERO, distance: f64::INFINITY };
        let mut polytope =
            Self { vertices: [DVec3::ZERO; VERTICES], vertex_count: 4, faces: [empty; FACES], face_count: 0 };
        polytope.vertices[..4].copy_from_slice(&[a, b, c, d]);
        for corners in [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]] {
            polytope.push(corners);
        }
        Some(polytope)
    }

    fn push(&mut self, corners: [u16; 3]) {
        let [a, b, c] = corners.map(|i| self.vertices[usize::from(i)]);
        let normal = (b - a).cross(c - a).normalize_or_zero();
        let distance = if normal == DVec3::ZERO { f64::INFINITY } else { normal.dot(a) };
        self.faces[self.face_count] = Face { corners, normal, distance };
        self.face_count += 1;
    }

    fn nearest(&self) -> Option<Face> {
        let mut best: Option<&Face> = None;
        for face in &self.faces[..self.face_count] {
            if best.is_none_or(|b| face.distance < b.distance) {
                best = Some(face);
            }
        }
        best.copied()
    }

    /// Unit direction of a face's longest side.
    fn longest_side(&self, face: &Face) -> DVec3 {
        let [a, b, c] = face.corners.map(|i| self.vertices[usize::from(i)]);
        let longer = |p: DVec3, q: DVec3| if q.length_squared() > p.length_squared() { q } else { p };
        longer(longer(b - a, c - b), a - c).normalize_or(DVec3::X)
    }

    /// Adds a vertex; false when no face sees it or there is no room.
    fn grow(&mut self, w: DVec3, tolerance: f64) -> bool {
        if self.vertex_count == VERTICES {
            return false;
        }
        let mut horizon = [[0u16; 2]; FACES];
        let mut edges = 0;
        let mut kept = 0;
        for i in 0..self.face_count {
            let face = self.faces[i];
            if face.distance.is_infinite() || face.normal.dot(w) - face.distance <= tolerance {
                self.faces[kept] = face;
                kept += 1;
                continue;
            }
            let [a, b, c] = face.corners;
            for edge in [[a, b], [b, c], [c, a]] {
                // An edge met from both sides lies inside the visible part.
                match horizon[..edges].iter().position(|e| *e == [edge[1], edge[0]]) {
                    Some(twin) => {
                        edges -= 1;
                        horizon[twin] = horizon[edges];
                    }
                    None if edges < FACES => {
                        horizon[edges] = edge;
                        edges += 1;
                    }
                    None => return false,
                }
            }
        }
        if edges == 0 || kept + edges > FACES {
            return false;
        }
        self.face_count = kept;
        let index = self.vertex_count as u16;
        self.vertices[self.vertex_count] = w;
        self.vertex_count += 1;
        for edge in &horizon[..edges] {
            self.push([edge[0], edge[1], index]);
        }
        true
    }
}
