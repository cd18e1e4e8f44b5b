//! `cargo xtask fuzz`: random worlds, judged by physics.

use std::process::ExitCode;

/// Builds `stiction-fuzz` with optimisation and runs it.
pub(crate) fn run(options: &[String]) -> ExitCode {
    let mut arguments = vec!["run", "--release", "--quiet", "-p", "stiction-fuzz", "--"];
    arguments.extend(options.iter().map(String::as_str));
    match crate::cargo().args(arguments).current_dir(crate::root()).status() {
        Ok(status) => ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)),
        Err(error) => {
            eprintln!("cannot run cargo: {error}");
            ExitCode::FAILURE
        }
    }
}
