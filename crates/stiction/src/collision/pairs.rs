//! The pair matrix: which kernel serves which pair.
//!
//! |           | sphere | box     | capsule         | cylinder | ellipsoid, cone, hull | plane  | ray  |
//! |-----------|--------|---------|-----------------|----------|-----------------------|--------|------|
//! | sphere    | sphere | sphere  | sphere          | sphere   | sphere (hull: convex) | sphere | ray  |
//! | box       |        | box_box | convex          | cylinder | convex                | plane  | ray  |
//! | capsule   |        |         | capsule_capsule | cylinder | convex                | plane  | ray  |
//! | cylinder  |        |         |                 | cylinder | convex                | plane  | ray  |
//! | the rest  |        |         |                 |          | convex                | plane  | ray  |
//! | plane     |        |         |                 |          |                       | none   | ray  |
//! | ray       |        |         |                 |          |                       |        | none |
//!
//! `sphere` reads the exact signed distance of the other shape. `convex` finds the normal by separating axes, GJK
//! and EPA, and the points by clipping the touching features; `cylinder` is `convex` with the axes of caps and
//! sides tried first.

use super::{
    ContactQuery, ManifoldPoint, box_box::box_box, capsule_capsule::capsule_capsule, convex::convex, cylinder, plane,
    ray, sphere,
};
use crate::{math::Pose, shape::Shape};

/// Contact points of one pair of classes, unreduced.
pub(super) type Kernel = fn(&Shape, &Pose, &Shape, &Pose, &ContactQuery, &mut Vec<ManifoldPoint>);

/// One cell of the matrix.
pub(super) struct Cell {
    pub kernel: Kernel,
    /// The kernel wants the shapes in the other order.
    pub swapped: bool,
}

/// Place in the matrix; the kernel's first shape is the one of lower rank.
fn rank(shape: &Shape) -> u8 {
    match shape {
        Shape::Sphere(_) => 0,
        Shape::Box(_) => 1,
        Shape::Capsule(_) => 2,
        Shape::Cylinder(_) => 3,
        Shape::Ellipsoid(_) => 4,
        Shape::Cone(_) => 5,
        Shape::ConvexHull(_) => 6,
        Shape::Plane(_) => 7,
        Shape::Ray(_) => 8,
    }
}

pub(super) fn cell(a: &Shape, b: &Shape) -> Cell {
    let swapped = rank(a) > rank(b);
    let (first, second) = if swapped { (b, a) } else { (a, b) };
    use Shape::{Box, Capsule, ConvexHull, Cylinder, Plane, Ray, Sphere};
    let kernel: Kernel = match (first, second) {
        (Plane(_), Plane(_)) | (Ray(_), Ray(_)) => |_, _, _, _, _, _| {},
        (_, Ray(_)) => ray::shape_ray,
        (Sphere(_), ConvexHull(_)) => convex,
        (Sphere(_), Sphere(_)) => sphere::sphere_sphere,
        (Sphere(_), _) => sphere::sphere_solid,
        (_, Plane(_)) => plane::solid_plane,
        (Box(_), Box(_)) => box_box,
        (Capsule(_), Capsule(_)) => capsule_capsule,
        (Box(_) | Capsule(_) | Cylinder(_), Cylinder(_)) => cylinder::solid_cylinder,
        _ => convex,
    };
    Cell { kernel, swapped }
}
