//! `geometry` of a shape.

use stiction::math::DVec3;

use crate::diagnostic::{Diagnostic, Location};
use crate::mesh::Form;
use crate::sdf::report::Report;
use crate::suggest::did_you_mean;
use crate::yaml::Node;

use super::fields::Fields;
use super::mesh;
use super::pose::AngleUnit;

/// What a `geometry` is.
pub(super) enum Geometry<'a> {
    /// A form, and the number of parts around it if it has to be a mesh.
    Form(Form, u32),
    /// The shapes of a file: the mapping that names it.
    Resource(Fields<'a>),
}

/// Words of shapes.
const KINDS: [&str; 10] = [
    "Box",
    "Sphere",
    "Cylinder",
    "Capsule",
    "Cone",
    "Extrusion",
    "ElevationGrid",
    "IndexedFaceSet",
    "TriangleMesh",
    "Resource",
];

/// Side \[m\] of a box whose side is 0, as for SDFormat.
const THINNEST: f64 = 1e-4;
/// Parts around a round shape that is a mesh, where the file does not say.
pub(super) const DIVISIONS: u32 = 20;

/// Reads a `geometry`; `None`, with a finding, for what is no shape.
pub(super) fn read<'a>(node: &'a Node, unit: AngleUnit, report: &mut Report) -> Option<Geometry<'a>> {
    let fields = Fields::of(node, "a geometry", report)?;
    let Some(kind) = fields.text("type", report) else {
        let message = "a geometry has no `type`";
        report.add(Diagnostic::error("missing-key", message).at(fields.location));
        return None;
    };
    let known = ["type", "division_number", "extra_division_number", "extra_division_mode", "solid", "crease_angle"];
    let check = |own: &[&'static str], report: &mut Report| {
        fields.check(&[&known[..], own].concat(), &[], report);
    };
    let sized = |own: &[&'static str], report: &mut Report| -> Option<[f64; 2]> {
        check(own, report);
        let height = if own.contains(&"height") { fields.length("height", report)? } else { 0.0 };
        Some([fields.length("radius", report)?, height])
    };
    let form = match kind {
        "Box" => {
            check(&["size"], report);
            Form::Box(sides(&fields, report)?)
        }
        "Sphere" => sized(&["radius"], report).map(|[radius, _]| Form::Sphere(radius))?,
        "Cylinder" => {
            sized(&["radius", "height", "top", "bottom", "side"], report).map(|[r, h]| Form::Cylinder(r, h))?
        }
        "Capsule" => sized(&["radius", "height"], report).map(|[r, h]| Form::Capsule(r, h))?,
        "Cone" => sized(&["radius", "height", "bottom", "side"], report).map(|[r, h]| Form::Cone(r, h))?,
        "Extrusion" => {
            check(&mesh::EXTRUSION, report);
            Form::Mesh(mesh::extrusion(&fields, unit, report)?)
        }
        "ElevationGrid" => {
            check(&mesh::ELEVATION_GRID, report);
            Form::Mesh(mesh::elevation_grid(&fields, report)?)
        }
        "IndexedFaceSet" | "TriangleMesh" => {
            check(&mesh::FACES, report);
            Form::Mesh(mesh::face_set(&fields, kind == "TriangleMesh", report)?)
        }
        "Resource" => {
            check(&["uri", "fragment", "node", "exclude", "remove_redundant_vertices"], report);
            return Some(Geometry::Resource(fields));
        }
        other => {
            let message = format!("`{other}` is not a type of geometry");
            let place = fields.get("type").map_or(fields.location, |node| &node.location);
            let help = did_you_mean(other, KINDS);
            let help = help.unwrap_or_else(|| format!("one of: {}", KINDS.join(", ")));
            report.add(Diagnostic::error("geometry-type", message).at(place).help(help));
            return None;
        }
    };
    let divisions = match fields.number("division_number", report) {
        Some(number) if number > 0.0 => (number as u32).clamp(4, 200),
        _ => DIVISIONS,
    };
    Some(Geometry::Form(form, divisions))
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
        let place: &Location = fields.get("size").map_or(fields.location, |node| &node.location);
        let message = format!("a box has a side without length: it is taken as {THINNEST} m");
        report.add(Diagnostic::warning("thin-box", message).at(place));
    }
    Some(sides.max(DVec3::splat(THINNEST)))
}
