//! `cargo xtask bench`: builds the benchmarks with optimisation and runs them.

use std::process::{Command, ExitCode};

/// Runs `stiction-bench`, beside ODE, or with `--peers` first `peers`, beside Drake and MuJoCo, with the given options.
pub(crate) fn run(options: &[String]) -> ExitCode {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let (program, options) = match options.split_first() {
        Some((first, rest)) if first == "--peers" => ("peers", rest),
        _ => ("stiction-bench", options),
    };
    let status = Command::new(cargo)
        .args(["run", "--release", "--quiet", "-p", "stiction-bench", "--bin", program, "--"])
        .args(options)
        .status();
    match status {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("cannot run cargo: {error}");
            ExitCode::FAILURE
        }
    }
}
