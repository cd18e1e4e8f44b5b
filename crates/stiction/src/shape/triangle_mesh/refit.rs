//! A mesh whose vertices move.

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
        let holds = || weld::holds(&self.topology.welded, &self.vertices);
        let is_known = !self.topology.is_branched
            && if threads(self.triangles.len()) > 1 {
                std::thread::scope(|scope| {
                    let holds = scope.spawn(holds);
                    self.are_solid_as_before() && holds.join().unwrap_or(false)
                })
            } else {
                self.are_solid_as_before() && holds()
            };
        if !is_known {
            let (vertices, triangles) = (std::mem::take(&mut self.vertices), std::mem::take(&mut self.triangles));
            *self = Self::of_checked(vertices, triangles);
            return Ok(());
        }
        self.tree.fit(&self.vertices, &self.triangles, threads(self.triangles.len()));
        self.normals = Vec::new();
        self.measure();
        self.hull = convex::hull(self);
        Ok(())
    }

    /// The same triangles as before are degenerate.
    fn are_solid_as_before(&self) -> bool {
        let is_solid = |corners: &[u32; 3]| Triangle::is_solid(&corners.map(|v| self.vertices[v as usize]));
        let mut from = 0;
        let ends = self.degenerate.iter().map(|&t| t as usize).chain([self.triangles.len()]);
        for end in ends {
            let is_degenerate = self.triangles.get(end).is_none_or(|corners| !is_solid(corners));
            if !is_degenerate || !self.triangles[from..end].iter().all(is_solid) {
                return false;
            }
            from = end + 1;
        }
        true
    }
}
