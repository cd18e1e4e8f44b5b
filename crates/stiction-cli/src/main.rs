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
        Command::Run(run) => run::run(run),
        Command::Compare(compare) => compare::compare(compare),
        Command::Check(check) => check::check(check),
        Command::List(list) => list::list(list),
        Command::Explain(explain) => explain::explain(explain),
        Command::Convert(convert) => convert::convert(convert),
        Command::Worlds => worlds::worlds(),
        Command::View(_) | Command::Sweep(_) | Command::Tune(_) | Command::Replay(_) | Command::Plot(_) => {
            Err(exit::Failure::usage(format!(
                "`stiction {}` is not implemented yet; available: `run`, `compare`, `check`, `list`, `explain`, `convert` and `worlds`",
                arguments.command.name()
            )))
        }
    };
    match result {
        Ok(exit) => exit.into(),
        Err(failure) => {
            eprintln!("{failure}");
            failure.exit.into()
        }
    }
}
