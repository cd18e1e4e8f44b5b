//! Engines that do not pass a scene, with the reason.

use super::{ENGINES, rows};

/// Why an engine does not pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failing {
    /// The engine has no law for the scene: nothing is to be mended.
    NotApplicable,
    /// What the documented laws of the engine give: compliance, creep, one contact point a pair.
    ByLaw,
    /// It fails, and the redesigned step is expected to mend it.
    UntilStep,
    /// It fails for another reason.
    Fails,
}

/// A known failure.
#[derive(Clone, Debug)]
pub struct Known {
    /// Name of the scene.
    pub scene: String,
    /// Name of the engine.
    pub engine: String,
    /// Of which kind.
    pub kind: Failing,
    /// The reason.
    pub reason: String,
}

/// Lines of `failures.tsv`: scene, engines with spaces between, kind, reason.
///
/// # Errors
/// A line has another form; the message names it.
pub fn failures() -> Result<Vec<Known>, String> {
    let mut all = Vec::new();
    for row in rows("failures.tsv")? {
        let wrong = |what: &str| format!("failures.tsv: {}: {what}", row.join(" | "));
        let [scene, engines, kind, reason] = &row[..] else { return Err(wrong("expected 4 columns")) };
        let kind = match kind.as_str() {
            "not applicable" => Failing::NotApplicable,
            "by law" => Failing::ByLaw,
            "until step" => Failing::UntilStep,
            "fails" => Failing::Fails,
            _ => return Err(wrong("expected `not applicable`, `by law`, `until step` or `fails`")),
        };
        for engine in engines.split(' ') {
            if !ENGINES.contains(&engine) {
                return Err(wrong(&format!("there is no engine `{engine}`")));
            }
            all.push(Known { scene: scene.clone(), engine: engine.to_owned(), kind, reason: reason.clone() });
        }
    }
    Ok(all)
}
