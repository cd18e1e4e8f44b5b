//! Shapes: geometry in a local frame, with its bounds, support points, distances, ray casts and mass.
//!
//! ```
//! use stiction::math::{DVec3, Pose};
//! use stiction::shape::Shape;
//!
//! let cuboid = Shape::cuboid(DVec3::new(1.0, 2.0, 3.0))?;
//! let mass = cuboid.mass_properties(1000.0).ok_or("a solid")?;
//! assert_eq!(mass.mass, 6000.0);
//! let bounds = cuboid.aabb(&Pose::from_position(DVec3::Z));
//! assert_eq!(bounds.max, DVec3::new(0.5, 1.0, 2.5));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod aabb;
mod capsule;
pub(crate) mod chord;
mod cone;
mod cuboid;
mod cylinder;
mod ellipsoid;
mod error;
mod heightfield;
mod hull;
mod mass;
mod plane;
mod quickhull;
mod ray;
mod sphere;
mod triangle;
mod triangle_mesh;

use std::sync::Arc;

use glam::DVec3;

pub use aabb::Aabb;
pub use capsule::Capsule;
pub use cone::Cone;
pub use cuboid::Cuboid;
pub use cylinder::Cylinder;
pub use ellipsoid::Ellipsoid;
pub use error::ShapeError;
pub use heightfield::{Heightfield, HeightfieldDefinition};
pub use hull::{ConvexHull, HullFace};
pub use mass::{MassError, MassProperties};
pub use plane::Plane;
pub use ray::{Ray, RayHit};
pub use sphere::Sphere;
pub use triangle::{NearestOnTriangle, Triangle, TrianglePart};
pub use triangle_mesh::{EdgeKind, MeshNearest, TriangleHit, TriangleMesh};

use crate::math::Pose;
use error::{finite, positive};

/// Signed distance of a point from a surface, positive outside, and the outward normal there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surface {
    pub distance: f64,
    pub normal: DVec3,
}

/// Geometry in a local frame.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Shape {
    /// Ball.
    Sphere(Sphere),
    /// Box.
    Box(Cuboid),
    /// Capsule along z.
    Capsule(Capsule),
    /// Cylinder along z.
    Cylinder(Cylinder),
    /// Half-space.
    Plane(Plane),
    /// Ellipsoid.
    Ellipsoid(Ellipsoid),
    /// Cone along z.
    Cone(Cone),
    /// Convex polyhedron.
    ConvexHull(Arc<ConvexHull>),
    /// Ray along z.
    Ray(Ray),
    /// Any soup of triangles.
    TriangleMesh(Arc<TriangleMesh>),
    /// Surface over a grid, y up.
    Heightfield(Arc<Heightfield>),
}

impl Shape {
    /// A mesh or a heightfield.
    pub(crate) fn has_triangles(&self) -> bool {
        matches!(self, Self::TriangleMesh(_) | Self::Heightfield(_))
    }

    /// It touches triangle by triangle: a mesh that is no hull, or a heightfield.
    pub(crate) fn touches_by_triangles(&self) -> bool {
        match self {
            Self::TriangleMesh(mesh) => mesh.hull().is_none(),
            shape => matches!(shape, Self::Heightfield(_)),
        }
    }

    /// Nothing of its surface is flat: whatever it touches it rolls on.
    pub(crate) fn has_no_faces(&self) -> bool {
        matches!(self, Self::Sphere(_) | Self::Ellipsoid(_) | Self::Capsule(_))
    }

    /// A ball of a radius \[m\].
    ///
    /// # Errors
    /// A radius that is not finite and positive.
    pub fn sphere(radius: f64) -> Result<Self, ShapeError> {
        Ok(Self::Sphere(Sphere { radius: positive("sphere radius [m]", radius)? }))
    }

    /// A box of side lengths \[m\].
    ///
    /// # Errors
    /// A side that is not finite and positive.
    pub fn cuboid(side_lengths: DVec3) -> Result<Self, ShapeError> {
        for side in side_lengths.to_array() {
            positive("box side length [m]", side)?;
        }
        Ok(Self::Box(Cuboid { half_extents: 0.5 * side_lengths }))
    }

    /// A capsule of a radius and the length of its cylindrical part \[m\].
    ///
    /// # Errors
    /// A value that is not finite and positive.
    pub fn capsule(radius: f64, length: f64) -> Result<Self, ShapeError> {
        Ok(Self::Capsule(Capsule {
            radius: positive("capsule radius [m]", radius)?,
            half_length: 0.5 * positive("capsule length [m]", length)?,
        }))
    }

    /// A cylinder of a radius and a length \[m\].
    ///
    /// # Errors
    /// A value that is not finite and positive.
    pub fn cylinder(radius: f64, length: f64) -> Result<Self, ShapeError> {
        Ok(Self::Cylinder(Cylinder {
            radius: positive("cylinder radius [m]", radius)?,
            half_length: 0.5 * positive("cylinder length [m]", length)?,
        }))
    }

    /// The half-space `normal·p <= offset`; the normal is brought to unit length and the offset with it.
    ///
    /// # Errors
    /// A normal of no direction, or a value that is not finite.
    pub fn plane(normal: DVec3, offset: f64) -> Result<Self, ShapeError> {
        let length = normal.length();
        positive("length of the plane normal", length)?;
        Ok(Self::Plane(Plane { normal: normal / length, offset: finite("plane offset [m]", offset / length)? }))
    }

    /// An ellipsoid of semi-axes \[m\].
    ///
    /// # Errors
    /// A semi-axis that is not finite and positive.
    pub fn ellipsoid(semi_axes: DVec3) -> Result<Self, ShapeError> {
        for axis in semi_axes.to_array() {
            positive("ellipsoid semi-axis [m]", axis)?;
        }
        Ok(Self::Ellipsoid(Ellipsoid { semi_axes }))
    }

    /// A cone of the radius of its base and its height \[m\]; tip at +z, origin halfway.
    ///
    /// # Errors
    /// A value that is not finite and positive.
    pub fn cone(radius: f64, length: f64) -> Result<Self, ShapeError> {
        Ok(Self::Cone(Cone {
            radius: positive("cone radius [m]", radius)?,
            half_length: 0.5 * positive("cone length [m]", length)?,
        }))
    }

    /// The convex hull of points \[m\].
    ///
    /// # Errors
    /// Points that are not finite or enclose no volume.
    pub fn convex_hull(points: &[DVec3]) -> Result<Self, ShapeError> {
        Ok(Self::ConvexHull(Arc::new(ConvexHull::new(points)?)))
    }

    /// A ray of a length \[m\].
    ///
    /// # Errors
    /// A length that is not finite and positive.
    pub fn ray(length: f64) -> Result<Self, ShapeError> {
        Ok(Self::Ray(Ray { length: positive("ray length [m]", length)? }))
    }

    /// A mesh of vertices \[m\] and of triangles as triples of their indices, counter-clockwise from outside.
    ///
    /// # Errors
    /// No triangles, an index out of range, a vertex that is not finite.
    pub fn triangle_mesh(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Result<Self, ShapeError> {
        Ok(Self::TriangleMesh(Arc::new(TriangleMesh::new(vertices, triangles)?)))
    }

    /// A solid under a surface over a grid, y up.
    ///
    /// # Errors
    /// A grid, a height or a length that makes no field; see [`Heightfield::new`].
    pub fn heightfield(definition: &HeightfieldDefinition) -> Result<Self, ShapeError> {
        Ok(Self::Heightfield(Arc::new(Heightfield::new(definition)?)))
    }

    /// The farthest local point along a local direction \[m\].
    ///
    /// A plane, which has none along most directions, gives its surface point nearest the origin.
    #[must_use]
    pub fn support(&self, direction: DVec3) -> DVec3 {
        match self {
            Self::Sphere(s) => s.support(direction),
            Self::Box(s) => s.support(direction),
            Self::Capsule(s) => s.support(direction),
            Self::Cylinder(s) => s.support(direction),
            Self::Plane(s) => s.normal * s.offset,
            Self::Ellipsoid(s) => s.support(direction),
            Self::Cone(s) => s.support(direction),
            Self::ConvexHull(s) => s.support(direction),
            Self::Ray(s) => DVec3::Z * if direction.z > 0.0 { s.length } else { 0.0 },
            Self::TriangleMesh(s) => s.support(direction),
            Self::Heightfield(s) => s.support(direction),
        }
    }

    /// The least box in world axes; of a mesh or heightfield that of its own box, turned.
    #[must_use]
    pub fn aabb(&self, pose: &Pose) -> Aabb {
        if let Self::Sphere(s) = self {
            // The same however it is turned.
            return Aabb::from_center(pose.position, DVec3::splat(s.radius));
        }
        let rotation = pose.matrix();
        let rows = rotation.transpose();
        // A shape with a centre of symmetry reaches as far back as forth.
        let symmetric = |reach: &dyn Fn(DVec3) -> f64| {
            let half = DVec3::new(reach(rows.x_axis), reach(rows.y_axis), reach(rows.z_axis));
            Aabb::from_center(pose.position, half)
        };
        match self {
            Self::Box(s) => symmetric(&|d| s.half_extents.dot(d.abs())),
            Self::Capsule(s) => symmetric(&|d| s.half_length * d.z.abs() + s.radius),
            Self::Cylinder(s) => {
                symmetric(&|d| s.half_length * d.z.abs() + s.radius * (1.0 - d.z * d.z).max(0.0).sqrt())
            }
            Self::Ellipsoid(s) => symmetric(&|d| (s.semi_axes * d).length()),
            Self::Plane(s) => s.aabb(pose),
            Self::TriangleMesh(s) => s.bounds().turned(pose),
            Self::Heightfield(s) => s.bounds().turned(pose),
            Self::Sphere(_) | Self::Cone(_) | Self::ConvexHull(_) | Self::Ray(_) => {
                let mut aabb = Aabb::EMPTY;
                for axis in 0..3 {
                    let direction = rows.col(axis);
                    aabb.max[axis] = pose.position[axis] + direction.dot(self.support(direction));
                    aabb.min[axis] = pose.position[axis] + direction.dot(self.support(-direction));
                }
                aabb
            }
        }
    }

    /// Volume \[m³\]; infinite for a plane, 0 for a ray, a signed sum for an open mesh.
    #[must_use]
    pub fn volume(&self) -> f64 {
        match self {
            Self::Sphere(s) => s.volume(),
            Self::Box(s) => s.volume(),
            Self::Capsule(s) => s.volume(),
            Self::Cylinder(s) => s.volume(),
            Self::Plane(_) => f64::INFINITY,
            Self::Ellipsoid(s) => s.volume(),
            Self::Cone(s) => s.volume(),
            Self::ConvexHull(s) => s.volume(),
            Self::Ray(_) => 0.0,
            Self::TriangleMesh(s) => s.volume(),
            Self::Heightfield(s) => s.volume(),
        }
    }

    /// Local signed distance, plain for an open mesh; `None` for a ray, which has no inside.
    pub(crate) fn surface(&self, point: DVec3) -> Option<Surface> {
        Some(match self {
            Self::Sphere(s) => s.surface(point),
            Self::Box(s) => s.surface(point),
            Self::Capsule(s) => s.surface(point),
            Self::Cylinder(s) => s.surface(point),
            Self::Plane(s) => s.surface(point),
            Self::Ellipsoid(s) => s.surface(point),
            Self::Cone(s) => s.surface(point),
            Self::ConvexHull(s) => s.surface(point),
            Self::TriangleMesh(s) => return s.surface(point),
            Self::Heightfield(s) => s.surface(point),
            Self::Ray(_) => return None,
        })
    }

    /// How deep a world point lies inside \[m\]: the negated signed distance, exact for every shape but a
    /// convex hull's outside, where it is that of the farthest face plane. A ray and an open mesh give the negated
    /// distance.
    #[must_use]
    pub fn point_depth(&self, pose: &Pose, point: DVec3) -> f64 {
        let local = pose.inverse_point(point);
        match (self, self.surface(local)) {
            (_, Some(surface)) => -surface.distance,
            (Self::Ray(ray), None) => -(local - DVec3::Z * local.z.clamp(0.0, ray.length)).length(),
            (_, None) => f64::NEG_INFINITY,
        }
    }

    /// Where a ray from a world point along a unit direction first meets the surface; from inside, where it
    /// leaves. The normal is turned towards the start.
    #[must_use]
    pub fn ray_cast(&self, pose: &Pose, origin: DVec3, direction_unit: DVec3, max_distance: f64) -> Option<RayHit> {
        let (o, d) = (pose.inverse_point(origin), pose.inverse_direction(direction_unit));
        match self {
            Self::TriangleMesh(s) => {
                let hit = s.first_ray_hit(o, d, max_distance, false)?.turned(d);
                return Some(RayHit { normal: pose.direction(hit.normal), ..hit });
            }
            Self::Heightfield(s) => {
                let hit = s.first_ray_hit(o, d, max_distance, false)?.turned(d);
                return Some(RayHit { normal: pose.direction(hit.normal), ..hit });
            }
            _ => {}
        }
        let chord = match self {
            Self::Sphere(s) => s.chord(o, d),
            Self::Box(s) => s.chord(o, d),
            Self::Capsule(s) => s.chord(o, d),
            Self::Cylinder(s) => s.chord(o, d),
            Self::Plane(s) => s.chord(o, d),
            Self::Ellipsoid(s) => s.chord(o, d),
            Self::Cone(s) => s.chord(o, d),
            Self::ConvexHull(s) => s.chord(o, d),
            Self::Ray(_) | Self::TriangleMesh(_) | Self::Heightfield(_) => None,
        }?;
        let hit = chord.first_hit(max_distance)?;
        Some(RayHit { normal: pose.direction(hit.normal), ..hit })
    }
}

#[cfg(test)]
mod tests;
