//! The form of an entry.

use super::super::InputKind;

/// Whose plugin it is: names and defaults differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PluginProgram {
    /// Gazebo classic.
    Classic,
    /// gz-sim, and Ignition Gazebo before it.
    GzSim,
    /// The ROS packages of Gazebo classic, `gazebo_ros_pkgs`.
    GazeboRos,
}

/// What is done with a plugin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PluginRole {
    /// It acts, under every engine.
    Acts,
    /// It moves nothing: who does its work here.
    Elsewhere(&'static str),
    /// It has no effect: what it would have done.
    LeftOut(&'static str),
    /// It has no effect, and would have moved nothing: what it would have done.
    Unseen(&'static str),
}

/// A parameter of a plugin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PluginParameter {
    /// Its element; alternatives with `|` between them, elements around it with `/`, `[xyz]` for one letter of several.
    pub name: &'static str,
    /// Default; empty where the element is needed or there is none.
    pub default: &'static str,
    /// Unit; empty for numbers without one and for texts.
    pub unit: &'static str,
    /// What it is.
    pub meaning: &'static str,
}

/// A command that a plugin takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PluginCommand {
    /// What it means.
    pub kind: InputKind,
    /// Whose name stands before it: `MODEL`, `LINK`, `JOINT`.
    pub of: &'static str,
    /// Its numbers, as letters: `v,w`.
    pub numbers: &'static str,
}

/// What is known of a plugin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PluginEntry {
    /// Its name in messages and tables.
    pub system: &'static str,
    /// File names, as a `<plugin filename="">` has them.
    pub files: &'static [(PluginProgram, &'static str)],
    /// What is done with it.
    pub role: PluginRole,
    /// What it moves, or what it reads.
    pub moves: &'static str,
    /// Its law.
    pub law: &'static str,
    /// Commands.
    pub commands: &'static [PluginCommand],
    /// Parameters.
    pub parameters: &'static [PluginParameter],
    /// It acts on a static model, too.
    pub acts_on_static_models: bool,
    /// Key of the parameter (`Leaf::key` of [`crate::usage`]) through which it acts, and what it cannot do under engines that ignore that parameter.
    pub through: Option<[&'static str; 2]>,
}

impl PluginProgram {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Classic => "Gazebo classic",
            Self::GzSim => "gz-sim",
            Self::GazeboRos => "gazebo_ros_pkgs",
        }
    }

    /// The program of a file name, and the word between prefix and suffix in small letters and digits: `libDiffDrivePlugin.so`,
    /// `gz-sim8-diff-drive-system` and `libgazebo_ros_diff_drive.so` have `diffdrive`.
    pub(crate) fn of_file(file: &str) -> (Self, String) {
        let file = file.rsplit('/').next().unwrap_or(file).to_ascii_lowercase();
        let letters: String = file.trim_end_matches(".so").chars().filter(char::is_ascii_alphanumeric).collect();
        let bare = letters.strip_prefix("lib").unwrap_or(&letters);
        let prefixes = [("gazeboros", Self::GazeboRos), ("gzsim", Self::GzSim), ("ignitiongazebo", Self::GzSim)];
        for (prefix, program) in prefixes {
            if let Some(rest) = bare.strip_prefix(prefix) {
                let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
                let rest = if program == Self::GzSim { rest.strip_suffix("system").unwrap_or(rest) } else { rest };
                return (program, rest.strip_suffix("plugin").unwrap_or(rest).to_owned());
            }
        }
        (Self::Classic, bare.strip_suffix("plugin").unwrap_or(bare).to_owned())
    }
}

impl PluginEntry {
    pub(super) const fn acts(
        system: &'static str,
        files: &'static [(PluginProgram, &'static str)],
        moves: &'static str,
        law: &'static str,
        parameters: &'static [PluginParameter],
    ) -> Self {
        Self {
            system,
            files,
            role: PluginRole::Acts,
            moves,
            law,
            commands: &[],
            parameters,
            acts_on_static_models: false,
            through: None,
        }
    }

    pub(super) const fn of_role(
        system: &'static str,
        files: &'static [(PluginProgram, &'static str)],
        role: PluginRole,
    ) -> Self {
        Self { role, ..Self::acts(system, files, "", "", &[]) }
    }

    pub(super) const fn takes(self, commands: &'static [PluginCommand]) -> Self {
        Self { commands, ..self }
    }

    pub(super) const fn acts_through(self, through: [&'static str; 2]) -> Self {
        Self { through: Some(through), ..self }
    }

    pub(super) const fn on_static_models(self) -> Self {
        Self { acts_on_static_models: true, ..self }
    }

    /// Words of its files, with their programs.
    pub(super) fn words(&self) -> impl Iterator<Item = (PluginProgram, String)> + '_ {
        self.files.iter().map(|(program, file)| (*program, PluginProgram::of_file(file).1))
    }

    /// Whether an element of the plugin is a parameter of it.
    #[must_use]
    pub fn has_parameter(&self, element: &str) -> bool {
        self.parameters.iter().any(|parameter| parameter.is_named(element))
    }

    /// One JSON object, with its fields as keys.
    #[must_use]
    pub fn json(&self) -> serde_json::Value {
        let files =
            self.files.iter().map(|(program, file)| serde_json::json!({"program": program.name(), "file": file}));
        let command = |c: &PluginCommand| format!("{}:{}={}", c.of, c.kind.word(), c.numbers);
        let parameter = |p: &PluginParameter| serde_json::json!({"name": p.name, "default": p.default, "unit": p.unit, "meaning": p.meaning});
        let (role, text) = match self.role {
            PluginRole::Acts => ("acts", ""),
            PluginRole::Elsewhere(text) => ("elsewhere", text),
            PluginRole::LeftOut(text) => ("left out", text),
            PluginRole::Unseen(text) => ("unseen", text),
        };
        serde_json::json!({
            "plugin": self.system,
            "files": files.collect::<Vec<_>>(),
            "role": role,
            "text": text,
            "moves": self.moves,
            "law": self.law,
            "commands": self.commands.iter().map(command).collect::<Vec<_>>(),
            "parameters": self.parameters.iter().map(parameter).collect::<Vec<_>>(),
            "acts_on_static_models": self.acts_on_static_models,
        })
    }
}

impl PluginParameter {
    /// Whether an element of this name, directly below the plugin, is the parameter or has it inside.
    #[must_use]
    pub fn is_named(&self, element: &str) -> bool {
        let first = |name: &'static str| name.split('/').next().unwrap_or(name);
        self.name.split('|').map(first).any(|pattern| fits(pattern, element))
    }
}

/// `x[UVW]` fits `xV`.
fn fits(pattern: &str, name: &str) -> bool {
    let mut left = name.chars();
    let mut letters = pattern.chars();
    while let Some(letter) = letters.next() {
        let Some(found) = left.next() else { return false };
        let is_fit = if letter == '[' {
            let set: String = letters.by_ref().take_while(|c| *c != ']').collect();
            set.contains(found)
        } else {
            letter == found
        };
        if !is_fit {
            return false;
        }
    }
    left.next().is_none()
}

/// A parameter in one line of a table.
pub(super) const fn p(
    name: &'static str,
    default: &'static str,
    unit: &'static str,
    meaning: &'static str,
) -> PluginParameter {
    PluginParameter { name, default, unit, meaning }
}

/// A command in one line of a table.
pub(super) const fn c(kind: InputKind, of: &'static str, numbers: &'static str) -> PluginCommand {
    PluginCommand { kind, of, numbers }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_all_programs_name_one_plugin() {
        for (file, program, expected) in [
            ("libDiffDrivePlugin.so", PluginProgram::Classic, "diffdrive"),
            ("gz-sim-diff-drive-system", PluginProgram::GzSim, "diffdrive"),
            ("gz-sim8-diff-drive-system", PluginProgram::GzSim, "diffdrive"),
            ("libignition-gazebo6-diff-drive-system.so", PluginProgram::GzSim, "diffdrive"),
            ("ignition-gazebo-diff-drive-system", PluginProgram::GzSim, "diffdrive"),
            ("/opt/ros/lib/libgazebo_ros_diff_drive.so", PluginProgram::GazeboRos, "diffdrive"),
            ("libMudPlugin.so", PluginProgram::Classic, "mud"),
        ] {
            assert_eq!(PluginProgram::of_file(file), (program, expected.to_owned()), "{file}");
        }
    }

    #[test]
    fn letters_in_brackets_are_one_of_several() {
        assert!(fits("[xy]Dot[UV]", "yDotU") && !fits("[xy]Dot[UV]", "zDotU"));
        assert!(!fits("[xy][UV]", "x") && !fits("[xy][UV]", "xUV"));
    }
}
