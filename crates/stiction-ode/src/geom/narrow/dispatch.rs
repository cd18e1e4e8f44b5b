//! Which kernel serves which pair of classes.

use std::ffi::c_int;

use super::super::{GeomId, class};
use super::{
    Contacts, box_box, box_plane, capsule, cylinder, engine, heightfield, mesh, mesh_plane, nested, ray, sphere,
};

/// Fills in contacts of two geoms, normals into the first.
pub(super) type Kernel = unsafe fn(GeomId, GeomId, &mut Contacts);

/// The kernel, and whether it wants the geoms the other way round.
pub(super) fn kernel(first: c_int, second: c_int) -> Option<(Kernel, bool)> {
    in_order(first, second)
        .map(|kernel| (kernel, false))
        .or_else(|| in_order(second, first).map(|kernel| (kernel, true)))
}

/// Geoms of the class have functions of the program, or other geoms, in them.
pub(super) fn calls_back(number: c_int) -> bool {
    is_space(number) || matches!(number, class::TRANSFORM | class::TRIMESH | class::HEIGHTFIELD)
}

fn is_space(number: c_int) -> bool {
    (class::SIMPLE_SPACE..=class::QUADTREE_SPACE).contains(&number)
}

fn in_order(first: c_int, second: c_int) -> Option<Kernel> {
    use class::{BOX, CAPSULE, CONVEX, CYLINDER, HEIGHTFIELD, PLANE, RAY, SPHERE, TRANSFORM, TRIMESH};
    if is_space(first) || is_space(second) {
        // The space of the lower class is entered first.
        let enters = is_space(first) && (!is_space(second) || first <= second);
        return enters.then_some(nested::space as Kernel);
    }
    Some(match (first, second) {
        (TRANSFORM, _) => nested::transform,
        (_, TRANSFORM) => return None,
        (SPHERE, SPHERE) => sphere::sphere_sphere,
        (SPHERE, BOX) => sphere::sphere_box,
        (SPHERE, PLANE) => sphere::sphere_plane,
        (BOX, BOX) => box_box::boxes,
        (BOX, PLANE) => box_plane::box_plane,
        (CAPSULE, SPHERE) => capsule::capsule_sphere,
        (CAPSULE, CAPSULE) => capsule::capsule_capsule,
        (CAPSULE, PLANE) => capsule::capsule_plane,
        (CYLINDER, SPHERE) => cylinder::cylinder_sphere,
        (CYLINDER, PLANE) => cylinder::cylinder_plane,
        (CONVEX, PLANE) => engine::convex_plane,
        (CAPSULE, BOX | CYLINDER)
        | (CYLINDER, BOX | CYLINDER)
        | (CONVEX, SPHERE | BOX | CAPSULE | CYLINDER | CONVEX) => engine::manifold,
        (RAY, SPHERE | BOX | CAPSULE | CYLINDER | PLANE | CONVEX) => ray::ray_solid,
        (TRIMESH, PLANE) => mesh_plane::mesh_plane,
        (TRIMESH, SPHERE | BOX | CAPSULE | RAY | TRIMESH) | (CYLINDER | CONVEX, TRIMESH) => mesh::mesh,
        (HEIGHTFIELD, SPHERE | BOX | CAPSULE | CYLINDER | RAY | CONVEX | TRIMESH) => heightfield::heightfield,
        _ => return None,
    })
}
