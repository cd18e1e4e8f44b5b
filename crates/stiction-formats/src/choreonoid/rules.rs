//! Which links of a body never touch: `collision_detection` and `collision_detection_rules`.

use std::collections::BTreeSet;

use crate::diagnostic::Diagnostic;
use crate::sdf::report::Report;
use crate::suggest::did_you_mean;

use super::body::Body;
use super::fields::Fields;
use super::link::Motion;

/// Links of a body that do not collide.
#[derive(Clone, Debug, Default)]
pub(super) struct Rules {
    /// Links that touch nothing, in the body and outside.
    pub(super) without_collision: BTreeSet<usize>,
    /// Pairs of the body, the lower index first.
    pub(super) pairs: BTreeSet<[usize; 2]>,
}

impl Rules {
    /// No link is concerned.
    pub(super) fn is_empty(&self) -> bool {
        self.without_collision.is_empty() && self.pairs.is_empty()
    }

    fn exclude(&mut self, a: usize, b: usize) {
        if a != b {
            self.pairs.insert([a.min(b), a.max(b)]);
        }
    }

    fn allow(&mut self, a: usize, b: usize) {
        self.pairs.remove(&[a.min(b), a.max(b)]);
    }

    fn exclude_group(&mut self, group: &[usize]) {
        for (i, a) in group.iter().enumerate() {
            group[i + 1..].iter().for_each(|b| self.exclude(*a, *b));
        }
    }

    /// Each link and those up to `level` joints above it. A free joint joins nothing.
    fn exclude_chains(&mut self, body: &Body, level: usize) {
        for index in 0..body.links.len() {
            let mut top = index;
            for _ in 0..level.min(body.links.len()) {
                if body.links[top].motion == Motion::Free {
                    break;
                }
                let Some(parent) = body.parents[top] else { break };
                self.exclude(index, parent);
                top = parent;
            }
        }
    }
}

/// The rules of a body; its list of rules wins over the older mapping.
pub(super) fn read(fields: &Fields<'_>, body: &Body, report: &mut Report) -> Rules {
    let mut reader = Reader { body, rules: Rules::default(), report };
    if fields.get("collision_detection_rules").is_some() {
        reader.list(fields);
    } else if let Some(node) = fields.get("collision_detection")
        && let Some(old) = Fields::of(node, "`collisionDetection`", reader.report)
    {
        reader.mapping(&old);
    }
    reader.rules
}

struct Reader<'a, 'r> {
    body: &'a Body,
    rules: Rules,
    report: &'r mut Report,
}

impl Reader<'_, '_> {
    fn mapping(&mut self, fields: &Fields<'_>) {
        const KNOWN: [&str; 4] =
            ["exclude_tree_depth", "exclude_links", "exclude_link_groups", "exclude_self_collision_links"];
        const WITHOUT_EFFECT: [(&str, &str); 2] = [
            ("exclude_links_dynamic", "links that do not touch wires and tracks"),
            ("exclude_links_wire_collision", "links that do not touch wires"),
        ];
        fields.check(&KNOWN, &WITHOUT_EFFECT, self.report);
        if let Some(depth) = self.level(fields, "exclude_tree_depth") {
            self.rules.exclude_chains(self.body, depth);
        }
        let alone = self.links(fields, "exclude_links");
        self.rules.without_collision.extend(alone);
        for link in self.links(fields, "exclude_self_collision_links") {
            (0..self.body.links.len()).for_each(|other| self.rules.exclude(link, other));
        }
        for node in fields.list("exclude_link_groups", self.report) {
            let Some(group) = Fields::of(node, "a group of links", self.report) else { continue };
            group.check(&["name", "links"], &[], self.report);
            let links = self.links(&group, "links");
            self.rules.exclude_group(&links);
        }
    }

    /// One rule after the other.
    fn list(&mut self, fields: &Fields<'_>) {
        const KNOWN: [&str; 5] = [
            "disabled_link_chain_level",
            "disabled_links",
            "enabled_links",
            "disabled_link_group",
            "enabled_link_group",
        ];
        for node in fields.list("collision_detection_rules", self.report) {
            let Some(rule) = Fields::of(node, "a collision rule", self.report) else { continue };
            rule.check(&KNOWN, &[], self.report);
            if let Some(level) = self.level(&rule, "disabled_link_chain_level") {
                self.rules.exclude_chains(self.body, level);
            }
            let disabled = self.links(&rule, "disabled_links");
            self.rules.without_collision.extend(disabled);
            for link in self.links(&rule, "enabled_links") {
                self.rules.without_collision.remove(&link);
            }
            let group = self.links(&rule, "disabled_link_group");
            self.rules.exclude_group(&group);
            let group = self.links(&rule, "enabled_link_group");
            for (i, a) in group.iter().enumerate() {
                group[i + 1..].iter().for_each(|b| self.rules.allow(*a, *b));
            }
        }
    }

    fn level(&mut self, fields: &Fields<'_>, key: &str) -> Option<usize> {
        let level = fields.number(key, self.report)?;
        if level < 0.0 || level.fract() != 0.0 || level > 1e6 {
            fields.refuse(key, "a whole number, 0 or more", self.report);
            return None;
        }
        Some(level as usize)
    }

    /// The links that are named; `all` for every link.
    fn links(&mut self, fields: &Fields<'_>, key: &str) -> Vec<usize> {
        let mut found = Vec::new();
        for (name, place) in fields.words(key, self.report) {
            match self.body.find(name) {
                Some(index) => found.push(index),
                None if name == "all" => found.extend(0..self.body.links.len()),
                None => {
                    let message = format!("`{key}` names `{name}`, which does not exist in this body");
                    let mut finding = Diagnostic::warning("unknown-link", message).at(place);
                    finding.help = did_you_mean(name, self.body.links.iter().map(|link| link.name.name.as_str()));
                    self.report.add(finding);
                }
            }
        }
        found
    }
}

/// Says that the rules of a body alone decide nothing.
pub(super) fn note_unused(body: &Body, report: &mut Report) {
    let is_loose = |link: usize| link != body.root && body.links[link].motion == Motion::Free;
    if (0..body.links.len()).any(is_loose) {
        let message = format!("links of `{}` do not touch each other unless a project says so", body.name);
        let help = "`selfCollisionDetection: true` of the BodyItem";
        report.add(Diagnostic::note("self-collision", message).at(&body.location).help(help));
    }
}
