//! What an engine does with the parameters of a file: used, mapped or ignored, and why.

mod file;
mod json;
mod numbers;
mod overruled;
mod page;
mod pair;

pub use file::{ExplainedValue, Explanation, Group};
pub use numbers::short as short_number;
pub use page::{Page, UnknownParameter, find_parameter};
pub use pair::{
    Combined, EngineContact, Language, LanguageValue, PairError, PairExplanation, PairMasses, SOLIMP, impedance,
    largest_explicit_step, solref_direct,
};
