//! What an engine does with the parameters of a file: used, mapped or ignored, and why; and what to do about a
//! symptom.

mod directions;
mod file;
mod json;
mod numbers;
mod overruled;
mod page;
mod pair;
mod symptoms;
mod without_effect;

pub use directions::FrictionDirections;
pub use file::{ExplainedValue, Explanation, Group};
pub use numbers::short as short_number;
pub use page::{Page, UnknownParameter, find_parameter};
pub use pair::{
    Combined, EngineContact, Language, LanguageValue, PairError, PairExplanation, PairMasses, SOLIMP, impedance,
    largest_explicit_step, solref_direct,
};
pub use symptoms::{
    Change, Claim, Demonstration, Measure, ParameterInUse, PresentValue, Stage, Symptom, SymptomAnswer, UnknownWords,
    answering_symptoms, find_symptoms,
};
pub use without_effect::{Subject, WithoutEffect};
