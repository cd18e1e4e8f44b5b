//! `cargo xtask test`: everything that must pass, and what was skipped.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use stiction_testing::{LIST, REQUIRED};

use crate::{headers, peers, root, tidy};

/// The bundled world whose state must not depend on how the command was compiled.
const WORLD: &str = "worlds/friction_pyramid.world";

/// Tidy, peers, all tests, and the same bits from debug and release builds.
pub fn run(options: &[String]) -> ExitCode {
    let skips = skip_list();
    if tidy::run() != ExitCode::SUCCESS || headers::run(&["--check".to_owned()]) != ExitCode::SUCCESS {
        return ExitCode::FAILURE;
    }
    peers::install();
    let required = required();
    let cargo = |arguments: &[&str]| {
        println!("$ cargo {}", arguments.join(" "));
        let mut command = crate::cargo();
        command.args(arguments).current_dir(root()).env(LIST, &skips).env(REQUIRED, &required);
        command.status().is_ok_and(|s| s.success())
    };
    let mut tests = vec!["test", "--workspace", "--release"];
    tests.extend(options.iter().map(String::as_str));
    let passed = cargo(&tests);
    print_skips(&std::fs::read_to_string(&skips).unwrap_or_default());
    if !passed || !cargo(&["build"]) || !cargo(&["build", "--release"]) {
        return ExitCode::FAILURE;
    }
    match (hash(&[]), hash(&["--release"])) {
        (Some(debug), Some(release)) if debug == release => {
            println!("debug and release builds give the same state hash, {debug}");
            println!("1 passed, 0 failed");
            ExitCode::SUCCESS
        }
        (debug, release) => {
            println!("debug gives {debug:?}, release {release:?}: the state must not depend on the build");
            println!("0 passed, 1 failed");
            ExitCode::FAILURE
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

/// State hash of the bundled world after half a second, from one build.
fn hash(profile: &[&str]) -> Option<String> {
    let output = crate::cargo()
        .args(["run", "--quiet"])
        .args(profile)
        .args(["--", "run", WORLD, "--duration", "0.5", "--json", "--quiet"])
        .current_dir(root())
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let rest = text.split_once("\"state_hash\": \"")?.1;
    Some(rest.split_once('"')?.0.to_owned())
}
