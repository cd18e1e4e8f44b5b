//! The XML of a COLLADA file: well-formed, with the places of its elements and what their ids name.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;

use roxmltree::Node;

use super::LocalName as _;
use crate::mesh::file::error::{Fault, MeshProblem};
use crate::mesh::file::text::{shown, without_mark};

/// Most nodes of the XML tree, texts included.
const MAX_NODES: u32 = 8_000_000;
/// Deepest nesting of elements; the parser takes stack for each.
const DEEPEST: usize = 256;

/// The text in UTF-8, or in UTF-16 with its mark; names in Latin-1, as some files have, lose their accents.
pub(super) fn text(bytes: &[u8]) -> Result<Cow<'_, str>, Fault> {
    let bytes = without_mark(bytes);
    let wide = |unit: fn([u8; 2]) -> u16| {
        let units = bytes[2..].chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
        char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect::<String>()
    };
    let text = match bytes.get(..2) {
        Some(b"\xff\xfe") => wide(u16::from_le_bytes).into(),
        Some(b"\xfe\xff") => wide(u16::from_be_bytes).into(),
        _ => String::from_utf8_lossy(bytes),
    };
    if !text.trim_start().starts_with('<') {
        let first = shown(bytes.split(|b| *b == b'\n').next().unwrap_or_default());
        return Err(MeshProblem::unexpected("XML", &first).at_line(1));
    }
    check_depth(&text)?;
    Ok(text)
}

/// Counts tags that open and close before the parser descends into them.
fn check_depth(text: &str) -> Result<(), Fault> {
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (0usize, 0);
    while let Some(offset) = text[at..].find('<') {
        let start = at + offset;
        let rest = &text[start..];
        let (end, change) = if rest.starts_with("<!--") {
            (rest.find("-->").map(|e| e + 3), 0)
        } else if rest.starts_with("<![CDATA[") {
            (rest.find("]]>").map(|e| e + 3), 0)
        } else if rest.starts_with("<?") || rest.starts_with("<!") {
            (rest.find('>').map(|e| e + 1), 0)
        } else {
            let end = end_of_tag(rest.as_bytes());
            let is_empty = end.is_some_and(|e| rest.as_bytes()[e - 2] == b'/');
            (end, if rest.starts_with("</") { -1 } else { isize::from(!is_empty) })
        };
        depth = depth.saturating_add_signed(change);
        if depth > DEEPEST {
            let line = bytes[..start].iter().filter(|b| **b == b'\n').count() + 1;
            return Err(MeshProblem::Nesting { limit: DEEPEST }.at_line(line));
        }
        // A tag without an end is told by the parser.
        let Some(end) = end else { return Ok(()) };
        at = start + end;
    }
    Ok(())
}

/// Byte behind the `>` that closes a tag; one in quotes does not.
fn end_of_tag(tag: &[u8]) -> Option<usize> {
    let mut quote = None;
    for (i, b) in tag.iter().enumerate() {
        match quote {
            Some(q) if *b == q => quote = None,
            Some(_) => {}
            None if *b == b'"' || *b == b'\'' => quote = Some(*b),
            None if *b == b'>' => return Some(i + 1),
            None => {}
        }
    }
    None
}

pub(super) fn parse(text: &str) -> Result<roxmltree::Document<'_>, Fault> {
    // A document type may stand there; the parser bounds what its entities expand to.
    let options = roxmltree::ParsingOptions { allow_dtd: true, nodes_limit: MAX_NODES, ..Default::default() };
    roxmltree::Document::parse_with_options(text, options).map_err(|error| {
        let words = error.to_string();
        let message = words.split(" at ").next().unwrap_or_default().to_owned();
        MeshProblem::Syntax { format: "XML", message }.at_line(error.pos().row as usize)
    })
}

/// A COLLADA document and what its ids name.
pub(super) struct Document<'a, 'i> {
    pub(super) root: Node<'a, 'i>,
    ids: BTreeMap<&'a str, Vec<Node<'a, 'i>>>,
    text: &'a str,
    /// Points that were read so far.
    pub(super) points: Cell<usize>,
}

impl<'a, 'i> Document<'a, 'i> {
    pub(super) fn new(xml: &'a roxmltree::Document<'i>) -> Result<Self, Fault> {
        let root = xml.root_element();
        let mut ids: BTreeMap<&str, Vec<Node<'_, '_>>> = BTreeMap::new();
        for node in root.descendants().filter(Node::is_element) {
            if let Some(id) = node.attribute("id") {
                ids.entry(id).or_default().push(node);
            }
        }
        let document = Self { root, ids, text: xml.input_text(), points: Cell::new(0) };
        if root.has_tag_name_local("COLLADA") {
            return Ok(document);
        }
        Err(document.fault(root, MeshProblem::unexpected("<COLLADA>", root.tag_name().name())))
    }

    /// A fault at the line of an element.
    pub(super) fn fault(&self, node: Node<'_, '_>, problem: MeshProblem) -> Fault {
        let before = &self.text.as_bytes()[..node.range().start];
        problem.at_line(1 + before.iter().filter(|b| **b == b'\n').count())
    }

    /// The element of one of these kinds that `#ID` names; files in use have an id twice, for different kinds.
    pub(super) fn find(
        &self,
        at: Node<'a, 'i>,
        attribute: &str,
        kinds: &[&'static str],
    ) -> Result<Node<'a, 'i>, Fault> {
        let url = at.attribute(attribute).unwrap_or_default();
        let id = url.strip_prefix('#').unwrap_or(url);
        let of_kind = |node: &&Node<'a, 'i>| kinds.iter().any(|kind| node.has_tag_name_local(kind));
        let named = self.ids.get(id).and_then(|nodes| nodes.iter().find(of_kind));
        named.copied().ok_or_else(|| {
            let what = kinds.first().copied().unwrap_or("element");
            self.fault(at, MeshProblem::Missing { what, name: id.chars().take(80).collect() })
        })
    }

    /// Numbers between white space, in all the texts of an element.
    pub(super) fn reals(&self, node: Node<'_, '_>, into: &mut Vec<f64>) -> Result<(), Fault> {
        for word in node.children().filter_map(|c| c.text()).flat_map(str::split_ascii_whitespace) {
            let value = word.parse().map_err(|_| self.fault(node, MeshProblem::unexpected("a number", word)))?;
            into.push(value);
        }
        Ok(())
    }

    /// Whole numbers between white space, in all the texts of an element: files have them by the million.
    pub(super) fn integers(&self, node: Node<'_, '_>, into: &mut Vec<i64>) -> Result<(), Fault> {
        for text in node.children().filter_map(|c| c.text()) {
            let bytes = text.as_bytes();
            let mut at = 0;
            while at < bytes.len() {
                let (start, mut value) = (at, 0i64);
                while let Some(digit) = bytes.get(at).filter(|b| b.is_ascii_digit() && at - start < 18) {
                    value = 10 * value + i64::from(digit - b'0');
                    at += 1;
                }
                if bytes.get(at).is_none_or(u8::is_ascii_whitespace) {
                    if at > start {
                        into.push(value);
                    }
                    at += 1;
                    continue;
                }
                // A sign, more digits than any index has, or no number.
                let end = bytes[start..].iter().position(u8::is_ascii_whitespace).map_or(bytes.len(), |n| start + n);
                let word = String::from_utf8_lossy(&bytes[start..end]);
                let expected = || self.fault(node, MeshProblem::unexpected("a whole number", &word));
                into.push(word.parse().map_err(|_| expected())?);
                at = end;
            }
        }
        Ok(())
    }

    /// A whole number of an attribute, with a default.
    pub(super) fn count(&self, node: Node<'_, '_>, attribute: &str, default: usize) -> Result<usize, Fault> {
        let Some(text) = node.attribute(attribute) else { return Ok(default) };
        text.trim().parse().map_err(|_| self.fault(node, MeshProblem::unexpected("a count", text)))
    }
}
