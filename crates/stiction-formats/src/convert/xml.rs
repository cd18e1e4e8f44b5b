//! Elements as XML text.

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

use stiction::math::{DQuat, DVec3};

use crate::sdf::element::Element;

/// An element that is written.
#[derive(Clone, Debug, Default)]
pub(super) struct Node {
    name: String,
    attributes: Vec<(String, String)>,
    text: String,
    pub(super) children: Vec<Node>,
}

impl Node {
    /// The element has one of two names.
    pub(super) fn name_is(&self, first: &str, second: &str) -> bool {
        self.name == first || self.name == second
    }

    pub(super) fn new(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }

    /// The same with an attribute.
    pub(super) fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.attributes.push((name.to_owned(), value.into()));
        self
    }

    /// The same with an attribute, if there is a value.
    pub(super) fn with_some(self, name: &str, value: Option<String>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// The same with a text.
    pub(super) fn text(mut self, text: impl Into<String>) -> Self {
        self.text = text.into();
        self
    }

    /// The same with children.
    pub(super) fn holding(mut self, children: impl IntoIterator<Item = Self>) -> Self {
        self.children.extend(children);
        self
    }

    /// An element as it was read, names of other programs with their colon again.
    pub(super) fn of(element: &Element) -> Self {
        let with_colon = |name: &str| name.replacen('.', ":", 1);
        Self {
            name: with_colon(&element.name),
            attributes: element.attributes.iter().map(|a| (with_colon(&a.name), a.value.clone())).collect(),
            text: element.text.clone(),
            children: element.children.iter().map(Self::of).collect(),
        }
    }

    /// Prefixes of names here and below.
    pub(super) fn prefixes(&self, found: &mut std::collections::BTreeSet<String>) {
        let names = std::iter::once(&self.name).chain(self.attributes.iter().map(|(name, _)| name));
        found.extend(names.filter_map(|name| name.split_once(':')).map(|(prefix, _)| prefix.to_owned()));
        self.children.iter().for_each(|child| child.prefixes(found));
    }

    /// The whole as a document.
    pub(super) fn document(&self) -> String {
        let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
        // Writing into memory does not fail.
        let written = writer
            .write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))
            .and_then(|()| self.write(&mut writer));
        debug_assert!(written.is_ok());
        String::from_utf8_lossy(&writer.into_inner()).into_owned() + "\n"
    }

    fn write(&self, writer: &mut Writer<Vec<u8>>) -> std::io::Result<()> {
        let mut start = BytesStart::new(self.name.as_str());
        for (name, value) in &self.attributes {
            start.push_attribute((name.as_str(), value.as_str()));
        }
        if self.text.is_empty() && self.children.is_empty() {
            return writer.write_event(Event::Empty(start));
        }
        writer.write_event(Event::Start(start))?;
        if !self.text.is_empty() {
            writer.write_event(Event::Text(BytesText::new(&self.text)))?;
        }
        for child in &self.children {
            child.write(writer)?;
        }
        writer.write_event(Event::End(BytesEnd::new(self.name.as_str())))
    }
}

/// The shortest decimal that reads back to the same bits.
pub(super) fn number(x: f64) -> String {
    let magnitude = x.abs();
    if x == 0.0 || (1e-5..1e16).contains(&magnitude) { x.to_string() } else { format!("{x:e}") }
}

pub(super) fn numbers(values: &[f64]) -> String {
    values.iter().map(|x| number(*x)).collect::<Vec<_>>().join(" ")
}

pub(super) fn vector(v: DVec3) -> String {
    numbers(&v.to_array())
}

/// w, x, y, z.
pub(super) fn quaternion_wxyz(q: DQuat) -> String {
    numbers(&[q.w, q.x, q.y, q.z])
}
