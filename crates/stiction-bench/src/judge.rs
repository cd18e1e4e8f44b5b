//! One judge for every engine: penetration and joint gap of recorded poses by a third party's narrow phase.

use std::path::Path;
use std::process::Command;

/// What the judge says of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Quality {
    /// Deepest penetration of the records \[mm\].
    pub(crate) deepest: f64,
    /// Mean penetration at the end \[mm\].
    pub(crate) mean: f64,
    /// Largest joint gap of the records \[mm\].
    pub(crate) gap: f64,
}

/// Judges runs of one scene; a run that exploded is `None`.
///
/// # Errors
/// The last word of the judge, or why it could not be asked.
pub(crate) fn judge(script: &Path, scene: &Path, states: &[&Path]) -> Result<Vec<Option<Quality>>, String> {
    let python = std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
    let output = Command::new(&python)
        .arg(script)
        .arg(scene)
        .arg("-")
        .args(states)
        .output()
        .map_err(|e| format!("cannot run {}: {e}", python.display()))?;
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr);
        return Err(words.lines().last().unwrap_or("the judge failed").to_owned());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let after = |line: &str, key: &str| {
        let mut words = line.split_whitespace().skip_while(|w| *w != key).skip(1);
        words.next().and_then(|w| w.parse().ok())
    };
    Ok(text
        .lines()
        .map(|line| {
            Some(Quality {
                deepest: after(line, "pen_max")?,
                mean: after(line, "pen_mean_end")?,
                gap: after(line, "joint_gap_max")?,
            })
        })
        .collect())
}
