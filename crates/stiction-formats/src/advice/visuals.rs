//! Meshes of visuals that are not found: only looks depend on them.

use std::path::Path;

use crate::LoadOptions;
use crate::diagnostic::{Diagnostic, Location};
use crate::sdf::element::{self, Element, Parsed};
use crate::sdf::search::SearchPath;
use crate::source::Sources;

/// A note for each file with visuals whose mesh is not found; `first` is the file that was asked for.
#[must_use]
pub fn visual_advice(sources: &Sources, first: &Path, options: &LoadOptions) -> Vec<Diagnostic> {
    let search = SearchPath::new(first.parent().unwrap_or(Path::new("")), options);
    let mut found = Vec::new();
    for path in sources.paths() {
        let Some(text) = sources.get(path) else { continue };
        let Ok(Parsed { root, .. }) = element::parse(path, text) else { continue };
        let mut uris = Vec::new();
        collect(&root, &mut uris);
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut missing = uris.into_iter().filter(|(uri, _)| search.file(uri, folder).is_err());
        let Some((uri, place)) = missing.next() else { continue };
        let others = match missing.count() {
            0 => String::new(),
            1 => ", and of 1 more visual".to_owned(),
            n => format!(", and of {n} more visuals"),
        };
        let message = format!(
            "no file found for the mesh `{uri}` of a visual{others}: only looks depend on it, the motion does not"
        );
        found.push(Diagnostic::note("visual-not-found", message).at(place));
    }
    found
}

/// Paths of the meshes of visuals, SDFormat's `<uri>` and URDF's `filename`.
fn collect<'e>(element: &'e Element, uris: &mut Vec<(&'e str, &'e Location)>) {
    for child in &element.children {
        if child.name != "visual" {
            collect(child, uris);
            continue;
        }
        let Some(mesh) = child.child("geometry").and_then(|geometry| geometry.child("mesh")) else { continue };
        let uri = mesh.child("uri").map(|uri| (uri.text.trim(), &uri.text_location));
        let name = mesh.attribute("filename").map(|name| (name.value.trim(), &name.location));
        uris.extend(uri.or(name).filter(|(uri, _)| !uri.is_empty()));
    }
}
