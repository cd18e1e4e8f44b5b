//! Shapes of collisions.

use std::sync::Arc;

use stiction::math::{DVec3, Pose};

use crate::mesh::MeshDescription;

/// A shape.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum GeometryDescription {
    /// No shape.
    Empty,
    /// Full side lengths \[m\].
    Box(DVec3),
    /// Radius \[m\].
    Sphere(f64),
    /// Radius and length along z \[m\].
    Cylinder {
        /// Radius \[m\].
        radius: f64,
        /// Length along z \[m\].
        length: f64,
    },
    /// Radius and length of the cylindrical part along z \[m\].
    Capsule {
        /// Radius \[m\].
        radius: f64,
        /// Length without the caps \[m\].
        length: f64,
    },
    /// Semi-axes \[m\].
    Ellipsoid(DVec3),
    /// Radius of the base and length along z \[m\]; the tip is at +z, the origin halfway.
    Cone {
        /// Radius of the base \[m\].
        radius: f64,
        /// Length \[m\].
        length: f64,
    },
    /// Unit normal of an infinite plane through the origin.
    Plane(DVec3),
    /// Convex hull of points \[m\]: a convex mesh, one with `optimization="convex_hull"`, or a convex polyline.
    ConvexHull(Arc<Vec<DVec3>>),
    /// Triangles; a mesh that is closed bounds a solid.
    Mesh(Arc<MeshDescription>),
    /// Heights over a grid.
    Heightfield(Arc<HeightfieldDescription>),
    /// Several shapes at poses in the frame of the collision: convex parts of a mesh, boxes of an image.
    Compound(Arc<Vec<(Pose, GeometryDescription)>>),
    /// A shape that is left out: its kind.
    Unsupported(String),
}

/// Ground under a surface over a grid in x and y, z up.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightfieldDescription {
    /// Heights \[m\], row by row from the greatest y, each from the least x.
    pub heights: Vec<f64>,
    /// Samples of a row.
    pub columns: usize,
    /// Number of rows.
    pub rows: usize,
    /// Extent along x and y \[m\].
    pub size: [f64; 2],
    /// Where its middle stands at height 0, in the frame of the collision \[m\].
    pub position: DVec3,
}

impl HeightfieldDescription {
    /// Corners of the box around the surface.
    #[must_use]
    pub fn corners(&self) -> [DVec3; 8] {
        let low = self.heights.iter().copied().fold(f64::INFINITY, f64::min);
        let high = self.heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let [x, y] = self.size.map(|side| 0.5 * side);
        let corner = |i: usize| {
            let pick = |bit: usize, a: f64, b: f64| if i >> bit & 1 == 0 { a } else { b };
            self.position + DVec3::new(pick(0, -x, x), pick(1, -y, y), pick(2, low, high))
        };
        [0, 1, 2, 3, 4, 5, 6, 7].map(corner)
    }
}
