//! `<include>` elements, replaced by what they name.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Location};

use super::element::Element;
use super::files::Files;
use super::merge;
use super::report::Report;
use super::search::SearchPath;
use super::value;

/// Deepest nesting of includes.
const MAX_DEPTH: usize = 16;
/// Most elements of all files together, includes counted each time.
const MAX_ELEMENTS: usize = 1_000_000;
/// Most includes, those of files that are missing or unreadable too.
const MAX_INCLUDES: usize = 20_000;

/// Expands includes, depth first.
pub(crate) struct Includes<'a> {
    pub files: &'a mut Files,
    pub search: &'a SearchPath,
    pub report: &'a mut Report,
    /// The files that are being expanded, outermost first.
    pub stack: Vec<PathBuf>,
    pub elements: usize,
    pub count: usize,
    /// The includes whose file was not found, by place: in a file that is included again they are not searched again.
    pub missing: BTreeSet<(Arc<PathBuf>, usize)>,
}

impl Includes<'_> {
    /// Replaces every include below `parent`, which stands in a file in `folder`.
    pub(crate) fn expand(&mut self, parent: &mut Element, folder: &Path) {
        let children = std::mem::take(&mut parent.children);
        for mut child in children {
            match child.name.as_str() {
                "include" if matches!(parent.name.as_str(), "world" | "model" | "sdf") => {
                    self.include(parent, &child, folder)
                }
                "world" | "model" => {
                    self.expand(&mut child, folder);
                    parent.children.push(child);
                }
                _ => parent.children.push(child),
            }
        }
    }

    /// The limit is passed, which is said: nothing more is read.
    pub(crate) fn is_too_large(&self) -> bool {
        self.elements > MAX_ELEMENTS || self.count > MAX_INCLUDES
    }

    fn say_too_large(&mut self, place: &Location) {
        let message = format!(
            "there are more than {MAX_INCLUDES} includes, or they add up to more than {MAX_ELEMENTS} elements: the limits"
        );
        let help = "a file that is included several times counts each time, with all that it includes";
        self.report.add(Diagnostic::error("too-large", message).at(place).help(help));
    }

    fn include(&mut self, parent: &mut Element, include: &Element, folder: &Path) {
        let Some(uri) = include.child("uri").filter(|u| !u.text.is_empty()) else {
            self.fault("missing-element", "<include> has no <uri>", &include.location);
            return;
        };
        if self.is_too_large() {
            return;
        }
        let place = &uri.text_location;
        self.count += 1;
        if self.is_too_large() {
            self.say_too_large(place);
            return;
        }
        let key = (place.file.clone(), place.span.start);
        if self.missing.contains(&key) {
            return;
        }
        let path = match self.search.resolve(&uri.text, folder) {
            Ok(path) => path,
            Err(problem) => {
                let mut finding = Diagnostic::error(problem.code, problem.message).at(place);
                finding.help = problem.help;
                self.report.add(finding);
                self.missing.insert(key);
                return;
            }
        };
        let key = std::fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
        if self.stack.contains(&key) {
            let message = format!("{} includes itself: a cycle of includes", path.display());
            self.fault("include-cycle", message, place);
            return;
        }
        if self.stack.len() >= MAX_DEPTH {
            self.fault("include-depth", format!("includes are nested deeper than {MAX_DEPTH}"), place);
            return;
        }
        let Some(mut root) = self.files.sdf(&path, Some(place), self.report) else { return };
        self.elements += root.count();
        if self.is_too_large() {
            self.say_too_large(place);
            return;
        }
        let inner = path.parent().unwrap_or(Path::new("")).to_owned();
        self.stack.push(key);
        self.expand(&mut root, &inner);
        self.stack.pop();
        if let Some(included) = self.top_level(root, uri) {
            self.place(parent, included, include);
        }
    }

    /// The one model, light or actor of an included file.
    fn top_level(&mut self, root: Element, uri: &Element) -> Option<Element> {
        let mut found = root.children.into_iter().filter(|c| matches!(c.name.as_str(), "model" | "light" | "actor"));
        let Some(first) = found.next() else {
            let message = format!("`{}` holds no <model>, <light> or <actor>", uri.text);
            self.fault("include-content", message, &uri.text_location);
            return None;
        };
        if let Some(second) = found.next() {
            let message = format!("`{}` holds a <{}> besides its first <{}>", uri.text, second.name, first.name);
            let finding = Diagnostic::error("include-content", message).at(&uri.text_location);
            self.report.strict(finding.help("an included file has one model, light or actor"));
        }
        Some(first)
    }

    /// Applies what the include says about the model, and puts the model into its parent.
    fn place(&mut self, parent: &mut Element, mut model: Element, include: &Element) {
        model.included_at = Some(include.location.clone());
        if let Some(name) = include.child("name").filter(|n| !n.text.is_empty()) {
            model.set_attribute("name", &name.text, &name.text_location);
        }
        if model.name != "model" {
            parent.children.push(model);
            return;
        }
        if let Some(pose) = include.child("pose") {
            model.children.retain(|c| c.name != "pose");
            model.children.push(pose.clone());
        }
        if let Some(is_static) = include.child("static") {
            model.children.retain(|c| c.name != "static");
            model.children.push(is_static.clone());
        }
        if let Some(frame) = include.child("placement_frame").filter(|f| !f.text.is_empty()) {
            if include.child("pose").is_none() {
                let message = "<placement_frame> without <pose>: the pose of which frame is not said";
                self.report.tolerated(Diagnostic::error("placement-frame", message).at(&frame.location));
            } else {
                model.set_attribute("placement_frame", &frame.text, &frame.text_location);
            }
        }
        model.children.extend(include.children_named("plugin").cloned());
        if include.value("merge").and_then(value::boolean).unwrap_or(false) {
            merge::merge(parent, model);
        } else {
            parent.children.push(model);
        }
    }

    fn fault(&mut self, code: &'static str, message: impl Into<String>, place: &Location) {
        self.report.add(Diagnostic::error(code, message).at(place));
    }
}
