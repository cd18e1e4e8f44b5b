//! `geometry` of a shape. Choreonoid's cylinders, capsules and cones stand along y, ours along z.

use stiction::math::{DQuat, DVec3, Pose};
use stiction::shape::MassProperties;

use crate::diagnostic::{Diagnostic, Location};
use crate::sdf::report::Report;
use crate::suggest::did_you_mean;
use crate::yaml::Node;

use super::fields::Fields;

/// A shape with a volume.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Solid {
    /// Full side lengths \[m\].
    Box(DVec3),
    /// Radius \[m\].
    Sphere(f64),
    /// Semi-axes \[m\].
    Ellipsoid(DVec3),
    /// Radius and length along z \[m\].
    Cylinder(f64, f64),
    /// Radius and length of the cylindrical part along z \[m\].
    Capsule(f64, f64),
    /// Radius of the base and length \[m\], the tip at +z, the origin halfway.
    Cone(f64, f64),
}

/// Words of shapes that are triangle meshes.
const MESHES: [&str; 5] = ["Extrusion", "ElevationGrid", "IndexedFaceSet", "TriangleMesh", "Resource"];
/// Words of the other shapes.
const SOLIDS: [&str; 5] = ["Box", "Sphere", "Cylinder", "Capsule", "Cone"];

/// Side \[m\] of a box whose side is 0, as for SDFormat.
const THINNEST: f64 = 1e-4;

impl Solid {
    /// Mass properties at a density \[kg/m³\] in the frame of the shape.
    pub(super) fn mass(&self, density: f64) -> MassProperties {
        match *self {
            Self::Box(size) => MassProperties::cuboid(density, size),
            Self::Sphere(radius) => MassProperties::sphere(density, radius),
            Self::Ellipsoid(semi_axes) => MassProperties::ellipsoid(density, semi_axes),
            Self::Cylinder(radius, length) => MassProperties::cylinder(density, radius, length),
            Self::Capsule(radius, length) => MassProperties::capsule(density, radius, length),
            Self::Cone(radius, length) => MassProperties::cone(density, radius, length),
        }
    }
}

/// The shape of a `geometry`, with its pose in the node, at a scale of the axes; `None`, with a finding, for what is no
/// shape here.
pub(super) fn read(node: &Node, scale: DVec3, report: &mut Report) -> Option<(Solid, Pose)> {
    let fields = Fields::of(node, "a geometry", report)?;
    let Some(kind) = fields.text("type", report) else {
        let message = "a geometry has no `type`";
        report.add(Diagnostic::error("missing-key", message).at(fields.location));
        return None;
    };
    let size = absolute(scale);
    let along_y = Pose { position: DVec3::ZERO, rotation: DQuat::from_rotation_x(-core::f64::consts::FRAC_PI_2) };
    let known = ["type", "division_number", "solid", "bottom", "side", "top"];
    let with = |own: &[&'static str]| [&known[..], own].concat();
    Some(match kind {
        "Box" => {
            fields.check(&with(&["size"]), &[], report);
            let sides = sides(&fields, report)?;
            (Solid::Box(sides * size), Pose::IDENTITY)
        }
        "Sphere" => {
            fields.check(&with(&["radius"]), &[], report);
            let semi_axes = size * fields.length("radius", report)?;
            let is_round = semi_axes.x == semi_axes.y && semi_axes.y == semi_axes.z;
            (if is_round { Solid::Sphere(semi_axes.x) } else { Solid::Ellipsoid(semi_axes) }, Pose::IDENTITY)
        }
        "Cylinder" | "Capsule" | "Cone" => {
            fields.check(&with(&["radius", "height"]), &[], report);
            let (radius, height) = (fields.length("radius", report)?, fields.length("height", report)?);
            let is_uniform = size.x == size.y && size.y == size.z;
            if size.x != size.z || (kind == "Capsule" && !is_uniform) {
                unsupported(&format!("{kind} with unequal scales"), fields.location, report);
                return None;
            }
            let (radius, height) = (radius * size.x, height * size.y);
            let solid = match kind {
                "Cylinder" => Solid::Cylinder(radius, height),
                "Capsule" => Solid::Capsule(radius, height),
                _ => Solid::Cone(radius, height),
            };
            // A cone that is mirrored stands on its tip.
            let is_down = kind == "Cone" && scale.y < 0.0;
            let flip = DQuat::from_rotation_x(if is_down { core::f64::consts::PI } else { 0.0 });
            (solid, Pose { rotation: flip * along_y.rotation, ..along_y })
        }
        mesh if MESHES.contains(&mesh) => {
            unsupported(mesh, fields.location, report);
            return None;
        }
        other => {
            let message = format!("`{other}` is not a type of geometry");
            let place = fields.get("type").map_or(fields.location, |node| &node.location);
            let all = SOLIDS.into_iter().chain(MESHES);
            let help = did_you_mean(other, all.clone());
            let help = help.unwrap_or_else(|| format!("one of: {}", all.collect::<Vec<_>>().join(", ")));
            report.add(Diagnostic::error("geometry-type", message).at(place).help(help));
            return None;
        }
    })
}

fn absolute(v: DVec3) -> DVec3 {
    DVec3::new(libm::fabs(v.x), libm::fabs(v.y), libm::fabs(v.z))
}

fn sides(fields: &Fields<'_>, report: &mut Report) -> Option<DVec3> {
    if fields.get("size").is_none() {
        report.add(Diagnostic::error("missing-key", "`size` is missing in a geometry").at(fields.location));
        return None;
    }
    let sides = fields.vector("size", report)?;
    if sides.min_element() < 0.0 {
        fields.refuse("size", "three lengths above 0", report);
        return None;
    }
    if sides.min_element() == 0.0 {
        let place = fields.get("size").map_or(fields.location, |node| &node.location);
        let message = format!("a box has a side without length: it is taken as {THINNEST} m");
        report.add(Diagnostic::warning("thin-box", message).at(place));
    }
    Some(sides.max(DVec3::splat(THINNEST)))
}

/// What is there and does not collide here.
fn unsupported(kind: &str, place: &Location, report: &mut Report) {
    let message = format!("shapes of type {kind} are not read yet: this shape is left out");
    let help = "use boxes, spheres, cylinders, capsules or cones in its place";
    let key = format!("{}:{}", place.file.display(), place.span.start);
    report.once(key, Diagnostic::warning("unsupported-geometry", message).at(place).help(help));
}
