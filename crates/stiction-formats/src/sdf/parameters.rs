//! Every value that can be set, by its path.

use crate::ParameterPath;
use crate::description::Origin;

use super::element::Element;
use super::joint::has_ode;
use super::overrides::{NAMED, NOT_LISTED, NOT_MADE, joined};
use super::spec::{self, Entry, Kind};
use super::{physics, value};

/// With more links than this, only what a file or an option gives is listed below the world itself.
const MANY_LINKS: usize = 1000;

/// The values of the world element and of all below.
pub(crate) fn list(world: &Element) -> Vec<ParameterPath> {
    let with_defaults = count_links(world) <= MANY_LINKS;
    let physics = physics::in_force(world);
    let mut lister = Lister { found: Vec::new(), with_defaults, physics, joint_has_ode: false };
    lister.walk(Some(world), "world", "", false);
    lister.found
}

fn count_links(element: &Element) -> usize {
    let inner = element.children.iter().filter(|c| c.name == "model").map(count_links).sum::<usize>();
    inner + element.children_named("link").count()
}

struct Lister<'a> {
    found: Vec<ParameterPath>,
    with_defaults: bool,
    /// Of several `<physics>` the one in force.
    physics: Option<&'a Element>,
    /// The joint that is walked has a `<physics><ode>`.
    joint_has_ode: bool,
}

/// What holds where an element does not give a value and has no default of its own: the value of `<physics>` there.
const INHERITED: [(&str, &str, &str); 5] = [
    ("collision", "max_contacts", "max_contacts"),
    ("joint/physics/ode", "erp", "ode/constraints/erp"),
    ("joint/physics/ode", "cfm", "ode/constraints/cfm"),
    (JOINT_LIMIT, "erp", "ode/constraints/erp"),
    (JOINT_LIMIT, "cfm", "ode/constraints/cfm"),
];

/// Stops take the world's values only where the joint has no `<physics><ode>` at all.
const JOINT_LIMIT: &str = "joint/physics/ode/limit";

/// Texts that are no value of their kind read as the default.
fn is_read(element: &Element, kind: Kind) -> bool {
    match kind {
        Kind::Unsigned => value::unsigned(&element.text).is_some(),
        Kind::Bool => value::boolean(&element.text).is_some(),
        _ => !element.text.is_empty(),
    }
}

impl<'a> Lister<'a> {
    fn walk(&mut self, element: Option<&'a Element>, context: &str, path: &str, is_linear: bool) {
        for (name, entry) in spec::children(context) {
            let inner = spec::context(context, name);
            if NAMED.contains(name) {
                // Frames inside links are of no use to anyone.
                let is_used = *name != "frame" || context == "model" || context == "world";
                for child in element.into_iter().flat_map(|e| e.children_named(name)).filter(|_| is_used) {
                    let is_linear = matches!(child.value("type"), Some("prismatic"));
                    if *name == "joint" {
                        self.joint_has_ode = has_ode(child);
                    }
                    self.walk(Some(child), &inner, &joined(&joined(path, name), child.named()), is_linear);
                }
                continue;
            }
            let is_physics = context == "world" && *name == "physics";
            let child = if is_physics { self.physics } else { element.and_then(|e| e.child(name)) };
            match entry.kind {
                Kind::Opaque => {}
                Kind::Tree => {
                    let is_made = context != "geometry" && !NOT_MADE.contains(name) && !NOT_LISTED.contains(name);
                    let is_wanted = self.with_defaults || context == "world" || context.starts_with("physics");
                    if child.is_some() || (is_made && is_wanted) {
                        self.walk(child, &inner, &joined(path, name), is_linear);
                    }
                }
                // Names and files are no parameters; words of physics are.
                Kind::Text if !context.starts_with("physics") => {}
                // Of the two pitches of a screw one acts.
                _ if *name == "screw_thread_pitch"
                    && child.is_none()
                    && element.is_some_and(|e| e.child("thread_pitch").is_some()) => {}
                _ => self.value(child, context, name, *entry, path, is_linear),
            }
        }
    }

    /// The default of `name` in `context`, or what `<physics>` has in its place.
    fn absent(&self, context: &str, name: &str, entry: Entry) -> (&'a str, Origin) {
        let inherits = |(of, leaf, _): &&(&str, &str, &str)| {
            *of == context && *leaf == name && !(context == JOINT_LIMIT && self.joint_has_ode)
        };
        let inherited = INHERITED.iter().find(inherits).map(|(_, _, place)| *place);
        let place = inherited.and_then(|place| self.physics.and_then(|p| p.find(place)));
        match place.filter(|e| is_read(e, entry.kind)) {
            Some(element) => (element.text.as_str(), element.origin()),
            None => {
                let entry = inherited.and_then(|place| spec::lookup_path("physics", place)).unwrap_or(entry);
                (entry.default, Origin::Default)
            }
        }
    }

    fn value(&mut self, child: Option<&Element>, context: &str, name: &str, entry: Entry, path: &str, is_linear: bool) {
        let given = child.filter(|c| is_read(c, entry.kind));
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
        let (value, origin) =
            given.map_or_else(|| self.absent(context, name, entry), |c| (c.text.as_str(), c.origin()));
        let (path, value, key) = (joined(path, name), value.to_owned(), format!("{context} {name}"));
        self.found.push(ParameterPath { path, value, unit, origin, is_given: given.is_some(), key });
    }
}
