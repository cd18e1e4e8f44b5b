//! A mesh whose vertices move.

use glam::DVec3;

use super::{TriangleMesh, convex, normals, threads, weld};
use crate::shape::{Aabb, ShapeError};

impl TriangleMesh {
    /// Moves the vertices \[m\] of a mesh that deforms: the result answers all questions as a new mesh of these vertices
    /// and the same triangles does, with equal distances and the same contacts up to their order, but is had in a part of
    /// the time. What lies across the edges is worked out again only if other vertices than before are at one place,
    /// other triangles are degenerate, or more than two triangles meet in an edge.
    ///
    /// # Errors
    /// Another number of vertices, or one that is not finite; the mesh then stays as it was.
    pub fn refit(&mut self, vertices: &[DVec3]) -> Result<(), ShapeError> {
        if vertices.len() != self.vertices.len() {
            return Err(ShapeError::VertexCount { found: vertices.len(), expected: self.vertices.len() });
        }
        if let Some(index) = vertices.iter().position(|p| !p.is_finite()) {
            return Err(ShapeError::VertexNotFinite { index });
        }
        let bits = |p: &DVec3| p.to_array().map(f64::to_bits);
        if vertices.iter().zip(&self.vertices).all(|(p, q)| bits(p) == bits(q)) {
            return Ok(());
        }
        let normals = normals(vertices, &self.triangles);
        let are_degenerate_as_before =
            normals.iter().zip(&self.normals).all(|(n, m)| (*n == DVec3::ZERO) == (*m == DVec3::ZERO));
        let is_topology_known =
            are_degenerate_as_before && !self.topology.is_branched && weld::holds(&self.topology.welded, vertices);
        if !is_topology_known {
            *self = Self::of_checked(vertices.to_vec(), std::mem::take(&mut self.triangles));
            return Ok(());
        }
        self.vertices.copy_from_slice(vertices);
        self.normals = normals;
        let (points, triangles) = (&self.vertices, &self.triangles);
        let corners = |i: u32| triangles[i as usize].map(|v| points[v as usize]);
        self.tree.fit(&corners, threads(triangles.len()));
        self.bounds = Aabb::EMPTY;
        self.measure();
        self.hull = convex::hull(self);
        Ok(())
    }
}
