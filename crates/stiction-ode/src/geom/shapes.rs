//! What a geom is.

use std::ffi::c_int;

use super::convex::Convex;
use super::enclosing::SpaceShape;
use super::heightfield::HeightfieldData;
use super::transform::Transform;
use super::trimesh::TriMesh;
use super::user::UserGeom;

/// Class numbers.
pub(crate) mod class {
    use std::ffi::c_int;

    pub(crate) const SPHERE: c_int = 0;
    pub(crate) const BOX: c_int = 1;
    pub(crate) const CAPSULE: c_int = 2;
    pub(crate) const CYLINDER: c_int = 3;
    pub(crate) const PLANE: c_int = 4;
    pub(crate) const RAY: c_int = 5;
    pub(crate) const CONVEX: c_int = 6;
    pub(crate) const TRANSFORM: c_int = 7;
    pub(crate) const TRIMESH: c_int = 8;
    pub(crate) const HEIGHTFIELD: c_int = 9;
    pub(crate) const SIMPLE_SPACE: c_int = 10;
    pub(crate) const HASH_SPACE: c_int = 11;
    pub(crate) const SWEEP_SPACE: c_int = 12;
    pub(crate) const QUADTREE_SPACE: c_int = 13;
    pub(crate) const FIRST_USER: c_int = 14;
    /// Classes that ODE has room for.
    pub(crate) const ODE_USER_CLASSES: usize = 4;
}

/// Shape of a geom, with its sizes \[m\].
pub(crate) enum GeomShape {
    Sphere {
        radius: f64,
    },
    Box {
        sides: [f64; 3],
    },
    /// Along z; the length is that of the cylindrical part.
    Capsule {
        radius: f64,
        length: f64,
    },
    /// Along z.
    Cylinder {
        radius: f64,
        length: f64,
    },
    /// The half-space `a x + b y + c z <= d`.
    Plane {
        params: [f64; 4],
    },
    /// Along z.
    Ray {
        length: f64,
    },
    Convex(Box<Convex>),
    Transform(Transform),
    TriMesh(Box<TriMesh>),
    Heightfield(*mut HeightfieldData),
    Space(SpaceShape),
    User(UserGeom),
}

impl GeomShape {
    pub(crate) fn class(&self) -> c_int {
        match self {
            Self::Sphere { .. } => class::SPHERE,
            Self::Box { .. } => class::BOX,
            Self::Capsule { .. } => class::CAPSULE,
            Self::Cylinder { .. } => class::CYLINDER,
            Self::Plane { .. } => class::PLANE,
            Self::Ray { .. } => class::RAY,
            Self::Convex(_) => class::CONVEX,
            Self::Transform(_) => class::TRANSFORM,
            Self::TriMesh(_) => class::TRIMESH,
            Self::Heightfield(_) => class::HEIGHTFIELD,
            Self::Space(space) => space.class,
            Self::User(user) => user.class,
        }
    }

    /// A capsule without length is a sphere, hence has a size.
    pub(crate) fn has_no_size(&self) -> bool {
        match self {
            Self::Sphere { radius } | Self::Capsule { radius, .. } => *radius == 0.0,
            Self::Box { sides } => sides.contains(&0.0),
            Self::Cylinder { radius, length } => *radius == 0.0 || *length == 0.0,
            _ => false,
        }
    }
}
