//! Chores of the repository: `cargo xtask <chore>`.

mod bench;
mod budget;
mod fuzz;
mod headers;
mod install;
mod instructions;
mod peers;
mod test;
mod tidy;

use std::path::PathBuf;
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first().map(|(chore, rest)| (chore.as_str(), rest)) {
        Some(("bench", rest)) => bench::run(rest),
        Some(("figures", rest)) => bench::figures(rest),
        Some(("fuzz", rest)) => fuzz::run(rest),
        Some(("headers", rest)) => headers::run(rest),
        Some(("install", rest)) => install::run(rest),
        Some(("test", rest)) => test::run(rest),
        Some(("worlds", rest)) => bench::worlds(rest),
        Some(("boxes", rest)) => bench::boxes(rest),
        Some(("warnings", rest)) => bench::warnings(rest),
        Some(("models", rest)) => bench::models(rest),
        Some(("zoo", rest)) => bench::zoo(rest),
        Some(("hashes", rest)) => bench::hashes(rest),
        Some(("instructions", rest)) => instructions::run(rest),
        Some(("budget", [])) => budget::run(),
        Some(("tidy", [])) => tidy::run(),
        _ => {
            eprintln!(
                "usage: cargo xtask test [--large] [options of cargo test] | tidy | budget | figures | bench [--peers | --batch | --scaling | --drake | --libode | --on-threads | --recording] [options] | instructions [--check | --record] | fuzz [options] | headers [--check] | \
                 install --prefix DIR [--library FILE] | worlds [--only TEXT] | warnings [--only TEXT] [--before LIST] | models [--folder DIR] | boxes | zoo [--only TEXT] [--engine NAME] | hashes [--check]"
            );
            ExitCode::from(2)
        }
    }
}

/// The root of the repository.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Everything that a build may leave out.
const FEATURES: &str = "stiction-cli/all";

/// Builds a program as `cargo xtask test` builds it, so that nothing is compiled twice.
fn build(program: &str) -> bool {
    let build = ["build", "--quiet", "--workspace", "--release", "--features", FEATURES, "--bin", program];
    cargo().args(build).current_dir(root()).status().is_ok_and(|status| status.success())
}

/// Builds a program and runs it.
fn run_built(program: &str, options: &[String]) -> ExitCode {
    if !build(program) {
        return ExitCode::FAILURE;
    }
    let path = stiction_testing::target_folder().join("release").join(program);
    match Command::new(path).args(options).current_dir(root()).status() {
        Ok(status) => ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)),
        Err(error) => {
            eprintln!("cannot run {program}: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The cargo that runs this.
fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // It runs in another folder: a relative one would be another there.
    if let Some(folder) = std::env::var_os("CARGO_TARGET_DIR")
        && let Ok(absolute) = std::path::absolute(folder)
    {
        cargo.env("CARGO_TARGET_DIR", absolute);
    }
    cargo
}
