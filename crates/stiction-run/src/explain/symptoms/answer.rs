//! The answer to words: a symptom under the engine in use, with the present values of a file.

use serde_json::{Value, json};
use stiction_formats::usage::{self, How, Leaf};

use super::{Demonstration, Stage, Symptom};
use crate::engine::{Engine, engine_name};
use crate::error::RunError;
use crate::explain::Explanation;
use crate::setup::Project;

/// A value that a file has now.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PresentValue {
    /// Value, as text.
    pub value: String,
    /// Where it is from.
    pub origin: String,
    /// How many parameters of that name have this value and origin.
    pub count: usize,
    /// Why it has no effect, if it has none; empty otherwise.
    pub ignored: String,
}

/// A parameter under the engine in use.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParameterInUse {
    /// Path below what has a name.
    pub path: String,
    /// What the engine does with it.
    pub how: How,
    /// To what it is mapped, why it is ignored, or what limits its use.
    pub reason: &'static str,
    /// One sentence.
    pub meaning: &'static str,
    /// Unit.
    pub unit: &'static str,
    /// Default; empty where there is none.
    pub default: &'static str,
    /// Values in the file, those that it gives first; empty without a file.
    pub values: Vec<PresentValue>,
}

/// A symptom as an engine has it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SymptomAnswer {
    /// The symptom.
    pub symptom: &'static Symptom,
    /// The engine in use, as the table of use names it.
    pub engine: &'static str,
    /// Parameters that act under that engine, in the order of the table of symptoms.
    pub acting: Vec<ParameterInUse>,
    /// Parameters that do not; those of other engines' elements are omitted.
    pub ignored: Vec<ParameterInUse>,
    /// The runs that show it.
    pub demonstration: &'static Demonstration,
}

impl SymptomAnswer {
    /// The answer under an engine by its name, `ode-quick` if there is none.
    ///
    /// # Errors
    /// There is no such engine.
    pub fn new(symptom: &'static Symptom, engine: Option<&str>) -> Result<Self, RunError> {
        Ok(Self::from_table(symptom, engine_name(engine)?, None))
    }

    /// The answer for a project under its engine, with the values of its files.
    ///
    /// # Errors
    /// Findings that stop a run.
    pub fn for_project(symptom: &'static Symptom, project: &Project, engine: &Engine) -> Result<Self, RunError> {
        Ok(Self::from_table(symptom, engine.name(), Some(&project.explain(engine, true)?)))
    }

    /// The entries of the table of use under an engine.
    fn from_table(symptom: &'static Symptom, engine: &'static str, file: Option<&Explanation>) -> Self {
        let leaves = symptom.parameters.iter().filter_map(|key| usage::find(key));
        let parameters = leaves.filter_map(|leaf| {
            let usage = usage::of(leaf, engine)?;
            Some((
                leaf,
                ParameterInUse {
                    path: leaf.path(),
                    how: usage.how,
                    reason: usage.text,
                    meaning: leaf.meaning(),
                    unit: leaf.unit,
                    default: leaf.default,
                    values: file.map_or_else(Vec::new, |file| present_values(leaf, file)),
                },
            ))
        });
        let (ignored, acting): (Vec<_>, Vec<_>) = parameters.partition(|(_, p)| p.how == How::Ignored);
        Self {
            symptom,
            engine,
            acting: acting.into_iter().map(|(_, p)| p).collect(),
            ignored: ignored.into_iter().filter(|(leaf, _)| !leaf.is_of_engine_block()).map(|(_, p)| p).collect(),
            demonstration: symptom.demonstration(engine),
        }
    }

    /// The demonstration is one of the engine in use; otherwise its commands choose another engine.
    #[must_use]
    pub fn is_shown_by_engine(&self) -> bool {
        self.demonstration.engines.contains(&self.engine)
    }

    /// As one object.
    #[must_use]
    pub fn json(&self) -> Value {
        let value =
            |v: &PresentValue| json!({"value": v.value, "origin": v.origin, "count": v.count, "ignored": v.ignored});
        let parameter = |p: &ParameterInUse| {
            json!({
                "path": p.path,
                "use": p.how.word(),
                "reason": p.reason,
                "meaning": p.meaning,
                "unit": p.unit,
                "default": p.default,
                "values": p.values.iter().map(value).collect::<Vec<_>>(),
            })
        };
        let list = |parameters: &[ParameterInUse]| parameters.iter().map(parameter).collect::<Vec<_>>();
        let demonstration = self.demonstration;
        let numbers = demonstration.numbers(self.engine);
        let stage = |stage: Stage, index: usize| json!({"command": demonstration.command(self.engine, stage), "value": numbers.map(|n| n[index])});
        json!({
            "symptom": self.symptom.name,
            "answer": self.symptom.answer,
            "causes": self.symptom.causes,
            "engine": self.engine,
            "parameters": list(&self.acting),
            "ignored": list(&self.ignored),
            "demonstration": {
                "engine": demonstration.engine_for(self.engine),
                "measured": demonstration.measured,
                "unit": demonstration.measure.unit(),
                "before": stage(Stage::Before, 0),
                "after": stage(Stage::After, 1),
            },
            "recipe": self.symptom.recipe(),
            "pages": self.symptom.pages,
        })
    }
}

/// Values of a parameter in a file: equal ones once, given ones first.
fn present_values(leaf: &Leaf, file: &Explanation) -> Vec<PresentValue> {
    let path = leaf.path();
    let mut found: Vec<PresentValue> = Vec::new();
    for value in file.groups.iter().flat_map(|group| &group.values).filter(|value| value.name == path) {
        let ignored = if value.how == How::Ignored { value.reason.as_str() } else { "" };
        match found.iter_mut().find(|f| f.value == value.value && f.origin == value.origin && f.ignored == ignored) {
            Some(same) => same.count += 1,
            None => found.push(PresentValue {
                value: value.value.clone(),
                origin: value.origin.clone(),
                count: 1,
                ignored: ignored.to_owned(),
            }),
        }
    }
    found.sort_by_key(|value| value.origin == "default");
    found
}
