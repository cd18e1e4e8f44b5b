//! What stands in a scene, before the engine's shapes: Choreonoid's and VRML's primitives have their axes along y.

use stiction::math::{DMat3, DVec3};

use super::{Frame, MeshDescription, primitives};

/// A shape of a scene.
#[derive(Clone, Debug)]
pub(crate) enum Form {
    /// Full side lengths \[m\].
    Box(DVec3),
    /// Radius \[m\].
    Sphere(f64),
    /// Radius and height along y \[m\].
    Cylinder(f64, f64),
    /// Radius and height of the cylindrical part along y \[m\].
    Capsule(f64, f64),
    /// Radius of the base and height \[m\], the tip at +y, the origin halfway.
    Cone(f64, f64),
    /// Triangles.
    Mesh(MeshDescription),
}

impl Form {
    /// Its triangles behind a linear map; primitives have `divisions` parts around.
    pub(crate) fn mapped(&self, linear: &DMat3, divisions: u32) -> MeshDescription {
        let mut mesh = match self {
            Self::Box(size) => primitives::cuboid(*size),
            Self::Sphere(radius) => primitives::ball([*radius, *radius], 0.0, divisions),
            Self::Cylinder(radius, height) => primitives::cylinder(*radius, *height, divisions),
            Self::Capsule(radius, height) => primitives::ball([*radius, *radius], *height, divisions),
            Self::Cone(radius, height) => primitives::cone(*radius, *height, divisions),
            Self::Mesh(mesh) => mesh.clone(),
        };
        if *linear != DMat3::IDENTITY {
            mesh.vertices.iter_mut().for_each(|v| *v = *linear * *v);
        }
        if linear.determinant() < 0.0 { mesh.turned() } else { mesh }
    }
}

/// A shape and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    pub(crate) form: Form,
    pub(crate) frame: Frame,
}
