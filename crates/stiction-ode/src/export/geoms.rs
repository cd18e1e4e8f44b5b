//! Geoms of a body as text.

use super::writer::Writer;
use crate::geom::{Geom, GeomShape, flag};

/// Class, sizes, bits where they are not all set.
pub(super) fn write(out: &mut Writer, geom: &Geom) {
    for (name, bits) in [("category_bits", geom.category_bits), ("collide_bits", geom.collide_bits)] {
        if bits != !0 {
            out.line(&format!("{name} = {bits}"));
        }
    }
    if geom.flags & flag::ENABLED == 0 {
        out.integer("disabled", 1);
    }
    let class = match &geom.shape {
        GeomShape::Sphere { .. } => "sphere",
        GeomShape::Box { .. } => "box",
        GeomShape::Capsule { .. } => "capsule",
        GeomShape::Cylinder { .. } => "cylinder",
        GeomShape::Plane { .. } => "plane",
        GeomShape::Ray { .. } => "ray",
        GeomShape::Convex(_) => "convex",
        GeomShape::TriMesh(_) => "trimesh",
        GeomShape::Heightfield(_) => "heightfield",
        GeomShape::Transform(_) | GeomShape::Space(_) | GeomShape::User(_) => return,
    };
    out.word("type", class);
    match &geom.shape {
        GeomShape::Sphere { radius } => out.real("radius", *radius),
        GeomShape::Box { sides } => out.vector("sides", *sides),
        GeomShape::Capsule { radius, length } | GeomShape::Cylinder { radius, length } => {
            out.real("radius", *radius);
            out.real("length", *length);
        }
        GeomShape::Plane { params: [x, y, z, d] } => {
            out.vector("normal", [*x, *y, *z]);
            out.real("d", *d);
        }
        GeomShape::Ray { length } => out.real("length", *length),
        _ => {}
    }
}
