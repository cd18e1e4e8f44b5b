//! `<geometry>` of a collision.

mod mesh;

use std::sync::Arc;

use stiction::math::DVec3;

use crate::description::GeometryDescription;
use crate::diagnostic::Diagnostic;

use super::element::{Element, Payload};
use super::read::Reader;
use super::report::Report;
use super::search::SearchPath;
use super::value;

pub(crate) use mesh::Meshes;

/// Reads a geometry; what the engine cannot do is reported.
pub(crate) fn read(
    element: &Element,
    search: &SearchPath,
    meshes: &mut Meshes,
    report: &mut Report,
) -> GeometryDescription {
    if let Some(Payload::Mesh(mesh)) = element.children.iter().find_map(|child| child.payload.as_ref()) {
        return GeometryDescription::Mesh(Arc::clone(mesh));
    }
    let r = Reader::new(Some(element), "geometry");
    let Some(shape) = element.children.iter().find(|c| !c.is_foreign()) else { return GeometryDescription::Empty };
    let length = |path: &str| at_least_smallest(r.real(path).value);
    let lengths = |path: &str| {
        let v = r.vector(path).value;
        DVec3::new(at_least_smallest(v.x), at_least_smallest(v.y), at_least_smallest(v.z))
    };
    match shape.name.as_str() {
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
        "polyline" => polyline(element, report),
        "mesh" => mesh::read(shape, search, meshes, report),
        "heightmap" | "image" => unsupported(shape, &shape.name, report),
        _ => GeometryDescription::Empty,
    }
}

/// Gazebo classic runs shapes without size as very small ones.
const SMALLEST: f64 = 1e-4;

fn at_least_smallest(length: f64) -> f64 {
    if length == 0.0 { SMALLEST } else { length }
}

fn unsupported(shape: &Element, kind: &str, report: &mut Report) -> GeometryDescription {
    let message = format!("collision shapes of type {kind} are not supported: this collision is ignored");
    report.add(
        Diagnostic::warning("unsupported-geometry", message)
            .at(&shape.location)
            .help("use boxes, spheres, cylinders, capsules or a convex polyline in its place")
            .element(shape.path.as_str()),
    );
    GeometryDescription::Unsupported(kind.to_owned())
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

/// One convex outline becomes a prism from 0 to its height; anything else is not supported.
fn polyline(geometry: &Element, report: &mut Report) -> GeometryDescription {
    let lines: Vec<&Element> = geometry.children_named("polyline").collect();
    let [line] = lines.as_slice() else {
        return lines.first().map_or(GeometryDescription::Empty, |l| unsupported(l, "polyline", report));
    };
    let points: Vec<(f64, f64)> = line
        .children_named("point")
        .filter_map(|p| match value::reals(&p.text)?.as_slice() {
            [x, y] if x.is_finite() && y.is_finite() => Some((*x, *y)),
            _ => None,
        })
        .collect();
    let height = Reader::new(Some(geometry), "geometry").real("polyline/height").value;
    if !is_convex(&points) {
        return unsupported(line, "polyline", report);
    }
    let hull = points.iter().flat_map(|(x, y)| [DVec3::new(*x, *y, 0.0), DVec3::new(*x, *y, height)]).collect();
    GeometryDescription::ConvexHull(Arc::new(hull))
}

/// All turns go the same way, and once around; a repeated end point is allowed.
fn is_convex(points: &[(f64, f64)]) -> bool {
    let points = match points {
        [first, .., last] if first == last => &points[..points.len() - 1],
        all => all,
    };
    let n = points.len();
    if n < 3 {
        return false;
    }
    let edge = |i: usize| {
        let (a, b) = (points[i % n], points[(i + 1) % n]);
        (b.0 - a.0, b.1 - a.1)
    };
    let (mut left, mut right, mut turning) = (false, false, 0.0);
    for i in 0..n {
        let (a, b) = (edge(i), edge(i + 1));
        let cross = a.0 * b.1 - a.1 * b.0;
        left |= cross > 0.0;
        right |= cross < 0.0;
        turning += libm::atan2(cross, a.0 * b.0 + a.1 * b.1);
    }
    left != right && libm::fabs(turning) < 3.0 * core::f64::consts::PI
}
