//! Convex parts that together fill about what a mesh bounds: V-HACD (Mamou 2016) on voxels.

use parry3d_f64::math::Vector;
use parry3d_f64::transformation::vhacd::{VHACD, VHACDParameters};
use stiction::math::DVec3;
use stiction::shape::ConvexHull;

use super::Decomposition;
use crate::mesh::file::MAX_TRIANGLES;
use crate::mesh::{Cache, MeshDescription};

/// Voxels along the longest side, at least and at most; parry looks at each of a cube's.
const RESOLUTIONS: (f64, f64) = (16.0, 200.0);
/// Most triangles that are cut.
const MOST_TRIANGLES: usize = MAX_TRIANGLES / 8;

impl MeshDescription {
    /// Corners of the convex parts; none of a mesh that has too many triangles or no extent.
    pub(crate) fn decomposed(&self, wanted: Decomposition, cache: &Cache) -> Option<Vec<Vec<DVec3>>> {
        if self.triangles.len() > MOST_TRIANGLES {
            return None;
        }
        let key = cache.key(self, wanted);
        if let Some(known) = cache.read(&key) {
            return Some(known);
        }
        let parts = self.cut(wanted)?;
        cache.write(&key, &parts);
        Some(parts)
    }

    fn cut(&self, wanted: Decomposition) -> Option<Vec<Vec<DVec3>>> {
        let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let (low, high) = self.vertices.iter().fold(start, |(low, high), v| (low.min(*v), high.max(*v)));
        let size = high - low;
        let longest = size.max_element();
        // Of n voxels of side s in a box a b c there are a b c / s³; along the longest side a / s. A thin box counts as one
        // voxel thick.
        let sides = (size / longest).max(DVec3::splat(1.0 / RESOLUTIONS.1));
        let along = libm::cbrt(f64::from(wanted.voxels) / sides.element_product());
        let parameters = VHACDParameters {
            resolution: along.clamp(RESOLUTIONS.0, RESOLUTIONS.1) as u32,
            max_convex_hulls: wanted.parts.max(1),
            ..VHACDParameters::default()
        };
        // At unit size: the voxels' rounding is not that of a mesh far from its origin.
        let to_unit = |v: &DVec3| (*v - low) / longest;
        let points: Vec<Vector> = self.vertices.iter().map(|v| Vector::from_array(to_unit(v).to_array())).collect();
        let cut = VHACD::decompose(&parameters, &points, &self.triangles, true);
        let hulls = cut.compute_exact_convex_hulls(&points, &self.triangles);
        let parts: Vec<Vec<DVec3>> = hulls
            .iter()
            .filter_map(|(points, _)| {
                let points: Vec<DVec3> =
                    points.iter().map(|p| DVec3::from_array(p.to_array()) * longest + low).collect();
                ConvexHull::new(&points).ok().map(|hull| hull.vertices().to_vec())
            })
            .collect();
        (!parts.is_empty()).then_some(parts)
    }
}
