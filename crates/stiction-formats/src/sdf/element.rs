//! The element tree that everything works on: XML without its syntax, each part with its place.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use stiction::math::{DMat3, Pose};

use crate::description::{JointSpookDescription, Origin};
use crate::devices::DeviceDescription;
use crate::diagnostic::{Diagnostic, Location};
use crate::mesh::MeshDescription;
use crate::source::Locator;

use super::xml_scan::{self, Prepared};

/// Names of the six values of an inertia.
pub(crate) const INERTIA: [&str; 6] = ["ixx", "iyy", "izz", "ixy", "ixz", "iyz"];

/// The six values of an inertia, in the order of [`INERTIA`].
pub(crate) fn inertia_values(inertia: &DMat3) -> [f64; 6] {
    let [x, y, z] = [inertia.x_axis, inertia.y_axis, inertia.z_axis];
    [x.x, y.y, z.z, x.y, x.z, y.z]
}

/// `name="value"`.
#[derive(Clone, Debug)]
pub(crate) struct Attribute {
    pub name: String,
    pub value: String,
    pub location: Location,
}

/// An element and all below it.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    pub name: String,
    pub attributes: Vec<Attribute>,
    /// Text without the white space around it.
    pub text: String,
    pub children: Vec<Element>,
    /// The start tag.
    pub location: Location,
    /// The text, or the start tag if there is none.
    pub text_location: Location,
    /// The `<include>` that brought the element in.
    pub included_at: Option<Location>,
    /// The option that set the text.
    pub override_path: Option<String>,
    /// Path for messages, such as `world[default]/model[box]`.
    pub path: String,
    /// Made of an element of a URDF file or of one of Choreonoid's: links and joints have names of their own, a link without inertia has no mass, and a fixed
    /// joint makes one body of its links.
    pub from_urdf: bool,
    /// What another format describes and no text can hold.
    pub payload: Option<Payload>,
}

/// Data of an element that no file of SDFormat has.
#[derive(Clone, Debug)]
pub(crate) enum Payload {
    /// Triangles of a shape.
    Mesh(Arc<MeshDescription>),
    /// Rows of a joint under AGX.
    Joint(Arc<JointSpookDescription>),
    /// A device of a link; its links are not looked up yet.
    Device(Box<DeviceDescription>),
}

impl Element {
    /// An element that no file has, in the place of `like`.
    pub(crate) fn new(name: &str, like: &Location) -> Self {
        Self {
            name: name.to_owned(),
            attributes: Vec::new(),
            text: String::new(),
            children: Vec::new(),
            location: like.clone(),
            text_location: like.clone(),
            included_at: None,
            override_path: None,
            path: String::new(),
            from_urdf: false,
            payload: None,
        }
    }

    /// The same with a text.
    pub(crate) fn with_text(name: &str, text: &str, like: &Location) -> Self {
        Self { text: text.to_owned(), ..Self::new(name, like) }
    }

    /// `<pose>` with all digits: place, then quaternion.
    pub(crate) fn of_pose(pose: &Pose, like: &Location) -> Self {
        let mut element = Self::new("pose", like);
        element.set_pose(pose);
        element
    }

    /// Writes a pose into a `<pose>`.
    pub(crate) fn set_pose(&mut self, pose: &Pose) {
        let Pose { position: p, rotation: q } = pose;
        self.text = format!("{} {} {} {} {} {} {}", p.x, p.y, p.z, q.x, q.y, q.z, q.w);
        let place = self.location.clone();
        self.set_attribute("rotation_format", "quat_xyzw", &place);
    }

    /// `<inertia>` about the center of mass, in the axes of the link.
    pub(crate) fn of_inertia(inertia: &DMat3, like: &Location) -> Self {
        let values = INERTIA.into_iter().zip(inertia_values(inertia));
        let mut element = Self::new("inertia", like);
        element.children.extend(values.map(|(name, value)| Self::with_text(name, &value.to_string(), like)));
        element
    }

    pub(crate) fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|a| a.name == name)
    }

    /// Value of an attribute; an empty one counts as absent.
    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        self.attribute(name).map(|a| a.value.trim()).filter(|v| !v.is_empty())
    }

    /// The `name` attribute, empty if there is none.
    pub(crate) fn named(&self) -> &str {
        self.value("name").unwrap_or("")
    }

    pub(crate) fn set_attribute(&mut self, name: &str, value: &str, location: &Location) {
        self.attributes.retain(|a| a.name != name);
        self.attributes.push(Attribute { name: name.to_owned(), value: value.to_owned(), location: location.clone() });
    }

    pub(crate) fn children_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.children.iter().filter(move |c| c.name == name)
    }

    pub(crate) fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|c| c.name == name)
    }

    pub(crate) fn child_mut(&mut self, name: &str) -> Option<&mut Element> {
        self.children.iter_mut().find(|c| c.name == name)
    }

    /// The first element at `a/b/c` below this one.
    pub(crate) fn find(&self, path: &str) -> Option<&Element> {
        path.split('/').try_fold(self, |e, name| e.child(name))
    }

    /// Where a finding about the whole element points: the include for an included one.
    pub(crate) fn place(&self) -> &Location {
        self.included_at.as_ref().unwrap_or(&self.location)
    }

    /// Where the text comes from.
    pub(crate) fn origin(&self) -> Origin {
        match &self.override_path {
            Some(path) => Origin::Override(path.clone()),
            None => Origin::File(self.text_location.clone()),
        }
    }

    /// An element with a namespace: it belongs to another program.
    pub(crate) fn is_foreign(&self) -> bool {
        self.name.contains('.')
    }

    /// Number of elements, this one included.
    pub(crate) fn count(&self) -> usize {
        1 + self.children.iter().map(Element::count).sum::<usize>()
    }

    /// Writes `path` into this element and all below.
    pub(crate) fn assign_paths(&mut self, parent: &str) {
        let name = self.named();
        let own = if name.is_empty() { self.name.clone() } else { format!("{}[{name}]", self.name) };
        self.path = if parent.is_empty() { own } else { format!("{parent}/{own}") };
        let path = self.path.clone();
        for child in &mut self.children {
            child.assign_paths(&path);
        }
    }
}

/// A file, and what in it is no XML but was read as Gazebo reads it.
pub(crate) struct Parsed {
    pub root: Element,
    pub warnings: Vec<Diagnostic>,
}

/// A text as it is parsed, and where its bytes stand in the file.
struct Text<'a> {
    prepared: &'a Prepared,
    locator: Locator<'a>,
}

impl Text<'_> {
    fn locate(&self, span: Range<usize>) -> Location {
        self.locator.locate(self.prepared.original(span.start)..self.prepared.original(span.end))
    }
}

/// Parses a whole file.
pub(crate) fn parse(file: &Path, text: &str) -> Result<Parsed, Box<Diagnostic>> {
    let locator = Locator::new(file, text);
    let prepared = xml_scan::prepare(text).map_err(|refusal| {
        Diagnostic::error(refusal.code, refusal.message).at(&locator.locate(refusal.offset..refusal.offset + 1))
    })?;
    let text = Text { prepared: &prepared, locator };
    let options = roxmltree::ParsingOptions { allow_dtd: false, nodes_limit: 4_000_000, ..Default::default() };
    let document =
        roxmltree::Document::parse_with_options(&prepared.text, options).map_err(|e| malformed(&e, &text))?;
    let root = build(document.root_element(), &text);
    let mut said = BTreeSet::new();
    let first = prepared.oddities.iter().filter(|(code, ..)| said.insert(*code));
    let warnings =
        first.map(|(code, message, at)| Diagnostic::warning(code, *message).at(&text.locator.locate(*at..at + 1)));
    Ok(Parsed { root, warnings: warnings.collect() })
}

fn malformed(error: &roxmltree::Error, text: &Text<'_>) -> Diagnostic {
    let content = text.prepared.text.as_str();
    let end = content.trim_end().len();
    let position = error.pos();
    let offset = match error {
        // These two say only that the file ended.
        roxmltree::Error::UnclosedRootNode | roxmltree::Error::NoRootNode | roxmltree::Error::UnexpectedEndOfStream => {
            end
        }
        _ => offset_of(content, position.row, position.col).min(end),
    };
    let words = error.to_string();
    let words = words.split(" at ").next().unwrap_or("").trim().to_owned();
    let message = match error {
        roxmltree::Error::UnclosedRootNode | roxmltree::Error::UnexpectedEndOfStream => {
            "malformed XML: the file ends inside an element".to_owned()
        }
        roxmltree::Error::UnexpectedCloseTag(expected, actual, _) => {
            format!("malformed XML: expected </{expected}>, found </{actual}>")
        }
        _ => format!("malformed XML: {words}"),
    };
    Diagnostic::error("xml-syntax", message).at(&text.locate(offset..offset + 1))
}

/// Byte offset of a row and a column in characters, both from 1.
fn offset_of(text: &str, row: u32, column: u32) -> usize {
    let mut offset = 0;
    for (i, line) in text.split_inclusive('\n').enumerate() {
        if i + 1 == row as usize {
            let within = line.char_indices().nth(column.saturating_sub(1) as usize).map_or(line.len(), |(b, _)| b);
            return offset + within;
        }
        offset += line.len();
    }
    text.len()
}

/// Recursion is safe: the scan has bounded the depth.
fn build(node: roxmltree::Node<'_, '_>, text: &Text<'_>) -> Element {
    let range = node.range();
    let content = text.prepared.text.as_str();
    let tag_end = content.get(range.clone()).and_then(end_of_start_tag).map_or(range.end, |e| range.start + e);
    let location = text.locate(range.start..tag_end);
    let mut element = Element::new(node.tag_name().name(), &location);
    for attribute in node.attributes() {
        element.attributes.push(Attribute {
            name: attribute.name().to_owned(),
            value: attribute.value().to_owned(),
            location: text.locate(attribute.range()),
        });
    }
    for child in node.children() {
        if child.is_element() {
            element.children.push(build(child, text));
        } else if let Some(piece) = child.text().filter(|_| child.is_text()) {
            if piece.trim().is_empty() {
                continue;
            }
            if element.text.is_empty() {
                let span = child.range();
                let raw = content.get(span.clone()).unwrap_or("");
                let lead = raw.len() - raw.trim_start().len();
                element.text_location = text.locate(span.start + lead..span.start + raw.trim_end().len());
            } else {
                element.text.push(' ');
            }
            element.text.push_str(piece.trim());
        }
    }
    element
}

fn end_of_start_tag(raw: &str) -> Option<usize> {
    let mut quote = None;
    for (i, b) in raw.bytes().enumerate() {
        match quote {
            Some(q) if b == q => quote = None,
            Some(_) => {}
            None if b == b'"' || b == b'\'' => quote = Some(b),
            None if b == b'>' => return Some(i + 1),
            None => {}
        }
    }
    None
}
