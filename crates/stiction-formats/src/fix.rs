//! Proposals of findings, written into the text of a file: bytes that a proposal does not name stay as they are.
//!
//! An element that is there gets another text; one that is missing is inserted behind its siblings with their
//! indentation. The text is never written anew from a tree.

use std::ops::Range;

use roxmltree::{Document, Node, ParsingOptions};
use thiserror::Error;

use crate::diagnostic::Edit;
use crate::sdf::xml_scan::{self, Prepared};

/// A replacement in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Bytes of the text as it was; empty for an insertion.
    pub span: Range<usize>,
    /// What stands there then.
    pub text: String,
    /// Line of the change in the text as it was, from 1.
    pub line: u32,
    /// The elements that change, with their texts before (none for one that was missing) and after.
    pub values: Vec<(&'static str, Option<String>, String)>,
}

/// Why a proposal is not written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FixRefusal {
    /// URDF and Choreonoid.
    #[error("only files of SDFormat are changed")]
    NotSdf,
    /// The file is not what was read.
    #[error("the element is not where it was read")]
    Moved,
    /// Comments or entities within the value.
    #[error("the text of <{0}> is not a plain value")]
    NotPlain(String),
    /// One place, two values: the file is read for more than one model.
    #[error("two findings propose different values for one place")]
    Conflict,
}

/// What became of a text.
#[derive(Clone, Debug, Default)]
pub struct Fixed {
    /// The text with all changes.
    pub text: String,
    /// Changes and the index of the proposal that each is of, by place.
    pub changes: Vec<(usize, Change)>,
    /// Proposals that were not written, by their index.
    pub refused: Vec<(usize, FixRefusal)>,
}

/// Writes proposals into the text of one file.
#[must_use]
pub fn apply(text: &str, edits: &[&Edit]) -> Fixed {
    let mut fixed = Fixed::default();
    let mut changes: Vec<(usize, Change)> = Vec::new();
    for (index, edit) in edits.iter().enumerate() {
        match resolve(text, edit) {
            Ok(own) => changes.extend(own.into_iter().map(|change| (index, change))),
            Err(refusal) => fixed.refused.push((index, refusal)),
        }
    }
    // Of one file that is read for several models the same proposal comes once for each.
    changes.sort_by_key(|(_, change)| (change.span.start, change.span.end));
    changes.dedup_by(|(_, b), (_, a)| a == b);
    let overlaps =
        |a: &Change, b: &Change| a.span == b.span || (a.span.start < b.span.end && b.span.start < a.span.end);
    let mut conflicting: Vec<usize> = Vec::new();
    for (k, (first, a)) in changes.iter().enumerate() {
        for (second, b) in changes[k + 1..].iter().take_while(|(_, b)| b.span.start <= a.span.end) {
            if first != second && overlaps(a, b) {
                conflicting.extend([*first, *second]);
            }
        }
    }
    conflicting.sort_unstable();
    conflicting.dedup();
    fixed.refused.extend(conflicting.iter().map(|index| (*index, FixRefusal::Conflict)));
    changes.retain(|(index, _)| !conflicting.contains(index));
    fixed.text = text.to_owned();
    for (_, change) in changes.iter().rev() {
        fixed.text.replace_range(change.span.clone(), &change.text);
    }
    fixed.changes = changes;
    fixed
}

/// Where in a text a proposal changes what.
///
/// # Errors
/// The proposal cannot be written by replacing bytes.
pub fn resolve(text: &str, edit: &Edit) -> Result<Vec<Change>, FixRefusal> {
    let prepared = xml_scan::prepare(text).ok().filter(Prepared::is_aligned).ok_or(FixRefusal::Moved)?;
    let options = ParsingOptions { allow_dtd: false, nodes_limit: 4_000_000, ..ParsingOptions::default() };
    let document = Document::parse_with_options(&prepared.text, options).map_err(|_| FixRefusal::Moved)?;
    if !matches!(document.root_element().tag_name().name(), "sdf" | "gazebo") {
        return Err(FixRefusal::NotSdf);
    }
    let place = edit.at.span.start;
    let holds = |node: &Node<'_, '_>| node.is_element() && node.range().contains(&place);
    let mut node = Some(document.root_element()).filter(holds).ok_or(FixRefusal::Moved)?;
    while let Some(inner) = node.children().find(holds) {
        node = inner;
    }
    if node.tag_name().name() != edit.inside {
        return Err(FixRefusal::Moved);
    }
    let mut missing = edit.path;
    while let Some((name, rest)) = missing.split_first()
        && let Some(child) = child(node, name)
    {
        (node, missing) = (child, rest);
    }
    let line = |at: usize| u32::try_from(text[..at].matches('\n').count() + 1).unwrap_or(u32::MAX);
    let mut changes = Vec::new();
    let mut absent = Vec::new();
    for (name, value) in &edit.leaves {
        let leaf = if name.is_empty() { Some(node) } else { child(node, name).filter(|_| missing.is_empty()) };
        match leaf {
            Some(leaf) => {
                let (span, replacement) = replaced(text, leaf, value)?;
                // What a text is inserted into has none: `<static/>` or `<static></static>`.
                let is_empty = leaf.text().is_none_or(|text| text.trim().is_empty());
                let old = if is_empty { String::new() } else { text[span.clone()].to_owned() };
                let name = if name.is_empty() { edit.inside } else { name };
                let values = vec![(name, Some(old), value.clone())];
                changes.push(Change { line: line(span.start), span, text: replacement, values });
            }
            None => absent.push((*name, value)),
        }
    }
    if !absent.is_empty() {
        let mut inner: String = absent.iter().map(|(name, value)| format!("<{name}>{value}</{name}>")).collect();
        for name in missing.iter().rev() {
            inner = format!("<{name}>{inner}</{name}>");
        }
        let (span, inserted) = inserted(text, node, &inner)?;
        let values = absent.into_iter().map(|(name, value)| (name, None, value.clone())).collect();
        changes.push(Change { line: line(span.start), span, text: inserted, values });
    }
    changes.retain(|change| text[change.span.clone()] != change.text);
    Ok(changes)
}

fn child<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    node.children().find(|c| c.is_element() && c.tag_name().name() == name)
}

/// Another text in place of that of an element.
fn replaced(text: &str, leaf: Node<'_, '_>, value: &str) -> Result<(Range<usize>, String), FixRefusal> {
    let refused = || FixRefusal::NotPlain(leaf.tag_name().name().to_owned());
    let mut texts = leaf.children().filter(|c| c.is_text() && c.text().is_some_and(|t| !t.trim().is_empty()));
    let Some(node) = texts.next() else {
        return inserted(text, leaf, value);
    };
    if texts.next().is_some() || leaf.children().any(|c| c.is_element()) {
        return Err(refused());
    }
    let mut span = node.range();
    let raw = &text[span.clone()];
    if let Some(at) = raw.find("<![CDATA[") {
        let from = at + "<![CDATA[".len();
        let length = raw[from..].find("]]>").ok_or_else(refused)?;
        span = span.start + from..span.start + from + length;
    }
    let raw = &text[span.clone()];
    let lead = raw.len() - raw.trim_start().len();
    let core = span.start + lead..span.start + raw.trim_end().len();
    // What is written is what was read: no entity, no comment, no markup.
    if core.is_empty() || Some(&text[core.clone()]) != node.text().map(str::trim) {
        return Err(refused());
    }
    Ok((core, value.to_owned()))
}

/// An element, or a text, behind the last child of another.
fn inserted(text: &str, parent: Node<'_, '_>, inner: &str) -> Result<(Range<usize>, String), FixRefusal> {
    let range = parent.range();
    let whole = &text[range.clone()];
    let children: Vec<Node<'_, '_>> = parent.children().filter(Node::is_element).collect();
    if let (Some(first), Some(last)) = (children.first(), children.last()) {
        let before = &text[..first.range().start];
        let indent = &before[before.trim_end_matches([' ', '\t']).len()..];
        let at = last.range().end;
        let line_end = if before[..before.len() - indent.len()].ends_with("\r\n") {
            Some("\r\n")
        } else {
            before[..before.len() - indent.len()].ends_with('\n').then_some("\n")
        };
        let lead = line_end.map_or_else(String::new, |end| format!("{end}{indent}"));
        return Ok((at..at, format!("{lead}{inner}")));
    }
    if whole.ends_with("/>") {
        let name: String = whole[1..].chars().take_while(|c| !c.is_whitespace() && *c != '/' && *c != '>').collect();
        return Ok((range.end - 2..range.end, format!(">{inner}</{name}>")));
    }
    let end_tag = whole.rfind("</").ok_or(FixRefusal::Moved)?;
    let at = range.start + end_tag;
    Ok((at..at, inner.to_owned()))
}
