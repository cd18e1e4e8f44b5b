//! What the judges say of a case.

/// What the judges say of a case.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// Bounds that were broken: what, and by how much.
    pub failures: Vec<(&'static str, String)>,
    /// What is told by the engine and counted, but no failure.
    pub notes: Vec<&'static str>,
    /// Steps made.
    pub steps: u64,
    /// Calls made, steps included.
    pub calls: u64,
    /// The case in words.
    pub description: String,
}

impl Verdict {
    /// A bound was broken.
    pub fn fail(&mut self, what: &'static str, figure: impl Into<String>) {
        if self.failures.iter().all(|(known, _)| *known != what) {
            self.failures.push((what, figure.into()));
        }
    }

    /// Fails where a figure is above its bound, or no number.
    pub fn bound(&mut self, what: &'static str, found: f64, bound: f64) {
        if found.is_nan() || found > bound {
            self.fail(what, format!("{found:.3e} (bound {bound:.0e})"));
        }
    }

    /// Something that is counted.
    pub fn note(&mut self, what: &'static str) {
        if !self.notes.contains(&what) {
            self.notes.push(what);
        }
    }
}
