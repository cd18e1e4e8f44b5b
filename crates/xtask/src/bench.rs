//! `cargo xtask bench` and `figures`: builds the benchmarks or figures with optimisation and runs them.

use std::process::{Command, ExitCode};

/// Draws the figures of the documentation into `docs/figures`.
pub(crate) fn figures(options: &[String]) -> ExitCode {
    release("figures", options)
}

/// Runs `stiction-bench`, beside ODE, or with `--peers` first `peers`, beside Drake and MuJoCo, with the given options.
pub(crate) fn run(options: &[String]) -> ExitCode {
    let (program, options) = match options.split_first() {
        Some((first, rest)) if first == "--peers" => ("peers", rest),
        _ => ("stiction-bench", options),
    };
    release(program, options)
}

/// Builds a program of the benchmarks with optimisation and runs it.
fn release(program: &str, options: &[String]) -> ExitCode {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
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
