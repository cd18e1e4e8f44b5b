//! The pair matrix: which kernel serves which pair.
//!
//! |             | sphere | box     | capsule         | cylinder | ellipsoid, cone, hull | mesh | heightfield | plane  | ray  |
//! |-------------|--------|---------|-----------------|----------|-----------------------|------|-------------|--------|------|
//! | sphere      | sphere | sphere  | sphere          | sphere   | sphere (hull: convex) | mesh | mesh        | sphere | ray  |
//! | box         |        | box_box | convex          | cylinder | convex                | mesh | mesh        | plane  | ray  |
//! | capsule     |        |         | capsule_capsule | cylinder | convex                | mesh | mesh        | plane  | ray  |
//! | cylinder    |        |         |                 | cylinder | convex                | mesh | mesh        | plane  | ray  |
//! | the rest    |        |         |                 |          | convex                | mesh | mesh        | plane  | ray  |
//! | mesh        |        |         |                 |          |                       | mesh | mesh        | mesh   | mesh |
//! | heightfield |        |         |                 |          |                       |      | none        | none   | mesh |
//! | plane       |        |         |                 |          |                       |      |             | none   | ray  |
//! | ray         |        |         |                 |          |                       |      |             |        | none |
//!
//! `sphere` reads the exact signed distance of the other shape. `convex` finds the normal by separating axes, GJK
//! and EPA, and the points by clipping the touching features; `cylinder` is `convex` with the axes of caps and
//! sides tried first. `mesh` goes triangle by triangle: spheres by the nearest point, solids by the direction of least
//! depth and clipping, other meshes by vertices and crossing edges; a closed convex mesh of few corners is its hull.

use super::{
    ContactQuery, ManifoldPoint, box_box::box_box, capsule_capsule::capsule_capsule, convex::convex, cylinder, mesh,
    plane, ray, sphere,
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
        Shape::TriangleMesh(_) => 7,
        Shape::Heightfield(_) => 8,
        Shape::Plane(_) => 9,
        Shape::Ray(_) => 10,
    }
}

pub(super) fn cell(a: &Shape, b: &Shape) -> Cell {
    let swapped = rank(a) > rank(b);
    let (first, second) = if swapped { (b, a) } else { (a, b) };
    use Shape::{Box, Capsule, ConvexHull, Cylinder, Heightfield, Plane, Ray, Sphere, TriangleMesh};
    let kernel: Kernel = match (first, second) {
        (Plane(_), Plane(_)) | (Ray(_), Ray(_)) | (Heightfield(_), Heightfield(_) | Plane(_)) => |_, _, _, _, _, _| {},
        (TriangleMesh(_) | Heightfield(_), Ray(_)) => mesh::mesh_ray,
        (_, Ray(_)) => ray::shape_ray,
        (TriangleMesh(_), Plane(_)) => mesh::mesh_plane,
        (TriangleMesh(_), TriangleMesh(_) | Heightfield(_)) => mesh::mesh_mesh,
        (Sphere(_), TriangleMesh(_) | Heightfield(_)) => mesh::sphere_mesh,
        (_, TriangleMesh(_) | Heightfield(_)) => mesh::solid_mesh,
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
