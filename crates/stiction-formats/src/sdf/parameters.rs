//! Every value that can be set, by its path.

use crate::ParameterPath;
use crate::description::Origin;

use super::element::Element;
use super::overrides::{NAMED, NOT_MADE, joined};
use super::spec::{self, Entry, Kind};

/// With more links than this, only what a file or an option gives is listed below the world itself.
const MANY_LINKS: usize = 1000;

/// The values of the world element and of all below.
pub(crate) fn list(world: &Element) -> Vec<ParameterPath> {
    let mut lister = Lister { found: Vec::new(), with_defaults: count_links(world) <= MANY_LINKS };
    lister.walk(Some(world), "world", "", false);
    lister.found
}

fn count_links(element: &Element) -> usize {
    let inner = element.children.iter().filter(|c| c.name == "model").map(count_links).sum::<usize>();
    inner + element.children_named("link").count()
}

struct Lister {
    found: Vec<ParameterPath>,
    with_defaults: bool,
}

impl Lister {
    fn walk(&mut self, element: Option<&Element>, context: &str, path: &str, is_linear: bool) {
        for (name, entry) in spec::children(context) {
            let inner = spec::context(context, name);
            if NAMED.contains(name) {
                // Frames inside links are of no use to anyone.
                let is_used = *name != "frame" || context == "model" || context == "world";
                for child in element.into_iter().flat_map(|e| e.children_named(name)).filter(|_| is_used) {
                    let is_linear = matches!(child.value("type"), Some("prismatic"));
                    self.walk(Some(child), &inner, &joined(&joined(path, name), child.named()), is_linear);
                }
                continue;
            }
            let child = element.and_then(|e| e.child(name));
            match entry.kind {
                Kind::Opaque => {}
                Kind::Tree => {
                    let is_made = context != "geometry" && !NOT_MADE.contains(name) && *name != "wind";
                    let is_wanted = self.with_defaults || context == "world" || context.starts_with("physics");
                    if child.is_some() || (is_made && is_wanted) {
                        self.walk(child, &inner, &joined(path, name), is_linear);
                    }
                }
                // Names and files are no parameters; words of physics are.
                Kind::Text if !context.starts_with("physics") => {}
                _ => self.value(child, context, name, *entry, path, is_linear),
            }
        }
    }

    fn value(&mut self, child: Option<&Element>, context: &str, name: &str, entry: Entry, path: &str, is_linear: bool) {
        let given = child.filter(|c| !c.text.is_empty());
        let is_wanted = self.with_defaults || context == "world" || context.starts_with("physics");
        // Parameters without a default have no value unless given.
        if given.is_none() && (!is_wanted || entry.default.is_empty()) {
            return;
        }
        let unit = match entry.unit.split_once('|') {
            Some((linear, angular)) => {
                if is_linear {
                    linear
                } else {
                    angular
                }
            }
            None => entry.unit,
        };
        self.found.push(ParameterPath {
            path: joined(path, name),
            value: given.map_or(entry.default, |c| c.text.as_str()).to_owned(),
            unit,
            origin: given.map_or(Origin::Default, Element::origin),
        });
    }
}
