//! The tree of links and joints: errors in its structure, and parents of links.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::Diagnostic;
use crate::sdf::element::Element;
use crate::sdf::report::Report;
use crate::sdf::scope::report_duplicate;
use crate::sdf::value;
use crate::suggest::did_you_mean;

use super::{WORLD, check_name};

const TYPES: [&str; 6] = ["revolute", "continuous", "prismatic", "fixed", "floating", "planar"];

/// Usable links and joints, and how they are connected.
pub(super) struct Structure<'a> {
    links: BTreeMap<&'a str, &'a Element>,
    /// Parent joint of each link that has one.
    parents: BTreeMap<&'a str, &'a Element>,
    joints: BTreeMap<&'a str, &'a Element>,
    /// Those at fault too.
    joint_names: BTreeSet<&'a str>,
    /// Of the joints, those that are left out with links that have no mass.
    left_out: BTreeSet<&'a str>,
    root: Option<&'a Element>,
}

/// Name of the link at a side of a joint.
pub(super) fn side<'a>(joint: &'a Element, which: &str) -> &'a str {
    joint.child(which).and_then(|s| s.value("link")).unwrap_or("")
}

impl<'a> Structure<'a> {
    /// Reports what makes no tree; joints at fault are left out.
    pub(super) fn new(robot: &'a Element, report: &mut Report) -> Self {
        let links = named(robot, "link", report);
        let mut joints = named(robot, "joint", report);
        let joint_names: BTreeSet<&str> = joints.keys().copied().collect();
        joints.retain(|_, joint| check_type(joint, report) & check_sides(joint, &links, report));
        let mut tree =
            Self { links, parents: BTreeMap::new(), joints, joint_names, left_out: BTreeSet::new(), root: None };
        tree.hang(robot, report);
        tree.cut_circles(report);
        tree.joints.retain(|_, j| tree.parents.get(side(j, "child")).is_some_and(|p| std::ptr::eq(*p, *j)));
        let is_whole = tree.joints.len() == tree.joint_names.len();
        tree.leave_out_massless(robot, report);
        tree.find_root(robot, is_whole, report);
        tree.check_mimics(report);
        tree
    }

    /// Every link gets the first joint that has it as its child.
    fn hang(&mut self, robot: &'a Element, report: &mut Report) {
        for joint in robot.children_named("joint") {
            if !self.holds(joint) {
                continue;
            }
            let child = side(joint, "child");
            let Some(first) = self.parents.get(child) else {
                self.parents.insert(child, joint);
                continue;
            };
            let message = format!(
                "link `{child}` has two parents: `{}` by joint `{}`, and `{}` by joint `{}`",
                side(first, "parent"),
                first.named(),
                side(joint, "parent"),
                joint.named()
            );
            report.add(
                Diagnostic::error("several-parents", message)
                    .at(place_of(joint, "child"))
                    .label("second parent")
                    .help("each link has one parent joint; URDF cannot describe loops")
                    .element(joint.path.as_str()),
            );
        }
    }

    /// Takes one joint out of each circle, and reports it.
    fn cut_circles(&mut self, report: &mut Report) {
        let mut done: BTreeSet<&str> = BTreeSet::new();
        for start in self.links.keys().copied().collect::<Vec<_>>() {
            let mut way: BTreeSet<&str> = BTreeSet::new();
            let mut current = start;
            while !done.contains(current) && way.insert(current) {
                match self.parents.get(current) {
                    Some(joint) => current = side(joint, "parent"),
                    None => break,
                }
            }
            if way.contains(current)
                && let Some(joint) = self.parents.get(current).copied()
                && !done.contains(current)
            {
                self.parents.remove(current);
                let message = format!("link `{current}` is its own ancestor: joint `{}` closes a loop", joint.named());
                report.add(
                    Diagnostic::error("joint-cycle", message)
                        .at(place_of(joint, "parent"))
                        .label("closes a circle")
                        .element(joint.path.as_str()),
                );
            }
            done.extend(way);
        }
    }

    /// Gazebo models no link without mass, nor the joint that it moves on: where no link below has mass either, both are
    /// left out here too. (Gazebo leaves out what has mass below it too; that stays an error.)
    fn leave_out_massless(&mut self, robot: &'a Element, report: &mut Report) {
        let carriers = self.carriers_of_mass();
        let mut children: BTreeMap<&str, Vec<&Element>> = BTreeMap::new();
        for joint in self.joints.values() {
            children.entry(side(joint, "parent")).or_default().push(joint);
        }
        for joint in robot.children_named("joint").filter(|j| j.value("type") != Some("fixed")) {
            if !self.holds(joint) || carriers.contains(side(joint, "child")) {
                continue;
            }
            let below = self.subtree(side(joint, "child"), &children);
            let name = joint.named();
            let more = match below.len() - 1 {
                0 => String::new(),
                1 => ", with 1 link below it".to_owned(),
                count => format!(", with {count} links below it"),
            };
            let message = format!("link `{}` moves on the joint `{name}` and has no mass", below[0]);
            let place = self.links.get(below[0]).map_or(&joint.location, |link| &link.location);
            report.add(
                Diagnostic::warning("massless-link", message)
                    .at(place)
                    .label(format!("left out, as in Gazebo{more}"))
                    .help("give it an <inertial> with <mass> and <inertia>, or make the joint `fixed`")
                    .element(joint.path.as_str()),
            );
            for link in below {
                self.links.remove(link);
                if let Some(joint) = self.parents.remove(link) {
                    self.left_out.insert(joint.named());
                    self.joints.remove(joint.named());
                }
            }
        }
    }

    /// Links that have mass, or that have a link with mass below them.
    fn carriers_of_mass(&self) -> BTreeSet<&'a str> {
        let mut carriers = BTreeSet::new();
        for (name, _) in self.links.iter().filter(|(_, link)| has_mass(link)) {
            let mut current = *name;
            while carriers.insert(current)
                && let Some(joint) = self.parents.get(current)
            {
                current = side(joint, "parent");
            }
        }
        carriers
    }

    /// A link and all links below it, parents first.
    fn subtree(&self, link: &'a str, children: &BTreeMap<&str, Vec<&'a Element>>) -> Vec<&'a str> {
        let mut below = vec![link];
        let mut next = 0;
        while let Some(name) = below.get(next).copied() {
            let hung = children.get(name).into_iter().flatten().filter(|joint| self.holds(joint));
            below.extend(hung.map(|joint| side(joint, "child")));
            next += 1;
        }
        below
    }

    /// A joint that mimics one that is left out with its link moves freely.
    pub(super) fn follows_left_out(&self, joint: &Element, report: &mut Report) -> bool {
        let Some(leader) = leader_of(joint).filter(|leader| self.left_out.contains(leader)) else { return false };
        let message = format!("<mimic> of joint `{}` names `{leader}`, which is left out", joint.named());
        let finding = Diagnostic::warning("mimic-joint", message).at(place(joint)).label("it moves freely");
        report.add(finding.element(joint.path.as_str()));
        true
    }

    fn find_root(&mut self, robot: &'a Element, is_whole: bool, report: &mut Report) {
        let roots: Vec<&Element> = robot.children_named("link").filter(|l| self.holds(l) && self.is_root(l)).collect();
        self.root = roots.first().copied();
        match roots.as_slice() {
            [] if robot.child("link").is_none() => {
                let finding = Diagnostic::error("no-link", "the robot has no link").at(&robot.location);
                report.add(finding.element(robot.path.as_str()));
            }
            // A joint at fault leaves its child without a parent: one finding is enough.
            [first, second, ..] if is_whole => {
                let names: Vec<String> = roots.iter().take(5).map(|r| format!("`{}`", r.named())).collect();
                let message = format!("the robot has {} roots: {}", roots.len(), names.join(", "));
                let help = format!(
                    "join `{}` and `{}` by a joint, of the type `floating` if they move apart",
                    first.named(),
                    second.named()
                );
                report.strict(
                    Diagnostic::error("several-roots", message)
                        .at(place(second))
                        .label("second root")
                        .help(help)
                        .element(second.path.as_str()),
                );
            }
            _ => {}
        }
    }

    fn check_mimics(&self, report: &mut Report) {
        let mut done: BTreeSet<&str> = BTreeSet::new();
        for (start, joint) in &self.joints {
            let Some(mimic) = joint.child("mimic") else { continue };
            let place = mimic.attribute("joint").map_or(&mimic.location, |a| &a.location);
            let fault = |code, message: String| Diagnostic::error(code, message).at(place).element(mimic.path.as_str());
            let leader = leader_of(joint).unwrap_or("");
            let kind = self.joints.get(leader).and_then(|l| l.value("type")).unwrap_or("");
            if matches!(kind, "fixed" | "floating") {
                report.add(fault("mimic-joint", format!("<mimic> names `{leader}`, whose type is `{kind}`")));
            }
            let mut way = vec![*start];
            while let Some((name, next)) = way.last().and_then(|l| self.joints.get(l)).and_then(|j| {
                let name = leader_of(j)?;
                Some((name, self.joints.get_key_value(name)?.0))
            }) {
                if done.contains(name) {
                    break;
                }
                if let Some(at) = way.iter().position(|w| *w == name) {
                    if way.len() > 1 {
                        let circle: Vec<String> = way[at..].iter().map(|n| format!("`{n}`")).collect();
                        let message = format!("mimic joints form a cycle: {}", circle.join(", "));
                        report.add(fault("mimic-cycle", message));
                    }
                    break;
                }
                way.push(next);
            }
            done.extend(way);
        }
    }

    /// It is among the links or joints that can be used.
    pub(super) fn holds(&self, element: &Element) -> bool {
        let all = if element.name == "link" { &self.links } else { &self.joints };
        all.get(element.named()).is_some_and(|known| std::ptr::eq(*known, element))
    }

    /// A usable joint by its name.
    pub(super) fn joint(&self, name: &str) -> Option<&'a Element> {
        self.joints.get(name).copied()
    }

    /// Some joint has this name, usable or not.
    pub(super) fn names_joint(&self, name: &str) -> bool {
        self.joint_names.contains(name)
    }

    /// Names of usable joints.
    pub(super) fn joint_names(&self) -> impl Iterator<Item = &str> {
        self.joints.keys().copied()
    }

    /// It has no parent joint.
    pub(super) fn is_root(&self, link: &Element) -> bool {
        !self.parents.contains_key(link.named())
    }

    /// The parent joint of a link, unless its parent is the world.
    pub(super) fn hung_on(&self, link: &Element) -> Option<&'a Element> {
        self.parents.get(link.named()).copied()
    }

    /// The root, or the first child of the root `world`.
    pub(super) fn canonical_link(&self) -> Option<&'a Element> {
        if let Some(root) = self.root.filter(|root| root.named() != WORLD) {
            return Some(root);
        }
        let first = self.parents.values().filter(|j| side(j, "parent") == WORLD);
        let first = first.min_by_key(|j| j.location.span.start)?;
        self.links.get(side(first, "child")).copied()
    }
}

/// It says that it has mass; what is no number is reported elsewhere.
fn has_mass(link: &Element) -> bool {
    let Some(mass) = link.child("inertial").and_then(|i| i.child("mass")) else { return false };
    mass.value("value").is_some_and(|text| value::real(text) != Some(0.0))
}

/// Name of the joint that a joint mimics.
fn leader_of(joint: &Element) -> Option<&str> {
    joint.child("mimic")?.value("joint")
}

fn place(element: &Element) -> &crate::diagnostic::Location {
    element.attribute("name").map_or(&element.location, |a| &a.location)
}

fn place_of<'a>(joint: &'a Element, which: &str) -> &'a crate::diagnostic::Location {
    let side = joint.child(which);
    side.and_then(|s| s.attribute("link"))
        .map_or_else(|| side.map_or(&joint.location, |s| &s.location), |a| &a.location)
}

/// Children of a kind by name; of several of one name the first.
fn named<'a>(robot: &'a Element, kind: &str, report: &mut Report) -> BTreeMap<&'a str, &'a Element> {
    let mut all: BTreeMap<&str, &Element> = BTreeMap::new();
    for child in robot.children.iter().filter(|c| c.name == kind) {
        let name = child.named();
        if !check_name(kind, name, child, report) {
            continue;
        }
        match all.get(name) {
            Some(first) => report_duplicate(child, first, report),
            None => drop(all.insert(name, child)),
        }
    }
    all
}

fn check_type(joint: &Element, report: &mut Report) -> bool {
    let word = joint.value("type").unwrap_or("");
    if TYPES.contains(&word) {
        return true;
    }
    let message =
        if word.is_empty() { "<joint> has no type".to_owned() } else { format!("`{word}` is not a type of joint") };
    let mut finding = Diagnostic::error("joint-type", message)
        .at(joint.attribute("type").map_or(&joint.location, |a| &a.location))
        .element(joint.path.as_str());
    finding.help = did_you_mean(word, TYPES).or_else(|| Some(format!("one of: {}", TYPES.join(", "))));
    report.add(finding);
    false
}

fn check_sides(joint: &Element, links: &BTreeMap<&str, &Element>, report: &mut Report) -> bool {
    let mut is_good = true;
    for (which, code) in [("parent", "joint-parent"), ("child", "joint-child")] {
        let name = side(joint, which);
        let fault =
            |message: String| Diagnostic::error(code, message).at(place_of(joint, which)).element(joint.path.as_str());
        if joint.child(which).is_none() {
            let message = format!("joint `{}` has no <{which}>", joint.named());
            report.add(Diagnostic::error("missing-element", message).at(&joint.location).element(joint.path.as_str()));
        } else if name.is_empty() {
            // The missing attribute was reported.
        } else if which == "parent" && name == WORLD && !links.contains_key(WORLD) {
            let message = format!("the parent of joint `{}` is `{WORLD}`, and there is no such link", joint.named());
            report.add(
                Diagnostic::warning(code, message)
                    .at(place_of(joint, which))
                    .label("taken for the world itself")
                    .help(format!("write `<link name=\"{WORLD}\"/>`"))
                    .element(joint.path.as_str()),
            );
            continue;
        } else if !links.contains_key(name) {
            let message = format!("the {which} of joint `{}` is `{name}`, which is not a link", joint.named());
            let mut finding = fault(message).label("no such link");
            finding.help = did_you_mean(name, links.keys().copied());
            report.add(finding);
        } else if which == "child" && name == side(joint, "parent") {
            let message = format!("joint `{}` joins a link to itself", joint.named());
            report.add(Diagnostic::error("joint-sides", message).at(place_of(joint, which)).element(&*joint.path));
        } else {
            continue;
        }
        is_good = false;
    }
    is_good
}
