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
        self.refit_from(vertices.len(), |index| vertices[index])
    }

    /// The same with vertices that are asked for by their numbers, each twice.
    ///
    /// # Errors
    /// As of [`TriangleMesh::refit`].
    pub fn refit_from(&mut self, count: usize, vertex: impl Fn(usize) -> DVec3) -> Result<(), ShapeError> {
        if count != self.vertices.len() {
            return Err(ShapeError::VertexCount { found: count, expected: self.vertices.len() });
        }
        if let Some(index) = (0..count).find(|&index| !vertex(index).is_finite()) {
            return Err(ShapeError::VertexNotFinite { index });
        }
        let bits = |p: DVec3| p.to_array().map(f64::to_bits);
        if self.vertices.iter().enumerate().all(|(index, p)| bits(*p) == bits(vertex(index))) {
            return Ok(());
        }
        self.vertices.iter_mut().enumerate().for_each(|(index, p)| *p = vertex(index));
        self.fit_to_vertices();
        Ok(())
    }

    /// Works out anew what depends on where the vertices are.
    fn fit_to_vertices(&mut self) {
        let threads = threads(self.triangles.len());
        let Self { tree, topology, vertices, triangles, degenerate, .. } = self;
        let (vertices, triangles) = (&*vertices, &*triangles);
        let holds = || weld::holds(&topology.welded, vertices);
        let mut fit = || {
            let is_solid = |t: &u32| Triangle::is_solid(&triangles[*t as usize].map(|v| vertices[v as usize]));
            !degenerate.iter().any(is_solid) && tree.fit(vertices, triangles, threads)
        };
        let is_known = !topology.is_branched
            && if threads > 1 {
                std::thread::scope(|scope| {
                    let other = std::thread::Builder::new().spawn_scoped(scope, holds);
                    // Without a thread more, and after a failure of it, one after the other.
                    fit() && other.map_or_else(|_| holds(), |o| o.join().unwrap_or_else(|_| holds()))
                })
            } else {
                fit() && holds()
            };
        if !is_known {
            let (vertices, triangles) = (std::mem::take(&mut self.vertices), std::mem::take(&mut self.triangles));
            *self = Self::of_checked(vertices, triangles);
            return;
        }
        self.normals = Vec::new();
        self.measure();
        self.hull = convex::hull(self);
    }
}
