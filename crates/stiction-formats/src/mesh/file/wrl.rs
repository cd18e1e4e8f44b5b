//! VRML 97: every shape is a part. Primitives are rounded by polygons; the axis that points up is y, as in all VRML files.

use std::collections::BTreeMap;
use std::path::{Component, Path};
use std::rc::Rc;

use crate::diagnostic::{Diagnostic, Location};
use crate::mesh::vrml::{self, Document};

use super::error::Fault;
use super::{MAX_BYTES, MeshError, MeshFile, MeshPlace, MeshProblem, UpAxis, bytes_of, check_triangles};

/// Sides of a circle.
const DIVISIONS: u32 = 32;

pub(super) fn read(bytes: &[u8], path: &Path) -> Result<MeshFile, MeshError> {
    let document = document(bytes, path)?;
    let mut others: BTreeMap<String, Option<Rc<Document>>> = BTreeMap::new();
    let mut failure = None;
    let folder = path.parent().unwrap_or(Path::new(""));
    // `Inline` files stand beside or below this one.
    let mut open = |url: &str, _: &Location| {
        if let Some(known) = others.get(url) {
            return known.clone();
        }
        let opened = inline(url, folder, path);
        let found = opened.map_err(|error| failure.get_or_insert(error).clone()).ok().map(Rc::new);
        others.insert(url.to_owned(), found.clone());
        found
    };
    let shapes = vrml::shapes(&document, None, &mut open).map_err(|finding| error(&finding, path))?;
    if let Some(failure) = failure {
        return Err(failure);
    }
    let mut file = MeshFile { up_axis: UpAxis::Y, ..MeshFile::default() };
    let mut triangles = 0;
    for shape in shapes.unwrap_or_default() {
        let mut mesh = shape.form.mapped(shape.frame.linear(), DIVISIONS);
        triangles += mesh.triangles.len();
        let too_many = |problem| MeshError { file: path.to_owned(), place: MeshPlace::File, problem };
        check_triangles(triangles).map_err(too_many)?;
        mesh.vertices.iter_mut().for_each(|v| *v = shape.frame.pose.point(*v));
        file.push("", mesh);
    }
    Ok(file)
}

fn document(bytes: &[u8], path: &Path) -> Result<Document, MeshError> {
    vrml::parse(path, &String::from_utf8_lossy(bytes)).map_err(|finding| error(&finding, path))
}

fn inline(url: &str, folder: &Path, path: &Path) -> Result<Document, MeshError> {
    let name = Path::new(url);
    if !name.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
        let problem = MeshProblem::Unsupported(format!("an inlined file outside the folder of the file (`{url}`)"));
        return Err(MeshError { file: path.to_owned(), place: MeshPlace::File, problem });
    }
    let file = folder.join(name);
    let named = |fault: Fault| MeshError { file: file.clone(), place: fault.place, problem: fault.problem };
    document(&bytes_of(&file, MAX_BYTES).map_err(named)?, &file)
}

fn error(finding: &Diagnostic, path: &Path) -> MeshError {
    let place = finding.location.as_ref();
    MeshError {
        file: place.map_or_else(|| path.to_owned(), |place| place.file.to_path_buf()),
        place: place.map_or(MeshPlace::File, |place| MeshPlace::Line(place.line)),
        problem: MeshProblem::Syntax { format: "VRML", message: finding.message.clone() },
    }
}
