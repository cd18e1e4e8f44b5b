//! Convex hulls, and which meshes are their own.

use stiction::math::DVec3;
use stiction::shape::ConvexHull;

use super::{Healing, MeshDescription};

/// Corners of a mesh that is taken as its hull at most: a hull looks for its farthest point among all.
const MOST_CORNERS: usize = 256;
/// Rounding of corners in a plane, in parts of the size: coordinates of many files are in single precision.
const FLAT: f64 = 1e-6;

impl MeshDescription {
    /// Corners of the convex hull; none of a flat mesh.
    pub(crate) fn hull_points(&self) -> Option<Vec<DVec3>> {
        ConvexHull::new(&self.vertices).ok().map(|hull| hull.vertices().to_vec())
    }

    /// The same of a healed mesh that bounds a convex solid of few corners: no corner lies before any of its faces.
    pub(crate) fn convex_points(&self, healing: &Healing) -> Option<Vec<DVec3>> {
        if !healing.is_closed || healing.components != 1 || self.vertices.len() > MOST_CORNERS {
            return None;
        }
        let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let (low, high) = self.vertices.iter().fold(start, |(low, high), v| (low.min(*v), high.max(*v)));
        let slack = FLAT * (high - low).length();
        let corners = |t: &[u32; 3]| t.map(|v| self.vertices[v as usize]);
        for [a, b, c] in self.triangles.iter().map(corners) {
            let cross = (b - a).cross(c - a);
            let sides = [b - a, c - b, a - c].map(DVec3::length);
            // The plane of a sliver is uncertain by more than its height.
            let longest = sides.into_iter().fold(0.0, f64::max);
            if cross.length() <= slack * longest {
                continue;
            }
            let normal = cross.normalize();
            if self.vertices.iter().any(|p| normal.dot(*p - a) > slack) {
                return None;
            }
        }
        let hull = ConvexHull::new(&self.vertices).ok()?;
        // A surface that covers the hull twice is none of it.
        let volume = self.volume();
        ((hull.volume() - volume).abs() <= 10.0 * FLAT * hull.volume()).then(|| hull.vertices().to_vec())
    }

    /// Signed volume of the tetrahedra of a vertex and each triangle \[m³\].
    pub(crate) fn volume(&self) -> f64 {
        let reference = self.vertices.first().copied().unwrap_or(DVec3::ZERO);
        let of = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|v| self.vertices[v as usize] - reference);
            a.dot(b.cross(c)) / 6.0
        };
        self.triangles.iter().map(of).sum()
    }
}
