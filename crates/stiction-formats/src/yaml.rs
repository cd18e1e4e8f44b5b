//! YAML documents with places: nodes that know where they stand, aliases and merge keys resolved as Choreonoid does.
//!
//! Merge keys (`<<`) follow Choreonoid's reader: keys of the mapping itself win wherever they stand, of several merged
//! mappings the first that has a key. A key that is repeated in a mapping counts once, with its last value.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::rc::Rc;

mod lines;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Span};

use crate::diagnostic::{Diagnostic, Location};
use crate::source::Locator;

use lines::Lines;

/// Deepest nesting.
const MAX_DEPTH: usize = 200;
/// Most nodes of a document, aliases counted at each use.
const MAX_NODES: usize = 2_000_000;

/// A value and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) value: Value,
    pub(crate) location: Location,
    /// Number of nodes in it, itself included.
    size: usize,
}

/// What a node holds.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    /// A number, word or text; `is_plain` without quotation marks.
    Scalar {
        text: String,
        is_plain: bool,
    },
    Sequence(Vec<Rc<Node>>),
    Mapping(Mapping),
}

/// Keys and values in the order of the file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mapping {
    entries: Vec<Entry>,
}

/// A key and its value.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) key_location: Location,
    pub(crate) value: Rc<Node>,
    /// It came by a merge key.
    pub(crate) is_merged: bool,
}

impl Mapping {
    /// The value of a key.
    pub(crate) fn get(&self, key: &str) -> Option<&Rc<Node>> {
        self.entry(key).map(|entry| &entry.value)
    }

    /// The entry of a key.
    pub(crate) fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    /// All entries.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter()
    }
}

impl Node {
    /// The text of a scalar.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Scalar { text, .. } => Some(text),
            _ => None,
        }
    }

    /// Nothing was given: an empty value, `~` or `null`.
    pub(crate) fn is_null(&self) -> bool {
        matches!(&self.value, Value::Scalar { text, is_plain: true } if matches!(text.as_str(), "" | "~" | "null"))
    }

    /// The number of a scalar.
    pub(crate) fn number(&self) -> Option<f64> {
        let text = self.text()?.trim();
        match text {
            ".inf" | "+.inf" | ".Inf" | ".INF" => return Some(f64::INFINITY),
            "-.inf" | "-.Inf" | "-.INF" => return Some(f64::NEG_INFINITY),
            _ => {}
        }
        // Words that Rust takes for numbers are words in YAML.
        text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)).then(|| text.parse().ok()).flatten()
    }

    /// The finite numbers of a list.
    pub(crate) fn numbers(&self) -> Option<Vec<f64>> {
        self.items()?.iter().map(|item| item.number().filter(|number| number.is_finite())).collect()
    }

    /// The switch of a scalar.
    pub(crate) fn switch(&self) -> Option<bool> {
        match self.text()? {
            "true" | "True" | "TRUE" | "yes" | "on" => Some(true),
            "false" | "False" | "FALSE" | "no" | "off" => Some(false),
            _ => None,
        }
    }

    /// The items of a sequence.
    pub(crate) fn items(&self) -> Option<&[Rc<Node>]> {
        match &self.value {
            Value::Sequence(items) => Some(items),
            _ => None,
        }
    }

    /// The keys and values of a mapping.
    pub(crate) fn mapping(&self) -> Option<&Mapping> {
        match &self.value {
            Value::Mapping(mapping) => Some(mapping),
            _ => None,
        }
    }

    /// What it is, in words.
    pub(crate) fn kind(&self) -> &'static str {
        match &self.value {
            Value::Scalar { .. } if self.is_null() => "nothing",
            Value::Scalar { .. } if self.number().is_some() => "a number",
            Value::Scalar { .. } => "a word",
            Value::Sequence(_) => "a list",
            Value::Mapping(_) => "a mapping",
        }
    }
}

/// Reads the first document of a text. Repeated keys are warnings; a text that is no YAML is an error. Lines within brackets or
/// quotes may start at any column.
pub(crate) fn parse(path: &Path, text: &str, findings: &mut Vec<Diagnostic>) -> Result<Rc<Node>, Box<Diagnostic>> {
    let before = findings.len();
    let error = match compose(path, text, &Lines::of(text), findings) {
        Err(error) if error.code == "yaml-syntax" => error,
        read => return read,
    };
    findings.truncate(before);
    // The first error stands where the lines are not what is wrong.
    compose(path, text, &Lines::indented(text), findings).map_err(|_| error)
}

fn compose(
    path: &Path,
    text: &str,
    lines: &Lines,
    findings: &mut Vec<Diagnostic>,
) -> Result<Rc<Node>, Box<Diagnostic>> {
    let mut composer =
        Composer { locator: Locator::new(path, text), bytes: &lines.bytes, anchors: BTreeMap::new(), findings };
    // The parser takes a tab behind a key's colon for a fault.
    let spaced = lines.text.replace(":\t", ": ");
    let mut parser = Parser::new_from_str(&spaced);
    loop {
        let (event, span) = composer.next(&mut parser)?;
        match event {
            Event::StreamStart | Event::DocumentStart(_) | Event::Nothing => {}
            Event::StreamEnd | Event::DocumentEnd => {
                return Err(Box::new(Diagnostic::error("yaml-syntax", "the file is empty").at(&composer.place(&span))));
            }
            event => return composer.node(event, &span, &mut parser, 0),
        }
    }
}

/// Makes nodes of a parser's events.
struct Composer<'a> {
    locator: Locator<'a>,
    /// Byte of each character.
    bytes: &'a [usize],
    /// Nodes with anchors that are complete.
    anchors: BTreeMap<usize, Rc<Node>>,
    findings: &'a mut Vec<Diagnostic>,
}

type Events<'i> = Parser<'i, saphyr_parser::StrInput<'i>>;

impl Composer<'_> {
    fn range(&self, span: &Span) -> Range<usize> {
        let byte =
            |index: usize| self.bytes.get(index).copied().unwrap_or_else(|| self.bytes.last().copied().unwrap_or(0));
        byte(span.start.index())..byte(span.end.index())
    }

    fn place(&self, span: &Span) -> Location {
        self.locator.locate(self.range(span))
    }

    fn next<'i>(&self, parser: &mut Events<'i>) -> Result<(Event<'i>, Span), Box<Diagnostic>> {
        parser.next().unwrap_or(Ok((Event::StreamEnd, Span::default()))).map_err(|error| Box::new(self.syntax(&error)))
    }

    fn syntax(&self, error: &ScanError) -> Diagnostic {
        let marker = *error.marker();
        let place = self.place(&Span::new(marker, marker));
        Diagnostic::error("yaml-syntax", format!("malformed YAML: {}", error.info())).at(&place)
    }

    /// The node that begins with an event.
    fn node(
        &mut self,
        event: Event,
        span: &Span,
        parser: &mut Events,
        depth: usize,
    ) -> Result<Rc<Node>, Box<Diagnostic>> {
        let location = self.place(span);
        if depth > MAX_DEPTH {
            let message = format!("values are nested deeper than {MAX_DEPTH}");
            return Err(Box::new(Diagnostic::error("yaml-depth", message).at(&location)));
        }
        let (value, anchor) = match event {
            Event::Scalar(text, style, anchor, _) => {
                (Value::Scalar { text: text.into_owned(), is_plain: style == ScalarStyle::Plain }, anchor)
            }
            Event::SequenceStart(anchor, _) => (self.sequence(parser, depth)?, anchor),
            Event::MappingStart(anchor, _) => (self.mapping(parser, depth)?, anchor),
            Event::Alias(anchor) => {
                return self.anchors.get(&anchor).cloned().ok_or_else(|| {
                    let message = "the alias is inside the value that it refers to";
                    Box::new(Diagnostic::error("yaml-alias", message).at(&location))
                });
            }
            _ => {
                return Err(Box::new(Diagnostic::error("yaml-syntax", "a value is missing here").at(&location)));
            }
        };
        let inner = match &value {
            Value::Scalar { .. } => 0,
            Value::Sequence(items) => items.iter().map(|item| item.size).sum(),
            Value::Mapping(mapping) => mapping.iter().map(|entry| entry.value.size).sum(),
        };
        let size = 1 + inner;
        if size > MAX_NODES {
            let message = format!("aliases repeat more than {MAX_NODES} values");
            return Err(Box::new(Diagnostic::error("yaml-size", message).at(&location)));
        }
        let node = Rc::new(Node { value, location, size });
        if anchor > 0 {
            self.anchors.insert(anchor, Rc::clone(&node));
        }
        Ok(node)
    }

    fn sequence(&mut self, parser: &mut Events, depth: usize) -> Result<Value, Box<Diagnostic>> {
        let mut items = Vec::new();
        loop {
            match self.next(parser)? {
                (Event::SequenceEnd, _) => return Ok(Value::Sequence(items)),
                (event, span) => items.push(self.node(event, &span, parser, depth + 1)?),
            }
        }
    }

    fn mapping(&mut self, parser: &mut Events, depth: usize) -> Result<Value, Box<Diagnostic>> {
        let mut mapping = Mapping::default();
        let mut merged: Vec<Rc<Node>> = Vec::new();
        loop {
            let (event, span) = self.next(parser)?;
            if event == Event::MappingEnd {
                break;
            }
            let key = self.node(event, &span, parser, depth + 1)?;
            let (event, span) = self.next(parser)?;
            let value = self.node(event, &span, parser, depth + 1)?;
            let Some(name) = key.text() else {
                let message = format!("a key is {}, not a word", key.kind());
                return Err(Box::new(Diagnostic::error("yaml-key", message).at(&key.location)));
            };
            if name == "<<" && matches!(&key.value, Value::Scalar { is_plain: true, .. }) {
                merged.extend(self.merged(&value)?);
                continue;
            }
            let entry = Entry { key: name.to_owned(), key_location: key.location.clone(), value, is_merged: false };
            match mapping.entries.iter_mut().find(|entry| entry.key == name) {
                Some(earlier) => {
                    let message = format!("the key `{name}` is repeated; its last value counts");
                    let note = format!("first in line {}", earlier.key_location.line);
                    self.findings.push(Diagnostic::warning("duplicate-key", message).at(&key.location).help(note));
                    *earlier = entry;
                }
                None => mapping.entries.push(entry),
            }
        }
        for entry in merged.iter().filter_map(|node| node.mapping()).flat_map(Mapping::iter) {
            if mapping.entry(&entry.key).is_none() {
                mapping.entries.push(Entry { is_merged: true, ..entry.clone() });
            }
        }
        Ok(Value::Mapping(mapping))
    }

    /// The mappings that a merge key names.
    fn merged(&self, value: &Rc<Node>) -> Result<Vec<Rc<Node>>, Box<Diagnostic>> {
        let nodes = match value.items() {
            Some(items) => items.to_vec(),
            None => vec![Rc::clone(value)],
        };
        match nodes.iter().find(|node| node.mapping().is_none()) {
            Some(other) => {
                let message = format!("`<<` merges {}; expected a mapping or a list of mappings", other.kind());
                Err(Box::new(Diagnostic::error("yaml-merge", message).at(&other.location)))
            }
            None => Ok(nodes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(Rc<Node>, Vec<Diagnostic>), Box<Diagnostic>> {
        let mut findings = Vec::new();
        parse(Path::new("a.yaml"), text, &mut findings).map(|node| (node, findings))
    }

    #[test]
    fn own_keys_win_over_merged_ones_wherever_they_stand() {
        let text = "A: &A { x: 1, y: 2 }\nB: &B { y: 3, z: 4 }\nc:\n  x: 5\n  <<: [ *A, *B ]\n  z: 6\n";
        let (node, findings) = read(text).unwrap();
        assert!(findings.is_empty());
        let c = node.mapping().unwrap().get("c").unwrap().mapping().unwrap();
        let number = |key: &str| c.get(key).unwrap().number().unwrap();
        assert_eq!([number("x"), number("y"), number("z")], [5.0, 2.0, 6.0]);
        assert!(c.entry("y").unwrap().is_merged && !c.entry("z").unwrap().is_merged);
        assert_eq!(c.get("z").unwrap().location.line, 6);
    }

    #[test]
    fn places_count_characters() {
        let (node, _) = read("é: 1\nname: [ a, µ, 2.5e3 ]\n").unwrap();
        let items = node.mapping().unwrap().get("name").unwrap().items().unwrap().to_vec();
        assert_eq!((items[2].location.line, items[2].location.column), (2, 15));
        assert_eq!(items[2].number(), Some(2500.0));
        assert_eq!(items[0].number(), None);
    }

    #[test]
    fn a_key_that_is_repeated_has_its_last_value_and_a_warning() {
        let (node, findings) = read("a: 1\nb: 2\na: 3\n").unwrap();
        assert_eq!(node.mapping().unwrap().get("a").unwrap().number(), Some(3.0));
        assert_eq!((findings[0].code, findings[0].location.as_ref().unwrap().line), ("duplicate-key", 3));
    }

    #[test]
    fn lines_within_brackets_may_start_at_any_column() {
        let values = |node: &Node| -> Vec<String> {
            node.items().unwrap().iter().map(|item| item.text().unwrap().to_owned()).collect()
        };
        for text in [
            "a: [\n1, 2,\n3\n]\nb: 5\n",
            "- a: [ 1,\n2, # two ] [\n  3 ]\n  b: 5\n",
            "x:\n  - y: |\n      [ text\n    a: [ 1, 2,\n3 ]\n    b: 5\n",
            "t: |\n  [ a\nq: it's [ b\nx:\n    a: &n [ 1, 2,\n3 ]\n    b: 5\n",
            "x:\n    a: [ '1', \"2\",\n'3'\n]\n    b: 5\n",
        ] {
            let (node, findings) = read(text).unwrap();
            assert!(findings.is_empty(), "{text}");
            let mut at = &node;
            while let Some(inner) = at.items().map(|items| &items[0]).or_else(|| at.mapping()?.get("x")) {
                at = inner;
            }
            let own = at.mapping().unwrap();
            assert_eq!(values(own.get("a").unwrap()), ["1", "2", "3"], "{text}");
            let five = own.get("b").unwrap();
            assert_eq!(five.number(), Some(5.0), "{text}");
            // Places are those of the file.
            let wanted = text.find('5').unwrap();
            assert_eq!(five.location.span.start, wanted, "{text}");
        }
    }

    #[test]
    fn what_is_no_yaml_is_an_error_with_its_line() {
        for (text, code, line) in [
            ("a: [ 1, 2\nb: 3\n", "yaml-syntax", None),
            ("a: &a [ *a ]\n", "yaml-alias", Some(1)),
            ("<<: 3\n", "yaml-merge", Some(1)),
            ("? [ 1, 2 ]\n: 3\n", "yaml-key", Some(1)),
            ("", "yaml-syntax", None),
        ] {
            let error = read(text).err().unwrap_or_else(|| panic!("{text}"));
            assert_eq!(error.code, code, "{text}");
            if let (Some(line), Some(location)) = (line, &error.location) {
                assert_eq!(location.line, line, "{text}");
            }
        }
    }

    #[test]
    fn aliases_that_multiply_are_refused() {
        let mut text = "a0: &a0 [ 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 ]\n".to_owned();
        for k in 1..12 {
            let list = vec![format!("*a{}", k - 1); 10].join(", ");
            text += &format!("a{k}: &a{k} [ {list} ]\n");
        }
        assert_eq!(read(&text).err().unwrap().code, "yaml-size");
        let deep: String = (0..300).map(|k| format!("{}a:\n", " ".repeat(k))).collect();
        assert_eq!(read(&deep).err().unwrap().code, "yaml-depth");
    }
}
