//! Ray with a solid or a half-space: the first hit.

use super::super::{Geom, GeomId, GeomShape};
use super::{Contacts, engine};

/// Position on the surface, distance from the start as depth, normal towards the start.
pub(super) unsafe fn ray_solid(ray: GeomId, solid: GeomId, contacts: &mut Contacts) {
    let (&GeomShape::Ray { length }, Some(shape)) = (&(*ray).shape, engine::shape_of(solid)) else { return };
    let (start, pose) = (Geom::placed(ray), Geom::placed(solid).pose());
    // The z axis as it is: a ray's rotation may be none, see `dGeomRaySet`.
    let direction = start.rotation.z_axis;
    if let Some(hit) = shape.ray_cast(&pose, start.position, direction, length) {
        contacts.push_unit(start.position + direction * hit.distance, hit.normal, hit.distance, [-1; 2]);
    }
}
