//! Triangle meshes as data: what files describe becomes vertices and triangles here, before the engine sees it.

mod adjacency;
mod cache;
mod convex;
mod decomposition;
mod extrusion;
pub mod file;
mod form;
mod frame;
mod healing;
mod holes;
mod mass;
mod polygon;
mod primitives;
pub(crate) mod raster;
mod solids;
pub(crate) mod vrml;
mod weld;

use stiction::math::DVec3;
use stiction::shape::{MassProperties, ShapeError, TriangleMesh};

pub(crate) use cache::Cache;
pub(crate) use decomposition::Decomposition;
pub(crate) use extrusion::{ElevationGrid, Extrusion};
pub(crate) use form::{Form, Placed};
pub(crate) use frame::Frame;
pub use healing::Healing;
pub(crate) use holes::with_holes;
pub(crate) use polygon::{FaceError, faces};
pub(crate) use polygon::{MOST_CORNERS, triangulate};

/// Vertices and the triangles between them, counter-clockwise seen from outside.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshDescription {
    /// Vertices in the frame of the collision \[m\].
    pub vertices: Vec<DVec3>,
    /// Triples of indices of vertices.
    pub triangles: Vec<[u32; 3]>,
}

/// What a mesh bounds.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Solidity {
    /// A solid, with its mass properties at 1 kg/m³.
    Solid(MassProperties),
    /// The same, wound inside out: the mass properties are those of the mesh turned right.
    InsideOut(MassProperties),
    /// Nothing: edges with one triangle, or no volume.
    Open,
}

impl MeshDescription {
    /// What the mesh bounds. Volume, centre and inertia are sums over the signed tetrahedra of its triangles.
    ///
    /// # Errors
    /// No triangles, an index out of range, a vertex that is not finite.
    pub(crate) fn solidity(&self) -> Result<Solidity, ShapeError> {
        let mesh = TriangleMesh::new(&self.vertices, &self.triangles)?;
        if !mesh.is_closed() {
            return Ok(Solidity::Open);
        }
        if let Ok(mass) = mesh.mass_properties(1.0) {
            return Ok(Solidity::Solid(mass));
        }
        let turned = self.clone().turned();
        let mesh = TriangleMesh::from_vecs(turned.vertices, turned.triangles)?;
        Ok(mesh.mass_properties(1.0).map_or(Solidity::Open, Solidity::InsideOut))
    }

    /// The same with every triangle wound the other way.
    #[must_use]
    pub(crate) fn turned(mut self) -> Self {
        self.triangles.iter_mut().for_each(|[_, b, c]| std::mem::swap(b, c));
        self
    }

    /// Adds the triangles of another mesh.
    pub(crate) fn append(&mut self, other: &Self) {
        let first = self.vertices.len() as u32;
        self.vertices.extend(&other.vertices);
        self.triangles.extend(other.triangles.iter().map(|triangle| triangle.map(|v| v + first)));
    }
}
