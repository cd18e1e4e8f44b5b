//! Nodes of a VRML file: names, prototypes and uses resolved, fields without their types.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::rc::Rc;

use super::lexer::{Kind, Lexer, Token};
use crate::diagnostic::{Diagnostic, Location};
use crate::source::Locator;

/// Deepest nesting.
const MAX_DEPTH: usize = 200;
/// Most prototypes of a file.
const MAX_PROTOTYPES: usize = 1000;
/// Most nodes of a file, those that prototypes make included.
const MAX_NODES: usize = 1_000_000;

/// A file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Document {
    /// Nodes that are in nothing.
    pub(super) roots: Vec<Rc<Node>>,
}

/// A node.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) kind: String,
    /// Name by `DEF`.
    pub(super) name: Option<String>,
    pub(super) fields: Vec<Field>,
    pub(super) location: Location,
}

/// A field with its value.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) value: Value,
    /// The value.
    pub(super) location: Location,
}

/// What a field holds. A list with brackets and the same without are one.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// Shared by the instances of a prototype.
    Numbers(Rc<Vec<f64>>),
    Texts(Vec<String>),
    Switch(bool),
    Nodes(Vec<Rc<Node>>),
    /// `NULL`, or an empty list.
    Nothing,
    /// A field of the prototype around it.
    Is(String),
}

impl Node {
    pub(super) fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The nodes of a field.
    pub(super) fn nodes(&self, name: &str) -> &[Rc<Self>] {
        match self.field(name).map(|field| &field.value) {
            Some(Value::Nodes(nodes)) => nodes,
            _ => &[],
        }
    }
}

/// Reads a file.
pub(crate) fn parse(path: &Path, text: &str) -> Result<Document, Box<Diagnostic>> {
    let locator = Locator::new(path, text);
    if !text.trim_start_matches('\u{feff}').starts_with("#VRML V2.0") {
        let message = "the file does not begin with `#VRML V2.0`";
        return Err(Box::new(Diagnostic::error("vrml-header", message).at(&locator.locate(0..1))));
    }
    let mut parser = Parser {
        lexer: Lexer::new(text),
        locator,
        next: Token { kind: Kind::End, span: 0..0 },
        names: BTreeMap::new(),
        prototypes: BTreeMap::new(),
        declared: 0,
        nodes: 0,
    };
    parser.advance()?;
    let roots = parser.statements(None, 0)?;
    Ok(Document { roots })
}

/// A node type that the file makes.
struct Prototype {
    defaults: Vec<Field>,
    /// Its first node is what an instance is; none of one whose body is in another file.
    body: Option<Rc<Node>>,
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    locator: Locator<'a>,
    next: Token,
    names: BTreeMap<String, Rc<Node>>,
    prototypes: BTreeMap<String, Rc<Prototype>>,
    /// How many there were.
    declared: usize,
    nodes: usize,
}

type Parsed<T> = Result<T, Box<Diagnostic>>;

impl Parser<'_> {
    fn fault<T>(&self, code: &'static str, message: impl Into<String>, span: Range<usize>) -> Parsed<T> {
        Err(Box::new(Diagnostic::error(code, message).at(&self.locator.locate(span))))
    }

    fn unexpected<T>(&self, expected: &str) -> Parsed<T> {
        let found = match &self.next.kind {
            Kind::Bracket(c) => format!("`{c}`"),
            Kind::Number(x) => format!("the number {x}"),
            Kind::Text(_) => "a text".to_owned(),
            Kind::Word(word) => format!("`{}`", word.chars().take(60).collect::<String>()),
            Kind::End => "the end of the file".to_owned(),
        };
        self.fault("vrml-syntax", format!("found {found}; expected {expected}"), self.next.span.clone())
    }

    /// The token, and the one after it becomes the next.
    fn advance(&mut self) -> Parsed<Token> {
        match self.lexer.next() {
            Ok(token) => Ok(std::mem::replace(&mut self.next, token)),
            Err((message, span)) => self.fault("vrml-syntax", message, span),
        }
    }

    fn is_bracket(&self, bracket: char) -> bool {
        self.next.kind == Kind::Bracket(bracket)
    }

    fn bracket(&mut self, bracket: char) -> Parsed<()> {
        if !self.is_bracket(bracket) {
            return self.unexpected(&format!("`{bracket}`"));
        }
        self.advance().map(drop)
    }

    fn word(&mut self, what: &str) -> Parsed<String> {
        match &self.next.kind {
            Kind::Word(word) => {
                let word = word.clone();
                self.advance()?;
                Ok(word)
            }
            _ => self.unexpected(what),
        }
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(&self.next.kind, Kind::Word(next) if next == word)
    }

    /// Nodes up to a closing bracket, or to the end.
    fn statements(&mut self, close: Option<char>, depth: usize) -> Parsed<Vec<Rc<Node>>> {
        let mut nodes = Vec::new();
        loop {
            match (&self.next.kind, close) {
                (Kind::End, None) => return Ok(nodes),
                (Kind::Bracket(bracket), Some(close)) if *bracket == close => {
                    self.advance()?;
                    return Ok(nodes);
                }
                _ => {}
            }
            if !self.declaration(depth)? {
                nodes.extend(self.node(depth)?);
            }
        }
    }

    /// A route or a prototype; false if something else comes next.
    fn declaration(&mut self, depth: usize) -> Parsed<bool> {
        if self.is_word("ROUTE") {
            for what in ["`ROUTE`", "an event", "`TO`", "an event"] {
                self.word(what)?;
            }
        } else if self.is_word("PROTO") {
            self.declare(depth)?;
            let name = self.word("the name of a prototype")?;
            let defaults = self.interface(depth + 1)?;
            self.bracket('{')?;
            // Names and prototypes within it are its own.
            let outer = (std::mem::take(&mut self.names), self.prototypes.clone());
            let body = self.statements(Some('}'), depth + 1)?;
            (self.names, self.prototypes) = outer;
            let body = body.into_iter().next();
            self.prototypes.insert(name, Rc::new(Prototype { defaults, body }));
        } else if self.is_word("EXTERNPROTO") {
            self.declare(depth)?;
            let name = self.word("the name of a prototype")?;
            let defaults = self.interface(depth + 1)?;
            self.value(depth + 1)?;
            self.prototypes.insert(name, Rc::new(Prototype { defaults, body: None }));
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// The keyword of a prototype.
    fn declare(&mut self, depth: usize) -> Parsed<()> {
        self.declared += 1;
        if self.declared > MAX_PROTOTYPES || depth > MAX_DEPTH {
            let message = format!("more than {MAX_PROTOTYPES} prototypes, or nested deeper than {MAX_DEPTH}");
            return self.fault("vrml-size", message, self.next.span.clone());
        }
        self.advance().map(drop)
    }

    /// The fields of a prototype, those with defaults.
    fn interface(&mut self, depth: usize) -> Parsed<Vec<Field>> {
        self.bracket('[')?;
        let mut fields = Vec::new();
        while !self.is_bracket(']') {
            fields.extend(self.field_declaration(depth)?);
        }
        self.advance()?;
        Ok(fields)
    }

    /// `field SFVec3f name value`, with a value in whatever has one.
    fn field_declaration(&mut self, depth: usize) -> Parsed<Option<Field>> {
        let access = self.word("`field`, `exposedField`, `eventIn` or `eventOut`")?;
        self.word("a type of field")?;
        let name = self.word("the name of a field")?;
        let is_value = matches!(access.as_str(), "field" | "exposedField");
        let is_declared_only = self.is_bracket(']')
            || matches!(&self.next.kind, Kind::Word(w) if ["field", "exposedField", "eventIn", "eventOut"].contains(&w.as_str()));
        if !is_value && self.is_word("IS") {
            self.advance()?;
            self.word("the name of a field")?;
        }
        if !is_value || is_declared_only {
            return Ok(None);
        }
        let location = self.locator.locate(self.next.span.clone());
        Ok(Some(Field { name, value: self.value(depth)?, location }))
    }

    fn value(&mut self, depth: usize) -> Parsed<Value> {
        if self.is_bracket('[') {
            return self.list(depth);
        }
        match &self.next.kind {
            Kind::Number(_) => self.numbers().map(|numbers| Value::Numbers(Rc::new(numbers))),
            Kind::Text(text) => {
                let texts = vec![text.clone()];
                self.advance()?;
                Ok(Value::Texts(texts))
            }
            Kind::Word(word) => {
                let value = match word.as_str() {
                    "TRUE" => Value::Switch(true),
                    "FALSE" => Value::Switch(false),
                    "NULL" => Value::Nothing,
                    "IS" => {
                        self.advance()?;
                        return self.word("the name of a field").map(Value::Is);
                    }
                    _ => return self.node(depth).map(|node| Value::Nodes(node.into_iter().collect())),
                };
                self.advance()?;
                Ok(value)
            }
            _ => self.unexpected("a value"),
        }
    }

    fn numbers(&mut self) -> Parsed<Vec<f64>> {
        let mut numbers = Vec::new();
        while let Kind::Number(number) = self.next.kind {
            if !number.is_finite() {
                return self.unexpected("a finite number");
            }
            numbers.push(number);
            self.advance()?;
        }
        Ok(numbers)
    }

    fn list(&mut self, depth: usize) -> Parsed<Value> {
        self.bracket('[')?;
        let value = match &self.next.kind {
            Kind::Bracket(']') => Value::Nothing,
            Kind::Number(_) => Value::Numbers(Rc::new(self.numbers()?)),
            Kind::Text(_) => {
                let mut texts = Vec::new();
                while let Kind::Text(text) = &self.next.kind {
                    texts.push(text.clone());
                    self.advance()?;
                }
                Value::Texts(texts)
            }
            Kind::Word(word) if matches!(word.as_str(), "TRUE" | "FALSE") => {
                while self.is_word("TRUE") || self.is_word("FALSE") {
                    self.advance()?;
                }
                Value::Nothing
            }
            _ => return self.statements(Some(']'), depth + 1).map(Value::Nodes),
        };
        self.bracket(']')?;
        Ok(value)
    }

    /// `DEF name Type { … }`, `USE name`; none for `NULL`.
    fn node(&mut self, depth: usize) -> Parsed<Option<Rc<Node>>> {
        if depth > MAX_DEPTH {
            let message = format!("nodes are nested deeper than {MAX_DEPTH}");
            return self.fault("vrml-depth", message, self.next.span.clone());
        }
        if self.is_word("NULL") {
            self.advance()?;
            return Ok(None);
        }
        if self.is_word("USE") {
            self.advance()?;
            let span = self.next.span.clone();
            let name = self.word("the name of a node")?;
            return match self.names.get(&name) {
                Some(node) => Ok(Some(Rc::clone(node))),
                None => self.fault("vrml-use", format!("`USE {name}`: no earlier node has this name"), span),
            };
        }
        let mut name = None;
        if self.is_word("DEF") {
            self.advance()?;
            name = Some(self.word("the name of a node")?);
        }
        let location = self.locator.locate(self.next.span.clone());
        // A name that Choreonoid's reader takes for the type of a node without a name.
        let kind = match name.take_if(|_| self.is_bracket('{')) {
            Some(kind) => kind,
            None => self.word("a node")?,
        };
        let fields = self.fields(depth)?;
        let own = Node { kind, name: name.clone(), fields, location };
        let node = Rc::new(match self.prototypes.get(&own.kind).cloned() {
            Some(prototype) => self.instance(&prototype, own)?,
            None => own,
        });
        self.count(&node.location)?;
        if let Some(name) = name {
            self.names.insert(name, Rc::clone(&node));
        }
        Ok(Some(node))
    }

    fn count(&mut self, place: &Location) -> Parsed<()> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            let message = format!("the file makes more than {MAX_NODES} nodes");
            return Err(Box::new(Diagnostic::error("vrml-size", message).at(place)));
        }
        Ok(())
    }

    fn fields(&mut self, depth: usize) -> Parsed<Vec<Field>> {
        self.bracket('{')?;
        let mut fields = Vec::new();
        while !self.is_bracket('}') {
            if self.declaration(depth)? {
                continue;
            }
            // Scripts declare fields of their own.
            if ["field", "exposedField", "eventIn", "eventOut"].iter().any(|word| self.is_word(word)) {
                self.field_declaration(depth + 1)?;
                continue;
            }
            let name = self.word("the name of a field, or `}`")?;
            let start = self.next.span.start;
            let value = self.value(depth + 1)?;
            fields.push(Field { name, value, location: self.locator.locate(start..start + 1) });
        }
        self.advance()?;
        Ok(fields)
    }

    /// What an instance of a prototype is: its body with the instance's fields in place of `IS`.
    fn instance(&mut self, prototype: &Prototype, own: Node) -> Parsed<Node> {
        let Some(body) = &prototype.body else { return Ok(own) };
        let given = |name: &str| {
            let of_own = own.fields.iter().find(|field| field.name == name);
            of_own.or_else(|| prototype.defaults.iter().find(|field| field.name == name))
        };
        let filled = self.filled(body, &given, 0)?;
        Ok(Node { name: own.name.clone(), location: own.location.clone(), ..filled })
    }

    fn filled<'f>(&mut self, node: &Node, given: &dyn Fn(&str) -> Option<&'f Field>, depth: usize) -> Parsed<Node> {
        self.count(&node.location)?;
        if depth > MAX_DEPTH {
            let message = format!("nodes are nested deeper than {MAX_DEPTH}");
            return Err(Box::new(Diagnostic::error("vrml-depth", message).at(&node.location)));
        }
        let mut fields = Vec::with_capacity(node.fields.len());
        for field in &node.fields {
            let (value, location) = match &field.value {
                Value::Is(name) => match given(name) {
                    Some(own) => (own.value.clone(), &own.location),
                    None => continue,
                },
                Value::Nodes(nodes) => {
                    let nodes: Parsed<Vec<_>> =
                        nodes.iter().map(|node| self.filled(node, given, depth + 1).map(Rc::new)).collect();
                    (Value::Nodes(nodes?), &field.location)
                }
                value => (value.clone(), &field.location),
            };
            fields.push(Field { name: field.name.clone(), value, location: location.clone() });
        }
        Ok(Node { kind: node.kind.clone(), name: node.name.clone(), fields, location: node.location.clone() })
    }
}
