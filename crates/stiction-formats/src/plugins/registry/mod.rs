//! What is known of every plugin: its names in each program, its parameters, its commands, and what it moves. The reader of files,
//! `stiction explain PLUGIN`, the hints of `run` and the tables of `docs/plugins.md` all take it from here.

mod entry;
mod fluids;
mod holding;
mod joints;
mod left_out;
mod silent;
mod vehicles;

use std::sync::LazyLock;

pub use entry::{PluginCommand, PluginEntry, PluginParameter, PluginProgram, PluginRole};

use crate::suggest::nearest;

static ENTRIES: LazyLock<Vec<&'static PluginEntry>> = LazyLock::new(|| {
    let parts: [&[PluginEntry]; 6] =
        [joints::ENTRIES, vehicles::ENTRIES, fluids::ENTRIES, holding::ENTRIES, silent::ENTRIES, left_out::ENTRIES];
    parts.into_iter().flatten().collect()
});

/// All plugins that are known, those that act first.
#[must_use]
pub fn plugin_entries() -> &'static [&'static PluginEntry] {
    &ENTRIES
}

/// The entry of a system, as [`super::PluginDescription::system`] has it.
#[must_use]
pub fn plugin_of_system(system: &str) -> Option<&'static PluginEntry> {
    ENTRIES.iter().find(|entry| entry.system == system).copied()
}

/// The entry of a file name (`libDiffDrivePlugin.so`, `gz-sim8-diff-drive-system`), of a class name (`gz::sim::systems::DiffDrive`),
/// or of a bare name (`DiffDrive`, `diff_drive`).
///
/// # Errors
/// The nearest names, where there is none.
pub fn find_plugin(name: &str) -> Result<&'static PluginEntry, Vec<String>> {
    let bare = name.rsplit("::").next().unwrap_or(name);
    let (program, word) = PluginProgram::of_file(bare);
    let program = if bare == name { program } else { PluginProgram::GzSim };
    let of_name = ENTRIES.iter().find(|entry| entry.system.eq_ignore_ascii_case(bare)).copied();
    of_name.or_else(|| by_word(program, &word)).ok_or_else(|| {
        // A slip in the suffix leaves it in the word.
        let short = word.rfind(['s', 'p']).map_or(word.as_str(), |at| &word[..at]);
        let known: Vec<(String, &str)> =
            ENTRIES.iter().flat_map(|entry| entry.words().map(|(_, known)| (known, entry.system))).collect();
        // Three letters are like those of anything.
        let near = |word: &str| match word.len() {
            0..5 => Vec::new(),
            _ => nearest(word, known.iter().map(|(known, _)| known.as_str())),
        };
        let found = [near(&word), near(short)].into_iter().find(|found| !found.is_empty()).unwrap_or_default();
        let systems = found.into_iter().filter_map(|word| known.iter().find(|(known, _)| known == word));
        systems.map(|(_, system)| (*system).to_owned()).collect()
    })
}

/// The entry of a word between prefix and suffix, first that of the program, then that of any.
pub(crate) fn by_word(program: PluginProgram, word: &str) -> Option<&'static PluginEntry> {
    let is =
        |entry: &&&PluginEntry, own: bool| entry.words().any(|(of, known)| (!own || of == program) && known == word);
    let found = ENTRIES.iter().find(|entry| is(entry, true)).or_else(|| ENTRIES.iter().find(|entry| is(entry, false)));
    found.copied()
}

/// An entry of those without effect: by its file, or by a word that the name contains, since there are many plugins of cameras.
#[must_use]
pub fn plugin_without_effect(name: &str) -> Option<&'static PluginEntry> {
    let (program, word) = PluginProgram::of_file(name);
    let is_out = |entry: &&PluginEntry| matches!(entry.role, PluginRole::LeftOut(_) | PluginRole::Unseen(_));
    let is_like = |entry: &&&PluginEntry| {
        matches!(entry.role, PluginRole::Unseen(_)) && entry.words().any(|(_, known)| word.contains(&known))
    };
    by_word(program, &word).filter(is_out).or_else(|| ENTRIES.iter().find(is_like).copied())
}
