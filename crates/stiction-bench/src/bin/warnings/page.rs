//! The table of counts.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::kind::Counts;

/// Kinds by number of files; before and now.
pub fn table(before: &Counts, now: &Counts) -> String {
    let keys: BTreeSet<_> = before.keys().chain(now.keys()).collect();
    let of = |counts: &Counts, key| counts.get(key).copied().unwrap_or([0, 0]);
    let mut rows: Vec<_> = keys.into_iter().map(|key| (of(now, key), of(before, key), key)).collect();
    rows.sort_by(|a, b| (&a.2.0, &a.2.1, b.0, b.1, a.2).cmp(&(&b.2.0, &b.2.1, a.0, a.1, b.2)));
    let mut text =
        "| said by | severity | kind | files before | cases before | files | cases |\n|---|---|---|--:|--:|--:|--:|\n"
            .to_owned();
    for (now, before, (by, severity, kind)) in rows {
        let _ = writeln!(
            text,
            "| `{by}` | {severity} | {} | {} | {} | {} | {} |",
            kind.replace('|', "\\|"),
            before[0],
            before[1],
            now[0],
            now[1]
        );
    }
    text
}

/// The page of the documentation.
pub fn page(before: &Counts, now: &Counts) -> String {
    format!(
        "# Warnings over public worlds and robots\n\nMade by `cargo xtask warnings --before LIST`: `stiction check` and two seconds of `stiction run` under `ode`, \
         `dart`, `simbody`, `agx` and `drake-discrete`, over the worlds, models, Choreonoid bodies and reported situations of the \
         reference, the bundled worlds, and the robots of the Python package `example-robot-data`. A run that takes longer than the limit on the \
         clock ends early; here that was 1 s on two shared cores, which ends some runs before their warnings, so small differences are of the clock. A case is a file under an engine; a kind is the code of a finding, or the first words of a warning, with `_` for \
         names and `#` for numbers. *Before* is commit ea3d914. `target/warnings.tsv` has every sentence.\n\n{}",
        table(before, now)
    )
}
