//! Meshes that a body describes itself: faces, extrusions, grids.

use stiction::math::{DQuat, DVec3};

use crate::diagnostic::Diagnostic;
use crate::mesh::{ElevationGrid, Extrusion, FaceError, MeshDescription, faces};
use crate::sdf::report::Report;

use super::fields::Fields;
use super::pose::AngleUnit;

/// Keys of an extrusion.
pub(super) const EXTRUSION: [&str; 6] = ["cross_section", "spine", "orientation", "scale", "begin_cap", "end_cap"];
/// Keys of a grid.
pub(super) const ELEVATION_GRID: [&str; 7] =
    ["x_dimension", "z_dimension", "x_spacing", "z_spacing", "height", "ccw", "tex_coord"];
/// Keys of faces.
pub(super) const FACES: [&str; 11] = [
    "vertices",
    "coordinate",
    "faces",
    "coord_index",
    "normals",
    "normal_indices",
    "tex_coords",
    "tex_coord",
    "tex_coord_indices",
    "tex_coord_index",
    "ccw",
];

/// All numbers of a list; none, with a finding, without the key or with something else in it.
fn list(fields: &Fields<'_>, key: &str, report: &mut Report) -> Option<Vec<f64>> {
    let Some(node) = fields.get(key) else {
        report.add(Diagnostic::error("missing-key", format!("a geometry has no `{key}`")).at(fields.location));
        return None;
    };
    let numbers = node.numbers();
    if numbers.is_none() {
        fields.refuse(key, "a list of finite numbers", report);
    }
    numbers
}

/// The same; empty without the key. What is left of the last group of numbers does not count, as in Choreonoid.
fn optional(fields: &Fields<'_>, key: &str, report: &mut Report) -> Option<Vec<f64>> {
    if fields.get(key).is_some() { list(fields, key, report) } else { Some(Vec::new()) }
}

fn vectors(numbers: &[f64]) -> Vec<DVec3> {
    numbers.chunks_exact(3).map(DVec3::from_slice).collect()
}

/// A section in x and z swept along a spine; orientations in the file's unit of angle.
pub(super) fn extrusion(fields: &Fields<'_>, unit: AngleUnit, report: &mut Report) -> Option<MeshDescription> {
    let pairs = |numbers: Vec<f64>| numbers.chunks_exact(2).map(|p| [p[0], p[1]]).collect();
    let turn = |r: &[f64]| {
        let axis = DVec3::new(r[0], r[1], r[2]).try_normalize();
        axis.map_or(DQuat::IDENTITY, |axis| DQuat::from_axis_angle(axis, r[3] * unit.0))
    };
    let extrusion = Extrusion {
        section: pairs(list(fields, "cross_section", report)?),
        spine: vectors(&list(fields, "spine", report)?),
        scales: pairs(optional(fields, "scale", report)?),
        orientations: optional(fields, "orientation", report)?.chunks_exact(4).map(turn).collect(),
        begin_cap: fields.switch("begin_cap", report).unwrap_or(true),
        end_cap: fields.switch("end_cap", report).unwrap_or(true),
    };
    match extrusion.fault() {
        Some(message) => {
            report.add(Diagnostic::error("extrusion", message).at(fields.location));
            None
        }
        None => Some(extrusion.mesh()),
    }
}

pub(super) fn elevation_grid(fields: &Fields<'_>, report: &mut Report) -> Option<MeshDescription> {
    let mut count = |key: &str| {
        let number = fields.length(key, report)?;
        if number.fract() != 0.0 {
            fields.refuse(key, "a whole number", report);
            return None;
        }
        Some(number as usize)
    };
    let points = [count("x_dimension")?, count("z_dimension")?];
    let mut spacing = |key: &str| fields.get(key).map_or(Some(1.0), |_| fields.length(key, report));
    let spacing = [spacing("x_spacing")?, spacing("z_spacing")?];
    let heights = list(fields, "height", report)?;
    let is_up = fields.switch("ccw", report).unwrap_or(true);
    let grid = ElevationGrid { points, spacing, heights, is_up };
    match grid.fault() {
        Some(message) => {
            report.add(Diagnostic::error("elevation-grid", message).at(fields.location));
            None
        }
        None => Some(grid.mesh()),
    }
}

/// Faces that −1 ends, or triangles one after the other.
pub(super) fn face_set(fields: &Fields<'_>, is_triangles: bool, report: &mut Report) -> Option<MeshDescription> {
    let own = |now: &'static str, before: &'static str| if fields.get(before).is_some() { before } else { now };
    let vertices = vectors(&list(fields, own("vertices", "coordinate"), report)?);
    let key = own("faces", "coord_index");
    let mut indices: Vec<i64> = list(fields, key, report)?.into_iter().map(|index| index as i64).collect();
    if is_triangles {
        indices = indices.chunks_exact(3).flat_map(|t| [t[0], t[1], t[2], -1]).collect();
    }
    match faces(&vertices, &indices) {
        Ok(triangles) => {
            let mesh = MeshDescription { vertices, triangles };
            Some(if fields.switch("ccw", report).unwrap_or(true) { mesh } else { mesh.turned() })
        }
        Err(error) => {
            let message = match error {
                FaceError::Index { found, .. } => {
                    format!("a face has the vertex {found}; there are {}", vertices.len())
                }
                FaceError::Corners { found, .. } => format!("a face has {found} corners"),
            };
            let place = fields.get(key).map_or(fields.location, |node| &node.location);
            report.add(Diagnostic::error("mesh", message).at(place).help("vertices count from 0; -1 ends a face"));
            None
        }
    }
}
