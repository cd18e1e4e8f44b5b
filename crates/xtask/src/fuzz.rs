//! `cargo xtask fuzz`: random worlds, judged by physics.

use std::process::ExitCode;

/// Builds `stiction-fuzz` with optimization and runs it.
pub(crate) fn run(options: &[String]) -> ExitCode {
    crate::run_built("stiction-fuzz", options)
}
