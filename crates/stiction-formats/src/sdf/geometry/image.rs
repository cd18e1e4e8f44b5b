//! `<image>`: walls where an image is dark.

use std::sync::Arc;

use stiction::math::{DVec3, Pose};

use crate::description::GeometryDescription;
use crate::diagnostic::Diagnostic;
use crate::mesh::raster::{self, Raster};

use super::super::element::Element;
use super::super::report::Report;
use super::super::search::SearchPath;
use super::super::value;
use super::heightmap::file;

/// Most boxes of an image.
const MOST_BOXES: usize = 10_000;

/// Reads an `<image>`: pixels not brighter than the threshold stand `height` high, x along the columns and y along the rows from
/// the first pixel on, `scale` metres each.
pub(super) fn read(shape: &Element, search: &SearchPath, report: &mut Report) -> GeometryDescription {
    let left_out = GeometryDescription::Unsupported("image".to_owned());
    let Some((path, uri)) = file(shape, "image", search, report) else { return left_out };
    let real = |name: &str, default: f64| {
        shape.child(name).and_then(|c| value::real(&c.text)).filter(|v| *v > 0.0 && v.is_finite()).unwrap_or(default)
    };
    let (scale, height, threshold) = (real("scale", 1.0), real("height", 1.0), real("threshold", 200.0));
    let granularity = real("granularity", 1.0);
    let mut refuse = |reason: String| {
        let message = format!("{}: {reason}", path.display());
        report.strict(Diagnostic::error("image-file", message).at(&uri.text_location).element(uri.path.as_str()));
    };
    let raster = match raster::brightness(&path) {
        Ok(raster) => raster,
        Err(reason) => {
            refuse(reason);
            return left_out;
        }
    };
    let mut walls = Walls { raster: &raster, threshold, granularity, is_wall: vec![false; raster.values.len()] };
    walls.divide(0, 0, raster.columns, raster.rows);
    let boxes = walls.boxes();
    if boxes.len() > MOST_BOXES {
        refuse(format!("its walls are {} boxes; the limit is {MOST_BOXES}", boxes.len()));
        return left_out;
    }
    let parts = boxes.into_iter().map(|[x, y, width, depth]| {
        let [x, y, width, depth] = [x, y, width, depth].map(|pixels| pixels as f64 * scale);
        let middle = DVec3::new(x + 0.5 * width, y + 0.5 * depth, 0.5 * height);
        (Pose::from_position(middle), GeometryDescription::Box(DVec3::new(width, depth, height)))
    });
    GeometryDescription::Compound(Arc::new(parts.collect()))
}

struct Walls<'r> {
    raster: &'r Raster,
    /// Brightest of a wall, 0 to 255.
    threshold: f64,
    /// Pixels of a part that is not divided further.
    granularity: f64,
    is_wall: Vec<bool>,
}

impl Walls<'_> {
    /// Quarters until a part has few enough pixels; it is a wall as a whole if any of them is dark.
    fn divide(&mut self, x: usize, y: usize, width: usize, height: usize) {
        if width == 0 || height == 0 {
            return;
        }
        if (width * height) as f64 > self.granularity {
            let (w, h) = (width / 2, height / 2);
            for (x, width) in [(x, w), (x + w, width - w)] {
                for (y, height) in [(y, h), (y + h, height - h)] {
                    self.divide(x, y, width, height);
                }
            }
            return;
        }
        let columns = self.raster.columns;
        let pixels = || (y..y + height).flat_map(move |j| (x..x + width).map(move |i| j * columns + i));
        let is_dark = |i: usize| libm::floor(255.0 * self.raster.values[i]) <= self.threshold;
        if pixels().any(is_dark) {
            pixels().for_each(|i| self.is_wall[i] = true);
        }
    }

    /// Rectangles that cover the walls once: runs of a row, each with those below that are alike. x, y, width, height.
    fn boxes(&self) -> Vec<[usize; 4]> {
        let columns = self.raster.columns;
        let mut boxes: Vec<[usize; 4]> = Vec::new();
        // Those that reach down to the row before.
        let mut open: Vec<usize> = Vec::new();
        for (j, row) in self.is_wall.chunks_exact(columns).enumerate() {
            let mut reaching = Vec::new();
            let mut i = 0;
            while let Some(start) = row[i..].iter().position(|wall| *wall).map(|offset| i + offset) {
                let end = row[start..].iter().position(|wall| !wall).map_or(columns, |offset| start + offset);
                let above = open.iter().find(|b| boxes[**b][0] == start && boxes[**b][2] == end - start);
                match above.copied() {
                    Some(above) => {
                        boxes[above][3] += 1;
                        reaching.push(above);
                    }
                    None => {
                        reaching.push(boxes.len());
                        boxes.push([start, j, end - start, 1]);
                    }
                }
                i = end;
            }
            open = reaching;
        }
        boxes
    }
}
