//! Exit codes, and failures that end the command.

use std::fmt;
use std::process::ExitCode;

use stiction_run::{Request, RunError};

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
    /// It was interrupted, after writing what it had.
    Interrupted,
}

impl Exit {
    /// What shells give for what ended by Ctrl-C: 128 and the number of the signal.
    pub const INTERRUPTED: u8 = 130;
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Done => 0,
            Exit::Input => 1,
            Exit::Usage => 2,
            Exit::Simulation => 3,
            Exit::Interrupted => Exit::INTERRUPTED,
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

impl From<RunError> for Failure {
    /// A request that cannot be read, or a name of an engine, joint or base that is not there, is a fault of the command
    /// line; everything else is one of the files and states. Requests have the names of their options.
    fn from(error: RunError) -> Self {
        let is_usage = match &error {
            RunError::Text { .. }
            | RunError::Engine { .. }
            | RunError::StepSize(_)
            | RunError::NothingMoves
            | RunError::CaseTwice(_)
            | RunError::NothingToCompare(_) => true,
            RunError::Unfit { request, .. } | RunError::Unknown { request, .. } => {
                matches!(request, Request::Command | Request::FailIf | Request::Reference | Request::Record)
            }
            _ => false,
        };
        let prefix = match &error {
            RunError::Text { request: Request::File, .. } => "",
            RunError::Text { .. }
            | RunError::Unfit { .. }
            | RunError::Unknown { .. }
            | RunError::Engine { .. }
            | RunError::UnknownParameter { .. }
            | RunError::Value { .. }
            | RunError::Weld(_)
            | RunError::NothingMoves => "--",
            _ => "",
        };
        let exit = if is_usage { Exit::Usage } else { Exit::Input };
        Self { exit, message: format!("{prefix}{error}") }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.message)
    }
}
