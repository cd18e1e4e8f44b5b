//! The page of a plugin.

use stiction_formats::plugins::{PluginCommand, PluginEntry, PluginRole};
use stiction_formats::usage::{engines, limit_of_plugin};

use crate::exit::Failure;
use crate::output::say;

/// The word can only mean a plugin: a file name, or a class of gz-sim.
pub fn is_plugin_name(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    let starts = ["libgazebo", "gz-sim", "ignition-gazebo", "libignition-gazebo", "gazebo_ros_"];
    word.ends_with(".so")
        || word.ends_with("plugin")
        || word.contains("::systems::")
        || starts.iter().any(|start| word.starts_with(start))
}

/// Prints everything that is known of a plugin.
pub fn plugin(entry: &PluginEntry) -> Result<(), Failure> {
    say!("{} (plugin)", entry.system);
    match entry.role {
        PluginRole::Acts => say!("  {}", entry.law),
        PluginRole::Elsewhere(what) => say!("  no effect on the motion: {what}"),
        PluginRole::LeftOut(what) | PluginRole::Unseen(what) => say!("  no effect here: {what}"),
    }
    for (program, file) in entry.files {
        say!("  {:<16} {file}", program.name());
    }
    if entry.role != PluginRole::Acts {
        return Ok(());
    }
    say!("  {:<16} {}", "moves", entry.moves);
    if entry.acts_on_static_models {
        say!("  {:<16} acts, too", "static models");
    }
    let commands: Vec<String> = entry.commands.iter().map(command).collect();
    if !commands.is_empty() {
        say!("  {:<16} {}", "commands", commands.join(", "));
    }
    if !entry.parameters.is_empty() {
        say!("parameters [default, unit]");
        for parameter in entry.parameters {
            let value = match (parameter.default, parameter.unit) {
                ("", unit) => unit.to_owned(),
                (default, "") => default.to_owned(),
                (default, unit) => format!("{default} {unit}"),
            };
            let value = if value.is_empty() { value } else { format!("[{value}] ") };
            say!("  {:<24} {value}{}", parameter.name.replace('|', ", "), parameter.meaning);
        }
    }
    say!("engines");
    let limits = engines().filter_map(|engine| Some((engine, limit_of_plugin(entry, engine)?)));
    let limits: Vec<_> = limits.collect();
    for (engine, limit) in &limits {
        say!("  {engine:<19} {limit}");
    }
    say!("  {:<19} acts", if limits.is_empty() { "all" } else { "all others" });
    Ok(())
}

fn command(command: &PluginCommand) -> String {
    format!("`--command {}:{}={}`", command.of, command.kind.word(), command.numbers)
}
