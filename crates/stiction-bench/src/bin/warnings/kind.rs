//! Kinds of warnings: the code of a finding, or the first words of a sentence without its names and numbers.

use std::collections::{BTreeMap, BTreeSet};

use crate::tell::Message;

/// Words that tell one kind from another.
const WORDS: usize = 8;

/// The code of a finding that a run repeats, or the first words of a sentence, with `_` for names and `#` for numbers.
pub fn of_sentence(text: &str) -> String {
    let code = ["error[", "warning["].iter().find_map(|word| {
        let (place, rest) = text.split_once(word)?;
        (place.ends_with(": ") && !place.contains('`')).then(|| rest.split_once(']')).flatten()
    });
    if let Some((code, _)) = code {
        return code.to_owned();
    }
    let text = after_place(text);
    // Every second part is a name.
    let text: String = text.split('`').enumerate().map(|(k, part)| if k % 2 == 0 { part } else { "_" }).collect();
    let is_number = |word: &str| word.trim_start_matches(['-', '+', '(']).starts_with(|c: char| c.is_ascii_digit());
    let one = |word| match word {
        "steps," => "step,",
        "steps;" => "step;",
        "plugins" => "plugin",
        "have" => "has",
        word => word,
    };
    let words = text.split_whitespace().map(|word| if is_number(word) { "#" } else { one(word) });
    words.take(WORDS).collect::<Vec<_>>().join(" ")
}

/// Without `FILE:LINE: ` at its start.
fn after_place(text: &str) -> &str {
    let is_place = |place: &str| {
        place.rsplit_once(':').is_some_and(|(file, line)| file.contains('.') && line.parse::<u32>().is_ok())
    };
    text.split_once(": ").filter(|(place, _)| is_place(place)).map_or(text, |(_, rest)| rest)
}

/// Files and cases (a file under an engine) of each kind, by where it is said and its severity.
pub type Counts = BTreeMap<(String, String, String), [usize; 2]>;

/// Files, and cases (a file under an engine), that have a warning.
type Seen<'a> = (BTreeSet<&'a str>, BTreeSet<(&'a str, &'a str)>);

/// Counts of what was said.
pub fn counts(messages: &[Message]) -> Counts {
    let mut files: BTreeMap<(String, String, String), Seen<'_>> = BTreeMap::new();
    for one in messages {
        let entry = files.entry((one.by.clone(), one.severity.clone(), one.kind.clone())).or_default();
        entry.0.insert(&one.file);
        entry.1.insert((&one.file, &one.engine));
    }
    files.into_iter().map(|(key, (files, cases))| (key, [files.len(), cases.len()])).collect()
}

#[cfg(test)]
mod tests {
    use super::of_sentence;

    #[test]
    fn sentences_that_differ_in_names_and_numbers_are_one_kind() {
        let [a, b] = [("arm::hand", 1.25, 0.5), ("b", -3e-9, 17.0)].map(|(name, made, time)| {
            of_sentence(&format!("joint `{name}` separated by {made:.3e} m at {time} s: more iters"))
        });
        assert_eq!(a, b);
        assert_eq!(a, "joint _ separated by # m at #");
        assert_eq!(of_sentence("a/b.sdf:7:1: warning[old-version] SDFormat 1.2 is old"), "old-version");
        assert_eq!(of_sentence("a/b.sdf:7: `c` is an infinite plane"), "_ is an infinite plane");
        assert_eq!(of_sentence("no effect: model::gripper"), "no effect: model::gripper");
        assert_ne!(a, of_sentence("joint `b`: what drives it was at the effort limit"));
    }
}
