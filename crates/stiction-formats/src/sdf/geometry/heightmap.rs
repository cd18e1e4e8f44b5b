//! `<heightmap>`: terrain from an image or an elevation model, as Gazebo scales it.

use std::path::Path;
use std::sync::Arc;

use stiction::math::DVec3;

use crate::description::{GeometryDescription, HeightfieldDescription};
use crate::diagnostic::Diagnostic;
use crate::mesh::raster::{self, Raster};

use super::super::element::Element;
use super::super::report::Report;
use super::super::search::SearchPath;
use super::super::value;

/// Most samples of a terrain.
const MOST_SAMPLES: usize = 1 << 24;

/// Reads a `<heightmap>`; one whose image is not found is left out.
pub(super) fn read(shape: &Element, search: &SearchPath, report: &mut Report) -> GeometryDescription {
    let left_out = GeometryDescription::Unsupported("heightmap".to_owned());
    let Some((path, uri)) = file(shape, "heightmap", search, report) else { return left_out };
    let raster = match raster::read(&path) {
        Ok(raster) => raster,
        Err(reason) => {
            let message = format!("{}: {reason}", path.display());
            report
                .strict(Diagnostic::error("heightmap-file", message).at(&uri.text_location).element(uri.path.as_str()));
            return left_out;
        }
    };
    field(shape, &raster, report).map_or(left_out, |field| GeometryDescription::Heightfield(Arc::new(field)))
}

/// The file of the `<uri>` of a shape, with a finding where there is none.
pub(super) fn file<'e>(
    shape: &'e Element,
    kind: &str,
    search: &SearchPath,
    report: &mut Report,
) -> Option<(std::path::PathBuf, &'e Element)> {
    let Some(uri) = shape.child("uri").filter(|u| !u.text.is_empty()) else {
        report.add(Diagnostic::error("missing-element", format!("<{kind}> has no <uri>")).at(&shape.location));
        return None;
    };
    let folder = uri.location.file.parent().unwrap_or(Path::new(""));
    match search.file(&uri.text, folder) {
        Ok(path) => Some((path, uri)),
        Err(problem) => {
            let is_there = std::fs::metadata(folder.join(&uri.text)).ok().filter(|_| !uri.text.contains("://"));
            let mut finding = if let Some(other) = is_there.filter(|found| !found.is_file()) {
                let what = if other.is_dir() { "a folder" } else { "not a regular file" };
                Diagnostic::error("not-a-file", format!("{kind}: `{}` is {what}", uri.text))
            } else if problem.code == "uri-outside" {
                Diagnostic::error(problem.code, format!("{kind}: {}", problem.message))
            } else {
                let code = if kind == "mesh" { "mesh-not-found" } else { "image-not-found" };
                Diagnostic::error(code, format!("{}: without it this collision touches nothing", problem.message))
            };
            if finding.code != "not-a-file" {
                let leniently = "; `--lenient` leaves the collision out, as Gazebo does";
                finding.help = problem.help.map(|help| format!("{help}{leniently}"));
            }
            report.strict(finding.at(&uri.text_location).element(shape.path.as_str()));
            None
        }
    }
}

fn vector(shape: &Element, name: &str, report: &mut Report) -> Option<DVec3> {
    let child = shape.child(name).filter(|c| !c.text.is_empty())?;
    let vector = value::vector3(&child.text).filter(|v| v.is_finite());
    if vector.is_none() {
        let message = format!("<{name}> is `{}`, not three numbers", child.text);
        report.add(Diagnostic::error("invalid-value", message).at(&child.text_location).element(child.path.as_str()));
    }
    vector
}

/// Heights over a grid. Of an image the brightest pixel has the height `size.z`, a black one 0: `h = size.z p / p_max`. Of
/// elevations the range has it, above the lowest: `h = e_min + (e − e_min) size.z / (e_max − e_min)`, or `h = e` without a size.
fn field(shape: &Element, raster: &Raster, report: &mut Report) -> Option<HeightfieldDescription> {
    let given = vector(shape, "size", report);
    let position = vector(shape, "pos", report).unwrap_or(DVec3::ZERO);
    let (low, high) = raster.range();
    let natural = raster.size.filter(|_| given.is_none()).map(|[x, y]| DVec3::new(x, y, high - low));
    let size = given.or(natural).unwrap_or(DVec3::ONE);
    let refuse = |message: String, report: &mut Report| {
        let place = shape.child("size").map_or(&shape.location, |s| &s.text_location);
        report.add(Diagnostic::error("heightmap-size", message).at(place).element(shape.path.as_str()));
    };
    if !(size.x > 0.0 && size.y > 0.0 && size.z >= 0.0) {
        refuse("the size of a heightmap is above 0".to_owned(), report);
        return None;
    }
    if raster.columns < 2 || raster.rows < 2 {
        refuse(format!("an image of {} by {} pixels is no terrain", raster.columns, raster.rows), report);
        return None;
    }
    let sampling = shape.child("sampling").and_then(|s| value::unsigned(&s.text)).unwrap_or(1).max(1) as usize;
    let samples = |pixels: usize| (pixels - 1).saturating_mul(sampling).saturating_add(1);
    let (columns, rows) = (samples(raster.columns), samples(raster.rows));
    if columns.saturating_mul(rows) > MOST_SAMPLES {
        refuse(format!("{columns} by {rows} samples; the limit is {MOST_SAMPLES} in all"), report);
        return None;
    }
    let height = |value: f64| match raster.is_elevation {
        true if high > low => low + (value - low) * (size.z / (high - low)),
        true => value,
        false if high > 0.0 => value * (size.z / high),
        false => 0.0,
    };
    let mut heights = Vec::with_capacity(columns * rows);
    for row in 0..rows {
        for column in 0..columns {
            heights.push(height(between(raster, column, row, sampling)));
        }
    }
    tell_sides(shape, raster, report);
    Some(HeightfieldDescription { heights, columns, rows, size: [size.x, size.y], position })
}

/// The value at a sample, of which there are `sampling` a pixel, on straight lines between those of the four pixels around.
fn between(raster: &Raster, column: usize, row: usize, sampling: usize) -> f64 {
    let at = |i: usize, j: usize| raster.values[j.min(raster.rows - 1) * raster.columns + i.min(raster.columns - 1)];
    let (i, j) = (column / sampling, row / sampling);
    let part = |rest: usize| rest as f64 / sampling as f64;
    let (x, y) = (part(column % sampling), part(row % sampling));
    let along = |j: usize| if x > 0.0 { at(i, j) + (at(i + 1, j) - at(i, j)) * x } else { at(i, j) };
    if y > 0.0 { along(j) + (along(j + 1) - along(j)) * y } else { along(j) }
}

/// What Gazebo would say of the same image.
fn tell_sides(shape: &Element, raster: &Raster, report: &mut Report) {
    let fits = raster.columns == raster.rows && (raster.columns - 1).is_power_of_two();
    if !fits && !raster.is_elevation {
        let message =
            format!("Gazebo takes only square images of 2ⁿ + 1 pixels; this has {} by {}", raster.columns, raster.rows);
        report.add(Diagnostic::note("heightmap-image", message).at(&shape.location).element(shape.path.as_str()));
    }
}
