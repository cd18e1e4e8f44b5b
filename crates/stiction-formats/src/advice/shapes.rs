//! Sizes of shapes.

use stiction::math::{DVec3, Pose};

use crate::description::{CollisionDescription, GeometryDescription};

/// Greatest distance \[m\] of a point of the link frame from any point of a collision shape, or a bound above it; infinite
/// where the shape has none.
pub(super) fn farthest(collision: &CollisionDescription, point: DVec3) -> f64 {
    of_shape(&collision.geometry, collision.pose.inverse().point(point))
}

/// The same of a point in the frame of the shape.
fn of_shape(shape: &GeometryDescription, p: DVec3) -> f64 {
    let radial = libm::hypot(p.x, p.y);
    let of_points = |points: &[DVec3]| points.iter().map(|q| (*q - p).length()).fold(0.0, f64::max);
    match shape {
        GeometryDescription::Box(size) => (p.abs() + 0.5 * *size).length(),
        GeometryDescription::Sphere(r) => p.length() + r,
        GeometryDescription::Cylinder { radius, length } => {
            libm::hypot(radial + radius, libm::fabs(p.z) + 0.5 * length)
        }
        GeometryDescription::Capsule { radius, length } => libm::hypot(radial, libm::fabs(p.z) + 0.5 * length) + radius,
        GeometryDescription::Ellipsoid(axes) => p.length() + axes.max_element(),
        GeometryDescription::Cone { radius, length } => {
            libm::hypot(radial + radius, p.z + 0.5 * length).max(libm::hypot(radial, 0.5 * length - p.z))
        }
        GeometryDescription::ConvexHull(points) => of_points(points),
        GeometryDescription::Mesh(mesh) => of_points(&mesh.vertices),
        GeometryDescription::Heightfield(field) => of_points(&field.corners()),
        GeometryDescription::Compound(parts) => {
            parts.iter().map(|(at, part)| of_shape(part, at.inverse_point(p))).fold(0.0, f64::max)
        }
        GeometryDescription::Empty => 0.0,
        GeometryDescription::Plane(_) | GeometryDescription::Unsupported(_) => f64::INFINITY,
    }
}

/// Sides of the box around a shape in its own axes \[m\]; `None` where there is none.
pub(super) fn extents(shape: &GeometryDescription) -> Option<DVec3> {
    let of_points = |points: &[DVec3]| {
        let (low, high) =
            points.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(l, h), p| (l.min(*p), h.max(*p)));
        (!points.is_empty()).then_some(high - low)
    };
    match shape {
        GeometryDescription::Box(size) => Some(*size),
        GeometryDescription::Sphere(r) => Some(DVec3::splat(2.0 * r)),
        GeometryDescription::Cylinder { radius, length } | GeometryDescription::Cone { radius, length } => {
            Some(DVec3::new(2.0 * radius, 2.0 * radius, *length))
        }
        GeometryDescription::Capsule { radius, length } => {
            Some(DVec3::new(2.0 * radius, 2.0 * radius, length + 2.0 * radius))
        }
        GeometryDescription::Ellipsoid(axes) => Some(2.0 * *axes),
        GeometryDescription::ConvexHull(points) => of_points(points),
        GeometryDescription::Mesh(mesh) => of_points(&mesh.vertices),
        GeometryDescription::Heightfield(field) => of_points(&field.corners()),
        GeometryDescription::Compound(parts) => {
            let corners = |(at, part): &(Pose, GeometryDescription)| {
                let half = extents(part).unwrap_or(DVec3::ZERO) * 0.5;
                [-1.0, 1.0].map(|sign| at.position + half * sign)
            };
            of_points(&parts.iter().flat_map(corners).collect::<Vec<_>>())
        }
        GeometryDescription::Empty | GeometryDescription::Plane(_) | GeometryDescription::Unsupported(_) => None,
    }
}
