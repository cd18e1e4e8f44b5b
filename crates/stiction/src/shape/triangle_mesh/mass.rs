//! Mass properties of the solid that a mesh bounds.

use glam::{DMat3, DVec3};

use super::TriangleMesh;
use crate::shape::{MassError, MassProperties};

/// Signed sum over the tetrahedra of a reference point and each triangle \[m³\].
pub(super) fn signed_volume(vertices: &[DVec3], triangles: &[[u32; 3]]) -> f64 {
    sums(vertices, triangles).volume
}

/// `∫ dV`, `∫ x dV` and `∫ x xᵀ dV` about a reference point near the mesh.
struct Sums {
    reference: DVec3,
    volume: f64,
    first: DVec3,
    second: DMat3,
}

/// With corners a, b, c about the reference and `v = a·(b × c) / 6` a tetrahedron has `∫ x = v/4 (a + b + c)` and
/// `∫ x xᵀ = v/20 (a aᵀ + b bᵀ + c cᵀ + s sᵀ)`, `s = a + b + c`. Only about a point of the mesh is a mesh far from its
/// origin as exact as one at it.
fn sums(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Sums {
    let reference = triangles.first().map_or(DVec3::ZERO, |t| vertices[t[0] as usize]);
    let outer = |d: DVec3| DMat3::from_cols(d * d.x, d * d.y, d * d.z);
    let mut sums = Sums { reference, volume: 0.0, first: DVec3::ZERO, second: DMat3::ZERO };
    for triangle in triangles {
        let [a, b, c] = triangle.map(|v| vertices[v as usize] - reference);
        let part = a.dot(b.cross(c)) / 6.0;
        let s = a + b + c;
        sums.volume += part;
        sums.first += s * (0.25 * part);
        sums.second += (outer(a) + outer(b) + outer(c) + outer(s)) * (0.05 * part);
    }
    sums
}

impl TriangleMesh {
    /// Mass properties of the solid inside at a uniform density \[kg/m³\].
    ///
    /// # Errors
    /// A volume that is not positive, as of a mesh wound inside out or of an open sheet: [`MassError::Mass`].
    pub fn mass_properties(&self, density: f64) -> Result<MassProperties, MassError> {
        let sums = sums(&self.vertices, &self.triangles);
        let mass = density * sums.volume;
        let size = self.bounds().size().max_element();
        // Below rounding of the sum there is no volume.
        if !(mass > 0.0 && mass.is_finite() && sums.volume > 1e-12 * size * size * size) {
            return Err(MassError::Mass { found: mass });
        }
        let center = sums.first / sums.volume;
        let second = (sums.second
            - DMat3::from_cols(center * center.x, center * center.y, center * center.z) * sums.volume)
            * density;
        let trace = second.x_axis.x + second.y_axis.y + second.z_axis.z;
        let inertia = DMat3::from_diagonal(DVec3::splat(trace)) - second;
        let inertia = (inertia + inertia.transpose()) * 0.5;
        Ok(MassProperties { mass, center_of_mass: sums.reference + center, inertia })
    }
}
