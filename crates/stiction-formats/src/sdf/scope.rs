//! Scopes: the world and every model, with the frames that each names.

use std::collections::BTreeMap;

use stiction::math::Pose;

use crate::diagnostic::{Diagnostic, Location};

use super::element::Element;
use super::read::pose_of;
use super::report::Report;

/// What a name in a scope stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Index among the links of the world.
    Link(usize),
    /// Index among the joints of the world.
    Joint(usize),
    Frame,
    /// Index of the scope of a model.
    Model(usize),
}

/// The name of a frame, and where it is written.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    pub name: String,
    pub location: Location,
}

/// How far the pose of an entry is known.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Memo {
    Open,
    Busy,
    Solved(Pose),
    Failed,
}

/// A named element with a pose.
#[derive(Clone, Debug)]
pub(crate) struct Entry<'a> {
    pub name: &'a str,
    pub kind: Kind,
    pub element: &'a Element,
    /// The pose as written.
    pub raw: Pose,
    /// What it is relative to; `None` is the base of the scope.
    pub relative_to: Option<Reference>,
    pub memo: Memo,
}

/// The world, or a model.
#[derive(Clone, Debug)]
pub(crate) struct Scope<'a> {
    pub element: &'a Element,
    /// Scope and entry that hold the model; `None` for the world.
    pub parent: Option<(usize, usize)>,
    /// Scoped name; empty for the world.
    pub name: String,
    pub entries: Vec<Entry<'a>>,
    pub names: BTreeMap<&'a str, usize>,
}

impl Scope<'_> {
    pub(crate) const fn is_world(&self) -> bool {
        self.parent.is_none()
    }

    /// Scoped name of something in it.
    pub(crate) fn scoped(&self, name: &str) -> String {
        if self.name.is_empty() { name.to_owned() } else { format!("{}::{name}", self.name) }
    }
}

/// All scopes, each after its parent; the world is the first.
pub(crate) struct Scopes<'a> {
    pub scopes: Vec<Scope<'a>>,
    pub links: usize,
    pub joints: usize,
}

/// Names everything; faults of names are reported.
pub(crate) fn build<'a>(world: &'a Element, report: &mut Report) -> Scopes<'a> {
    let mut all = Scopes { scopes: Vec::new(), links: 0, joints: 0 };
    all.add(world, None, String::new(), report);
    all
}

impl<'a> Scopes<'a> {
    fn add(
        &mut self,
        element: &'a Element,
        parent: Option<(usize, usize)>,
        name: String,
        report: &mut Report,
    ) -> usize {
        let scope = self.scopes.len();
        self.scopes.push(Scope { element, parent, name, entries: Vec::new(), names: BTreeMap::new() });
        for child in &element.children {
            let kind = match child.name.as_str() {
                "link" if parent.is_some() => Kind::Link(self.links),
                "joint" => Kind::Joint(self.joints),
                "frame" => Kind::Frame,
                "model" => Kind::Model(self.scopes.len()),
                _ => continue,
            };
            let Some(entry) = self.enter(scope, child, kind, report) else { continue };
            match kind {
                Kind::Link(_) => self.links += 1,
                Kind::Joint(_) => self.joints += 1,
                Kind::Frame => {}
                Kind::Model(_) => {
                    let inner = self.scopes[scope].scoped(child.named());
                    self.add(child, Some((scope, entry)), inner, report);
                }
            }
        }
        scope
    }

    /// Index of the new entry; `None` if its name is not to be had.
    fn enter(&mut self, scope: usize, child: &'a Element, kind: Kind, report: &mut Report) -> Option<usize> {
        let name = child.named();
        if !check_name(child, report) {
            return None;
        }
        let scope = &mut self.scopes[scope];
        let namesake = scope.names.get(name).map(|i| scope.entries[*i].element);
        // In URDF a link and a joint may share a name.
        if let Some(first) = namesake.filter(|first| !child.from_urdf || child.name == first.name) {
            report_duplicate(child, first, report);
            if child.name == first.name {
                return None;
            }
        }
        let entry = scope.entries.len();
        if child.from_urdf && matches!(kind, Kind::Link(_)) {
            scope.names.insert(name, entry);
        } else {
            scope.names.entry(name).or_insert(entry);
        }
        scope.entries.push(Entry {
            name,
            kind,
            element: child,
            raw: pose_of(child),
            relative_to: base_of(child),
            memo: Memo::Open,
        });
        Some(entry)
    }
}

/// What the pose of a child is relative to.
fn base_of(child: &Element) -> Option<Reference> {
    let pose = child.child("pose");
    let given = pose.and_then(|p| p.attribute("relative_to")).filter(|a| !a.value.trim().is_empty());
    if let Some(attribute) = given {
        return Some(Reference { name: attribute.value.trim().to_owned(), location: attribute.location.clone() });
    }
    match child.name.as_str() {
        "joint" => child
            .child("child")
            .filter(|c| !c.text.is_empty())
            .map(|c| Reference { name: c.text.clone(), location: c.text_location.clone() }),
        "frame" => attached_to(child),
        _ => None,
    }
}

/// The `attached_to` of a frame.
pub(crate) fn attached_to(frame: &Element) -> Option<Reference> {
    let attribute = frame.attribute("attached_to").filter(|a| !a.value.trim().is_empty())?;
    Some(Reference { name: attribute.value.trim().to_owned(), location: attribute.location.clone() })
}

/// False for a child that cannot be named at all.
fn check_name(child: &Element, report: &mut Report) -> bool {
    let name = child.named();
    if name.is_empty() {
        let message = format!("<{}> has no name", child.name);
        report.add(
            Diagnostic::error("missing-name", message)
                .at(child.place())
                .help(format!("write `<{} name=\"…\">`", child.name))
                .element(child.path.as_str()),
        );
        return false;
    }
    check_reserved(child, report);
    true
}

/// `world` and `__…__` are names of the format itself.
pub(crate) fn check_reserved(child: &Element, report: &mut Report) {
    let name = child.named();
    let is_reserved = name == "world" || (name.len() >= 4 && name.starts_with("__") && name.ends_with("__"));
    if is_reserved {
        let place = child.attribute("name").map_or(&child.location, |a| &a.location);
        let finding = Diagnostic::error("reserved-name", format!("the name `{name}` is reserved"))
            .at(place)
            .help("names may not be `world`, nor begin and end with `__`")
            .element(child.path.as_str());
        // Nothing but an attached pose names a joint, and `world` is looked for first: the file means one thing.
        if child.name == "joint" { report.tolerated(finding) } else { report.add(finding) }
    }
}

/// A second element of the same name; of another type, classic loads it.
pub(crate) fn report_duplicate(child: &Element, first: &Element, report: &mut Report) {
    let message = if child.name == first.name {
        format!("there already is a {} of the name `{}`", child.name, child.named())
    } else {
        format!("the name `{}` is already used by a {}; names must be unique", child.named(), first.name)
    };
    let finding = Diagnostic::error("duplicate-name", message)
        .at(child.place())
        .label("duplicate")
        .help(format!("the first one is at line {}", first.place().line))
        .element(child.path.as_str());
    let is_cosmetic =
        matches!(child.name.as_str(), "visual" | "sensor" | "light" | "actor" | "physics" | "road" | "population");
    if is_cosmetic || child.name != first.name { report.tolerated(finding) } else { report.add(finding) }
}
