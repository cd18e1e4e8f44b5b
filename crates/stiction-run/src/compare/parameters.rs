//! Parameters in which cases differ.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::values::ParameterValue;

/// A parameter that does not have the same value in all cases.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DifferingParameter {
    /// Dotted path.
    pub path: String,
    /// Unit; empty or `1` for none.
    pub unit: &'static str,
    /// Value and origin in each case, `None` where a case does not have it.
    pub values: Vec<Option<(String, String)>>,
}

/// Those of the cases, in the order of the first list that has each. A case that was refused has an empty list and does not
/// count.
pub(super) fn differing(cases: &[Vec<ParameterValue>]) -> Vec<DifferingParameter> {
    let mut found: Vec<DifferingParameter> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for (case, parameters) in cases.iter().enumerate() {
        for p in parameters {
            let place = *places.entry(&p.path).or_insert_with(|| {
                found.push(DifferingParameter { path: p.path.clone(), unit: p.unit, values: vec![None; cases.len()] });
                found.len() - 1
            });
            found[place].values[case] = Some((p.value.clone(), p.origin.clone()));
        }
    }
    let value = |v: &Option<(String, String)>| v.as_ref().map(|(value, _)| value.clone());
    let present: Vec<usize> = (0..cases.len()).filter(|case| !cases[*case].is_empty()).collect();
    found.retain(|p| present.iter().any(|case| value(&p.values[*case]) != value(&p.values[present[0]])));
    found
}

impl DifferingParameter {
    /// As JSON, with the names of the cases.
    pub(super) fn json(&self, names: &[&str]) -> Value {
        let values = names.iter().zip(&self.values).map(|(name, value)| {
            let value = value.as_ref().map(|(value, origin)| json!({"value": value, "origin": origin}));
            ((*name).to_owned(), value.unwrap_or(Value::Null))
        });
        json!({"path": self.path, "unit": self.unit, "cases": values.collect::<serde_json::Map<_, _>>()})
    }
}
