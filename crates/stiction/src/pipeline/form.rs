//! Form of a shape as elastic contact sees it.

use crate::material::Roundness;
use crate::shape::Shape;

/// Radius of curvature of a shape, and the size of its faces where it is flat.
#[cold]
pub(super) fn roundness(shape: &Shape) -> Roundness {
    let round = |radius: f64| Roundness { radius, face: f64::INFINITY };
    match shape {
        Shape::Sphere(sphere) => round(sphere.radius),
        Shape::Capsule(capsule) => round(capsule.radius),
        Shape::Cylinder(cylinder) => round(cylinder.radius),
        Shape::Cone(cone) => round(cone.radius),
        // The radius of curvature at the end of an axis is b² / a: the mean of the three.
        Shape::Ellipsoid(ellipsoid) => round(libm::cbrt(ellipsoid.semi_axes.element_product())),
        Shape::Plane(_) | Shape::Heightfield(_) => Roundness::FLAT,
        _ => {
            let size = shape.aabb(&crate::math::Pose::IDENTITY).size();
            let mean = (size.x * size.y + size.y * size.z + size.z * size.x) / 3.0;
            Roundness { radius: f64::INFINITY, face: if mean.is_finite() { mean } else { f64::INFINITY } }
        }
    }
}
