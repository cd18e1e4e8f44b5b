//! Poses of all frames, and the links that frames are attached to.

use std::collections::BTreeSet;

use stiction::math::Pose;

use crate::diagnostic::Diagnostic;
use crate::suggest::did_you_mean;

use super::element::Element;
use super::report::Report;
use super::scope::{self, Kind, Memo, Reference, Scopes};

/// Deepest chain of references from one scope into another.
const MAX_CHAIN: usize = 400;

/// What a reference leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// The frame of the scope itself: `__model__`, or `world` in the world.
    Base(usize),
    /// An entry of a scope.
    Entry(usize, usize),
}

/// The body that a frame moves with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Body {
    World,
    Link(usize),
}

/// Resolves frames.
pub(crate) struct Frames<'a> {
    pub all: Scopes<'a>,
    depth: usize,
}

impl<'a> Frames<'a> {
    pub(crate) const fn new(all: Scopes<'a>) -> Self {
        Self { all, depth: 0 }
    }

    /// What `name` means in a scope.
    pub(crate) fn find(&self, scope: usize, name: &str) -> Option<Target> {
        let here = &self.all.scopes[scope];
        if name == if here.is_world() { "world" } else { "__model__" } {
            return Some(Target::Base(scope));
        }
        if let Some(entry) = here.names.get(name) {
            return Some(Target::Entry(scope, *entry));
        }
        name.match_indices("::").find_map(|(at, _)| {
            let entry = *here.names.get(&name[..at])?;
            let Kind::Model(inner) = here.entries[entry].kind else { return None };
            match &name[at + 2..] {
                "__model__" => Some(Target::Entry(scope, entry)),
                rest => self.find(inner, rest),
            }
        })
    }

    /// Pose of a target in the frame of `scope`, which must hold it.
    pub(crate) fn pose(&mut self, scope: usize, target: Target, report: &mut Report) -> Option<Pose> {
        match target {
            Target::Base(s) if s == scope => Some(Pose::IDENTITY),
            Target::Base(s) => {
                let (outer, entry) = self.all.scopes[s].parent?;
                self.pose(scope, Target::Entry(outer, entry), report)
            }
            Target::Entry(s, entry) if s == scope => self.solve(s, entry, report),
            Target::Entry(s, entry) => {
                let outer = self.pose(scope, Target::Base(s), report)?;
                Some(outer.compose(&self.solve(s, entry, report)?))
            }
        }
    }

    /// Pose of an entry in the frame of its scope; chains within the scope are walked without recursion.
    fn solve(&mut self, scope: usize, entry: usize, report: &mut Report) -> Option<Pose> {
        self.depth += 1;
        let result = self.solve_chain(scope, entry, report);
        self.depth -= 1;
        result
    }

    fn solve_chain(&mut self, scope: usize, entry: usize, report: &mut Report) -> Option<Pose> {
        let mut chain = Vec::new();
        let mut current = entry;
        let base = loop {
            match self.all.scopes[scope].entries[current].memo {
                Memo::Solved(pose) => break Some(pose),
                Memo::Failed => break None,
                Memo::Busy => {
                    self.report_cycle(scope, chain.last().copied().unwrap_or(current), report);
                    break None;
                }
                Memo::Open => {}
            }
            let open = &mut self.all.scopes[scope].entries[current];
            open.memo = Memo::Busy;
            chain.push(current);
            let Some(reference) = open.relative_to.clone() else { break Some(Pose::IDENTITY) };
            match self.find(scope, &reference.name) {
                None => break if reference.name == "world" { Some(Pose::IDENTITY) } else { None },
                Some(Target::Base(_)) => break Some(Pose::IDENTITY),
                Some(Target::Entry(s, next)) if s == scope => current = next,
                Some(_) if self.depth > MAX_CHAIN => {
                    let message = format!("frames refer to one another across more than {MAX_CHAIN} models");
                    report.once("", Diagnostic::error("frame-chain", message).at(&reference.location));
                    break None;
                }
                Some(inner) => break self.pose(scope, inner, report),
            }
        };
        let mut pose = base;
        for link in chain.into_iter().rev() {
            let raw = self.all.scopes[scope].entries[link].raw;
            let placed = pose.and_then(|p| Some(p.compose(&raw).compose(&self.placement(scope, link, report)?)));
            self.all.scopes[scope].entries[link].memo = placed.map_or(Memo::Failed, Memo::Solved);
            pose = placed;
        }
        pose
    }

    /// From the placement frame of a model to its model frame; the identity for everything else.
    fn placement(&mut self, scope: usize, entry: usize, report: &mut Report) -> Option<Pose> {
        let found = &self.all.scopes[scope].entries[entry];
        let Kind::Model(inner) = found.kind else { return Some(Pose::IDENTITY) };
        let Some(attribute) = found.element.attribute("placement_frame").filter(|a| !a.value.trim().is_empty()) else {
            return Some(Pose::IDENTITY);
        };
        let name = attribute.value.trim();
        let target = self.find(inner, name).filter(|_| self.depth <= MAX_CHAIN)?;
        self.pose(inner, target, report).map(|p| p.inverse())
    }

    /// Reports references that lead nowhere.
    pub(crate) fn check_references(&self, report: &mut Report) {
        for (index, scope) in self.all.scopes.iter().enumerate() {
            if let Some(placed) = scope.element.attribute("placement_frame").filter(|a| !a.value.trim().is_empty())
                && self.find(index, placed.value.trim()).is_none()
            {
                let reference = Reference { name: placed.value.trim().to_owned(), location: placed.location.clone() };
                self.report_unknown("placement_frame", index, &reference, scope.element, report);
            }
            for entry in &scope.entries {
                let attached = (entry.kind == Kind::Frame).then(|| scope::attached_to(entry.element)).flatten();
                if let Some(reference) = &attached
                    && self.find(index, &reference.name).is_none()
                {
                    self.report_unknown("attached_to", index, reference, entry.element, report);
                }
                let relative = entry.relative_to.as_ref().filter(|r| {
                    // A joint's default is its child, which is checked with the joint.
                    let is_default = entry.element.child("pose").is_none_or(|p| p.value("relative_to").is_none());
                    !is_default && self.find(index, &r.name).is_none()
                });
                if let Some(reference) = relative {
                    self.report_unknown("relative_to", index, reference, entry.element, report);
                }
            }
        }
    }

    pub(crate) fn report_unknown(
        &self,
        what: &str,
        scope: usize,
        reference: &Reference,
        element: &Element,
        report: &mut Report,
    ) {
        let here = &self.all.scopes[scope];
        let place = if here.is_world() { "the world".to_owned() } else { format!("model `{}`", here.name) };
        let mut finding = Diagnostic::error(
            "unknown-frame",
            format!("{what} names `{}`, which is not a frame in {place}", reference.name),
        )
        .at(&reference.location)
        .label("no such frame")
        .element(element.path.as_str());
        finding.help = did_you_mean(&reference.name, here.names.keys().copied());
        report.add(finding);
    }

    fn report_cycle(&self, scope: usize, entry: usize, report: &mut Report) {
        let found = &self.all.scopes[scope].entries[entry];
        let place = found.relative_to.as_ref().map_or_else(|| found.element.location.clone(), |r| r.location.clone());
        let message = format!("the pose of `{}` depends on itself", found.name);
        report.add(
            Diagnostic::error("frame-cycle", message)
                .at(&place)
                .label("closes a cycle")
                .element(found.element.path.as_str()),
        );
    }

    /// The body that a target moves with. `None` if the way ends at a missing name, in a cycle, or without a link.
    pub(crate) fn body(&self, target: Target) -> Option<Body> {
        let mut current = target;
        let mut visited = BTreeSet::new();
        loop {
            let (scope, entry) = match current {
                Target::Base(s) if self.all.scopes[s].is_world() => return Some(Body::World),
                Target::Base(s) => {
                    current = self.canonical(s)?;
                    if current == Target::Base(s) {
                        return None;
                    }
                    continue;
                }
                Target::Entry(s, e) => (s, e),
            };
            if !visited.insert((scope, entry)) {
                return None;
            }
            let found = &self.all.scopes[scope].entries[entry];
            current = match found.kind {
                Kind::Link(index) => return Some(Body::Link(index)),
                Kind::Model(inner) => Target::Base(inner),
                Kind::Joint(_) => self.find(scope, &found.element.child("child")?.text)?,
                Kind::Frame => match scope::attached_to(found.element) {
                    Some(reference) => self.find(scope, &reference.name)?,
                    None => Target::Base(scope),
                },
            };
        }
    }

    /// The canonical link of a model: the one it names, else its first link, else that of its first nested model.
    pub(crate) fn canonical(&self, scope: usize) -> Option<Target> {
        let here = &self.all.scopes[scope];
        if let Some(name) = here.element.value("canonical_link") {
            return self.find(scope, name).filter(|t| *t != Target::Base(scope));
        }
        let first = here.entries.iter().position(|e| matches!(e.kind, Kind::Link(_)));
        first.map(|e| Target::Entry(scope, e)).or_else(|| {
            here.entries.iter().find_map(|e| match e.kind {
                Kind::Model(inner) => self.canonical(inner),
                _ => None,
            })
        })
    }

    /// Reports frames that are attached to one another in a circle.
    pub(crate) fn check_attachments(&self, report: &mut Report) {
        for (index, scope) in self.all.scopes.iter().enumerate() {
            for (e, entry) in scope.entries.iter().enumerate().filter(|(_, entry)| entry.kind == Kind::Frame) {
                let Some(reference) = scope::attached_to(entry.element) else { continue };
                if self.is_attachment_cycle(index, e) {
                    let message =
                        format!("frame `{}` is attached to itself, by way of `{}`", entry.name, reference.name);
                    report.add(
                        Diagnostic::error("frame-cycle", message)
                            .at(&reference.location)
                            .element(entry.element.path.as_str()),
                    );
                }
            }
        }
    }

    fn is_attachment_cycle(&self, scope: usize, entry: usize) -> bool {
        let mut current = entry;
        for _ in 0..self.all.scopes[scope].entries.len() {
            let found = &self.all.scopes[scope].entries[current];
            let next = (found.kind == Kind::Frame).then(|| scope::attached_to(found.element)).flatten();
            match next.and_then(|r| self.find(scope, &r.name)) {
                Some(Target::Entry(s, e)) if s == scope => current = e,
                _ => return false,
            }
            if current == entry {
                return true;
            }
        }
        false
    }
}

/// Pose of a frame of a lone model in its model frame.
pub(crate) fn pose_in_model(model: &Element, name: &str) -> Option<Pose> {
    let mut world = Element::new("world", &model.location);
    let mut lone = model.clone();
    lone.attributes.retain(|a| a.name != "placement_frame");
    lone.children.retain(|c| c.name != "pose");
    world.children.push(lone);
    let mut silent = Report::default();
    let mut frames = Frames::new(scope::build(&world, &mut silent));
    let target = frames.find(1, name)?;
    frames.pose(1, target, &mut silent)
}
