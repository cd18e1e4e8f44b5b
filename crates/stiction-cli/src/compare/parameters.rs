//! Parameters in which cases differ, in words.

use stiction_run::{Compared, DifferingParameter};

use super::table::one_line;

/// Parameters that are told without being asked for.
const FEW: usize = 8;

/// Lines of the terminal.
pub fn lines(compared: &Compared, is_verbose: bool) -> Vec<String> {
    let parameters = &compared.parameters;
    if parameters.is_empty() {
        return vec!["no parameter differs".to_owned()];
    }
    if parameters.len() > FEW && !is_verbose {
        return vec![format!("{} parameters differ: see --verbose, --html or --json", parameters.len())];
    }
    let line = |p: &DifferingParameter| format!("  {}: {}", p.path, values(p, compared));
    std::iter::once("parameters that differ:".to_owned()).chain(parameters.iter().map(line)).collect()
}

/// Each value with the cases that have it.
fn values(parameter: &DifferingParameter, compared: &Compared) -> String {
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for (case, value) in compared.cases.iter().zip(&parameter.values) {
        let value = value.as_ref().map_or("-", |(value, _)| value.as_str()).to_owned();
        match groups.iter_mut().find(|(other, _)| *other == value) {
            Some((_, names)) => names.push(one_line(&case.name)),
            None => groups.push((value, vec![one_line(&case.name)])),
        }
    }
    let unit = if parameter.unit == "1" { "" } else { parameter.unit };
    let text = |(value, names): (String, Vec<String>)| {
        format!("{} ({})", format!("{value} {unit}").trim_end(), names.join(", "))
    };
    groups.into_iter().map(text).collect::<Vec<_>>().join(", ")
}
