//! One triangle of a surface.

use glam::DVec3;

use super::Aabb;

/// A triangle in the frame of its mesh or heightfield, counter-clockwise seen from outside.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Triangle {
    /// Its number.
    pub index: u32,
    /// Corners A, B, C \[m\].
    pub corners: [DVec3; 3],
    /// Outward unit normal; zero if the triangle is degenerate.
    pub normal: DVec3,
}

/// Where on a triangle a point lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrianglePart {
    /// Corner 0, 1 or 2.
    Corner(usize),
    /// Edge k from corner k to corner k + 1.
    Edge(usize),
    /// The inside.
    Face,
}

/// The point of a triangle nearest to another point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestOnTriangle {
    /// The point \[m\].
    pub point: DVec3,
    /// Barycentric u, v: the point is `A + u (B - A) + v (C - A)`.
    pub barycentric: [f64; 2],
    /// What carries it.
    pub part: TrianglePart,
}

/// A triangle is degenerate when its height is below this part of its longest side.
const FLATTEST: f64 = 1e-12;

/// Square of the longest side \[m²\].
#[inline]
fn longest_squared([a, b, c]: &[DVec3; 3]) -> f64 {
    (*b - *a).length_squared().max((*c - *b).length_squared()).max((*a - *c).length_squared())
}

/// Rounding allowed at the edges of a triangle that a ray meets, so that no ray slips between two neighbours
/// (barycentric).
const RAY_EDGE: f64 = 1e-12;

impl Triangle {
    /// The triangle of three corners; its normal is zero if they lie in one line.
    #[must_use]
    pub fn new(index: u32, corners: [DVec3; 3]) -> Self {
        let [a, b, c] = corners;
        let cross = (b - a).cross(c - a);
        let length = cross.length();
        // Divided, not multiplied by the reciprocal: a level triangle has a normal that is exactly vertical.
        let is_solid = length.is_finite() && length > FLATTEST * longest_squared(&corners);
        Self { index, corners, normal: if is_solid { cross / length } else { DVec3::ZERO } }
    }

    /// Three corners are those of a triangle that is not degenerate.
    #[inline]
    pub(crate) fn is_solid(corners: &[DVec3; 3]) -> bool {
        let [a, b, c] = *corners;
        let (ab, ac) = (b - a, c - a);
        // No less than the square of the longest side.
        let (square, side) = (ab.cross(ac).length_squared(), 2.0 * (ab.length_squared() + ac.length_squared()));
        // Far from the limit squares decide; where they are no numbers they say nothing.
        if square > 4.0 * FLATTEST * FLATTEST * (side * side) {
            return true;
        }
        Self::new(0, *corners).normal != DVec3::ZERO
    }

    /// Length of the longest side \[m\].
    #[inline]
    pub(crate) fn longest_side(&self) -> f64 {
        longest_squared(&self.corners).sqrt()
    }

    /// The least box about it \[m\].
    #[inline]
    pub(crate) fn bounds(&self) -> Aabb {
        let [a, b, c] = self.corners;
        Aabb::new(a.min(b).min(c), a.max(b).max(c))
    }

    /// The point nearest to `p`, by the Voronoi regions of corners, edges and face (Ericson, *Real-Time Collision
    /// Detection*, 5.1.5).
    #[must_use]
    pub fn nearest(&self, p: DVec3) -> NearestOnTriangle {
        let [a, b, c] = self.corners;
        let (ab, ac) = (b - a, c - a);
        let at = |u: f64, v: f64, part| NearestOnTriangle { point: a + ab * u + ac * v, barycentric: [u, v], part };
        let corner = |k: usize, u: f64, v: f64| NearestOnTriangle {
            point: self.corners[k],
            barycentric: [u, v],
            part: TrianglePart::Corner(k),
        };
        let ap = p - a;
        let (d1, d2) = (ab.dot(ap), ac.dot(ap));
        if d1 <= 0.0 && d2 <= 0.0 {
            return corner(0, 0.0, 0.0);
        }
        let bp = p - b;
        let (d3, d4) = (ab.dot(bp), ac.dot(bp));
        if d3 >= 0.0 && d4 <= d3 {
            return corner(1, 1.0, 0.0);
        }
        let cp = p - c;
        let (d5, d6) = (ab.dot(cp), ac.dot(cp));
        if d6 >= 0.0 && d5 <= d6 {
            return corner(2, 0.0, 1.0);
        }
        let (va, vb, vc) = (d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2);
        if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
            return at(d1 / (d1 - d3), 0.0, TrianglePart::Edge(0));
        }
        if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
            return at(0.0, d2 / (d2 - d6), TrianglePart::Edge(2));
        }
        if va <= 0.0 && d4 >= d3 && d5 >= d6 {
            let w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
            return at(1.0 - w, w, TrianglePart::Edge(1));
        }
        let sum = va + vb + vc;
        at(vb / sum, vc / sum, TrianglePart::Face)
    }

    /// Parameter along `direction` and barycentric u, v where a line from `origin` meets the plane inside the
    /// triangle (Möller and Trumbore).
    #[must_use]
    pub fn line(&self, origin: DVec3, direction: DVec3) -> Option<(f64, [f64; 2])> {
        let [a, b, c] = self.corners;
        let (ab, ac) = (b - a, c - a);
        let p = direction.cross(ac);
        let determinant = ab.dot(p);
        // Far from the limit squares decide; where they are no numbers they say nothing.
        let is_clear = determinant * determinant > 4e-28 * (ab.length_squared() * p.length_squared());
        if !is_clear && determinant.abs() <= 1e-14 * ab.length() * p.length() {
            return None;
        }
        let t = origin - a;
        let u = t.dot(p) / determinant;
        let q = t.cross(ab);
        let v = direction.dot(q) / determinant;
        let inside = u >= -RAY_EDGE && v >= -RAY_EDGE && u + v <= 1.0 + RAY_EDGE;
        inside.then(|| (ac.dot(q) / determinant, [u, v]))
    }

    /// Barycentric u, v of the foot of a point on the triangle's plane.
    #[must_use]
    pub fn barycentric(&self, p: DVec3) -> [f64; 2] {
        let [a, b, c] = self.corners;
        let cross = (b - a).cross(c - a);
        let square = cross.length_squared();
        if square == 0.0 {
            return [0.0; 2];
        }
        [cross.dot((p - a).cross(c - a)) / square, cross.dot((b - a).cross(p - a)) / square]
    }
}
