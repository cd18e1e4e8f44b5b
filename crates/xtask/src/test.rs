//! `cargo xtask test`: everything that must pass, and what was skipped.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use stiction_testing::{LARGE, LIST, REQUIRED};

use crate::{FEATURES, headers, peers, root, tidy};

/// Tidy, peers, all tests, and the same bits with and without optimization.
pub fn run(options: &[String]) -> ExitCode {
    let skips = skip_list();
    if tidy::run() != ExitCode::SUCCESS || headers::run(&["--check".to_owned()]) != ExitCode::SUCCESS {
        return ExitCode::FAILURE;
    }
    peers::install();
    let mut arguments = vec!["test", "--workspace", "--release", "--features", FEATURES];
    let is_large = options.iter().any(|o| o == "--large");
    arguments.extend(options.iter().map(String::as_str).filter(|o| *o != "--large"));
    println!("$ cargo {}", arguments.join(" "));
    let mut tests = crate::cargo();
    tests.args(&arguments).current_dir(root()).env(LIST, &skips).env(REQUIRED, required());
    if is_large {
        tests.env(LARGE, "1");
    }
    let passed = tests.status().is_ok_and(|s| s.success());
    print_skips(&std::fs::read_to_string(&skips).unwrap_or_default());
    if passed && has_same_bits() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The engine gives the same bits with and without optimization; says so in a closing line.
fn has_same_bits() -> bool {
    let mut unoptimized = stiction_testing::unoptimized_cargo(crate::cargo().get_program());
    unoptimized.args(["run", "--quiet", "-p", "stiction-scenes", "--example", "state_hash"]).current_dir(root());
    // Built with the tests, unless options choose some of them.
    let build = ["build", "--quiet", "--workspace", "--release", "--features", FEATURES, "--example", "state_hash"];
    if !crate::cargo().args(build).current_dir(root()).status().is_ok_and(|status| status.success()) {
        return false;
    }
    let optimized = stiction_testing::target_folder().join("release/examples/state_hash");
    let hashes = |command: &mut Command| {
        let output = command.stderr(Stdio::inherit()).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    };
    match (hashes(&mut unoptimized), hashes(&mut Command::new(optimized))) {
        (Some(slow), Some(fast)) if slow == fast && !slow.is_empty() => {
            println!("{} states have the same bits with and without optimization", slow.lines().count());
            println!("1 passed, 0 failed");
            true
        }
        (slow, fast) => {
            println!("without optimization:\n{slow:?}\nwith it:\n{fast:?}\nthe state must not depend on the build");
            println!("0 passed, 1 failed");
            false
        }
    }
}

/// What tests may not skip for want of: as [`REQUIRED`] says; `present` is what this machine has.
fn required() -> String {
    let given = std::env::var(REQUIRED).unwrap_or_default();
    if given != "present" {
        return given;
    }
    let mut all = Vec::new();
    if root().join("../shared").is_dir() {
        all.push("reference");
    }
    if peers::are_all_there() {
        all.extend(["tool", "peer"]);
    }
    println!("tests that skip for want of these fail: {}", all.join(", "));
    all.join(",")
}

/// An empty list for tests to say in what they skip, beside the command's own program.
fn skip_list() -> PathBuf {
    let folder = std::env::current_exe().ok().and_then(|program| Some(program.parent()?.to_owned()));
    let list = folder.unwrap_or_else(std::env::temp_dir).join(format!("skipped-{}.txt", std::process::id()));
    // One of an earlier process of the same number.
    let _ = std::fs::remove_file(&list);
    list
}

/// Lists the tests that skipped something, and their number; libtest counts them as passed.
fn print_skips(list: &str) {
    let mut tests: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for line in list.lines() {
        let (test, what) = line.split_once(": ").unwrap_or((line, ""));
        let reasons = tests.entry(test).or_default();
        if !reasons.contains(&what) {
            reasons.push(what);
        }
    }
    for (test, reasons) in &tests {
        println!("SKIPPED {test}: {}", reasons.join("; "));
    }
    println!("{} tests SKIPPED something for want of what is listed above", tests.len());
}
