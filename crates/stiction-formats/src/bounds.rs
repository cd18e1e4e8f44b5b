//! How low shapes reach.

use stiction::math::{DVec3, Pose};

use crate::description::GeometryDescription;

/// Height of the lowest point of a shape at a world pose; `None` for a shape without bounds or points.
pub(crate) fn lowest(shape: &GeometryDescription, pose: &Pose) -> Option<f64> {
    // Heights of the shape's axes over the horizon.
    let up = pose.inverse_direction(DVec3::Z);
    let level = libm::sqrt((1.0 - up.z * up.z).max(0.0));
    let reach = match shape {
        GeometryDescription::Box(size) => (up.abs() * *size * 0.5).element_sum(),
        GeometryDescription::Sphere(radius) => *radius,
        GeometryDescription::Cylinder { radius, length } => 0.5 * length * libm::fabs(up.z) + radius * level,
        GeometryDescription::Capsule { radius, length } => 0.5 * length * libm::fabs(up.z) + radius,
        GeometryDescription::Ellipsoid(radii) => (up * *radii).length(),
        GeometryDescription::Cone { radius, length } => {
            (-0.5 * length * up.z).max(0.5 * length * up.z + radius * level)
        }
        GeometryDescription::ConvexHull(points) => points.iter().map(|p| -up.dot(*p)).max_by(f64::total_cmp)?,
        GeometryDescription::Mesh(mesh) => mesh.vertices.iter().map(|p| -up.dot(*p)).max_by(f64::total_cmp)?,
        GeometryDescription::Empty | GeometryDescription::Plane(_) | GeometryDescription::Unsupported(_) => {
            return None;
        }
    };
    Some(pose.position.z - reach)
}

impl GeometryDescription {
    /// Points on which the shape rests on a flat one.
    #[must_use]
    pub const fn resting_points(&self) -> usize {
        match self {
            Self::Sphere(_) | Self::Ellipsoid(_) => 1,
            Self::Capsule { .. } => 2,
            _ => 4,
        }
    }
}
