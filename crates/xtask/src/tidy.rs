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
    ("collision", &["base", "math", "shape"]),
    ("broadphase", &["math", "shape"]),
    ("space", &["base", "math", "shape", "collision", "broadphase"]),
    ("contact", &["math"]),
    ("material", &["base", "math", "contact", "constraint"]),
    ("constraint", &["math", "contact"]),
    ("solvers", &["base", "math", "contact", "constraint"]),
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
            "solvers",
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
            "contact",
            "material",
            "constraint",
            "joints",
            "dynamics",
            "integrators",
            "model",
            "pipeline",
        ],
    ),
    ("batch", &["joints", "solvers", "pipeline", "world"]),
];

/// Layers of the other crates, the lowest first: a module may import from layers below its own, and from modules of its own
/// layer, which are separated by blanks.
const CRATE_LAYERS: &[(&str, &[&str])] = &[
    (
        "stiction-ode",
        &[
            "types report",
            "alive in_progress memory init stream timer random mass rotation threading",
            "matrix",
            "cooperative",
            "objects",
            "joints",
            "geom",
            "space",
            "step",
            "lifetime export",
            "self_test",
        ],
    ),
    (
        "stiction-formats",
        &[
            "diagnostic",
            "features description devices commanded engine_blocks wheel_slip wind plugins sensors source suggest bundled mesh",
            "yaml",
            "materials",
            "bounds render",
            "bodies sdf urdf choreonoid",
            "simulation",
            "advice compliant_advice convert fix in_force usage",
        ],
    ),
    (
        "stiction-run",
        &[
            "error clock pace signal",
            "commands forces state",
            "quantities watch",
            "condition",
            "refusal told",
            "engine explain run setup values",
            "probe record summary",
            "compare",
        ],
    ),
    (
        "stiction-cli",
        &[
            "arguments exit labels",
            "chart input interrupt output",
            "plot",
            "check compare convert explain fixes list run worlds",
        ],
    ),
    (
        "stiction-bench",
        &["chart clock judge machine ode ours outlines quality sources", "engines table worlds boxes zoo", "tests"],
    ),
    ("stiction-scenes", &["scene", "build builtin mechanisms text"]),
    ("stiction-fuzz", &["random setting energy verdict", "mechanism", "contact program", "case", "trace"]),
    ("stiction-plot", &["bitmap"]),
    ("stiction-testing", &["counting"]),
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
    let mut findings = Vec::new();
    let engine = |module: &str, target: &str| {
        let allowed = LAYERS.iter().find(|(m, _)| *m == module).map(|(_, allowed)| *allowed);
        let is_module = LAYERS.iter().any(|(m, _)| *m == target);
        !is_module || allowed.is_none_or(|allowed| allowed.contains(&target))
    };
    findings.extend(imports_against("stiction", &engine));
    for (name, layers) in CRATE_LAYERS {
        let layer = |module: &str| layers.iter().position(|layer| layer.split(' ').any(|m| m == module));
        let rule = |module: &str, target: &str| match (layer(module), layer(target)) {
            (Some(own), Some(other)) => other <= own,
            _ => true,
        };
        findings.extend(imports_against(name, &rule));
        findings.extend(modules(name).filter(|(module, _)| layer(module).is_none()).map(|(module, _)| {
            format!("crates/{name}: `{module}` is in no layer (`CRATE_LAYERS` in crates/xtask/src/tidy.rs)")
        }));
    }
    findings
}

/// Modules that a crate consists of, with their files; not those of its tests, nor its front page.
fn modules(name: &str) -> impl Iterator<Item = (String, Vec<PathBuf>)> {
    let source = root().join("crates").join(name).join("src");
    let mut paths: Vec<_> = fs::read_dir(source).into_iter().flatten().flatten().map(|e| e.path()).collect();
    paths.sort();
    paths.into_iter().filter_map(|path| {
        let module = path.file_stem()?.to_str()?.to_owned();
        let is_page = matches!(module.as_str(), "lib" | "main" | "bin");
        let files = if path.is_dir() { rust_files(&path) } else { vec![path] };
        let is_rust = files.iter().any(|file| file.extension().is_some_and(|e| e == "rs"));
        let is_test = |file: &PathBuf| file.file_stem().is_some_and(|f| f.to_string_lossy().ends_with("tests"));
        (is_rust && !is_page).then(|| (module, files.into_iter().filter(|file| !is_test(file)).collect()))
    })
}

/// Imports of a crate's modules that a rule forbids: it is asked with the module and the one that it imports.
fn imports_against(name: &str, is_allowed: &dyn Fn(&str, &str) -> bool) -> Vec<String> {
    let mut findings = Vec::new();
    for (module, files) in modules(name) {
        for file in files {
            let text = fs::read_to_string(&file).unwrap_or_default();
            for (number, line) in text.lines().enumerate().take_while(|(_, line)| !line.starts_with("#[cfg(test)]")) {
                for target in imported(line).filter(|target| *target != module && !is_allowed(&module, target)) {
                    let file = file.strip_prefix(root()).unwrap_or(&file).display();
                    findings.push(format!("{file}:{}: `{module}` may not import `{target}`", number + 1));
                }
            }
        }
    }
    findings
}

/// Modules of its own crate that a line of code names.
fn imported(line: &str) -> impl Iterator<Item = &str> {
    let code = if line.trim_start().starts_with("//") { "" } else { line };
    code.split("crate::").skip(1).flat_map(|path| {
        let list = path.strip_prefix('{').map(|list| list.split(", ").collect::<Vec<_>>());
        list.unwrap_or_else(|| vec![path]).into_iter().map(|path| {
            let end = path.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(path.len());
            &path[..end]
        })
    })
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
    fn imports_are_seen() {
        let seen = |line| super::imported(line).collect::<Vec<_>>();
        assert_eq!(seen("use crate::geom::{Geom, GeomId};"), ["geom"]);
        assert_eq!(seen("use crate::{init, report};"), ["init", "report"]);
        assert_eq!(seen("    crate::space::add(crate::geom::of(x));"), ["space", "geom"]);
        assert!(seen("// use crate::space;").is_empty());
    }

    #[test]
    fn the_table_of_places_is_true() {
        assert_eq!(super::where_is(), Vec::<String>::new());
    }
}
