//! What the command prints for others to read. A reader that has had enough (`stiction list FILE | head`) ends it quietly.

use std::fmt;
use std::io::{ErrorKind, Write, stdout};

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

/// `println!` for commands: leaves them with a failure where [`line`] fails.
macro_rules! say {
    ($($text:tt)*) => { $crate::output::line(format_args!($($text)*))? };
}

pub(crate) use say;
