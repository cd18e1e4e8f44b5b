//! The `stiction` command.

mod arguments;
mod chart;
mod check;
mod compare;
mod convert;
mod exit;
mod explain;
mod fixes;
mod input;
mod interrupt;
mod labels;
mod list;
mod output;
mod plot;
mod run;
mod worlds;

use std::process::ExitCode;

use clap::Parser;

use arguments::{Arguments, Command};
use exit::Exit;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version are no failures; everything else is a usage error.
            let code = if error.use_stderr() { Exit::Usage } else { Exit::Done };
            let line: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
            match arguments::words(&error, &line) {
                Some(words) => eprintln!("error: {words}"),
                // Nothing can be done about a closed terminal.
                None => drop(error.print()),
            }
            return code.into();
        }
    };
    let result = match &arguments.command {
        None => worlds::first_steps(),
        Some(Command::Run(run)) => run::run(run),
        Some(Command::Compare(compare)) => compare::compare(compare),
        Some(Command::Check(check)) => check::check(check),
        Some(Command::List(list)) => list::list(list),
        Some(Command::Explain(explain)) => explain::explain(explain),
        Some(Command::Convert(convert)) => convert::convert(convert),
        Some(Command::Worlds) => worlds::worlds(),
        Some(
            command @ (Command::View(_) | Command::Sweep(_) | Command::Tune(_) | Command::Replay(_) | Command::Plot(_)),
        ) => Err(exit::Failure::usage(format!(
            "`stiction {}` is not implemented yet; available: `run`, `compare`, `check`, `list`, `explain`, `convert` and `worlds`",
            command.name()
        ))),
    };
    match result {
        Ok(exit) => exit.into(),
        Err(failure) => {
            eprintln!("{failure}");
            failure.exit.into()
        }
    }
}
