//! Mass properties of the solid that a mesh bounds.

use stiction::math::{DMat3, DVec3};
use stiction::shape::MassProperties;

use super::MeshDescription;

impl MeshDescription {
    /// Mass properties at 1 kg/m³ of the inside of a closed mesh; none of one without volume.
    ///
    /// Sums over the signed tetrahedra of a vertex and each triangle: with corners a, b, c about that vertex and
    /// `v = a·(b × c) / 6`, `∫ x = v/4 (a + b + c)` and `∫ x xᵀ = v/20 (a aᵀ + b bᵀ + c cᵀ + s sᵀ)`, `s = a + b + c`.
    pub(crate) fn unit_mass(&self) -> Option<MassProperties> {
        let reference = self.triangles.first().map(|t| self.vertices[t[0] as usize])?;
        let outer = |d: DVec3| DMat3::from_cols(d * d.x, d * d.y, d * d.z);
        let (mut volume, mut first, mut second, mut reach) = (0.0, DVec3::ZERO, DMat3::ZERO, 0.0f64);
        for triangle in &self.triangles {
            let [a, b, c] = triangle.map(|v| self.vertices[v as usize] - reference);
            let part = a.dot(b.cross(c)) / 6.0;
            let s = a + b + c;
            volume += part;
            first += s * (0.25 * part);
            second += (outer(a) + outer(b) + outer(c) + outer(s)) * (0.05 * part);
            reach = reach.max(a.length());
        }
        // Below rounding of the sum there is no volume.
        if !(volume.is_finite() && volume > 1e-12 * reach * reach * reach) {
            return None;
        }
        let center = first / volume;
        let second = second - outer(center) * volume;
        let trace = second.x_axis.x + second.y_axis.y + second.z_axis.z;
        let inertia = DMat3::from_diagonal(DVec3::splat(trace)) - second;
        let inertia = (inertia + inertia.transpose()) * 0.5;
        Some(MassProperties { mass: volume, center_of_mass: reference + center, inertia })
    }
}
