//! Triangle mesh: any soup of triangles, with a tree over them and what lies across each edge.

mod convex;
mod dual;
mod mass;
mod node;
mod partition;
mod query;
mod refit;
mod share;
mod topology;
mod tree;
mod weld;

use std::sync::OnceLock;

use glam::{DVec3, Vec4};

pub use query::{MeshNearest, TriangleHit};
pub use topology::EdgeKind;

use super::{Aabb, Shape, ShapeError, Surface, Triangle, TrianglePart};
use topology::{Arrays, Topology};
use tree::Tree;

/// Triangles, counter-clockwise seen from outside; one that is closed bounds a solid.
///
/// Degenerate triangles keep their numbers and touch nothing.
#[derive(Clone, Debug)]
pub struct TriangleMesh {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    /// By triangle; none if they are worked out where they are asked for, as of a mesh that deforms.
    normals: Vec<DVec3>,
    /// Degenerate triangles, which touch nothing.
    degenerate: Vec<u32>,
    topology: Topology,
    /// Over the triangles that are not degenerate.
    tree: Tree,
    /// Of those.
    bounds: Aabb,
    /// Worked out when first asked for.
    signed_volume: OnceLock<f64>,
    is_connected: OnceLock<bool>,
    /// The solid that it bounds, if that is convex and of few corners.
    hull: Option<Box<Shape>>,
}

impl TriangleMesh {
    /// The mesh of vertices \[m\] and of triangles as triples of their indices.
    ///
    /// # Errors
    /// No triangles, an index out of range, a vertex that is not finite.
    pub fn new(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Result<Self, ShapeError> {
        Self::from_vecs(vertices.to_vec(), triangles.to_vec())
    }

    /// The same without a copy.
    ///
    /// # Errors
    /// As of [`TriangleMesh::new`].
    pub fn from_vecs(vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Result<Self, ShapeError> {
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
        Ok(Self::of_checked(vertices, triangles))
    }

    fn of_checked(vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Self {
        let normals = normals(&vertices, &triangles);
        let is_solid = |t: &u32| normals[*t as usize] != DVec3::ZERO;
        let numbers = 0..triangles.len() as u32;
        let degenerate: Vec<u32> = numbers.clone().filter(|t| !is_solid(t)).collect();
        let solid = numbers.filter(is_solid);
        // First what takes memory for a while.
        let tree = Tree::new(solid, &vertices, &triangles, threads(triangles.len()));
        let topology = Topology::new(Arrays { vertices: &vertices, triangles: &triangles, normals: &normals });
        let mut mesh = Self {
            vertices,
            triangles,
            normals,
            degenerate,
            topology,
            tree,
            bounds: Aabb::EMPTY,
            signed_volume: OnceLock::new(),
            is_connected: OnceLock::new(),
            hull: None,
        };
        mesh.measure();
        mesh.hull = convex::hull(&mesh);
        mesh
    }

    /// Measures anew what depends on all vertices.
    fn measure(&mut self) {
        self.signed_volume = OnceLock::new();
        let used = (0..self.vertices.len() as u32).filter(|&v| self.topology.is_used(v));
        self.bounds = used.map(|v| self.vertices[v as usize]).fold(Aabb::EMPTY, |sum, p| sum.merged(&Aabb::new(p, p)));
    }

    fn arrays(&self) -> Arrays<'_> {
        Arrays { vertices: &self.vertices, triangles: &self.triangles, normals: &self.normals }
    }

    fn signed_volume(&self) -> f64 {
        *self.signed_volume.get_or_init(|| mass::signed_volume(&self.vertices, &self.triangles))
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
        if (triangle as usize) < self.triangles.len() {
            self.topology.kinds(self.arrays(), triangle)
        } else {
            [EdgeKind::Boundary; 3]
        }
    }

    /// Every edge joins triangles of the same sense in pairs: the mesh bounds a solid.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.topology.is_closed
    }

    /// Sum of the signed volumes of the tetrahedra of a point and each triangle \[m³\]; of a closed mesh its magnitude.
    #[must_use]
    pub fn volume(&self) -> f64 {
        if self.is_closed() { self.signed_volume().abs() } else { self.signed_volume() }
    }

    /// The least box in the mesh's axes \[m\]; empty if every triangle is degenerate.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// A triangle whose number is known to be good.
    pub(crate) fn at(&self, index: u32) -> Triangle {
        let corners = self.triangles[index as usize].map(|v| self.vertices[v as usize]);
        match self.normals.get(index as usize) {
            Some(&normal) => Triangle { index, corners, normal },
            None => Triangle::new(index, corners),
        }
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
            TrianglePart::Corner(k) => {
                self.topology.is_rim(&self.triangles, self.triangles[nearest.triangle as usize][k])
            }
        }
    }

    /// Far corner of the triangle across edge k.
    pub(crate) fn opposite(&self, triangle: u32, k: usize) -> Option<DVec3> {
        self.topology.opposite(&self.triangles, triangle, k).map(|v| self.vertices[v as usize])
    }

    /// Ends of the edges at a vertex, some perhaps twice, each with its number.
    pub(crate) fn ring(&self, vertex: u32) -> impl Iterator<Item = (u32, DVec3)> + '_ {
        let ends = self.topology.ring(&self.triangles, vertex);
        ends.map(|v| (self.topology.place(v), self.vertices[v as usize]))
    }

    /// The vertex that stands for all at its place.
    pub(crate) fn place(&self, vertex: u32) -> u32 {
        self.topology.place(vertex)
    }

    /// All triangles are connected by their edges.
    pub(crate) fn is_connected(&self) -> bool {
        *self.is_connected.get_or_init(|| self.topology.is_connected(&self.triangles))
    }

    pub(crate) fn support(&self, direction: DVec3) -> DVec3 {
        let mut best = (f64::NEG_INFINITY, self.vertices[0]);
        self.tree.nearest_first(
            f64::INFINITY,
            |node| Vec4::from_array([0, 1, 2, 3].map(|lane| node::down(-height(&node.aabb(lane), direction)))),
            |triangle| {
                for p in self.at(triangle).corners {
                    let h = p.dot(direction);
                    if h > best.0 {
                        best = (h, p);
                    }
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
            let normal = self.at(nearest.triangle).normal;
            if sign * off.dot(normal) < 0.0 { -normal } else { normal }
        } else {
            (off * sign).normalize_or(nearest.outward.normalize_or(DVec3::X))
        };
        Some(Surface { distance: sign * off.length(), normal })
    }
}

/// Outward unit normals; zero of degenerate triangles.
fn normals(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Vec<DVec3> {
    triangles.iter().map(|corners| Triangle::new(0, corners.map(|v| vertices[v as usize])).normal).collect()
}

/// How far a box reaches along a direction.
fn height(aabb: &Aabb, direction: DVec3) -> f64 {
    let along = |axis: usize| match direction[axis] {
        // A box may have no end.
        0.0 => 0.0,
        d => d * if d > 0.0 { aabb.max[axis] } else { aabb.min[axis] },
    };
    along(0) + along(1) + along(2)
}

/// Threads that share the work on so many triangles.
fn threads(triangles: usize) -> usize {
    if triangles < FEW { 1 } else { std::thread::available_parallelism().map_or(1, std::num::NonZero::get) }
}

/// Meshes of fewer triangles are done by one thread before others have begun.
const FEW: usize = 1 << 17;

#[cfg(test)]
mod tests;
