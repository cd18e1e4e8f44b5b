//! Commands that plugins take and nobody gives.

use stiction_formats::plugins::{InputKind, plugin_of_system};
use stiction_formats::simulation::{PluginInput, Simulation};

use super::Command;

/// Plugins of one system that are listed one by one.
const LISTED: usize = 4;

/// A line for each plugin that takes a command and has none: `DiffDrive takes a command: ...`.
pub(crate) fn hints(commands: &[Command], simulation: &Simulation) -> Vec<String> {
    let inputs = simulation.plugin_inputs();
    let is_commanded = |plugin: usize| {
        commands.iter().any(|command| matches!(command, Command::Plugin { input, .. } if input.plugin == plugin))
    };
    let waits = |input: &&PluginInput| {
        let is_optional = matches!(input.kind, InputKind::Detach | InputKind::Attach | InputKind::Winch);
        !input.name.is_empty() && !is_optional && !is_commanded(input.plugin) && !is_driven(input, &inputs)
    };
    let mut systems: Vec<(&str, Vec<String>)> = Vec::new();
    let mut seen = Vec::new();
    for input in inputs.iter().filter(waits) {
        // Of a plugin with several joints each has a command.
        let form = format!("`--command {}`", form(input));
        if seen.contains(&form) {
            continue;
        }
        seen.push(form.clone());
        match systems.iter_mut().find(|(system, _)| *system == input.system) {
            Some((_, forms)) => forms.push(form),
            None => systems.push((input.system, vec![form])),
        }
    }
    let lines = |(system, forms): (&str, Vec<String>)| -> Vec<String> {
        if forms.len() <= LISTED {
            return forms.into_iter().map(|form| format!("{system} takes a command: {form}")).collect();
        }
        let (count, first) = (forms.len(), forms[..2].join(", "));
        vec![format!("{system} takes a command for each of {count} joints: {first} and so on")]
    };
    systems.into_iter().flat_map(lines).collect()
}

/// Another plugin of the model commands it: a copter its rotors, a vehicle its tracks.
fn is_driven(input: &PluginInput, inputs: &[PluginInput]) -> bool {
    let is_part = input.kind == InputKind::MotorSpeed || input.system.contains("Track");
    let has_twist =
        |other: &PluginInput| other.kind == InputKind::Twist && input.name.starts_with(&format!("{}::", other.name));
    is_part && inputs.iter().any(has_twist)
}

/// The command with letters for its numbers; quoted where a shell would take the name apart.
fn form(input: &PluginInput) -> String {
    let commands = plugin_of_system(input.system).map_or(&[][..], |entry| entry.commands);
    let numbers = commands.iter().find(|command| command.kind == input.kind).map_or("x", |command| command.numbers);
    let axis = if input.axis > 0 { format!("/{}", input.axis) } else { String::new() };
    let text = format!("{}{axis}:{}={numbers}", input.name, input.kind.word());
    let is_plain = text.chars().all(|c| c.is_alphanumeric() || "_-:/=,.".contains(c));
    if is_plain { text } else { format!("'{text}'") }
}
