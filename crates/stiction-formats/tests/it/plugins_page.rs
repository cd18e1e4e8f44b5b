//! The tables of `docs/plugins.md` are made from the registry of plugins.
#![allow(clippy::unwrap_used, missing_docs)]

use std::fmt::Write;
use std::path::Path;

use stiction_formats::plugins::{PluginEntry, PluginRole, plugin_entries};
use stiction_formats::usage::{engines, limit_of_plugin};

const START: &str =
    "<!-- made from the registry of plugins by a test: UPDATE=1 cargo test -p stiction-formats plugins_page -->";

fn files(entry: &PluginEntry) -> String {
    entry.files.iter().map(|(_, file)| format!("`{file}`")).collect::<Vec<_>>().join(", ")
}

fn escaped(text: &str) -> String {
    text.replace('|', "\\|")
}

fn parameters(entry: &PluginEntry) -> String {
    let one = |p: &stiction_formats::plugins::PluginParameter| {
        let names: Vec<String> = p.name.split('|').map(|name| format!("`{name}`")).collect();
        let unit = if p.unit.is_empty() { String::new() } else { format!(" {}", p.unit) };
        let default = if p.default.is_empty() { String::new() } else { format!(" ({}{unit})", p.default) };
        format!("{}{default}: {}", names.join(", "), p.meaning)
    };
    entry.parameters.iter().map(one).collect::<Vec<_>>().join("; ")
}

fn limits(entry: &PluginEntry) -> String {
    let mut named: Vec<(String, Vec<&str>)> = Vec::new();
    for engine in engines() {
        let Some(limit) = limit_of_plugin(entry, engine) else { continue };
        match named.iter_mut().find(|(text, _)| *text == limit) {
            Some((_, engines)) => engines.push(engine),
            None => named.push((limit, vec![engine])),
        }
    }
    let one = |(text, engines): (String, Vec<&str>)| format!(". Under {}: {text}", engines.join(", "));
    named.into_iter().map(one).collect()
}

fn tables() -> String {
    let mut text = String::from(
        "\n| plugin | files | moves | law | commands | parameters (defaults) |\n|---|---|---|---|---|---|\n",
    );
    let entries = plugin_entries();
    for entry in entries.iter().filter(|entry| entry.role == PluginRole::Acts) {
        let command =
            |c: &stiction_formats::plugins::PluginCommand| format!("`{}:{}={}`", c.of, c.kind.word(), c.numbers);
        let commands: Vec<String> = entry.commands.iter().map(command).collect();
        let statics = if entry.acts_on_static_models { " (also of static models)" } else { "" };
        writeln!(
            text,
            "| `{}` | {} | {}{statics} | {}{} | {} | {} |",
            entry.system,
            files(entry),
            entry.moves,
            escaped(entry.law),
            escaped(&limits(entry)),
            commands.join(", "),
            escaped(&parameters(entry)),
        )
        .unwrap();
    }
    for (title, column) in
        [("No effect on the motion", "instead"), ("Without effect here", "what they would have done")]
    {
        write!(text, "\n{title}:\n\n| plugin | files | {column} |\n|---|---|---|\n").unwrap();
        for entry in entries {
            let what = match (entry.role, column) {
                (PluginRole::Elsewhere(what), "instead")
                | (PluginRole::LeftOut(what) | PluginRole::Unseen(what), "what they would have done") => what,
                _ => continue,
            };
            writeln!(text, "| `{}` | {} | {what} |", entry.system, files(entry)).unwrap();
        }
    }
    text
}

#[test]
fn the_page_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/plugins.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let (head, _) = text.split_once(START).expect("the mark of the tables");
    let made = format!("{head}{START}\n{}", tables());
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, made).unwrap();
        return;
    }
    assert!(text == made, "docs/plugins.md is not what the registry says; run this test with UPDATE=1");
}
