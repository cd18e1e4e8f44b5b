//! What is wrong with a command line: what was found, what is expected, an example.

use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};

use super::Arguments;

/// Simulated or wall time \[s\], 0 or more.
pub(super) fn seconds(text: &str) -> Result<f64, String> {
    let number = text.trim().parse::<f64>().ok().filter(|s| s.is_finite() && *s >= 0.0);
    number.ok_or_else(|| "expected a time in seconds, 0 or more, for example 2.5".to_owned())
}

/// A wall time \[s\], more than 0.
pub(super) fn limit(text: &str) -> Result<f64, String> {
    let number = text.trim().parse::<f64>().ok().filter(|s| *s > 0.0);
    number.ok_or_else(|| "expected a time in seconds, more than 0, for example 60, or inf".to_owned())
}

/// A step \[s\]; whether it is more than 0 the engine decides.
pub(super) fn step(text: &str) -> Result<f64, String> {
    let number = text.trim().parse::<f64>().ok().filter(|s| s.is_finite() && *s >= 0.0);
    number.ok_or_else(|| {
        "expected a time in seconds, more than 0, for example 0.001 (0 with the engines drake-* is continuous time)"
            .to_owned()
    })
}

/// A number of steps.
pub(super) fn steps(text: &str) -> Result<u64, String> {
    text.trim().parse().map_err(|_| "expected a whole number, 0 or more, for example 1000".to_owned())
}

/// A number of threads.
pub(super) fn threads(text: &str) -> Result<u32, String> {
    let number = text.trim().parse().ok().filter(|n| (1..=1024).contains(n));
    number.ok_or_else(|| "expected a whole number from 1 to 1024, for example 4".to_owned())
}

/// The error in our own words; `None` for help and version, and for what has no words here.
pub fn words(error: &Error, line: &[String]) -> Option<String> {
    let command = line.get(1).filter(|word| !word.starts_with('-')).map_or("", String::as_str);
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        Some(ContextValue::Strings(list)) => list.join(", "),
        _ => String::new(),
    };
    let (argument, value) = (text(ContextKind::InvalidArg), text(ContextKind::InvalidValue));
    // `--steps <N>` is known as `--steps`.
    let option = argument.split_whitespace().next().unwrap_or_default();
    let help = if command.is_empty() { "stiction --help".to_owned() } else { format!("stiction {command} --help") };
    Some(match error.kind() {
        ErrorKind::ValueValidation => {
            let reason = std::error::Error::source(error).map_or_else(String::new, ToString::to_string);
            format!("{option} `{value}`: {reason}")
        }
        ErrorKind::InvalidValue if value.is_empty() => format!("{option}: expected {argument}, see `{help}`"),
        ErrorKind::InvalidValue => {
            format!("{option} `{value}`: expected one of {}", text(ContextKind::ValidValue))
        }
        ErrorKind::UnknownArgument => unknown_option(command, option, &help),
        ErrorKind::InvalidSubcommand => {
            let word = text(ContextKind::InvalidSubcommand);
            let names: Vec<String> = visible(&Arguments::command()).map(|c| c.get_name().to_owned()).collect();
            let near = stiction_formats::nearest(&word, names.iter().map(String::as_str));
            let hint = near.first().map_or_else(
                || format!("commands are {}", names.join(", ")),
                |near| format!("did you mean `stiction {near}`?"),
            );
            format!("there is no command `{word}`; {hint}")
        }
        ErrorKind::MissingRequiredArgument => missing(command, &argument, &help),
        ErrorKind::ArgumentConflict => {
            let other = text(ContextKind::PriorArg);
            let other = other.split_whitespace().next().unwrap_or_default();
            if other == option {
                format!("{option} is given twice; expected it once")
            } else {
                format!("{option} cannot be combined with {other}: give one of the two")
            }
        }
        _ => return None,
    })
}

fn visible(command: &clap::Command) -> impl Iterator<Item = &clap::Command> {
    command.get_subcommands().filter(|c| !c.is_hide_set())
}

fn unknown_option(command: &str, option: &str, help: &str) -> String {
    let all = Arguments::command();
    let own = all.find_subcommand(command).unwrap_or(&all);
    let known: Vec<String> = own.get_arguments().filter_map(|a| Some(format!("--{}", a.get_long()?))).collect();
    if !option.starts_with('-') {
        return format!("`{option}`: `stiction {command}` takes no more arguments; see `{help}`");
    }
    let near = stiction_formats::nearest(option, known.iter().map(String::as_str));
    // `--record-contact` is near; `--speed` may be a part of `--record-speed`.
    let near = near.first().map(|near| format!("did you mean `{near}`?"));
    format!(
        "{option}: `stiction {command}` has no such option; {}",
        near.unwrap_or_else(|| format!("`{help}` lists them"))
    )
}

fn missing(command: &str, arguments: &str, help: &str) -> String {
    let example = match command {
        "convert" => "for example `stiction convert robot.urdf robot.sdf`".to_owned(),
        "explain" => "for example `stiction explain tower`, or `stiction explain kp`".to_owned(),
        _ => format!("for example `stiction {command} tower`; `stiction worlds` lists the bundled worlds"),
    };
    if arguments.contains("FILE>...") || command == "convert" {
        let what = if command == "convert" { "an input and an output file" } else { "a file of a world or model" };
        return format!("stiction {command}: expected {what}, {example}");
    }
    // What another option needs.
    let option = arguments.split_whitespace().next().unwrap_or_default();
    format!("stiction {command}: {option} is missing, which another option needs; see `{help}`")
}
