//! From the words of a user to symptoms.

use stiction_formats::nearest;
use stiction_formats::usage;
use thiserror::Error;

use super::Symptom;

/// Weight of a phrase of one word, and of each word of a longer one.
const WORD: usize = 3;
const WORD_OF_PHRASE: usize = 4;
/// Weight of a hint.
const HINT: usize = 1;
/// A symptom is named next to the best one if it has at least this share of its weight: one over so much.
const SHARE: usize = 3;
/// Characters of a question that are read, and those that a message repeats.
const LONGEST: usize = 2000;
const SHOWN: usize = 60;
/// Symptoms and names that a message suggests.
const MOST_HINTED: usize = 3;
const MOST_NEAR: usize = 6;

/// No symptom and no parameter matches.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", self.text())]
#[non_exhaustive]
pub struct UnknownWords {
    /// What was asked, shortened.
    pub question: String,
    /// Symptoms that some of the words hint at.
    pub hinted: Vec<&'static str>,
    /// The nearest words that have an answer.
    pub words: Vec<String>,
    /// The nearest parameters, by their paths.
    pub parameters: Vec<String>,
}

impl UnknownWords {
    fn text(&self) -> String {
        let quoted = |names: &[String]| names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ");
        let mut text = format!("`{}` is neither a file, a parameter nor a known symptom", self.question);
        if !self.hinted.is_empty() {
            text += &format!("; perhaps: {}", quoted(&self.hinted.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>()));
        }
        if !self.words.is_empty() {
            text += &format!("; the nearest words: {}", quoted(&self.words));
        }
        if !self.parameters.is_empty() {
            text += &format!("; the nearest parameters: {}", quoted(&self.parameters));
        }
        let names: Vec<&str> = Symptom::ALL.iter().map(|s| s.name).collect();
        format!("{text}\nsymptoms: {}", names.join(", "))
    }
}

/// The symptoms that words may mean, the most probable one first; empty if there is none.
///
/// Case, punctuation, order and inflection do not matter.
///
/// ```
/// let found = stiction_run::find_symptoms("Why do my wheels slip?");
/// assert_eq!(found[0].name, "wheels slip");
/// assert_eq!(found[1].name, "slips");
/// ```
#[must_use]
pub fn find_symptoms(question: &str) -> Vec<&'static Symptom> {
    let mut found = weighted(question);
    found.retain(|((_, phrases), _)| *phrases > 0);
    let best = found.first().map_or(0, |((weight, _), _)| *weight);
    found.into_iter().filter(|((weight, _), _)| *weight * SHARE >= best).map(|(_, symptom)| symptom).collect()
}

/// Symptoms with their weight and that of their phrases alone, the heaviest first; equal ones in the order of the table.
fn weighted(question: &str) -> Vec<((usize, usize), &'static Symptom)> {
    let asked = stems(question);
    let mut found: Vec<_> = Symptom::ALL.iter().map(|symptom| (weight(symptom, &asked), symptom)).collect();
    found.retain(|((weight, _), _)| *weight > 0);
    found.sort_by_key(|((weight, _), _)| std::cmp::Reverse(*weight));
    found
}

/// The same; no answer is an error.
///
/// # Errors
/// Nothing matches.
pub fn answering_symptoms(question: &str) -> Result<Vec<&'static Symptom>, UnknownWords> {
    let found = find_symptoms(question);
    if !found.is_empty() {
        return Ok(found);
    }
    let known: Vec<&str> = Symptom::ALL
        .iter()
        .flat_map(|symptom| symptom.phrases.iter().chain(symptom.hints))
        .flat_map(|phrase| phrase.split(' '))
        .filter(|word| word.len() > 2)
        .collect();
    let names: Vec<(String, String)> = usage::leaves().iter().map(|leaf| (leaf.name(), leaf.path())).collect();
    let (mut words, mut parameters): (Vec<String>, Vec<String>) = Default::default();
    let add = |to: &mut Vec<String>, name: &str| {
        if to.len() < MOST_NEAR && !to.iter().any(|n| n == name) {
            to.push(name.to_owned());
        }
    };
    for word in split(question).filter(|word| word.chars().count() > 2) {
        // A word that is known and means nothing alone is not a suggestion for itself.
        let others = known.iter().copied().filter(|name| *name != word);
        nearest(&word, others).into_iter().for_each(|name| add(&mut words, name));
        for name in nearest(&word, names.iter().map(|(name, _)| name.as_str())) {
            names.iter().filter(|(n, _)| n == name).for_each(|(_, path)| add(&mut parameters, path));
        }
    }
    let mut shown: String = question.trim().chars().take(SHOWN).collect();
    if question.trim().chars().count() > SHOWN {
        shown.push('…');
    }
    let hinted = weighted(question).into_iter().take(MOST_HINTED).map(|(_, symptom)| symptom.name).collect();
    Err(UnknownWords { question: shown, hinted, words, parameters })
}

/// How well a symptom fits, in all and by its phrases.
fn weight(symptom: &Symptom, asked: &[String]) -> (usize, usize) {
    let occurs = |word: &str| asked.contains(&stem(word));
    let of_phrase = |phrase: &&str| {
        let count = phrase.split(' ').count();
        let all = phrase.split(' ').all(occurs);
        if all { if count == 1 { WORD } else { WORD_OF_PHRASE * count } } else { 0 }
    };
    let phrases: usize = symptom.phrases.iter().map(of_phrase).sum();
    let hints = symptom.hints.iter().filter(|hint| occurs(hint)).count();
    (phrases + HINT * hints, phrases)
}

/// Lower-case words without punctuation.
fn split(question: &str) -> impl Iterator<Item = String> {
    let text: String = question.chars().take(LONGEST).filter(|c| !matches!(c, '\'' | '’')).collect();
    let text = text.to_lowercase();
    let words: Vec<String> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect();
    words.into_iter()
}

fn stems(question: &str) -> Vec<String> {
    split(question).map(|word| stem(&word)).collect()
}

/// Irregular forms and the word that they are forms of; words that mean the same.
const FORMS: &[(&str, &[&str])] = &[
    (
        "not",
        &[
            "doesnt", "dont", "cant", "cannot", "wont", "isnt", "arent", "never", "no", "without", "didnt", "wouldnt",
            "couldnt",
        ],
    ),
    ("slide", &["slid"]),
    ("fall", &["fell", "fallen"]),
    ("sink", &["sank", "sunk", "sunken"]),
    ("shake", &["shook", "shaken", "shaky"]),
    ("break", &["broke", "broken"]),
    ("come", &["came"]),
    ("blow", &["blew", "blown"]),
    ("fly", &["flew", "flown", "flies"]),
    ("spin", &["spun"]),
    ("hold", &["held"]),
    ("throw", &["threw", "thrown"]),
    ("tear", &["tore", "torn"]),
    ("shoot", &["shot"]),
    ("let", &["lets"]),
    ("explode", &["explosion", "explosive", "explodes", "exploded", "exploding"]),
    ("grip", &["gripping", "grips"]),
    ("fast", &["quick", "quickly"]),
    ("object", &["box", "cube", "part", "item", "block"]),
    ("pick", &["picked"]),
    ("unstable", &["instable"]),
    ("jump", &["jumpy"]),
    ("fall down", &["topple"]),
    ("floor", &["flooring"]),
    ("ground", &["terrain", "plane"]),
    ("drive", &["drove", "driven"]),
    ("freeze", &["froze", "frozen"]),
];

/// Endings, the longest first, each cut off where at least three letters remain.
const ENDINGS: &[&str] = &[
    "iness", "ations", "ation", "ingly", "ings", "ions", "ing", "ion", "edly", "ely", "ers", "ies", "ed", "es", "er",
    "ly", "s", "y", "e",
];

/// A word without its ending: `slips`, `slipping` and `slippery` are the same.
fn stem(word: &str) -> String {
    if let Some((base, _)) = FORMS.iter().find(|(_, forms)| forms.contains(&word)) {
        return cut(base);
    }
    cut(word)
}

fn cut(word: &str) -> String {
    // `gripper` is the device, not what grips.
    if matches!(
        word,
        "gripper"
            | "grippers"
            | "faster"
            | "rover"
            | "rovers"
            | "tower"
            | "energy"
            | "finger"
            | "fingers"
            | "controller"
    ) {
        return word.strip_suffix('s').unwrap_or(word).to_owned();
    }
    let kept = |ending: &&&str| word.strip_suffix(**ending).is_some_and(|rest| rest.chars().count() >= 3);
    let ending = ENDINGS.iter().find(kept).copied().unwrap_or("");
    let mut rest = word.strip_suffix(ending).unwrap_or(word).to_owned();
    if let Some(inner) = rest.strip_suffix("er").filter(|inner| !ending.is_empty() && inner.chars().count() >= 4) {
        rest = inner.to_owned();
    }
    // `oscillates` as `oscillation`.
    if let Some(inner) = rest.strip_suffix("at").filter(|inner| inner.chars().count() >= 4) {
        rest = inner.to_owned();
    }
    // A doubled consonant before the ending is one of the ending.
    let mut back = rest.chars().rev();
    if let (Some(last), Some(before)) = (back.next(), back.next())
        && last == before
        && rest.chars().count() > 3
        && !"lsz".contains(last)
    {
        rest.pop();
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_have_one_stem() {
        for forms in [
            &["slip", "slips", "slipped", "slipping", "slippery"][..],
            &["slide", "slides", "sliding", "slid"],
            &["bounce", "bounces", "bouncing", "bounced", "bouncy", "bounciness"],
            &["tremble", "trembles", "trembling"],
            &["oscillate", "oscillates", "oscillation", "oscillations", "oscillating"],
            &["explode", "explodes", "explosion", "exploded"],
            &["jitter", "jitters", "jittery", "jittering"],
            &["fall", "falls", "falling", "fell"],
            &["spin", "spins", "spinning", "spun"],
            &["penetrate", "penetrates", "penetration", "penetrating"],
            &["wheel", "wheels"],
        ] {
            let stems: Vec<String> = forms.iter().map(|form| stem(form)).collect();
            assert!(stems.iter().all(|s| *s == stems[0]), "{stems:?}");
        }
        assert_ne!(stem("gripper"), stem("grip"));
    }
}
