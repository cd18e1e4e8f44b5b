//! COLLADA 1.4 and 1.5: triangles of geometries, placed by the nodes of the visual scene, in metres.
//!
//! `<up_axis>` is told and not applied: Gazebo's reader does not look at it, and RViz's drops it, so models in use are written
//! for that. Skins are read in their bind shape.

mod document;
mod geometry;
mod scene;
mod transform;

use super::error::Fault;
use super::{MeshFile, UpAxis};
use document::Document;

pub(super) fn read(bytes: &[u8]) -> Result<MeshFile, Fault> {
    let text = document::text(bytes)?;
    let xml = document::parse(&text)?;
    let document = Document::new(&xml)?;
    let mut file = scene::read(&document)?;
    let asset = document.root.children().find(|c| c.has_tag_name_local("asset"));
    let up = asset.and_then(|a| a.children().find(|c| c.has_tag_name_local("up_axis"))).and_then(|u| u.text());
    file.up_axis = match up.map(str::trim) {
        Some("X_UP") => UpAxis::X,
        // The format's default is Y_UP; files that do not say are as they are.
        Some("Y_UP") => UpAxis::Y,
        _ => UpAxis::Z,
    };
    Ok(file)
}

/// Tag names whatever their namespace is: versions of the format have namespaces of their own.
trait LocalName {
    fn has_tag_name_local(&self, name: &str) -> bool;
}

impl LocalName for roxmltree::Node<'_, '_> {
    fn has_tag_name_local(&self, name: &str) -> bool {
        self.is_element() && self.tag_name().name() == name
    }
}
