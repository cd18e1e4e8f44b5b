//! Files of shapes that bodies name: `uri` of a resource.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Location};
use crate::mesh::vrml::{self, Document};
use crate::mesh::{Form, Frame, MeshDescription, Placed, Solidity};
use crate::sdf::files::read_text;
use crate::sdf::report::Report;
use crate::source::Sources;

/// Files of shapes, each read once.
pub(super) struct Resources<'r> {
    /// The body's folder.
    pub(super) folder: PathBuf,
    pub(super) sources: &'r mut Sources,
    pub(super) documents: &'r mut Documents,
}

/// VRML files by path; none of those that cannot be read, which is reported.
pub(super) type Documents = BTreeMap<PathBuf, Option<Rc<Document>>>;

impl Resources<'_> {
    /// The shapes of a file in its frame, or of its node `name`; none, with a finding at `place`, where there are none.
    pub(super) fn shapes(
        &mut self,
        uri: &str,
        name: Option<&str>,
        place: &Location,
        report: &mut Report,
    ) -> Option<Vec<Placed>> {
        let path = self.folder.join(uri.strip_prefix("file://").unwrap_or(uri));
        let extension = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
        if extension != "wrl" {
            let message = format!("files of this type are not read yet: `{uri}` is left out");
            let finding = Diagnostic::warning("mesh-file", message).at(place).help("VRML files (.wrl) are");
            report.once(format!("{uri}@{}", place.file.display()), finding);
            return None;
        }
        let document = self.document(&path, place, report)?;
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        let mut open = |url: &str, at: &Location| self.document(&folder.join(url), at, report);
        match vrml::shapes(&document, name, &mut open) {
            Ok(Some(shapes)) => Some(joined(shapes)),
            Ok(None) => {
                let name = name.unwrap_or_default();
                let message = format!("there is no node `{name}` in `{uri}`");
                report.strict(Diagnostic::error("mesh-node", message).at(place));
                None
            }
            Err(finding) => {
                report.strict(*finding);
                None
            }
        }
    }

    fn document(&mut self, path: &Path, place: &Location, report: &mut Report) -> Option<Rc<Document>> {
        if let Some(known) = self.documents.get(path) {
            return known.clone();
        }
        let read = read_text(path).and_then(|text| {
            self.sources.insert(path, Arc::from(text.as_str()));
            vrml::parse(path, &text)
        });
        let document = match read {
            Ok(document) => Some(Rc::new(document)),
            Err(mut finding) => {
                finding.location.get_or_insert_with(|| place.clone());
                report.strict(*finding);
                None
            }
        };
        self.documents.insert(path.to_owned(), document.clone());
        document
    }
}

/// Meshes that are open by themselves become one mesh: modellers write a solid as several sets of faces.
fn joined(shapes: Vec<Placed>) -> Vec<Placed> {
    let is_open =
        |shape: &Placed| matches!(&shape.form, Form::Mesh(mesh) if matches!(mesh.solidity(), Ok(Solidity::Open)));
    let (open, mut rest): (Vec<Placed>, Vec<Placed>) = shapes.into_iter().partition(is_open);
    if open.len() < 2 {
        rest.extend(open);
        return rest;
    }
    let mut whole = MeshDescription::default();
    for shape in &open {
        let mut mesh = shape.form.mapped(shape.frame.linear(), 0);
        mesh.vertices.iter_mut().for_each(|v| *v = shape.frame.pose.point(*v));
        whole.append(&mesh);
    }
    rest.push(Placed { form: Form::Mesh(whole), frame: Frame::IDENTITY });
    rest
}
