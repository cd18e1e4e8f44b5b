//! `cargo xtask tidy`: what the compiler does not check. Imports run one way, the table in ARCHITECTURE.md points at
//! things that exist, and files stay short.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::root;

/// Which modules of `crates/stiction` each may import.
const LAYERS: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("math", &[]),
    ("shape", &["math"]),
    ("collision", &["math", "shape"]),
    ("broadphase", &["math", "shape"]),
    ("space", &["base", "math", "shape", "collision", "broadphase"]),
    ("contact", &["math"]),
    ("material", &["math", "contact", "constraint"]),
    ("constraint", &["math", "contact"]),
    ("solvers", &["math", "contact", "constraint"]),
    ("joints", &["base", "math", "contact", "constraint", "dynamics"]),
    ("dynamics", &["math", "shape"]),
    ("integrators", &[]),
    (
        "model",
        &[
            "base",
            "math",
            "shape",
            "broadphase",
            "contact",
            "material",
            "constraint",
            "joints",
            "dynamics",
            "integrators",
        ],
    ),
    ("parameter", &["math", "broadphase", "contact", "dynamics", "integrators", "material", "model"]),
    (
        "pipeline",
        &[
            "base",
            "math",
            "shape",
            "collision",
            "broadphase",
            "contact",
            "material",
            "constraint",
            "solvers",
            "joints",
            "dynamics",
            "integrators",
            "model",
        ],
    ),
    (
        "world",
        &[
            "base",
            "math",
            "shape",
            "collision",
            "broadphase",
            "material",
            "constraint",
            "joints",
            "dynamics",
            "integrators",
            "model",
            "pipeline",
        ],
    ),
];

/// Longest file, in lines, tests and blank lines included.
const LONGEST: usize = 600;

/// Runs every check and prints what is wrong.
pub fn run() -> ExitCode {
    let mut findings = Vec::new();
    findings.extend(layering());
    findings.extend(where_is());
    findings.extend(long_files());
    for finding in &findings {
        println!("tidy: {finding}");
    }
    if findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<_> = entries.flatten().map(|e| e.path()).collect();
    paths.sort();
    paths
        .into_iter()
        .flat_map(|p| if p.is_dir() { rust_files(&p) } else { vec![p] })
        .filter(|p| p.extension().is_some_and(|e| e == "rs"))
        .collect()
}

fn layering() -> Vec<String> {
    let source = root().join("crates/stiction/src");
    let mut findings = Vec::new();
    for (module, allowed) in LAYERS {
        for file in rust_files(&source.join(module)) {
            let text = fs::read_to_string(&file).unwrap_or_default();
            for (number, line) in text.lines().enumerate() {
                let line = line.trim_start();
                if line.starts_with("//") {
                    continue;
                }
                for part in line.split("crate::").skip(1) {
                    let target: String = part.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                    let is_module = LAYERS.iter().any(|(m, _)| *m == target);
                    if is_module && target != *module && !allowed.contains(&target.as_str()) {
                        let file = file.strip_prefix(root()).unwrap_or(&file).display();
                        findings.push(format!("{file}:{}: `{module}` may not import `{target}`", number + 1));
                    }
                }
            }
        }
    }
    findings
}

/// Rows of the table: a question, a path in backticks, and symbols in backticks that the file must hold.
fn where_is() -> Vec<String> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap_or_default();
    let Some((_, table)) = text.split_once("## Where is …?") else {
        return vec!["ARCHITECTURE.md has no section `Where is …?`".to_owned()];
    };
    let table = table.split("\n## ").next().unwrap_or_default();
    let mut findings = Vec::new();
    let mut rows = 0;
    for row in table.lines().filter(|l| l.starts_with("| ") && l.contains('`')) {
        rows += 1;
        let mut quoted = row.split('`').skip(1).step_by(2);
        let Some(path) = quoted.next() else { continue };
        let Ok(file) = fs::read_to_string(root().join(path)) else {
            findings.push(format!("ARCHITECTURE.md: `{path}` does not exist"));
            continue;
        };
        findings.extend(
            quoted.filter(|symbol| !file.contains(*symbol)).map(|s| format!("ARCHITECTURE.md: `{path}` has no `{s}`")),
        );
    }
    if rows < 10 {
        findings.push(format!("ARCHITECTURE.md: only {rows} rows in `Where is …?`"));
    }
    findings
}

fn long_files() -> Vec<String> {
    rust_files(&root().join("crates"))
        .iter()
        .filter_map(|file| {
            let lines = fs::read_to_string(file).ok()?.lines().count();
            let name = file.strip_prefix(root()).unwrap_or(file).display();
            (lines > LONGEST).then(|| format!("{name}: {lines} lines; {LONGEST} at most: does it hold one idea?"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn imports_run_one_way() {
        assert_eq!(super::layering(), Vec::<String>::new());
    }

    #[test]
    fn the_table_of_places_is_true() {
        assert_eq!(super::where_is(), Vec::<String>::new());
    }
}
