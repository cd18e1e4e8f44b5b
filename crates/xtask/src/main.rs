//! Chores of the repository: `cargo xtask <chore>`.

mod bench;
mod fuzz;
mod headers;
mod install;
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
        Some(("models", rest)) => bench::models(rest),
        Some(("hashes", rest)) => bench::hashes(rest),
        Some(("tidy", [])) => tidy::run(),
        _ => {
            eprintln!(
                "usage: cargo xtask test [--large] [options of cargo test] | tidy | figures | bench [--libode | --peers | --on-threads | --recording] [options] | fuzz [options] | headers [--check] | \
                 install --prefix DIR [--library FILE] | worlds [--only TEXT] | models [--folder DIR] | boxes | hashes [--check]"
            );
            ExitCode::from(2)
        }
    }
}

/// The root of the repository.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The cargo that runs this.
fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}
