//! `cargo xtask budget`: the default build stays small. Few crates, a small binary, and parts that are left out say so.

use std::path::Path;
use std::process::{Command, ExitCode};

use crate::root;

/// Most crates behind the command with default features, our own included.
const MOST_CRATES: usize = 100;
/// Largest command \[bytes\].
const LARGEST: u64 = 25_000_000;

/// Builds the command as `cargo build --release` does, runs the README's first example, and compares with the limits.
pub(crate) fn run() -> ExitCode {
    let findings = [crates(), binary(), example()];
    let mut is_good = true;
    for finding in findings {
        match finding {
            Ok(text) => println!("budget: {text}"),
            Err(text) => {
                println!("budget: FAILED: {text}");
                is_good = false;
            }
        }
    }
    println!("{}", if is_good { "1 passed, 0 failed" } else { "0 passed, 1 failed" });
    if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Counts the crates that the command is built of.
fn crates() -> Result<String, String> {
    let tree = ["tree", "-p", "stiction-cli", "-e", "normal,build", "--prefix", "none", "--format", "{p}"];
    let output = crate::cargo().args(tree).current_dir(root()).output().map_err(|e| e.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut names: Vec<&str> = text.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    names.sort_unstable();
    names.dedup();
    let report = format!("{} crates behind the command, at most {MOST_CRATES}", names.len());
    if names.len() <= MOST_CRATES { Ok(report) } else { Err(report) }
}

/// Builds the command with default features and looks at its size.
fn binary() -> Result<String, String> {
    let status = crate::cargo().args(["build", "--release"]).current_dir(root()).status().map_err(|e| e.to_string())?;
    if !status.success() {
        return Err("the default build failed".to_owned());
    }
    let size = std::fs::metadata(command()).map_err(|e| e.to_string())?.len();
    let report = format!("a binary of {:.1} MB, less than {:.0} MB", size as f64 * 1e-6, LARGEST as f64 * 1e-6);
    if size < LARGEST { Ok(report) } else { Err(report) }
}

/// The first command of the README, into a folder of its own: it records less than 10 MB. A form of recording that is left
/// out of the default build names its feature.
fn example() -> Result<String, String> {
    let folder = stiction_testing::target_folder().join("budget");
    // One that an earlier call left.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let readme = std::fs::read_to_string(root().join("README.md")).map_err(|e| e.to_string())?;
    let line = readme.lines().find_map(|line| line.strip_prefix("cargo run --release -- "));
    let line = line.and_then(|line| line.split(" #").next()).ok_or("the README has no `cargo run --release -- …`")?;
    let output = Command::new(command()).args(line.split_whitespace()).current_dir(&folder).output();
    let output = output.map_err(|e| e.to_string())?;
    if !output.status.success() {
        return Err(format!("`{line}` ends with {}: {}", output.status, String::from_utf8_lossy(&output.stderr)));
    }
    let written = size_of(&folder).map_err(|e| e.to_string())?;
    let arrow = ["run", "tower", "--steps", "1", "--record", "columns", "--record-format", "arrow"];
    let refused = Command::new(command()).args(arrow).current_dir(&folder).output().map_err(|e| e.to_string())?;
    let words = String::from_utf8_lossy(&refused.stderr).into_owned();
    std::fs::remove_dir_all(&folder).map_err(|e| e.to_string())?;
    if refused.status.success() || !words.contains("--features arrow") {
        return Err(format!("a recording in Arrow does not name its feature: {words}"));
    }
    let report = format!("the first command of the README writes {:.1} MB, less than 10 MB", written as f64 * 1e-6);
    if written < 10_000_000 { Ok(report) } else { Err(report) }
}

/// The command that was built.
fn command() -> std::path::PathBuf {
    let folder = stiction_testing::target_folder().join("release");
    let folder = folder.canonicalize().unwrap_or(folder);
    folder.join(format!("stiction{}", std::env::consts::EXE_SUFFIX))
}

/// Bytes of all files below a folder.
fn size_of(folder: &Path) -> std::io::Result<u64> {
    let mut sum = 0;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        sum += if entry.path().is_dir() { size_of(&entry.path())? } else { entry.metadata()?.len() };
    }
    Ok(sum)
}
