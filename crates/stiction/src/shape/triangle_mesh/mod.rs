//! Triangle mesh: any soup of triangles, with a tree over them and what lies across each edge.

mod convex;
mod mass;
mod query;
mod topology;
mod tree;

use glam::DVec3;

pub use query::{MeshNearest, TriangleHit};
pub use topology::EdgeKind;

use super::{Aabb, Shape, ShapeError, Surface, Triangle, TrianglePart};
use topology::Topology;
use tree::Tree;

/// Triangles, counter-clockwise seen from outside; one that is closed bounds a solid.
///
/// Degenerate triangles keep their numbers and touch nothing.
#[derive(Clone, Debug)]
pub struct TriangleMesh {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    normals: Vec<DVec3>,
    topology: Topology,
    tree: Tree,
    /// Tree over the vertices that triangles use, one for each place.
    vertex_tree: Tree,
    signed_volume: f64,
    /// The solid that it bounds, if that is convex and of few corners.
    hull: Option<Box<Shape>>,
}

impl TriangleMesh {
    /// The mesh of vertices \[m\] and of triangles as triples of their indices.
    ///
    /// # Errors
    /// No triangles, an index out of range, a vertex that is not finite.
    pub fn new(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Result<Self, ShapeError> {
        if triangles.is_empty() {
            return Err(ShapeError::NoTriangles);
        }
        if let Some(index) = vertices.iter().position(|p| !p.is_finite()) {
            return Err(ShapeError::VertexNotFinite { index });
        }
        for (triangle, corners) in triangles.iter().enumerate() {
            if let Some(&index) = corners.iter().find(|v| **v as usize >= vertices.len()) {
                return Err(ShapeError::VertexIndex { triangle, index, vertices: vertices.len() });
            }
        }
        let corners = |i: usize| triangles[i].map(|v| vertices[v as usize]);
        let normals: Vec<DVec3> = (0..triangles.len()).map(|i| Triangle::new(i as u32, corners(i)).normal).collect();
        let topology = Topology::new(vertices, triangles, &normals);
        let solid: Vec<u32> = (0..triangles.len() as u32).filter(|i| normals[*i as usize] != DVec3::ZERO).collect();
        let boxes: Vec<Aabb> = (0..triangles.len())
            .map(|i| corners(i).iter().fold(Aabb::EMPTY, |sum, &p| sum.merged(&Aabb::new(p, p))))
            .collect();
        let mut places: Vec<u32> =
            solid.iter().flat_map(|&i| triangles[i as usize].map(|v| topology.place(v))).collect();
        places.sort_unstable();
        places.dedup();
        let points: Vec<Aabb> = vertices.iter().map(|&p| Aabb::new(p, p)).collect();
        let tree = Tree::new(&boxes, solid);
        let mut mesh = Self {
            signed_volume: mass::signed_volume(vertices, triangles),
            vertices: vertices.to_vec(),
            triangles: triangles.to_vec(),
            normals,
            topology,
            tree,
            vertex_tree: Tree::new(&points, places),
            hull: None,
        };
        mesh.hull = convex::hull(&mesh);
        Ok(mesh)
    }

    /// Vertices \[m\].
    #[must_use]
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// Triangles as vertex indices, counter-clockwise from outside.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// One triangle; `None` if there is none of this number.
    #[must_use]
    pub fn triangle(&self, index: u32) -> Option<Triangle> {
        ((index as usize) < self.triangles.len()).then(|| self.at(index))
    }

    /// Triangles across the edges of a triangle, edge k from corner k to corner k + 1; `None` at a boundary.
    ///
    /// Edges are joined by the positions of their ends. Of more than two triangles in one edge, pairs are joined.
    #[must_use]
    pub fn neighbours(&self, triangle: u32) -> [Option<u32>; 3] {
        if (triangle as usize) < self.triangles.len() { self.topology.neighbours(triangle) } else { [None; 3] }
    }

    /// How a triangle meets its neighbours, by edge.
    #[must_use]
    pub fn edge_kinds(&self, triangle: u32) -> [EdgeKind; 3] {
        if (triangle as usize) < self.triangles.len() { self.topology.kinds(triangle) } else { [EdgeKind::Boundary; 3] }
    }

    /// Every edge joins triangles of the same sense in pairs: the mesh bounds a solid.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.topology.is_closed
    }

    /// Sum of the signed volumes of the tetrahedra of a point and each triangle \[m³\]; of a closed mesh its magnitude.
    #[must_use]
    pub fn volume(&self) -> f64 {
        if self.is_closed() { self.signed_volume.abs() } else { self.signed_volume }
    }

    /// The least box in the mesh's axes \[m\]; empty if every triangle is degenerate.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        self.tree.bounds()
    }

    /// A triangle whose number is known to be good.
    pub(crate) fn at(&self, index: u32) -> Triangle {
        let i = index as usize;
        Triangle { index, corners: self.triangles[i].map(|v| self.vertices[v as usize]), normal: self.normals[i] }
    }

    /// The convex hull that a closed convex mesh of few corners bounds.
    pub(crate) fn hull(&self) -> Option<&Shape> {
        self.hull.as_deref()
    }

    /// The nearest place is on the rim of an open surface.
    pub(crate) fn is_rim(&self, nearest: &MeshNearest) -> bool {
        match nearest.part {
            TrianglePart::Face => false,
            TrianglePart::Edge(k) => self.topology.neighbours(nearest.triangle)[k].is_none(),
            TrianglePart::Corner(k) => self.topology.is_rim(self.triangles[nearest.triangle as usize][k]),
        }
    }

    /// Far corner of the triangle across edge k.
    pub(crate) fn opposite(&self, triangle: u32, k: usize) -> Option<DVec3> {
        self.topology.opposite(&self.triangles, triangle, k).map(|v| self.vertices[v as usize])
    }

    /// Ends of the edges at a vertex.
    pub(crate) fn ring(&self, vertex: u32) -> impl Iterator<Item = DVec3> + '_ {
        self.topology.ring(vertex).iter().map(|&v| self.vertices[v as usize])
    }

    pub(crate) fn support(&self, direction: DVec3) -> DVec3 {
        let mut best = (f64::NEG_INFINITY, self.vertices[0]);
        let height = |aabb: &Aabb| direction.dot(DVec3::select(direction.cmpgt(DVec3::ZERO), aabb.max, aabb.min));
        self.vertex_tree.nearest_first(
            f64::INFINITY,
            |aabb| -height(aabb),
            |v| {
                let h = self.vertices[v as usize].dot(direction);
                if h > best.0 {
                    best = (h, self.vertices[v as usize]);
                }
                -best.0
            },
        );
        best.1
    }

    /// Signed distance of a closed mesh, positive outside; the plain distance of an open one.
    pub(crate) fn surface(&self, point: DVec3) -> Option<Surface> {
        let nearest = self.nearest(point, f64::INFINITY)?;
        let off = point - nearest.point;
        let sign = if self.is_closed() && off.dot(nearest.outward) < 0.0 { -1.0 } else { 1.0 };
        let normal = if nearest.part == TrianglePart::Face {
            let normal = self.normals[nearest.triangle as usize];
            if sign * off.dot(normal) < 0.0 { -normal } else { normal }
        } else {
            (off * sign).normalize_or(nearest.outward.normalize_or(DVec3::X))
        };
        Some(Surface { distance: sign * off.length(), normal })
    }
}

#[cfg(test)]
mod tests;
