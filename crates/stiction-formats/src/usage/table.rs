//! `usage.tsv`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::Leaf;

/// What an engine does with a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// It has the effect that it is for.
    Used,
    /// Something else is computed from it.
    Mapped,
    /// It acts, but not on the motion: pace, threads, drawings.
    Outside,
    /// It has no effect.
    Ignored,
}

impl How {
    /// The word of the table.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Used => "used",
            Self::Mapped => "mapped",
            Self::Outside => "outside",
            Self::Ignored => "ignored",
        }
    }

    fn from_word(word: &str) -> Option<Self> {
        [Self::Used, Self::Mapped, Self::Outside, Self::Ignored].into_iter().find(|how| how.word() == word)
    }
}

/// A cell of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// What the engine does.
    pub how: How,
    /// Name of the note; empty if there is none.
    pub note: &'static str,
    /// To what it is mapped and by which formula, why it is ignored, or what limits its use.
    pub text: &'static str,
}

struct Row {
    cells: Vec<(&'static str, Usage)>,
    proof: &'static str,
}

#[derive(Default)]
pub(super) struct Table {
    /// Engines, and of which each inherits.
    engines: Vec<(&'static str, &'static str)>,
    notes: BTreeMap<&'static str, &'static str>,
    meanings: BTreeMap<String, &'static str>,
    equations: BTreeMap<String, &'static str>,
    rules: BTreeMap<String, &'static str>,
    rows: BTreeMap<String, Row>,
    /// What acts where a file does not give an element, by engine.
    absent: BTreeMap<String, Vec<(&'static str, &'static str)>>,
    /// Lines that could not be read.
    pub(super) faults: Vec<&'static str>,
}

pub(super) static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table::default();
    for line in include_str!("usage.tsv").lines().filter(|l| !l.starts_with('#') && !l.is_empty()) {
        if table.read(line).is_none() {
            table.faults.push(line);
        }
    }
    table
});

/// What proves a row that names no test of its own.
const JUDGE: &str = "crates/stiction-run/tests/it/use_by_engine/mod.rs";

/// A word and what stands behind it.
fn word(text: &'static str) -> (&'static str, &'static str) {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    (word, rest.trim_start())
}

impl Table {
    fn read(&mut self, line: &'static str) -> Option<()> {
        let (kind, rest) = word(line);
        let (first, after) = word(rest);
        match kind {
            "engine" => self.engines.push((first, after)),
            "note" => {
                self.notes.insert(first, after);
            }
            "about" => {
                let (name, text) = word(after);
                self.meanings.insert(format!("{first} {name}"), text);
            }
            "equation" | "rule" => {
                let (name, text) = word(after);
                let of_kind = if kind == "rule" { &mut self.rules } else { &mut self.equations };
                return of_kind.insert(format!("{first} {name}"), text).is_none().then_some(());
            }
            "element" => {
                let (name, cells) = word(after);
                return self.row(format!("{first} {name}"), cells);
            }
            "absent" => {
                let (name, cells) = word(after);
                let cells = cells.split_ascii_whitespace().map(|cell| cell.split_once('=')).collect::<Option<_>>()?;
                return self.absent.insert(format!("{first} {name}"), cells).is_none().then_some(());
            }
            "engine-parameter" => return self.row(first.to_owned(), after),
            _ => return None,
        }
        Some(())
    }

    fn row(&mut self, key: String, text: &'static str) -> Option<()> {
        let mut row = Row { cells: Vec::new(), proof: JUDGE };
        for part in text.split_ascii_whitespace() {
            if let Some(proof) = part.strip_prefix('@') {
                row.proof = proof;
                continue;
            }
            let (engine, cell) = part.split_once('=')?;
            let (how, note) = cell.split_once(':').unwrap_or((cell, ""));
            let text = if note.is_empty() { "" } else { self.notes.get(note).copied()? };
            self.engines.iter().find(|(name, _)| *name == engine)?;
            row.cells.push((engine, Usage { how: How::from_word(how)?, note, text }));
        }
        self.rows.insert(key, row).is_none().then_some(())
    }

    fn of(&self, key: &str, engine: &str) -> Option<Usage> {
        self.inherited(&self.rows.get(key)?.cells, engine)
    }

    /// The cell of an engine, or of the nearest one that it inherits from.
    fn inherited<T: Copy>(&self, cells: &[(&'static str, T)], engine: &str) -> Option<T> {
        let mut engine = engine;
        // A chain of engines is no longer than there are engines.
        for _ in 0..=self.engines.len() {
            if let Some((_, cell)) = cells.iter().find(|(name, _)| *name == engine) {
                return Some(*cell);
            }
            engine = self.engines.iter().find(|(name, _)| *name == engine)?.1;
        }
        None
    }

    /// Keys that have an equation or a rule.
    #[cfg(test)]
    pub(super) fn formulas(&self) -> impl Iterator<Item = &str> {
        self.equations.keys().chain(self.rules.keys()).map(String::as_str)
    }

    #[cfg(test)]
    pub(super) fn keys(&self) -> impl Iterator<Item = (&str, &str)> {
        self.rows.iter().map(|(key, row)| (key.as_str(), row.proof))
    }
}

/// Names of the engines that the table knows.
pub fn engines() -> impl Iterator<Item = &'static str> {
    TABLE.engines.iter().map(|(name, _)| *name)
}

/// What an engine does with a parameter; `None` for engines that the table does not know.
#[must_use]
pub fn of(leaf: &Leaf, engine: &str) -> Option<Usage> {
    TABLE.of(&leaf.key, engine)
}

/// What acts under an engine where a file does not give a parameter, if that is not the format's default: a value, or `unset` where
/// no value of the parameter does what its absence does.
#[must_use]
pub fn absent(leaf: &Leaf, engine: &str) -> Option<&'static str> {
    TABLE.inherited(TABLE.absent.get(&leaf.key)?, engine).filter(|value| *value != "default")
}

/// Path of the test that shows it, in the repository.
#[must_use]
pub fn proof(leaf: &Leaf) -> &'static str {
    TABLE.rows.get(&leaf.key).map_or(JUDGE, |row| row.proof)
}

/// Equation of an element that has none in another table.
pub(super) fn equation(key: &str) -> &'static str {
    TABLE.equations.get(key).copied().unwrap_or_default()
}

/// How two surfaces combine, of an element that has no rule in another table.
pub(super) fn rule(key: &str) -> &'static str {
    TABLE.rules.get(key).copied().unwrap_or_default()
}

/// Meaning of an element that is in no other table.
pub(super) fn meaning(key: &str) -> &'static str {
    TABLE.meanings.get(key).copied().unwrap_or_default()
}
