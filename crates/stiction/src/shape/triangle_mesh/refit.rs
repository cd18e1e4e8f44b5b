//! A mesh whose vertices move.

use std::sync::atomic::{AtomicBool, Ordering};

use glam::DVec3;

use super::{TriangleMesh, convex, threads, weld};
use crate::shape::{ShapeError, Triangle};

impl TriangleMesh {
    /// Moves the vertices \[m\] of a mesh that deforms: the result answers all questions as a new mesh of these vertices
    /// and the same triangles does, with equal distances and the same contacts up to their order, but is had in a part of
    /// the time. What lies across the edges is worked out again only if other vertices than before are at one place,
    /// other triangles are degenerate, or more than two triangles meet in an edge.
    ///
    /// # Errors
    /// Another number of vertices, or one that is not finite; the mesh then stays as it was.
    pub fn refit(&mut self, vertices: Vec<DVec3>) -> Result<(), ShapeError> {
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
        self.vertices = vertices;
        if self.topology.is_branched || !weld::holds(&self.topology.welded, &self.vertices) || !self.refit_tree() {
            let (vertices, triangles) = (std::mem::take(&mut self.vertices), std::mem::take(&mut self.triangles));
            *self = Self::of_checked(vertices, triangles);
            return Ok(());
        }
        self.normals = Vec::new();
        self.measure();
        self.hull = convex::hull(self);
        Ok(())
    }

    /// Fits the tree's boxes; false if other triangles than before are degenerate.
    fn refit_tree(&mut self) -> bool {
        let Self { vertices, triangles, tree, degenerate, .. } = self;
        let has_changed = AtomicBool::new(false);
        let corners = |t: u32| triangles[t as usize].map(|v| vertices[v as usize]);
        let solid = |t: u32| {
            let corners = corners(t);
            if !Triangle::is_solid(&corners) {
                has_changed.store(true, Ordering::Relaxed);
            }
            corners
        };
        tree.fit(&solid, threads(triangles.len()));
        !has_changed.into_inner() && !degenerate.iter().any(|&t| Triangle::is_solid(&corners(t)))
    }
}
