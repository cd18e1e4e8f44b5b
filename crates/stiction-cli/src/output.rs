//! What the command prints for others to read. A reader that has had enough (`stiction list FILE | head`) ends it quietly.

use std::fmt;
use std::io::{ErrorKind, IsTerminal, Write, stdout};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::arguments::OutputArguments;
use crate::exit::Failure;

/// Prints a line.
///
/// # Errors
/// Writing failed for a reason other than a closed pipe.
pub fn line(text: fmt::Arguments<'_>) -> Result<(), Failure> {
    match writeln!(stdout().lock(), "{text}") {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::output(format!("cannot write the output: {error}")))
        }
        _ => Ok(()),
    }
}

/// A bar on a terminal, unless `--quiet`.
pub fn progress(output: &OutputArguments, length: u64, template: &str) -> ProgressBar {
    if output.quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::hidden());
    }
    let bar = ProgressBar::new(length);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

/// `println!` for commands: leaves them with a failure where [`line`] fails.
macro_rules! say {
    ($($text:tt)*) => { $crate::output::line(format_args!($($text)*))? };
}

pub(crate) use say;
