//! `--set PATH=VALUE`: texts of the tree, replaced by place.

use crate::diagnostic::Diagnostic;
use crate::mesh::Decomposition;
use crate::suggest::nearest;
use crate::{Override, ParameterPath};

use super::element::Element;
use super::geometry::MeshUse;
use super::report::Report;
use super::spec::{self, Entry, Kind};
use super::value;

/// Elements that a path names by their `name`.
pub(crate) const NAMED: [&str; 5] = ["model", "link", "joint", "collision", "frame"];
/// Elements that are not created if the file does not have them, because they determine the kind of an object.
pub(crate) const NOT_MADE: [&str; 4] = ["axis", "axis2", "mimic", "include"];
/// Elements that are listed where a file has them: they have no effect under any engine, or are 21 numbers of few links.
pub(crate) const NOT_LISTED: [&str; 3] = ["atmosphere", "fluid_added_mass", "soft_contact"];

/// An override, and how it went so far.
struct Run<'a> {
    request: &'a Override,
    matched: usize,
    /// Paths that would have been known where the path failed.
    near: Vec<String>,
    fault: Option<Diagnostic>,
    is_soft: bool,
}

/// How every mesh collides, over what files say of each.
pub(crate) const COLLISION_MESH: &str = "collision.mesh";

/// The last `--set collision.mesh`.
pub(crate) fn mesh_use(requests: &[Override], report: &mut Report) -> Option<MeshUse> {
    let request = requests.last()?;
    match request.value.trim() {
        "exact" => Some(MeshUse::Exact),
        "hull" => Some(MeshUse::Hull),
        "decomposition" => Some(MeshUse::Decomposition(Decomposition::default())),
        other => {
            let message = format!("--set {COLLISION_MESH}={other}: expected `exact`, `hull` or `decomposition`");
            report.add(Diagnostic::error("override-value", message));
            None
        }
    }
}

/// Applies all overrides to the world element. `known` lists what can be set, for suggestions.
pub(crate) fn apply(world: &mut Element, overrides: &[Override], known: &[ParameterPath], report: &mut Report) {
    for request in overrides {
        let mut run = Run { request, matched: 0, near: Vec::new(), fault: None, is_soft: false };
        let path = request.path.trim();
        run.descend(world, "world", path.strip_prefix("world.").unwrap_or(path), "");
        if let Some(fault) = run.fault {
            if run.is_soft { report.tolerated(fault) } else { report.add(fault) }
        } else if run.matched == 0 {
            report.add(unknown(request, run.near, known));
        }
    }
}

fn unknown(request: &Override, mut near: Vec<String>, known: &[ParameterPath]) -> Diagnostic {
    let leaf = request.path.rsplit('.').next().unwrap_or("");
    if near.is_empty() {
        let ending = format!(".{leaf}");
        near.extend(known.iter().filter(|p| p.path.ends_with(&ending)).map(|p| p.path.clone()));
    }
    if near.is_empty() {
        near.extend(nearest(&request.path, known.iter().map(|p| p.path.as_str())).into_iter().map(str::to_owned));
    }
    near.truncate(3);
    let message = format!("--set {}={}: the path matches nothing", request.path, request.value);
    let mut finding = Diagnostic::error("unknown-parameter", message);
    finding.help = Some(if near.is_empty() {
        "`stiction list FILE` prints every path".to_owned()
    } else {
        let quoted: Vec<String> = near.iter().map(|p| format!("`{p}`")).collect();
        format!("did you mean {}?", quoted.join(" or "))
    });
    finding
}

impl Run<'_> {
    /// Follows `rest` from `element`; `done` is the path to here.
    fn descend(&mut self, element: &mut Element, context: &str, rest: &str, done: &str) {
        let (head, tail) = rest.split_once('.').map_or((rest, None), |(h, t)| (h, Some(t)));
        let prefixed = head.replace(':', ".");
        let head = prefixed.as_str();
        let Some(entry) = spec::lookup(context, head).filter(|e| e.kind != Kind::Opaque) else {
            self.suggest(done, head, spec::children(context).iter().map(|(n, _)| *n), tail);
            return;
        };
        let inner = spec::context(context, head);
        if NAMED.contains(&head) {
            self.named(element, head, &inner, tail.unwrap_or(""), &joined(done, head));
        } else if entry.kind == Kind::Tree {
            let Some(tail) = tail else {
                let names = spec::children(&inner).iter().map(|(n, _)| joined(&joined(done, head), n));
                self.near.extend(names.take(3));
                return;
            };
            let is_made = context != "geometry" && !NOT_MADE.contains(&head);
            if is_made && element.child(head).is_none() {
                let mut made = Element::new(head, &element.location);
                made.override_path = Some(self.request.path.clone());
                element.children.push(made);
            }
            for child in element.children.iter_mut().filter(|c| c.name == head) {
                self.descend(child, &inner, tail, &joined(done, head));
            }
        } else if tail.is_none() {
            self.set(element, head, entry);
        }
    }

    /// `rest` begins with the name of a child, which may hold `*`, dots, and `::` to nested models.
    fn named(&mut self, element: &mut Element, kind: &str, context: &str, rest: &str, done: &str) {
        let before = self.matched;
        let mut names = Vec::new();
        for child in element.children.iter_mut().filter(|c| c.name == kind) {
            let name = child.named().to_owned();
            let exact = rest.strip_prefix(name.as_str()).and_then(|r| r.strip_prefix('.'));
            let (segment, tail) = rest.split_once('.').unwrap_or((rest, ""));
            if let Some(tail) = exact {
                self.descend(child, context, tail, &joined(done, &name));
            } else if matches(segment, &name) && !tail.is_empty() {
                self.descend(child, context, tail, &joined(done, segment));
            } else if let Some((outer, _)) = segment.split_once("::")
                && kind == "model"
                && matches(outer, &name)
            {
                let inner = &rest[outer.len() + 2..];
                self.named(child, kind, context, inner, &format!("{}::", joined(done, outer)));
            }
            names.push(name);
        }
        if self.matched == before && self.near.is_empty() {
            let (segment, tail) = rest.split_once('.').map_or((rest, None), |(s, t)| (s, Some(t)));
            self.suggest(done, segment, names.iter().map(String::as_str), tail);
        }
    }

    fn set(&mut self, element: &mut Element, name: &str, entry: Entry) {
        let place = element.location.clone();
        if element.child(name).is_none() {
            element.children.push(Element::new(name, &place));
        }
        let Some(child) = element.child_mut(name) else { return };
        let mut trial = child.clone();
        trial.text = self.request.value.trim().to_owned();
        self.matched += 1;
        if let Err(bad) = value::check(&trial, entry) {
            let message = format!("--set {}={}: expected {}", self.request.path, self.request.value, bad.expected);
            self.fault = Some(Diagnostic::error("override-value", message));
            self.is_soft = bad.is_soft;
            if !bad.is_soft {
                return;
            }
        }
        child.text = trial.text;
        child.override_path = Some(self.request.path.clone());
    }

    fn suggest<'n>(&mut self, done: &str, word: &str, names: impl Iterator<Item = &'n str>, tail: Option<&str>) {
        for name in nearest(word, names) {
            let head = joined(done, name);
            let whole = tail.map_or(head.clone(), |t| joined(&head, t));
            if !self.near.contains(&whole) {
                self.near.push(whole);
            }
        }
    }
}

/// `a.b`, or `b` where there is nothing before it; a prefix has its colon again.
pub(crate) fn joined(done: &str, name: &str) -> String {
    let name = name.strip_prefix("drake.").map_or_else(|| name.to_owned(), |own| format!("drake:{own}"));
    if done.is_empty() || done.ends_with("::") { format!("{done}{name}") } else { format!("{done}.{name}") }
}

/// A name fits a pattern, in which `*` stands for any run of characters, as in paths of [`Override`]s.
#[must_use]
pub fn matches(pattern: &str, name: &str) -> bool {
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or("");
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let pieces: Vec<&str> = pieces.collect();
    let Some((last, middle)) = pieces.split_last() else { return rest.is_empty() };
    for piece in middle {
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn stars_match_runs_of_characters() {
        assert!(
            matches("*", "box") && matches("b*x", "box") && matches("box", "box") && matches("w*_*l", "wheel_front_l")
        );
        assert!(!matches("b", "box") && !matches("*y", "box") && !matches("ab*ba", "aba"));
    }
}
