//! Mesh with half-space: the corners below the surface, each once, triangle by triangle.

use glam::DVec3;

use super::super::trimesh::TriMeshData;
use super::super::{Geom, GeomId, GeomShape};
use super::Contacts;

pub(super) unsafe fn mesh_plane(mesh: GeomId, plane: GeomId, contacts: &mut Contacts) {
    let (GeomShape::TriMesh(shape), GeomShape::Plane { params }) = (&(*mesh).shape, &(*plane).shape) else { return };
    let Some(data) = shape.data.as_ref() else { return };
    let placed = Geom::placed(mesh);
    let normal = DVec3::new(params[0], params[1], params[2]);
    let mut told = Told(Vec::new());
    for triangle in 0..data.triangle_count {
        for index in data.indices(triangle) {
            let corner = placed.point(data.vertex(index as usize));
            let depth = params[3] - normal.dot(corner);
            if depth > 0.0 && told.is_new(data, index as usize) {
                contacts.push_sides(corner, normal, depth, triangle as i32, -1);
                if contacts.is_full() {
                    return;
                }
            }
        }
    }
}

/// Corners that have a contact: a bit each, once there is one.
struct Told(Vec<u64>);

impl Told {
    fn is_new(&mut self, data: &TriMeshData, index: usize) -> bool {
        if self.0.is_empty() {
            self.0.resize(data.vertex_count().div_ceil(64), 0);
        }
        let (word, bit) = (&mut self.0[index / 64], 1 << (index % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }
}
