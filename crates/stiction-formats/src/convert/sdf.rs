//! SDFormat 1.12: the element tree that every format is read into, as text.

use std::collections::BTreeSet;
use std::path::{Component, Path};

use crate::bundled;
use crate::description::WorldDescription;
use crate::sdf::element::{Element, Payload};

use super::Converted;
use super::lump::lump;
use super::mesh_file::obj;
use super::xml::Node;

/// Version of what is written.
const VERSION: &str = "1.12";

/// Prefixes of other programs, and what they stand for.
const NAMESPACES: [(&str, &str); 4] = [
    ("stiction", "https://github.com/stiction/stiction"),
    ("drake", "http://drake.mit.edu"),
    ("gz", "http://gazebosim.org/schema"),
    ("ignition", "http://ignitionrobotics.org/schema"),
];

/// A file as it stands: only older forms are rewritten.
pub(super) fn own(root: Element) -> Converted {
    let mut converted = Converted::default();
    if has_relative_path(&root) {
        converted.lose("relative paths stay as they are: they are of the folder of the input");
    }
    write(root, &mut converted);
    converted
}

/// Files that are named relative to this one.
fn has_relative_path(element: &Element) -> bool {
    let is_one = |e: &Element| e.name == "uri" && !e.text.is_empty() && !e.text.contains("://");
    element.children.iter().any(|child| (is_one(child) && element.name != "script") || has_relative_path(child))
}

/// A whole world, or its only model, in one file.
pub(super) fn flat(mut tree: Element, is_lone: bool, world: &WorldDescription) -> Converted {
    let mut converted = Converted::default();
    lump(&mut tree, world);
    let mut root = Element::new("sdf", &tree.location);
    let lone = tree.children.iter().position(|child| child.name == "model").filter(|_| is_lone);
    match lone {
        Some(model) => root.children.push(tree.children.swap_remove(model)),
        None => root.children.push(tree),
    }
    resolve(&mut root);
    write(root, &mut converted);
    converted
}

/// Relative paths of included files, which are of other folders, as `model://` of the folder.
fn resolve(element: &mut Element) {
    for child in &mut element.children {
        let is_path = child.name == "uri" && !child.text.contains("://") && !child.text.starts_with('/');
        let folder = child.location.file.parent().and_then(|folder| folder.file_name());
        if let Some(folder) = folder.filter(|_| is_path && element.name != "script" && !child.text.is_empty()) {
            child.text = format!("model://{}/{}", folder.to_string_lossy(), child.text);
        }
        resolve(child);
    }
}

fn write(mut root: Element, converted: &mut Converted) {
    let place = root.location.clone();
    "sdf".clone_into(&mut root.name);
    root.attributes.retain(|a| !a.name.starts_with("xmlns") && a.name != "version");
    root.set_attribute("version", VERSION, &place);
    take_payload(&mut root, converted);
    take_material_tables(&root, converted);
    let mut node = Node::of(&root);
    let mut prefixes = BTreeSet::new();
    node.prefixes(&mut prefixes);
    for prefix in prefixes {
        let own = format!("https://example.org/{prefix}");
        let uri = NAMESPACES.iter().find(|(known, _)| *known == prefix).map_or(own.as_str(), |(_, uri)| uri);
        node = node.with(&format!("xmlns:{prefix}"), uri);
    }
    converted.text = node.document();
}

/// Material tables go beside the output, under the names that the world gives them.
fn take_material_tables(element: &Element, converted: &mut Converted) {
    let path = Path::new(&element.text);
    let is_beside = path.is_relative() && path.components().all(|part| matches!(part, Component::Normal(_)));
    if element.name == "stiction.material_table" && is_beside {
        let source = element.location.file.parent().unwrap_or(Path::new("")).join(path);
        match bundled::bytes(&source).map_or_else(|| std::fs::read(&source), |bytes| Ok(bytes.to_vec())) {
            Ok(bytes) => converted.beside.push((path.to_owned(), bytes)),
            Err(_) => converted.lose(format!("the material table {} is not copied", source.display())),
        }
    }
    element.children.iter().for_each(|child| take_material_tables(child, converted));
}

/// What another format described and no text of SDFormat can hold: meshes become files, the rest is lost.
fn take_payload(element: &mut Element, converted: &mut Converted) {
    let name = element.named().to_owned();
    for child in &mut element.children {
        match child.payload.take() {
            Some(Payload::Mesh(mesh)) => {
                let path = converted.add_mesh(&name, obj(&mesh));
                let place = child.location.clone();
                let mut made = Element::new("mesh", &place);
                made.children.push(Element::with_text("uri", &path, &place));
                *child = made;
            }
            Some(Payload::Joint(_)) => {
                converted.lose(format!("joint `{name}`: compliance, damping times and forces for AGX are left out"));
            }
            Some(Payload::Device(_)) => {
                converted.lose(format!("link `{name}`: a device of the AGX plug-in is left out"));
            }
            None => {}
        }
        take_payload(child, converted);
    }
    element.children.retain(|child| {
        // Marks of the readers, which no file has.
        let is_mark = child.name.starts_with("urdf.") || child.name.starts_with("choreonoid.");
        if is_mark && child.name != crate::sdf::joint::KEPT_APART {
            converted.lose(format!("<{}> is left out", child.name.replacen("urdf.", "", 1)));
        }
        !is_mark
    });
}
