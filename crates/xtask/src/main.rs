//! Chores of the repository: `cargo xtask <chore>`.

mod bench;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first().map(|(chore, rest)| (chore.as_str(), rest)) {
        Some(("bench", rest)) => bench::run(rest),
        _ => {
            eprintln!("usage: cargo xtask bench [options of stiction-bench]");
            ExitCode::from(2)
        }
    }
}
