//! `<geometry>` of a collision.

mod heightmap;
mod image;
mod mesh;
mod polyline;

use std::sync::Arc;

use stiction::math::DVec3;
use stiction::shape::MassProperties;

use crate::description::GeometryDescription;
use crate::diagnostic::Diagnostic;

use super::element::{Element, Payload};
use super::read::Reader;
use super::report::Report;
use super::search::SearchPath;

pub(crate) use mesh::{MeshUse, Meshes};

/// Reads a geometry; what is left out is reported.
pub(crate) fn read(element: &Element, search: &SearchPath, meshes: &mut Meshes, report: &mut Report) -> Shape {
    if let Some(Payload::Mesh(mesh)) = element.children.iter().find_map(|child| child.payload.as_ref()) {
        return with_solid(GeometryDescription::Mesh(Arc::clone(mesh)));
    }
    let r = Reader::new(Some(element), "geometry");
    let Some(shape) = element.children.iter().find(|c| !c.is_foreign()) else {
        return (GeometryDescription::Empty, None);
    };
    let length = |path: &str| at_least_smallest(r.real(path).value);
    let lengths = |path: &str| {
        let v = r.vector(path).value;
        DVec3::new(at_least_smallest(v.x), at_least_smallest(v.y), at_least_smallest(v.z))
    };
    let geometry = match shape.name.as_str() {
        "box" => GeometryDescription::Box(lengths("box/size")),
        "sphere" => GeometryDescription::Sphere(length("sphere/radius")),
        "cylinder" => {
            GeometryDescription::Cylinder { radius: length("cylinder/radius"), length: length("cylinder/length") }
        }
        "capsule" => {
            GeometryDescription::Capsule { radius: length("capsule/radius"), length: length("capsule/length") }
        }
        "ellipsoid" => GeometryDescription::Ellipsoid(lengths("ellipsoid/radii")),
        "cone" => GeometryDescription::Cone { radius: length("cone/radius"), length: length("cone/length") },
        "plane" => plane(shape, &r, report),
        "polyline" => return with_solid(polyline::read(element, report)),
        "mesh" => return meshes.read(shape, search, report),
        "heightmap" => heightmap::read(shape, search, report),
        "image" => image::read(shape, search, report),
        _ => GeometryDescription::Empty,
    };
    (geometry, None)
}

/// A shape, and the mass properties at 1 kg/m³ of the solid that it stands for where that is a mesh.
pub(crate) type Shape = (GeometryDescription, Option<MassProperties>);

fn with_solid(geometry: GeometryDescription) -> Shape {
    let solid = match &geometry {
        GeometryDescription::Mesh(mesh) if mesh.is_closed() => mesh.unit_mass(),
        _ => None,
    };
    (geometry, solid)
}

/// Gazebo classic runs shapes without size as very small ones.
const SMALLEST: f64 = 1e-4;

fn at_least_smallest(length: f64) -> f64 {
    if length == 0.0 { SMALLEST } else { length }
}

fn plane(shape: &Element, r: &Reader<'_>, report: &mut Report) -> GeometryDescription {
    let normal = r.vector("plane/normal").value;
    if let Some(unit) = normal.try_normalize() {
        return GeometryDescription::Plane(unit);
    }
    let place = shape.child("normal").map_or(&shape.location, |n| &n.text_location);
    report.add(
        Diagnostic::error("zero-vector", "the normal of a plane has no length")
            .at(place)
            .label("expected a direction")
            .element(shape.path.as_str()),
    );
    GeometryDescription::Plane(DVec3::Z)
}
