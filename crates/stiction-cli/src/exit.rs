//! Exit codes, and failures that end the command.

use std::fmt;
use std::process::ExitCode;

/// How a command ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Everything was done.
    Done,
    /// The input is wrong; diagnostics were printed.
    Input,
    /// The command line is wrong.
    Usage,
    /// The simulation failed, after writing what it had.
    Simulation,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Done => 0,
            Exit::Input => 1,
            Exit::Usage => 2,
            Exit::Simulation => 3,
        })
    }
}

/// Why a command ends early, in words for the user.
#[derive(Debug)]
pub struct Failure {
    /// The exit code.
    pub exit: Exit,
    message: String,
}

impl Failure {
    /// The command line is wrong.
    pub fn usage(message: impl Into<String>) -> Self {
        Self { exit: Exit::Usage, message: message.into() }
    }
    /// What was asked for cannot be written.
    pub fn output(message: impl Into<String>) -> Self {
        Self { exit: Exit::Simulation, message: message.into() }
    }
    /// The input is wrong.
    pub fn input(message: impl Into<String>) -> Self {
        Self { exit: Exit::Input, message: message.into() }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.message)
    }
}
