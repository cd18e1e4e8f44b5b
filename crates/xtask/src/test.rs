//! `cargo xtask test`: everything that must pass.

use std::process::ExitCode;

use crate::{headers, peers, root, tidy};

/// The bundled world whose state must not depend on how the command was compiled.
const WORLD: &str = "worlds/friction_pyramid.world";

/// Tidy, peers, all tests, and the same bits from debug and release builds.
pub fn run(options: &[String]) -> ExitCode {
    let cargo = |arguments: &[&str]| {
        println!("$ cargo {}", arguments.join(" "));
        let status = crate::cargo().args(arguments).current_dir(root()).status();
        status.is_ok_and(|s| s.success())
    };
    if tidy::run() != ExitCode::SUCCESS || headers::run(&["--check".to_owned()]) != ExitCode::SUCCESS {
        return ExitCode::FAILURE;
    }
    peers::install();
    let mut tests = vec!["test", "--workspace", "--release"];
    tests.extend(options.iter().map(String::as_str));
    if !cargo(&tests) || !cargo(&["build"]) || !cargo(&["build", "--release"]) {
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
