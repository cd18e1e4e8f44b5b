//! The keys of a mapping, in either spelling, with findings for what they cannot be.

use stiction::math::DVec3;

use crate::diagnostic::{Diagnostic, Location};
use crate::sdf::report::Report;
use crate::suggest::did_you_mean;
use crate::yaml::{Entry, Mapping, Node};

/// A mapping of the file.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a> {
    mapping: &'a Mapping,
    /// Where the mapping stands.
    pub(super) location: &'a Location,
    /// What it is, such as `a link`.
    what: &'static str,
}

impl<'a> Fields<'a> {
    /// The keys of a node that must be a mapping; an error otherwise.
    pub(super) fn of(node: &'a Node, what: &'static str, report: &mut Report) -> Option<Self> {
        let Some(mapping) = node.mapping() else {
            let message = format!("{what} is {}; expected a mapping", node.kind());
            report.add(Diagnostic::error("wrong-type", message).at(&node.location));
            return None;
        };
        Some(Self { mapping, location: &node.location, what })
    }

    /// The entry of a key given in snake_case: that spelling wins over others. Nothing counts as absent.
    pub(super) fn entry(&self, key: &str) -> Option<&'a Entry> {
        let same = || self.mapping.iter().find(|entry| snake(&entry.key) == key);
        self.mapping.entry(key).or_else(same).filter(|entry| !entry.value.is_null())
    }

    /// All entries.
    pub(super) fn entries(&self) -> impl Iterator<Item = &'a Entry> + use<'a> {
        self.mapping.iter()
    }

    /// The value of a key.
    pub(super) fn get(&self, key: &str) -> Option<&'a Node> {
        self.entry(key).map(|entry| &*entry.value)
    }

    /// Where a key stands, or the mapping without it.
    pub(super) fn place(&self, key: &str) -> &'a Location {
        self.entry(key).map_or(self.location, |entry| &entry.key_location)
    }

    /// A warning for each key that is not known, and a note for each that has no effect.
    pub(super) fn check(&self, known: &[&str], without_effect: &[(&str, &str)], report: &mut Report) {
        for entry in self.mapping.iter() {
            let own = snake(&entry.key);
            if known.contains(&own.as_str()) {
                continue;
            }
            let place = format!("{}:{}", entry.key_location.file.display(), entry.key_location.span.start);
            if let Some((key, meaning)) = without_effect.iter().find(|(key, _)| *key == own) {
                let message = format!("`{}` has no effect here: {meaning}", entry.key);
                report.once(
                    format!("{key}@{}", entry.key_location.file.display()),
                    Diagnostic::note("no-effect", message).at(&entry.key_location),
                );
                continue;
            }
            let message = format!("`{}` is not a key of {}", entry.key, self.what);
            let mut finding = Diagnostic::warning("unknown-key", message).at(&entry.key_location).label("skipped");
            finding.help = did_you_mean(&own, known.iter().copied().chain(without_effect.iter().map(|(key, _)| *key)));
            report.once(place, finding);
        }
    }

    /// An error at a key's value.
    pub(super) fn refuse(&self, key: &str, expected: &str, report: &mut Report) {
        let Some(entry) = self.entry(key) else { return };
        report.add(refusal(&entry.key, &entry.value, expected));
    }

    /// A finite number.
    pub(super) fn number(&self, key: &str, report: &mut Report) -> Option<f64> {
        let number = self.get(key)?.number().filter(|number| number.is_finite());
        if number.is_none() {
            self.refuse(key, "a finite number", report);
        }
        number
    }

    /// A number, 0 or more.
    pub(super) fn non_negative(&self, key: &str, report: &mut Report) -> Option<f64> {
        let number = self.get(key)?.number().filter(|number| *number >= 0.0 && number.is_finite());
        if number.is_none() {
            self.refuse(key, "a finite number, 0 or more", report);
        }
        number
    }

    /// A length above 0.
    pub(super) fn length(&self, key: &str, report: &mut Report) -> Option<f64> {
        if self.get(key).is_none() {
            let message = format!("`{key}` is missing in {}", self.what);
            report.add(Diagnostic::error("missing-key", message).at(self.location));
            return None;
        }
        let number = self.get(key)?.number().filter(|number| *number > 0.0 && number.is_finite());
        if number.is_none() {
            self.refuse(key, "a finite number above 0", report);
        }
        number
    }

    /// Finite numbers, as many as wanted.
    pub(super) fn numbers<const N: usize>(&self, key: &str, report: &mut Report) -> Option<[f64; N]> {
        let numbers = self.get(key)?.numbers().and_then(|numbers| numbers.try_into().ok());
        if numbers.is_none() {
            self.refuse(key, &format!("a list of {N} finite numbers"), report);
        }
        numbers
    }

    /// Three finite numbers.
    pub(super) fn vector(&self, key: &str, report: &mut Report) -> Option<DVec3> {
        self.numbers::<3>(key, report).map(DVec3::from_array)
    }

    /// A word or a text.
    pub(super) fn text(&self, key: &str, report: &mut Report) -> Option<&'a str> {
        let text = self.get(key)?.text();
        if text.is_none() {
            self.refuse(key, "a word", report);
        }
        text
    }

    /// `true` or `false`.
    pub(super) fn switch(&self, key: &str, report: &mut Report) -> Option<bool> {
        let switch = self.get(key)?.switch();
        if switch.is_none() {
            self.refuse(key, "true or false", report);
        }
        switch
    }

    /// The items of a list; none without the key.
    pub(super) fn list(&self, key: &str, report: &mut Report) -> &'a [std::rc::Rc<Node>] {
        let Some(node) = self.get(key) else { return &[] };
        node.items().unwrap_or_else(|| {
            self.refuse(key, "a list", report);
            &[]
        })
    }

    /// The words of a list, or a single one, with their places.
    pub(super) fn words(&self, key: &str, report: &mut Report) -> Vec<(&'a str, &'a Location)> {
        let Some(node) = self.get(key) else { return Vec::new() };
        let nodes: Vec<&Node> = match node.items() {
            Some(items) => items.iter().map(|item| &**item).collect(),
            None => vec![node],
        };
        let words: Option<Vec<_>> = nodes.iter().map(|node| Some((node.text()?, &node.location))).collect();
        words.unwrap_or_else(|| {
            self.refuse(key, "a list of names", report);
            Vec::new()
        })
    }
}

/// A value that a key cannot have.
pub(super) fn refusal(key: &str, node: &Node, expected: &str) -> Diagnostic {
    let found = node.text().map_or(node.kind().to_owned(), |text| {
        let shown: String = text.chars().take(60).collect();
        format!("`{shown}`")
    });
    Diagnostic::error("invalid-value", format!("`{key}` is {found}"))
        .at(&node.location)
        .label(format!("expected {expected}"))
}

/// `jointType`, `JointType` and `joint_type` as the last.
pub(super) fn snake(key: &str) -> String {
    let mut snake = String::with_capacity(key.len() + 4);
    let mut before = None::<char>;
    for c in key.chars() {
        if c.is_ascii_uppercase() && before.is_some_and(|b| b.is_ascii_lowercase() || b.is_ascii_digit()) {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
        before = Some(c);
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::snake;

    #[test]
    fn spellings_of_a_key_are_one() {
        for (key, wanted) in [
            ("jointType", "joint_type"),
            ("joint_type", "joint_type"),
            ("NumThreads", "num_threads"),
            ("AMOR", "amor"),
            ("link1LocalPos", "link1_local_pos"),
            ("ContactReductionThreshhold", "contact_reduction_threshhold"),
        ] {
            assert_eq!(snake(key), wanted);
        }
    }
}
