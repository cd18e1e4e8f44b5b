//! Masses of meshes.

use glam::DVec3;
use stiction::shape::TriangleMesh;

use crate::geom::{Geom, GeomId, GeomShape};
use crate::mass::{about_origin, check, dMassAdjust};
use crate::report::{USER, message, require};
use crate::types::{dMass, dReal, put, put_matrix};

/// Mass and inertia, by exact integrals over the volume inside; a mesh that is wound inside out has negative ones, an open sheet
/// none. The inertia is about the geom's own origin, moved with the mass as everywhere in ODE.
unsafe fn set(mass: *mut dMass, density: f64, geom: GeomId) {
    *mass = dMass::default();
    let GeomShape::TriMesh(mesh) = &(*geom).shape else { return };
    let Some(data) = mesh.data.as_ref() else { return };
    let placed = Geom::placed(geom);
    let vertices: Vec<DVec3> = (0..data.vertex_count()).map(|i| placed.point(data.vertex(i))).collect();
    let triangles: Vec<[u32; 3]> = (0..data.triangle_count).map(|i| data.indices(i)).collect();
    let outward = TriangleMesh::new(&vertices, &triangles).ok().and_then(|mesh| mesh.mass_properties(1.0).ok());
    let (properties, sign) = match outward {
        Some(properties) => (properties, 1.0),
        None => {
            let turned: Vec<[u32; 3]> = triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
            let inward = TriangleMesh::new(&vertices, &turned).ok().and_then(|mesh| mesh.mass_properties(1.0).ok());
            let Some(properties) = inward else {
                message(USER, "the mesh has no volume in dMassSetTrimesh()");
                return;
            };
            (properties, -1.0)
        }
    };
    let density = density * sign;
    let center = properties.center_of_mass;
    let inertia = about_origin(properties.inertia, properties.mass, center);
    *mass = dMass { mass: (properties.mass * density) as dReal, c: put(center), I: put_matrix(inertia * density) };
    check(&*mass);
}

/// Whether the geom is a mesh.
unsafe fn is_mesh(geom: GeomId) -> bool {
    geom.as_ref().is_some_and(|geom| matches!(geom.shape, GeomShape::TriMesh(_)))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn dMassSetTrimesh(mass: *mut dMass, density: dReal, geom: GeomId) {
    require!(!mass.is_null(), "bad mass argument");
    require!(is_mesh(geom), "argument not a trimesh");
    set(mass, density.into(), geom);
}

#[unsafe(no_mangle)]
unsafe extern "C" fn dMassSetTrimeshTotal(mass: *mut dMass, total: dReal, geom: GeomId) {
    require!(!mass.is_null(), "bad mass argument");
    require!(is_mesh(geom), "argument not a trimesh");
    set(mass, 1.0, geom);
    if (*mass).mass != 0.0 {
        dMassAdjust(mass, total);
    }
}
