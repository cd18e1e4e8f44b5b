//! Symptoms of a simulation that looks wrong: the words that people use, causes, the parameters that act, and commands that
//! show the effect before and after.
//!
//! Whether an engine uses a parameter is never written here: [`SymptomAnswer`] takes it from [`stiction_formats::usage`]. The
//! numbers of the demonstrations are in `measured.tsv`; `tests/it/symptoms.rs` of the crate runs every demonstration and compares.

mod answer;
mod contacts;
mod demonstration;
mod friction;
mod mechanisms;
mod words;

pub use answer::{ParameterInUse, PresentValue, SymptomAnswer};
pub use demonstration::{Change, Claim, Demonstration, Measure, Stage};
pub use words::{UnknownWords, answering_symptoms, find_symptoms};

/// Something that looks wrong in a simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Symptom {
    /// Short name, and heading of `docs/symptoms.md`: `falls through`.
    pub name: &'static str,
    /// The answer in one sentence.
    pub answer: &'static str,
    /// Causes, the most frequent one first.
    pub causes: &'static [&'static str],
    /// Words and phrases that mean it: one word, or several that all occur.
    pub phrases: &'static [&'static str],
    /// Words that only hint at it.
    pub hints: &'static [&'static str],
    /// Keys of the parameters that act, in the table of use, the most important one first.
    pub parameters: &'static [&'static str],
    /// Other pages, by their paths in the repository.
    pub pages: &'static [&'static str],
    /// What shows it, before and after the cure. Engines appear in one demonstration at most.
    pub demonstrations: &'static [Demonstration],
}

impl Symptom {
    /// Every symptom.
    pub const ALL: &'static [Self] = &[
        friction::SLIPS,
        friction::WHEELS_SLIP,
        friction::GRASP_FAILS,
        friction::CREEPS,
        friction::SPINS_ON,
        contacts::SINKS,
        contacts::BOUNCES,
        contacts::DOES_NOT_BOUNCE,
        contacts::FALLS_THROUGH,
        contacts::EXPLODES,
        mechanisms::JITTERS,
        mechanisms::COMES_APART,
        mechanisms::STIFF_JOINT,
        mechanisms::LOOSE_JOINT,
        mechanisms::TOO_SLOW,
    ];

    /// The section of the page that describes it.
    #[must_use]
    pub fn recipe(&self) -> String {
        format!("docs/symptoms.md#{}", self.file_name().replace('_', "-"))
    }

    /// The name as part of a file name: `falls_through`.
    #[must_use]
    pub fn file_name(&self) -> String {
        self.name.replace(' ', "_")
    }

    /// The demonstration for an engine; the first one if there is none for it.
    #[must_use]
    pub fn demonstration(&self, engine: &str) -> &'static Demonstration {
        let fitting = self.demonstrations.iter().find(|d| d.engines.contains(&engine));
        fitting.unwrap_or(&self.demonstrations[0])
    }
}
